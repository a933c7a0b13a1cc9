"""Two models are compared on what both answered, and chance is told from difference."""

from __future__ import annotations

import pytest

from evaluate.compare import compare, mcnemar
from evaluate.settings import Statistics
from tests.evaluate.conftest import an_item
from tests.evaluate.test_score import rows

HOW = Statistics(resamples=300)


@pytest.mark.parametrize(
    ("one", "other", "p"), [(0, 0, 1.0), (5, 5, 1.0), (0, 5, 0.0625), (1, 9, 0.021484), (10, 0, 0.001953)]
)
def test_mcnemar_by_the_binomial_table(one: int, other: int, p: float) -> None:
    assert mcnemar(one, other) == mcnemar(other, one) == pytest.approx(p, abs=1e-6)


def test_mcnemar_on_many_items_is_quick_and_finite() -> None:
    assert 0 < mcnemar(5000, 5200) < 0.1


def test_only_items_both_answered_are_compared() -> None:
    items = [an_item(n, "A") for n in range(6)]
    found = compare(items, ("x", rows(items, "AAA-AB")), ("y", rows(items, "BAAAB-")), HOW)
    row = found.differences["overall"]["all"]
    assert (row.items, row.only_first, row.only_second, row.em) == (4, 2, 0, 50.0)
    assert (found.first, found.second) == ("x", "y")


def test_a_clear_winner_has_an_interval_above_zero_and_a_small_p() -> None:
    items = [an_item(n, "A") for n in range(60)]
    row = compare(items, ("x", rows(items, "A" * 60)), ("y", rows(items, "AB" * 30)), HOW).differences["overall"]["all"]
    assert row.em_interval[0] > 0 and row.p < 0.001


def test_swapping_the_two_swaps_the_sign() -> None:
    items = [an_item(n, "A") for n in range(30)]
    one, two = ("x", rows(items, "AAB" * 10)), ("y", rows(items, "BAB" * 10))
    there = compare(items, one, two, HOW).differences["task"]["prereq_1"]
    back = compare(items, two, one, HOW).differences["task"]["prereq_1"]
    assert (there.em, there.f1) == (-back.em, -back.f1)


def test_nothing_in_common_is_no_difference() -> None:
    items = [an_item(1, "A"), an_item(2, "A")]
    assert compare(items, ("x", rows(items, "A-")), ("y", rows(items, "-A")), HOW).differences == {}
