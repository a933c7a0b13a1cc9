"""The heaviest chain of points that increase in two orders at once.

It finds the headings whose numbers count up through a book (echoes of headings elsewhere do not), and the
pairing of a list with the headings it lists that keeps both orders.
"""

from __future__ import annotations

from collections.abc import Sequence

Point = tuple[int, int, float]
"""Place in the first order, place in the second, weight (> 0)."""


def heaviest_chain(points: Sequence[Point]) -> list[int]:
    """Indices of the points of a chain, strictly increasing in both orders, whose weights add up to most.

    Ties go to the point that comes first. O(n log n) with a Fenwick tree of prefix maxima.
    """
    ranks = {y: at + 1 for at, y in enumerate(sorted({y for _, y, _ in points}))}
    tree: list[tuple[float, int]] = [(0.0, -1)] * (len(ranks) + 1)
    before = [-1] * len(points)
    total = [0.0] * len(points)
    for index in sorted(range(len(points)), key=lambda i: (points[i][0], -points[i][1], i)):
        rank = ranks[points[index][1]]
        best, before[index] = _highest(tree, rank - 1)
        total[index] = best + points[index][2]
        _raise(tree, rank, (total[index], index))
    last = _highest(tree, len(ranks))[1]
    chain = []
    while last >= 0:
        chain.append(last)
        last = before[last]
    return chain[::-1]


def _highest(tree: list[tuple[float, int]], rank: int) -> tuple[float, int]:
    best = (0.0, -1)
    while rank > 0:
        if tree[rank][0] > best[0]:
            best = tree[rank]
        rank -= rank & -rank
    return best


def _raise(tree: list[tuple[float, int]], rank: int, value: tuple[float, int]) -> None:
    while rank < len(tree):
        if value[0] > tree[rank][0]:
            tree[rank] = value
        rank += rank & -rank
