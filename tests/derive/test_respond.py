"""Responders score what arithmetic says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from derive.ask import Messages
from derive.respond import ModelResponder, Null, Oracle, PathReader, Random, Responder, letters
from kg.item import Item
from kg.language import Language
from kg.prompt import load


def choice(number: int, shown: str = "") -> Item:
    options = {"A": "force", "B": "mass", "C": "work", "D": "power"}
    return Item(id=f"c{number}", question="?", options=options, answer=("B",), origin={"shown": shown})


def open_item(number: int, shown: str = "") -> Item:
    return Item(id=f"o{number}", question="?", options={}, answer=(), accepted=(f"t{number}",), origin={"shown": shown})


def hits(responder: Responder, items: Sequence[Item]) -> int:
    def right(item: Item, answer: str | None) -> bool:
        return answer == "".join(item.answer) if item.options else answer in item.accepted

    return sum(map(right, items, responder.answers(items)))


def test_null_is_never_right_and_the_oracle_always() -> None:
    items = [*(choice(n) for n in range(20)), *(open_item(n) for n in range(20))]
    assert hits(Null(), items) == 0 and hits(Oracle(), items) == 40


def test_a_lot_is_right_by_chance_and_the_same_on_every_run_in_any_order() -> None:
    items = [choice(n) for n in range(2000)]
    assert 430 < hits(Random(), items) < 570
    first = Random(seed=1).answers(items)
    assert first == list(reversed(Random(seed=1).answers(items[::-1]))) != Random(seed=2).answers(items)
    opened = [open_item(n).model_copy(update={"accepted": (f"t{n % 10}",)}) for n in range(1000)]
    assert 70 < hits(Random(), opened) < 130
    assert Random(pool=("x",)).answers([open_item(1)]) == ["x"]
    assert Random().answers([Item(id="e", question="?", options={}, answer=())]) == [None]


def test_the_path_reader_repeats_the_end() -> None:
    said = PathReader().answers([open_item(1, "a; is a kind of; t1"), open_item(2), choice(3, "a; needs; mass")])
    assert said == ["t1", None, "B"]
    assert PathReader().answers([choice(4, "a; needs; luck")]) == [None]


@pytest.mark.parametrize(
    ("reply", "said"),
    [("B", "B"), ("Answer: A, C", "AC"), ("I think so.\n(D)", "D"), ("ACD", "ACD"), ("Because", ""), ("", "")],
)
def test_letters_are_those_that_stand_alone(reply: str, said: str) -> None:
    assert letters(reply, {"A": "", "B": "", "C": "", "D": ""}) == said


def test_a_model_is_asked_each_item_and_a_failed_call_is_no_answer(tmp_path: Path, english: Language) -> None:
    file = tmp_path / "prompt.md"
    file.write_text("# user\n{{question}} {{options}} {{shown}}", encoding="utf-8")
    asked: list[str] = []

    def ask(many: Sequence[Messages]) -> list[str | None]:
        asked.extend(message.content for messages in many for message in messages)
        return ["B", "Thinking aloud.\nAnswer: t1: more", None][: len(many)]

    responder = ModelResponder("m", ask, load(file), english)
    assert responder.answers([choice(0), open_item(1, "a; b; t1"), open_item(2)]) == ["B", "t1: more", None]
    assert "A. force\nB. mass" in asked[0] and asked[1].endswith("a; b; t1")
    assert responder.answers([]) == []
