"""Tables are means over what was answered, with intervals that hold what they promise."""

from __future__ import annotations

import random

import pytest

from evaluate.metric import Points, points
from evaluate.score import GROUPS, tables
from evaluate.settings import Statistics
from kg.item import Item
from tests.evaluate.conftest import an_item

HOW = Statistics(resamples=300)


def rows(items: list[Item], given: str) -> list[Points | None]:
    """`-` stands for an item that was not answered, `.` for a reply that could not be read."""
    said = {"-": None, ".": ()}
    return [
        None if letter == "-" else points(item.answer, said.get(letter, letter) or ())
        for item, letter in zip(items, given, strict=True)
    ]


def test_means_by_hand() -> None:
    items = [an_item(1, "A"), an_item(2, "AB"), an_item(3, "C", task="neighbor", family="neighbor")]
    table = tables(items, {"m": rows(items, "AA.")}, HOW)["m"]
    cell = table["overall"]["all"]
    assert (cell.em, cell.f1) == (33.3333, pytest.approx(100 * (1 + 2 / 3) / 3, abs=1e-3))
    assert (cell.precision, cell.recall) == (66.6667, 50.0)
    assert {value: cell.em for value, cell in table["task"].items()} == {"neighbor": 0.0, "prereq_1": 50.0}
    assert {value: cell.items for value, cell in table["k"].items()} == {"1": 2, "2": 1}


def test_what_was_not_answered_does_not_count_and_what_could_not_be_read_does() -> None:
    items = [an_item(n, "A") for n in range(4)]
    cell = tables(items, {"m": rows(items, "A-.A")}, HOW)["m"]["overall"]["all"]
    assert (cell.items, cell.answered, cell.em) == (4, 3, 66.6667)


def test_a_group_in_which_nothing_was_answered_has_no_score() -> None:
    items = [an_item(1, "A"), an_item(2, "A", subject="chemistry")]
    cell = tables(items, {"m": rows(items, "A-")}, HOW)["m"]["subject"]["chemistry"]
    assert (cell.items, cell.answered, cell.em, cell.em_interval) == (1, 0, None, None)


def test_facts_that_items_do_not_state_make_no_group() -> None:
    item = Item(id="1", question="?", options={"A": "x", "B": "y"}, answer=("A",))
    table = tables([item], {"m": rows([item], "A")}, HOW)["m"]
    assert set(table) == {"overall", "k"} < set(GROUPS)


def test_the_same_seed_gives_the_same_intervals_whatever_else_is_computed() -> None:
    items = [an_item(n, "A") for n in range(30)]
    mine = rows(items, "AB" * 15)
    alone = tables(items, {"m": mine}, HOW)["m"]
    beside = tables(items, {"x": rows(items, "B" * 30), "m": mine}, HOW)["m"]
    other = tables(items, {"m": mine}, HOW.model_copy(update={"seed": 1}))["m"]
    assert alone == beside
    assert alone["overall"]["all"].em_interval != other["overall"]["all"].em_interval


def test_questions_about_one_thing_count_as_one_draw() -> None:
    apart = [an_item(n, "A") for n in range(40)]
    together = [an_item(n, "A", query=f"q{n // 10}") for n in range(40)]
    given = "A" * 20 + "B" * 20
    narrow = tables(apart, {"m": rows(apart, given)}, HOW)["m"]["overall"]["all"].em_interval
    wide = tables(together, {"m": rows(together, given)}, HOW)["m"]["overall"]["all"].em_interval
    assert narrow is not None and wide is not None
    assert wide[1] - wide[0] > 1.5 * (narrow[1] - narrow[0])


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    draw = random.Random(7)
    items = [an_item(n, "A") for n in range(150)]
    hits = 0
    for seed in range(60):
        given = "".join("A" if draw.random() < 0.3 else "B" for _ in items)
        how = Statistics(resamples=200, seed=seed)
        interval = tables(items, {"m": rows(items, given)}, how)["m"]["overall"]["all"].em_interval
        assert interval is not None
        hits += interval[0] <= 30 <= interval[1]
    assert hits >= 50
