"""What a server enforces is shown by a canary, once per server, and is remembered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kg.llm import CallFailure, Limits, Message, Request, Sampling
from kg.llm_client import Client
from kg.llm_openai import OpenAIEndpoint
from kg.llm_probe import Capability, Rung, form, formed, probe
from tests.fake_server import Call, FakeServer, Say, refuses, says

QUICK = Limits(backoff=0.001, tries=2, give_up=9)
INSIDE, OUTSIDE = '{"word": "kestrel"}', '{"word": "banana"}'
TEXT = {"en": "A passage of some length. " * 40}


def learn(server: FakeServer, cache: str, rung: Rung | None = None) -> tuple[Capability | CallFailure, Client]:
    endpoint = OpenAIEndpoint(model="m", base_url=server.url, cache=cache, limits=QUICK)

    async def go() -> tuple[Capability | CallFailure, Client]:
        async with Client(endpoint) as client:
            return await probe(client, TEXT, rung), client

    return asyncio.run(go())


def asked(call: Call) -> str:
    """Which rung a call tries."""
    wanted = call.body.get("response_format", {})
    if "structured_outputs" in call.body:
        return "structured_outputs"
    if wanted.get("type") == "json_schema":
        return "strict" if wanted["json_schema"].get("strict") else "schema"
    if wanted.get("type") == "json_object":
        return "object_schema" if "schema" in wanted else "object"
    return "text" if "banana" in call.text else "count"


def server_that(enforces: str, lenient: Say) -> Callable[[Call], Say]:
    """Enforces one rung and answers the others leniently."""

    def answer(call: Call) -> Say:
        rung = asked(call)
        if rung == "count":
            return says("yes")
        if rung == enforces:
            return says(INSIDE)
        return says("banana") if rung == "text" else lenient

    return answer


@pytest.mark.parametrize("rung", ["strict", "schema", "structured_outputs", "object_schema", "object", "text"])
@pytest.mark.parametrize("lenient", [says(OUTSIDE), says("banana"), refuses(400, "unknown response_format")])
def test_the_best_rung_that_is_enforced_is_found(rung: str, lenient: Say, tmp_path: Path) -> None:
    with FakeServer(server_that(rung, lenient)) as server:
        found, _ = learn(server, str(tmp_path / "c"))
    assert isinstance(found, Capability)
    if rung == "text" and lenient.body == says(OUTSIDE).body:
        assert found.rung == "object"  # it does give JSON when asked for JSON
    else:
        assert found.rung == rung


def test_a_server_that_takes_a_schema_and_ignores_it_is_not_believed(tmp_path: Path) -> None:
    with FakeServer(lambda call: says(OUTSIDE)) as server:
        found, _ = learn(server, str(tmp_path / "c"))
    assert isinstance(found, Capability)
    assert not found.enforces
    assert found.tried[0] == "strict: accepted but not enforced"


def test_a_server_is_asked_once_and_another_one_anew(tmp_path: Path) -> None:
    cache = str(tmp_path / "c")
    with FakeServer(server_that("schema", says(OUTSIDE))) as server:
        first, _ = learn(server, cache)
        calls = len(server.calls)
        again, client = learn(server, cache)
        assert (again, client.spend.calls, len(server.calls)) == (first, 0, calls)
    with FakeServer(server_that("strict", says(OUTSIDE))) as other:
        found, _ = learn(other, cache)
    assert isinstance(found, Capability) and found.rung == "strict"


def test_a_given_rung_is_not_tried(tmp_path: Path) -> None:
    with FakeServer(lambda call: says("yes")) as server:
        found, _ = learn(server, str(tmp_path / "c"), "object")
        assert [asked(call) for call in server.calls] == ["count"]
    assert isinstance(found, Capability) and found.rung == "object"


def test_a_form_is_never_left_out_because_a_server_complains(tmp_path: Path) -> None:
    refusing = refuses(400, "response_format is not supported", param="response_format")
    with FakeServer(lambda call: refusing if "response_format" in call.body else says("banana")) as server:
        found, _ = learn(server, str(tmp_path / "c"))
        assert sum("response_format" in call.body for call in server.calls) == 4
    assert isinstance(found, Capability)
    assert (found.rung, found.adapted) == ("text", ())


def test_parameters_the_server_renames_are_noted(tmp_path: Path) -> None:
    def answer(call: Call) -> Say:
        if "max_tokens" in call.body:
            return refuses(400, "Unsupported parameter: 'max_tokens'", param="max_tokens")
        return says(INSIDE)

    with FakeServer(answer) as server:
        found, _ = learn(server, str(tmp_path / "c"))
    assert isinstance(found, Capability) and found.adapted == ("max_tokens sent as max_completion_tokens",)


@pytest.mark.parametrize("status", [401, 404])
def test_a_server_that_cannot_be_asked_is_a_failure(status: int, tmp_path: Path) -> None:
    with FakeServer(lambda call: refuses(status)) as server:
        found, _ = learn(server, str(tmp_path / "c"))
    assert isinstance(found, CallFailure) and found.kind in ("access", "stopped")


def test_what_a_server_counts_shows_when_it_cut_the_input() -> None:
    found = Capability(rung="strict", counts={"en": 0.9})
    assert found.cut(prompt=4096, expected=9000, language="en")
    assert not found.cut(prompt=7900, expected=9000, language="en")
    assert not found.cut(prompt=0, expected=9000, language="en")
    assert not found.cut(prompt=10, expected=9000, language="zh")


def test_a_request_keeps_its_own_extra_fields_beside_the_form() -> None:
    request = Request(model="m", messages=(Message(role="user", content="x"),), sampling=Sampling(extra={"a": 1}))
    schema: dict[str, Any] = {"type": "object"}
    assert formed(request, "structured_outputs", schema).sampling.extra == {
        "a": 1,
        "structured_outputs": {"json": schema},
    }
    assert form("text", schema) == {}
