"""Replies are kept until they are needed, on this machine and on another one."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.errors import InputError, SettingsError
from kg.llm import Message, Reply, Request, Usage
from kg.llm_cache import MEMORY, Cache

ASKED = Request(model="m", messages=(Message(role="user", content="力是什么？"),))
OTHER = Request(model="n", messages=ASKED.messages)
SAID = Reply(text="B", finish="stop", usage=Usage(prompt=10, completion=1), seconds=0.5)


def test_what_was_put_is_there_after_closing(tmp_path: Path) -> None:
    path = str(tmp_path / "deep" / "replies.sqlite")
    with Cache(path) as cache:
        assert cache.get(ASKED) is None
        cache.put(ASKED, SAID)
    with Cache(path) as cache:
        assert cache.get(ASKED) == SAID
        assert cache.get(OTHER) is None


def test_a_second_reply_replaces_the_first() -> None:
    with Cache(MEMORY) as cache:
        cache.put(ASKED, SAID)
        cache.put(ASKED, Reply(text="C"))
        assert (len(cache), cache.get(ASKED)) == (1, Reply(text="C"))


def test_two_processes_can_use_one_file(tmp_path: Path) -> None:
    path = str(tmp_path / "replies.sqlite")
    with Cache(path) as one, Cache(path) as two:
        one.put(ASKED, SAID)
        two.put(OTHER, SAID)
        assert len(one) == len(two) == 2


def test_an_export_is_the_same_bytes_again_and_can_be_taken_over(tmp_path: Path) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    with Cache(MEMORY) as cache:
        cache.put(OTHER, SAID)
        cache.put(ASKED, SAID)
        assert cache.export(first) == 2
    with Cache(MEMORY) as cache:
        assert cache.load(first) == 2
        assert cache.get(ASKED) == SAID
        cache.export(second)
    assert first.read_bytes() == second.read_bytes()


def test_an_export_holds_neither_address_nor_key(tmp_path: Path) -> None:
    with Cache(MEMORY) as cache:
        cache.put(ASKED, SAID)
        cache.export(tmp_path / "a.jsonl")
    text = (tmp_path / "a.jsonl").read_text(encoding="utf-8")
    assert "http" not in text and "key" not in text


def test_a_bad_line_of_an_export_is_named_and_nothing_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with Cache(MEMORY) as cache:
        cache.put(ASKED, SAID)
        cache.export(path)
        path.write_text(path.read_text(encoding="utf-8") + '{"request": 1}\n', encoding="utf-8")
    with Cache(MEMORY) as cache:
        with pytest.raises(InputError, match="line 2"):
            cache.load(path)
        assert len(cache) == 0


def test_a_file_that_is_no_cache_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"no database, but quite long enough to look at" * 100)
    with pytest.raises(SettingsError, match=r"llm\.cache"):
        Cache(str(tmp_path / "x"))
