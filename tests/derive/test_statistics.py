"""Intervals, corrections and correlations against what is known of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.statistics import clustered, holm, pearson, spearman, wilson


@pytest.mark.parametrize(
    ("hits", "total", "low", "high"), [(8, 10, 0.4902, 0.9433), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0)]
)
def test_wilson_gives_the_textbook_intervals(hits: int, total: int, low: float, high: float) -> None:
    found = wilson(hits, total)
    assert found and (found.low, found.high) == pytest.approx((low, high), abs=1e-4)


def test_wilson_of_nothing_is_nothing_and_of_too_many_hits_an_error() -> None:
    assert wilson(0, 0) is None
    with pytest.raises(ValueError, match="3 of 2"):
        wilson(3, 2)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
@settings(max_examples=40)
def test_a_share_lies_in_its_own_interval(case: tuple[int, int]) -> None:
    found = wilson(*case)
    assert found and 0 <= found.low <= found.value <= found.high <= 1


def test_a_question_counts_once_however_many_paths_it_has() -> None:
    found = clustered({"a": [1.0] * 30, "b": [0.0], "c": []})
    assert found and found.value == 0.5 and found.n == 2


def test_what_hangs_together_widens_the_interval() -> None:
    values = [float(place % 2) for place in range(40)]
    alone = clustered({str(place): [value] for place, value in enumerate(values)})
    groups = {"even": values[::2], "odd": values[1::2]}
    together = clustered(groups)
    assert alone and together and together.high - together.low > 2 * (alone.high - alone.low)
    assert clustered(dict(reversed(groups.items()))) == together
    assert clustered({}) is None


def test_holm_steps_down_and_keeps_the_order() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    # the raw p values under the paper's table: all of them become .96 or more (capped at 1)
    assert holm([0.7, 0.9]) == [1.0, 1.0] and holm([]) == []


def test_spearman_is_about_ranks_and_pearson_about_values() -> None:
    one, other = [1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 4.0, 9.0, 16.0, 250.0]
    assert spearman(one, other).value == 1.0
    straight = pearson(one, other).value
    assert straight is not None and straight < 0.8
    # ties share ranks: 1.5, 1.5, 3, 4 beside 1, 2, 3, 4
    assert spearman([1, 1, 2, 3], [1, 2, 3, 4]).value == pytest.approx(0.9486833)


def test_a_correlation_of_what_never_varies_is_none() -> None:
    assert spearman([4.0, 4.0, 4.0], [0.1, 0.5, 0.3]).value is None
    assert pearson([], []).n == 0
    assert pearson([1, 2], [2, 3]).p is None


@given(st.lists(st.tuples(st.integers(1, 5), st.floats(0, 1)), min_size=3, max_size=40))
@settings(max_examples=30, deadline=None)
def test_a_correlation_does_not_hang_on_the_order_of_the_pairs(pairs: list[tuple[int, float]]) -> None:
    names = [str(place % 4) for place in range(len(pairs))]
    rows = list(zip(pairs, names, strict=True))
    back = list(reversed(rows))
    first, second = (
        spearman([float(p[0]) for p, _ in some], [p[1] for p, _ in some], [name for _, name in some])
        for some in (rows, back)
    )
    assert first.value == pytest.approx(second.value) and first.low == pytest.approx(second.low, abs=1e-6)
    if first.low is not None and first.high is not None:
        assert -1 <= first.low <= first.high <= 1
