"""Two answerers on the same items: who is better, and could it be chance?

In: items and the `Points` of both, aligned. Out: `Comparison`. Differences are paired item by item, their intervals
come from the bootstrap of `score.py`; exact matches are compared with McNemar's exact test.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evaluate.metric import Points
from evaluate.score import Interval, group_values, interval, resampled
from evaluate.settings import Statistics
from kg.item import Item
from kg.row import Row


class Difference(Row):
    """The first minus the second, in percentage points, over the items that both answered."""

    items: int
    em: float
    em_interval: Interval
    f1: float
    f1_interval: Interval
    only_first: int
    """Items that only the first got exactly right."""
    only_second: int
    p: float
    """McNemar's exact two-sided test on exact matches: the chance of a split as uneven, were both equally good."""


class Comparison(Row):
    """Two answerers."""

    first: str
    second: str
    differences: dict[str, dict[str, Difference]]
    """Group -> value -> difference; `overall`, `family` and `task`."""


def compare(
    items: Sequence[Item],
    first: tuple[str, Sequence[Points | None]],
    second: tuple[str, Sequence[Points | None]],
    how: Statistics,
) -> Comparison:
    """The paired differences of two named answerers; groups in which they share no answered item are left out."""
    both = [
        (item, one, two)
        for item, one, two in zip(items, first[1], second[1], strict=True)
        if one is not None and two is not None
    ]
    found: dict[str, dict[str, Difference]] = {}
    for group in ("overall", "family", "task"):
        for value in sorted({group_values(item)[group] for item, _, _ in both} - {""}):
            members = [row for row in both if group_values(row[0])[group] == value]
            found.setdefault(group, {})[value] = _difference(members, f"{group}:{value}", how)
    return Comparison(first=first[0], second=second[0], differences=found)


def _difference(members: Sequence[tuple[Item, Points, Points]], salt: str, how: Statistics) -> Difference:
    column = np.array([(one.em - two.em, one.f1 - two.f1, 1.0) for _, one, two in members])
    clusters = [item.query or item.id for item, _, _ in members]
    draws = resampled({"difference": column}, clusters, salt, how)["difference"]
    rates = draws[:, :2] / draws[:, 2:]
    only_first = sum(one.em > two.em for _, one, two in members)
    only_second = sum(one.em < two.em for _, one, two in members)
    em, f1 = (round(100 * float(total) / len(members), 4) for total in column[:, :2].sum(axis=0))
    return Difference(
        items=len(members),
        em=em,
        em_interval=interval(rates[:, 0], how),
        f1=f1,
        f1_interval=interval(rates[:, 1], how),
        only_first=only_first,
        only_second=only_second,
        p=mcnemar(only_first, only_second),
    )


def mcnemar(one: int, other: int) -> float:
    """Exact two-sided binomial test that both counts come from a fair coin; 1 if there are none."""
    total, least = one + other, min(one, other)
    ways = term = 1
    for number in range(1, least + 1):
        term = term * (total - number + 1) // number
        ways += term
    return round(min(1.0, 2 * ways / 2**total), 6) if total else 1.0
