"""The heaviest chain is a chain, and no other one is heavier."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from segment.chain import Point, heaviest_chain

points = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(1, 5).map(float)), max_size=8)


def rises(chain: list[Point]) -> bool:
    return all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(chain))


def best_by_trying_all(given_points: list[Point]) -> float:
    ordered = sorted(given_points)
    subsets = (list(s) for size in range(len(ordered) + 1) for s in combinations(ordered, size))
    return max(sum(point[2] for point in subset) for subset in subsets if rises(subset))


@given(points)
def test_it_rises_in_both_orders_and_weighs_most(given_points: list[Point]) -> None:
    chain = [given_points[at] for at in heaviest_chain(given_points)]
    assert rises(chain)
    assert sum(point[2] for point in chain) == best_by_trying_all(given_points)


def test_a_tie_goes_to_the_first() -> None:
    assert heaviest_chain([(0, 0, 1.0), (1, 0, 1.0)]) == [0]


def test_no_points_make_an_empty_chain() -> None:
    assert heaviest_chain([]) == []
