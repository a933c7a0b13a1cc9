"""The floor is computed, not sampled, and agrees with brute force and with the paper."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from evaluate.baseline import baselines, random_points
from evaluate.metric import points
from evaluate.words import rules_of
from kg.item import Item
from kg.language import Language
from tests.evaluate.conftest import an_item


@pytest.mark.parametrize(("right", "f1"), [(1, 0.3267), (2, 0.4933), (3, 0.5971)])
def test_the_random_rule_has_the_papers_expectations(right: int, f1: float) -> None:
    assert random_points(4, right).em == pytest.approx(1 / 15)
    assert random_points(4, right).f1 == pytest.approx(f1, abs=1e-4)


def test_the_random_rule_agrees_with_drawing() -> None:
    draw = random.Random(1)
    sets = [[letter for letter in "ABCD" if draw.random() < 0.5] for _ in range(40_000)]
    kept = [points("AB", chosen) for chosen in sets if chosen]
    assert sum(row.f1 for row in kept) / len(kept) == pytest.approx(random_points(4, 2).f1, abs=0.01)


def test_fixed_answers_score_what_they_hit() -> None:
    rows = baselines([an_item(1, "A"), an_item(2, "BD")], [])
    assert [row.em for row in rows["always A"]] == [1, 0]
    assert [row.em for row in rows["always ABCD"]] == [0, 0]
    assert [row.f1 for row in rows["always ABCD"]] == pytest.approx([0.4, 2 / 3])
    assert [row.em for row in rows["random letter"]] == [0.25, 0]


def marks(languages: Mapping[str, Language]) -> list[str]:
    return [pattern for rules in rules_of(languages).values() for pattern in rules.query]


def test_overlap_looks_at_what_is_asked_about_in_either_language(languages: Mapping[str, Language]) -> None:
    chinese = Item(
        id="1",
        question="以下哪些是物理中的【平均速度】的前置知识？",
        options={"A": "速度", "B": "哪些知识"},
        answer=("A",),
    )
    english = Item(
        id="2",
        question='Which options come before "mean speed"?',
        options={"A": "Which options", "B": "speed"},
        answer=("B",),
    )
    rows = baselines([chinese, english], marks(languages))["character overlap"]
    assert [row.em for row in rows] == [1, 1]


def test_a_rule_that_is_undecided_is_credited_with_the_mean() -> None:
    item = Item(id="1", question="?", options={"A": "xx", "B": "yy", "C": "z"}, answer=("A",))
    [row] = baselines([item], [])["longest option"]
    assert row.em == 0.5


def test_items_with_fewer_options_are_scored_too() -> None:
    two = Item(id="1", question="?", options={"A": "x", "B": "y"}, answer=("B",))
    rows = baselines([two, an_item(1, "D")], [])
    assert [row.em for row in rows["always D"]] == [0, 1]
    assert rows["random set"][0].em == pytest.approx(1 / 3)
