"""JSON is read however a model wrote it, and nothing half-written is taken for a whole."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.lenient import read

TEXTS = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=12)
ITEM = st.dictionaries(st.sampled_from(["name", "quote", "unit"]), TEXTS, min_size=1)
REPLY = st.fixed_dictionaries({"Concept": st.lists(ITEM, max_size=4), "Skill": st.lists(ITEM, max_size=4)})


@given(REPLY)
def test_whatever_is_written_properly_is_read_as_it_is(reply: dict[str, Any]) -> None:
    found = read(json.dumps(reply, ensure_ascii=True))
    assert found.values == [reply]
    assert (found.truncated, found.mended - {"latex"}) == (False, set())


@given(REPLY, st.data())
def test_of_a_reply_cut_anywhere_only_whole_items_are_left(reply: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(reply)
    cut = data.draw(st.integers(0, len(text) - 1))
    found = read(text[:cut])
    items = [item for value in found.values for part in value.values() for item in part]
    whole = [item for part in reply.values() for item in part]
    assert items == whole[: len(items)]
    assert found.truncated or not text[:cut].startswith('{"')


@given(REPLY)
def test_no_item_that_was_complete_is_lost(reply: dict[str, Any]) -> None:
    text = json.dumps(reply)
    lists = [json.dumps(part)[1:-1] for part in reply.values()]
    cut = text.rindex(lists[-1]) + len(lists[-1]) if lists[-1] else len(text) - 2
    items = [item for value in read(text[:cut]).values for part in value.values() for item in part]
    assert items == [item for part in reply.values() for item in part]


@pytest.mark.parametrize(
    ("text", "value", "mended"),
    [
        (r'{"a": "\frac{1}{2}"}', {"a": r"\frac{1}{2}"}, {"latex"}),
        (r'{"a": "x \times y \neq \rho"}', {"a": r"x \times y \neq \rho"}, {"latex"}),
        (r'{"a": "\alpha \sin"}', {"a": r"\alpha \sin"}, {"escape"}),
        (r'{"a": "\u5"}', {"a": r"\u5"}, {"escape"}),
        (r'{"a": "\u529b"}', {"a": "力"}, set()),
        ('{"a": "one\ntwo"}', {"a": "one\ntwo"}, set()),
        ('{"a": ["x", "y",],}', {"a": ["x", "y"]}, {"comma"}),
        ('{"a": "he said "no" then"}', {"a": 'he said "no" then'}, {"quote"}),
        ('take {x} first: {"a": "b"}', {"a": "b"}, {"prose"}),
        ("[[]]", [[]], set()),
    ],
)
def test_what_models_do_to_json_is_undone(text: str, value: Any, mended: set[str]) -> None:
    found = read(text)
    assert found.values == [value]
    assert found.mended == mended


@pytest.mark.parametrize("text", ["", "no", "{", "}{", "{'a': 1}", "[1, 2]", '"{}"', '{"a": }'])
def test_what_is_no_json_gives_nothing(text: str) -> None:
    assert [value for value in read(text).values if value] == []


def test_reasoning_is_no_reply() -> None:
    assert read('<think>{"a": "draft"}</think>{"a": "final"}').values == [{"a": "final"}]
    assert read('<think>{"a": "never finished"}').values == []


def test_an_item_is_not_whole_because_a_list_in_it_is() -> None:
    assert read('{"N": [{"n": "a", "l": ["x", "y"], "m": "z').values == []
    assert read('{"nodes": [{"id": "1", "properties": {"name": "a"}, "quo').values == []
