"""EM and F1 are those of the paper's appendix 8.5."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluate.metric import NOTHING, points

LETTERS = st.sets(st.sampled_from("ABCD"), min_size=1)


@pytest.mark.parametrize(
    ("right", "given", "expected"),
    [
        ("A", "A", (1, 1, 1, 1)),
        ("AC", "A", (0, 1, 0.5, 2 / 3)),
        ("A", "AB", (0, 0.5, 1, 2 / 3)),
        ("AB", "BC", (0, 0.5, 0.5, 0.5)),
        ("A", "B", NOTHING),
        ("A", "", NOTHING),
    ],
)
def test_points_by_hand(right: str, given: str, expected: tuple[float, ...]) -> None:
    assert points(right, given) == pytest.approx(expected)


@given(LETTERS, LETTERS)
def test_f1_is_the_harmonic_mean_and_1_exactly_on_a_match(right: set[str], said: set[str]) -> None:
    row = points(right, said)
    mean = 2 * row.precision * row.recall / (row.precision + row.recall) if row.precision + row.recall else 0.0
    assert row.f1 == pytest.approx(mean)
    assert (row.em == 1) == (row.f1 == 1) == (right == said)
