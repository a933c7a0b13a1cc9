"""Every item is asked until it is answered, in its language, by the paper's protocol."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from evaluate.ask import Asked, ask, prompts_of, request_of
from evaluate.parse import Reading, Words, read
from evaluate.settings import Protocol
from kg.errors import SettingsError
from kg.item import Item
from kg.language import Language
from kg.llm import Limits
from kg.llm_client import Spend
from kg.llm_openai import OpenAIEndpoint
from tests.evaluate.conftest import an_item
from tests.fake_server import Call, FakeServer, Say, refuses, says

ITEMS = [an_item(number, "AB"[number % 2]) for number in range(12)]


def reader(reply: str, options: Mapping[str, str]) -> Reading:
    return read(reply, options, Words())


def go(server: FakeServer, languages: Mapping[str, Language], cache: Path, rounds: int = 2, **limits: Any) -> Asked:
    endpoint = OpenAIEndpoint(
        model="m",
        base_url=server.url,
        cache=str(cache),
        limits=Limits(**{"backoff": 0.001, "tries": 2, "give_up": 100} | limits),
    )
    prompts = prompts_of(Protocol(), languages)
    requests = [request_of(item, endpoint, Protocol(), prompts, languages) for item in ITEMS]
    return ask(ITEMS, requests, endpoint, reader, lambda *_: None, rounds)


def test_the_request_is_the_papers_protocol(languages: Mapping[str, Language], tmp_path: Path) -> None:
    with FakeServer(lambda call: says("A")) as server:
        go(server, languages, tmp_path / "c.sqlite")
    body = server.calls[0].body
    assert (body["temperature"], body["top_p"], body["max_tokens"]) == (0.0, 1.0, 32)
    system, user = (message["content"] for message in body["messages"])
    assert "Only uppercase letters A/B/C/D are allowed" in system
    assert "Question: Which of these" in user and "\nB. option bbb of" in user


def test_a_question_is_put_in_its_own_language(languages: Mapping[str, Language]) -> None:
    endpoint = OpenAIEndpoint(model="m", base_url="http://127.0.0.1:9/v1")
    item = Item(
        id="1", question="以下哪些是【速度】的基础？", options={"A": "路程", "B": "{{question}}"}, answer=("A",)
    )
    for protocol, start in ((Protocol(), "题目："), (Protocol(prompt_language="en"), "Question: ")):
        prompts = prompts_of(protocol, languages)
        text = request_of(item, endpoint, protocol, prompts, languages).messages[-1].content
        assert text.startswith(start) and "B. {{question}}" in text


def test_a_language_without_a_prompt_gets_one_all_the_same(tmp_path: Path, languages: Mapping[str, Language]) -> None:
    (tmp_path / "answer.zh.md").write_text("# user\n{{question}} {{options}}", encoding="utf-8")
    prompts = prompts_of(Protocol(), languages, tmp_path)
    assert prompts["en"] == prompts["zh"]


@pytest.mark.parametrize(
    ("text", "protocol", "message"),
    [
        (None, Protocol(), "no prompt answer"),
        (None, Protocol(prompt_language="fr"), "no such prompt"),
        ("# user\n{{question}}", Protocol(), "a prompt shows"),
        ("# user\n{{question}} {{options}} {{gold}}", Protocol(), "a prompt shows"),
    ],
)
def test_a_prompt_that_cannot_be_used_is_named(
    text: str | None, protocol: Protocol, message: str, tmp_path: Path, languages: Mapping[str, Language]
) -> None:
    if text is not None:
        (tmp_path / "answer.en.md").write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=message):
        prompts_of(protocol, languages, tmp_path)


def test_what_fails_in_one_round_is_asked_again_in_the_next(languages: Mapping[str, Language], tmp_path: Path) -> None:
    with FakeServer(lambda call: says("A") if call.number >= 24 else refuses(500)) as server:
        asked = go(server, languages, tmp_path / "c.sqlite")
    assert [row.failure for row in asked.predictions.values()] == [""] * 12
    assert (asked.spend.calls, asked.spend.failed, asked.hints) == (36, 24, {})


def test_a_failed_call_is_no_answer_and_the_next_run_asks_only_for_it(
    languages: Mapping[str, Language], tmp_path: Path
) -> None:
    broken = {"now": True}

    def script(call: Call) -> Say:
        return refuses(500, "overloaded") if broken["now"] and "case 3?" in call.text else says("A")

    with FakeServer(script) as server:
        first = go(server, languages, tmp_path / "c.sqlite")
        broken["now"] = False
        before = len(server.calls)
        second = go(server, languages, tmp_path / "c.sqlite")
        assert len(server.calls) == before + 1
    assert "overloaded" in first.predictions["i003"].failure and first.predictions["i003"].letters == ()
    assert list(first.hints.values()) == [1]
    assert second.predictions["i003"].letters == ("A",)
    assert second.usage.prompt == 1200


def test_a_reply_that_cannot_be_read_is_an_answer(languages: Mapping[str, Language], tmp_path: Path) -> None:
    with FakeServer(lambda call: says("hm", finish="length")) as server:
        asked = go(server, languages, tmp_path / "c.sqlite")
    row = asked.predictions["i000"]
    assert (row.how, row.raw, row.finish, row.failure) == ("unclear", "hm", "length", "")
    assert len(server.calls) == 12


def test_a_wrong_key_is_one_reason_for_all_and_few_calls(languages: Mapping[str, Language], tmp_path: Path) -> None:
    with FakeServer(lambda call: refuses(401, "bad key")) as server:
        asked = go(server, languages, tmp_path / "c.sqlite", concurrency=2)
    assert len(server.calls) <= 2
    assert all(row.failure for row in asked.predictions.values())
    assert sum(asked.hints.values()) == 12 and len(asked.hints) <= 2


def test_progress_counts_every_item_once_and_what_failed(languages: Mapping[str, Language], tmp_path: Path) -> None:
    seen: list[tuple[int, int, int]] = []

    def note(done: int, total: int, failed: int, spend: Spend) -> None:
        seen.append((done, total, failed))

    endpoint_items = ITEMS[:3]
    with FakeServer(lambda call: refuses(400) if "case 1?" in call.text else says("A")) as server:
        endpoint = OpenAIEndpoint(model="m", base_url=server.url, cache=str(tmp_path / "c"))
        prompts = prompts_of(Protocol(), languages)
        requests = [request_of(item, endpoint, Protocol(), prompts, languages) for item in endpoint_items]
        ask(endpoint_items, requests, endpoint, reader, note, 1)
    assert seen[-1] == (3, 3, 1)
    assert [done for done, _, _ in seen] == [1, 2, 3]
