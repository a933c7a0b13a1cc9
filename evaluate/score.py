"""Scores per group of items, with how sure they are.

In: items and the `Points` of one or more answerers, aligned. Out: tables of `Cell`. EM and F1 are means over items
(instance-level macro F1, §8.5 of the paper); intervals come from a bootstrap that draws the things asked about, not
single questions, because questions about one thing stand and fall together.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from evaluate.metric import Points
from evaluate.settings import Statistics
from kg.item import Item
from kg.row import Row

GROUPS = ("overall", "family", "task", "subject", "stage", "k")
"""Ways to group items; `k` is the number of right options."""
_CHUNK = 4_000_000
"""Draws held in memory at once."""

Interval = tuple[float, float]
Matrix = NDArray[np.float64]


class Cell(Row):
    """Mean scores of some items in percent."""

    items: int
    """How many there are."""
    answered: int
    """How many of them count: those whose call did not fail."""
    em: float | None = None
    """None where nothing was answered; likewise below."""
    f1: float | None = None
    precision: float | None = None
    recall: float | None = None
    em_interval: Interval | None = None
    f1_interval: Interval | None = None


Table = dict[str, dict[str, Cell]]
"""Group -> value -> scores; values sorted, those that are empty left out."""


def group_values(item: Item) -> dict[str, str]:
    """Where the item belongs in each group; empty: nowhere."""
    return {
        "overall": "all",
        "family": item.family,
        "task": item.task,
        "subject": item.subject,
        "stage": item.stage,
        "k": str(len(item.answer)),
    }


def tables(
    items: Sequence[Item], answerers: Mapping[str, Sequence[Points | None]], how: Statistics
) -> dict[str, Table]:
    """A table for each answerer; `None` among its points is an item that was not answered and does not count."""
    found: dict[str, Table] = {name: {} for name in answerers}
    values = [group_values(item) for item in items]
    for group in GROUPS:
        for value in sorted({row[group] for row in values} - {""}):
            members = [index for index, row in enumerate(values) if row[group] == value]
            clusters = [items[index].query or items[index].id for index in members]
            columns = {name: _column([rows[index] for index in members]) for name, rows in answerers.items()}
            intervals = _intervals(columns, clusters, f"{group}:{value}", how)
            for name, column in columns.items():
                found[name].setdefault(group, {})[value] = _cell(column, intervals[name])
    return found


def _column(rows: Sequence[Points | None]) -> Matrix:
    """One line per item: EM, precision, recall, F1 and 1; all 0 where it was not answered."""
    return np.array([(*row, 1.0) if row is not None else (0.0,) * 5 for row in rows], dtype=np.float64)


def _cell(column: Matrix, intervals: tuple[Interval, Interval] | None) -> Cell:
    answered = int(column[:, 4].sum())
    if not answered:
        return Cell(items=len(column), answered=0)
    em, precision, recall, f1 = (_percent(float(total) / answered) for total in column[:, :4].sum(axis=0))
    em_interval, f1_interval = intervals or (None, None)
    return Cell(
        items=len(column),
        answered=answered,
        em=em,
        f1=f1,
        precision=precision,
        recall=recall,
        em_interval=em_interval,
        f1_interval=f1_interval,
    )


def _intervals(
    columns: Mapping[str, Matrix], clusters: Sequence[str], salt: str, how: Statistics
) -> dict[str, tuple[Interval, Interval] | None]:
    """EM and F1 intervals of every answerer, all from the same draws; none where nothing was answered."""
    means = resampled({name: column[:, [0, 3, 4]] for name, column in columns.items()}, clusters, salt, how)
    found: dict[str, tuple[Interval, Interval] | None] = {}
    for name, draws in means.items():
        usable = draws[draws[:, 2] > 0]
        if not len(usable):
            found[name] = None
            continue
        rates = usable[:, :2] / usable[:, 2:]
        found[name] = (interval(rates[:, 0], how), interval(rates[:, 1], how))
    return found


def resampled(columns: Mapping[str, Matrix], clusters: Sequence[str], salt: str, how: Statistics) -> dict[str, Matrix]:
    """Column sums of `how.resamples` draws of whole clusters with replacement: one line per draw.

    The same salt and seed give the same draws, whatever else is computed before or after.
    """
    order = {name: index for index, name in enumerate(sorted(set(clusters)))}
    index = np.array([order[name] for name in clusters])
    joined = np.concatenate(list(columns.values()), axis=1)
    sums = np.zeros((len(order), joined.shape[1]))
    np.add.at(sums, index, joined)
    random = np.random.default_rng([how.seed, zlib.crc32(salt.encode())])
    rows = max(1, _CHUNK // len(order))
    parts = []
    for start in range(0, how.resamples, rows):
        count = min(rows, how.resamples - start)
        drawn = random.integers(0, len(order), size=(count, len(order)))
        flat = (drawn + np.arange(count)[:, None] * len(order)).ravel()
        weights = np.bincount(flat, minlength=count * len(order)).reshape(count, len(order))
        parts.append(weights @ sums)
    widths = np.cumsum([column.shape[1] for column in columns.values()])[:-1]
    return dict(zip(columns, np.split(np.concatenate(parts), widths, axis=1), strict=True))


def interval(draws: NDArray[np.float64], how: Statistics) -> Interval:
    """The middle `how.confidence` of the draws, in percent."""
    tail = (1 - how.confidence) / 2
    low, high = np.quantile(draws, [tail, 1 - tail])
    return _percent(float(low)), _percent(float(high))


def _percent(share: float) -> float:
    return round(100 * share, 4)
