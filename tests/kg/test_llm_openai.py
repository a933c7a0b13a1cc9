"""The dialect: what goes over the wire, what comes back, and what each refusal means."""

from __future__ import annotations

import asyncio
import builtins
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from pydantic import ValidationError

from kg.errors import SettingsError
from kg.llm import Answer, CallFailure, Message, Reply, Sampling, Usage, request_to
from kg.llm_openai import OpenAIEndpoint
from tests.fake_server import Call, FakeServer, Say, hangs_up, html, refuses, says, truncated


def send(
    server: FakeServer, sampling: Sampling | None = None, schema: Any = None, times: int = 1, **more: Any
) -> Answer:
    endpoint = OpenAIEndpoint(**({"model": "m", "base_url": server.url, "timeout": 5.0} | more))

    async def go() -> Answer:
        transport = endpoint.connect()
        request = request_to(endpoint, [Message(role="user", content="Which?")], sampling or Sampling(), schema)
        for _ in range(times):
            answer = await transport.send(request)
        await transport.close()
        return answer

    return asyncio.run(go())


def reply(answer: Answer) -> Reply:
    assert isinstance(answer, Reply), answer
    return answer


def failure(answer: Answer) -> CallFailure:
    assert isinstance(answer, CallFailure), answer
    return answer


def test_a_request_carries_what_was_asked_for_and_nothing_else() -> None:
    with FakeServer(lambda call: says("B")) as server:
        send(server, Sampling(temperature=0.0, top_p=1.0, max_tokens=32), extra_body={"reasoning_effort": "none"})
    [call] = server.calls
    assert call.path == "/v1/chat/completions"
    assert call.body == {
        "model": "m",
        "messages": [{"role": "user", "content": "Which?"}],
        "temperature": 0.0,
        "top_p": 1.0,
        "max_tokens": 32,
        "reasoning_effort": "none",
    }


def test_the_key_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "secret")
    with FakeServer(lambda call: says("B")) as server:
        send(server, api_key_env="SOME_KEY")
    assert server.calls[0].headers["authorization"] == "Bearer secret"


def test_an_empty_key_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOME_KEY", raising=False)
    with pytest.raises(SettingsError, match="SOME_KEY is empty"):
        OpenAIEndpoint(model="m", base_url="http://127.0.0.1:9/v1", api_key_env="SOME_KEY").connect()


def test_without_the_library_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "openai":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(SettingsError, match=r"textbook-kg\[llm\]"):
        OpenAIEndpoint(model="m", base_url="http://127.0.0.1:9/v1").connect()


def test_misspelt_settings_are_refused() -> None:
    with pytest.raises(ValidationError):
        OpenAIEndpoint(modle="m", base_url="http://a")  # type: ignore[call-arg]


def test_a_reply_has_text_reason_model_and_tokens() -> None:
    with FakeServer(lambda call: says("A,C", finish="length", reasoning_content="hm")) as server:
        answer = reply(send(server))
    assert (answer.text, answer.finish, answer.model, answer.reasoning) == ("A,C", "length", "fake-1", "hm")
    assert answer.usage == Usage(prompt=100, completion=2)


def test_a_refusal_of_the_model_is_a_reply() -> None:
    with FakeServer(lambda call: says(None, refusal="I cannot help")) as server:
        assert reply(send(server)).text == "I cannot help"


def test_a_body_without_usage_or_model_is_still_a_reply() -> None:
    body = b'{"choices": [{"message": {"content": "B"}}]}'
    with FakeServer(lambda call: Say(body=body)) as server:
        assert reply(send(server)).usage == Usage()


@pytest.mark.parametrize(
    "say",
    [
        html(),
        Say(),
        Say(body=b"[]"),
        Say(body=b'{"id": 1}'),
        Say(body=b'{"choices": []}'),
        Say(body=b'{"choices": "B"}'),
        Say(body=b'{"choices": [{"message": null}]}'),
        Say(body=b'{"choices": [{"mess'),
    ],
)
def test_a_body_that_is_no_completion_is_a_failure_that_may_pass(say: Say) -> None:
    with FakeServer(lambda call: say) as server:
        answer = failure(send(server))
    assert answer.kind == "malformed" and answer.retryable and "/v1" in answer.hint


@pytest.mark.parametrize("say", [hangs_up(), truncated()])
def test_a_broken_connection_is_a_connection_failure(say: Say) -> None:
    with FakeServer(lambda call: say) as server:
        answer = failure(send(server))
    assert answer.kind == "connection" and answer.retryable


def test_a_slow_server_is_a_timeout_and_the_setting_is_named() -> None:
    with FakeServer(lambda call: says("B", seconds=1)) as server:
        answer = failure(send(server, timeout=0.1))
    assert answer.kind == "timeout" and "llm.timeout" in answer.hint and "0.1 s" in answer.what


@pytest.mark.parametrize(
    ("say", "kind"),
    [
        (refuses(400), "request"),
        (refuses(401), "access"),
        (refuses(402), "access"),
        (refuses(403), "access"),
        (refuses(404), "access"),
        (refuses(408), "server"),
        (refuses(409), "server"),
        (refuses(422), "request"),
        (refuses(429), "rate"),
        (refuses(429, code="insufficient_quota"), "access"),
        (refuses(500), "server"),
        (html(502), "server"),
        (refuses(529), "server"),
    ],
)
def test_every_status_has_its_meaning(say: Say, kind: str) -> None:
    with FakeServer(lambda call: say) as server:
        answer = failure(send(server))
    assert (answer.kind, answer.status) == (kind, say.status)
    assert answer.hint


def test_no_text_is_empty_and_no_text_before_the_limit_is_cut() -> None:
    with FakeServer(
        lambda call: says(None if call.number else " ", finish="stop" if call.number else "length")
    ) as server:
        cut = failure(send(server))
        empty = failure(send(server))
    assert (cut.kind, cut.retryable, cut.usage.prompt) == ("cut", False, 100)
    assert "max_tokens" in cut.hint
    assert (empty.kind, empty.retryable) == ("empty", True)


@pytest.mark.parametrize(
    ("headers", "least", "most"),
    [
        ({"Retry_After": "7"}, 7, 7),
        ({"Retry_After": "1.5"}, 1.5, 1.5),
        ({"retry_after_ms": "250", "Retry_After": "7"}, 0.25, 0.25),
        ({"Retry_After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0, 0),
    ],
)
def test_retry_after_is_read_as_seconds_milliseconds_or_date(
    headers: dict[str, str], least: float, most: float
) -> None:
    with FakeServer(lambda call: refuses(429, **headers)) as server:
        wait = failure(send(server)).wait
    assert wait is not None and least <= wait <= most


def test_retry_after_may_be_a_date_to_come() -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    with FakeServer(lambda call: refuses(429, Retry_After=date)) as server:
        wait = failure(send(server)).wait
    assert wait is not None and 20 < wait <= 30


@pytest.mark.parametrize("headers", [{}, {"Retry_After": "soon"}])
def test_a_retry_after_that_says_nothing_is_none(headers: dict[str, str]) -> None:
    with FakeServer(lambda call: refuses(429, **headers)) as server:
        assert failure(send(server)).wait is None


def takes_no_max_tokens(call: Call) -> Say:
    if "max_tokens" in call.body:
        return refuses(400, "Unsupported parameter: 'max_tokens' is not supported with this model.", param="max_tokens")
    if "temperature" in call.body:
        return refuses(
            400, "Unsupported value: 'temperature' does not support 0.0 with this model.", param="temperature"
        )
    return says("B")


def test_a_parameter_the_server_does_not_take_is_renamed_or_dropped_once_and_noted() -> None:
    with FakeServer(takes_no_max_tokens) as server:
        answer = reply(send(server, Sampling(temperature=0.0, max_tokens=32), times=2))
    assert answer.adapted == ("max_tokens sent as max_completion_tokens", "temperature dropped")
    assert len(server.calls) == 4
    assert server.calls[-1].body["max_completion_tokens"] == 32


def test_a_schema_is_sent_and_dropped_where_the_server_has_none() -> None:
    schema = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    refusing = refuses(400, "response_format is not supported")
    with FakeServer(lambda call: refusing if "response_format" in call.body else says("{}")) as server:
        answer = reply(send(server, schema=schema))
    assert server.calls[0].body["response_format"]["json_schema"]["schema"] == schema
    assert answer.adapted == ("response_format dropped",)


def test_a_wrong_value_is_no_reason_to_drop_a_parameter() -> None:
    with FakeServer(lambda call: refuses(400, "max_tokens must be at most 16")) as server:
        answer = failure(send(server, Sampling(max_tokens=32)))
    assert answer.kind == "request" and "at most 16" in answer.what
    assert len(server.calls) == 1


def test_a_server_that_takes_neither_name_is_not_asked_for_ever() -> None:
    with FakeServer(lambda call: refuses(400, "unknown field max_tokens or max_completion_tokens")) as server:
        answer = failure(send(server, Sampling(max_tokens=32)))
    assert answer.kind == "request"
    assert len(server.calls) <= 3
