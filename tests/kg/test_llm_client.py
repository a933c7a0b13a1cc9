"""Asking goes on through every passing fault, stops where it is no use, and never pays twice."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kg.errors import SettingsError
from kg.llm import Answer, Budget, CallFailure, Limits, Message, Price, Reply, Sampling, request_to
from kg.llm_cache import MEMORY
from kg.llm_client import Client, Spend
from kg.llm_openai import OpenAIEndpoint
from tests.fake_server import Call, FakeServer, Say, hangs_up, html, malformed, refuses, says, too_many, truncated

QUICK = Limits(backoff=0.001, tries=6, concurrency=4)


def ask(server: FakeServer | str, count: int = 1, **settings: Any) -> tuple[list[Answer], Client]:
    url = server if isinstance(server, str) else server.url
    options = {"limits": QUICK, "cache": MEMORY, "timeout": 5.0} | settings
    endpoint = OpenAIEndpoint(model="m", base_url=url, **options)  # type: ignore[arg-type]

    async def go() -> tuple[list[Answer], Client]:
        async with Client(endpoint) as client:
            requests = [
                request_to(endpoint, [Message(role="user", content=f"question {n}")], Sampling(max_tokens=32))
                for n in range(count)
            ]
            return list(await asyncio.gather(*(client.ask(request) for request in requests))), client

    return asyncio.run(go())


def first_then(fault: Say, good: Say) -> Callable[[Call], Say]:
    return lambda call: fault if call.number == 0 else good


@pytest.mark.parametrize(
    "fault",
    [
        too_many("0"),
        refuses(500),
        refuses(503),
        refuses(408),
        html(),
        html(502),
        malformed(),
        truncated(),
        hangs_up(),
        says(""),
    ],
    ids=["429", "500", "503", "408", "html", "html502", "malformed", "truncated", "hangup", "empty"],
)
def test_a_passing_fault_is_tried_again(fault: Say) -> None:
    with FakeServer(first_then(fault, says("B"))) as server:
        [answer], client = ask(server)
    assert isinstance(answer, Reply) and answer.text == "B"
    assert (client.spend.calls, client.spend.failed, len(server.calls)) == (2, 1, 2)


def test_tries_are_bounded() -> None:
    with FakeServer(lambda call: refuses(500, "broken")) as server:
        [answer], _ = ask(server, limits=Limits(backoff=0.001, tries=3))
    assert isinstance(answer, CallFailure) and "broken" in answer.what
    assert len(server.calls) == 3


def test_retry_after_is_waited_for() -> None:
    with FakeServer(first_then(too_many("0.3"), says("B"))) as server:
        began = time.monotonic()
        [answer], _ = ask(server)
    assert isinstance(answer, Reply)
    assert time.monotonic() - began >= 0.3


def test_retry_after_is_not_waited_for_longer_than_allowed() -> None:
    with FakeServer(first_then(too_many("3600"), says("B"))) as server:
        began = time.monotonic()
        [answer], _ = ask(server, limits=Limits(backoff=0.001, longest_wait=0.05))
    assert isinstance(answer, Reply)
    assert time.monotonic() - began < 5


def test_calls_run_at_once_but_not_more_than_allowed() -> None:
    with FakeServer(lambda call: says("B", seconds=0.02)) as server:
        answers, _ = ask(server, 20)
    assert all(isinstance(answer, Reply) for answer in answers)
    assert 2 <= server.most_at_once <= 4


def test_a_server_that_takes_two_at_once_is_served_two_at_once_and_nothing_is_lost() -> None:
    with FakeServer(lambda call: too_many("0.01") if server._active > 2 else says("B", seconds=0.01)) as server:
        answers, client = ask(server, 30, limits=Limits(backoff=0.001, tries=1, concurrency=16))
    assert all(isinstance(answer, Reply) for answer in answers)
    assert client._limiter.places < 16


@pytest.mark.parametrize("refusal", [refuses(401), refuses(403), refuses(404), refuses(429, code="insufficient_quota")])
def test_a_fault_that_every_call_would_meet_stops_the_run_at_once(refusal: Say) -> None:
    with FakeServer(lambda call: refusal) as server:
        answers, client = ask(server, 20)
    kinds = [answer.kind for answer in answers if isinstance(answer, CallFailure)]
    assert len(kinds) == 20 and set(kinds) == {"access", "stopped"}
    assert len(server.calls) <= 4
    assert client.stopped is not None and client.stopped.hint


def test_a_server_that_only_says_slow_down_is_given_up_after_a_while() -> None:
    with FakeServer(lambda call: too_many("0.02")) as server:
        [answer], _ = ask(server, limits=Limits(backoff=0.001, tries=1, patience=0.1))
    assert isinstance(answer, CallFailure) and answer.kind == "rate"
    assert 3 <= len(server.calls) <= 10


@pytest.mark.parametrize("fault", [refuses(500), html(), hangs_up()], ids=["500", "a page", "hang-up"])
def test_a_server_that_fails_every_call_is_given_up(fault: Say) -> None:
    with FakeServer(lambda call: fault) as server:
        answers, client = ask(server, 50, limits=Limits(backoff=0.001, give_up=5, tries=20))
    assert all(isinstance(answer, CallFailure) for answer in answers)
    assert client.stopped is not None and len(server.calls) < 100


def test_a_dead_server_is_given_up_with_one_reason() -> None:
    with FakeServer(lambda call: says("B")) as server:
        url = server.url
    answers, client = ask(url, 50, limits=Limits(backoff=0.001, give_up=3, tries=20))
    assert all(isinstance(answer, CallFailure) for answer in answers)
    assert client.stopped is not None and "llm.base_url" in client.stopped.hint
    assert client.spend.calls < 100


def test_a_server_that_comes_back_is_not_given_up() -> None:
    with FakeServer(lambda call: hangs_up() if call.number % 2 else says("B")) as server:
        answers, client = ask(server, 20, limits=Limits(backoff=0.001, give_up=3, tries=50, concurrency=1))
    assert all(isinstance(answer, Reply) for answer in answers)
    assert client.stopped is None


def test_a_refused_request_is_not_repeated_and_costs_only_itself() -> None:
    with FakeServer(lambda call: refuses(400, "too long") if call.text == "question 1" else says("B")) as server:
        answers, _ = ask(server, 3)
    assert [type(answer) for answer in answers] == [Reply, CallFailure, Reply]
    assert len(server.calls) == 3


def test_what_was_answered_is_not_asked_again(tmp_path: Path) -> None:
    cache = str(tmp_path / "replies.sqlite")
    with FakeServer(
        lambda call: refuses(400) if call.text == "question 2" and call.number < 5 else says("B")
    ) as server:
        ask(server, 5, cache=cache)
        assert len(server.calls) == 5
        answers, client = ask(server, 5, cache=cache)
    assert all(isinstance(answer, Reply) for answer in answers)
    assert (client.spend.kept, client.spend.calls, len(server.calls)) == (4, 1, 6)


@pytest.mark.parametrize(
    ("budget", "most"),
    [({"calls": 3}, 3), ({"tokens": 3 * 40}, 3), ({"cost": 3 * 34 / 1e6}, 3)],
    ids=["calls", "tokens", "cost"],
)
def test_a_spent_budget_stops_the_run_with_calls_under_way_counted_in(budget: dict[str, Any], most: int) -> None:
    settings = {"budget": Budget(**budget), "prices": {"m": Price(input=1, output=1)}}
    with FakeServer(lambda call: says("B", seconds=0.01)) as server:
        answers, _ = ask(server, 20, **settings)
    assert 1 <= len(server.calls) <= most
    refused = [answer for answer in answers if isinstance(answer, CallFailure)]
    assert {answer.kind for answer in refused} == {"budget"} and "llm.budget" in refused[0].hint


def test_a_budget_in_money_needs_a_price() -> None:
    with pytest.raises(SettingsError, match=r"llm\.prices"):
        ask("http://127.0.0.1:9/v1", budget=Budget(cost=1))


def test_spending_counts_failed_tries_too() -> None:
    with FakeServer(first_then(says("", finish="stop"), says("B"))) as server:
        _, client = ask(server, prices={"m": Price(input=1, output=1)})
    assert (client.spend.prompt, client.spend.completion) == (200, 4)
    assert client.spend.cost == pytest.approx(204 / 1e6)
    assert Spend().cost is None
