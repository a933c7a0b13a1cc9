"""How far people agree about questions, with one another, with the model that was asked, and between levels.

In: filled sheets, items, what the model made of them. Out: `Agreement`. Nothing is said of what nobody filled in.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from scipy import stats  # type: ignore[import-untyped]

from derive.questions.probe import Probed
from derive.questions.sheet import CRITERIA, Sheet
from derive.statistics import Correlation, Estimate, holm, pearson, spearman, wilson
from kg.item import Item
from kg.row import Row


class Criterion(Row):
    """One criterion."""

    judged: int
    """Answers of all people together."""
    flagged_per_100: float
    """Answers that say no."""
    agreement: float | None
    """Share of pairs of people who say the same of an item."""
    kappa: float | None
    """Fleiss' kappa over items that everyone judged; none with fewer than two people, or where nobody ever differs
    from one answer."""
    items: int
    """Items that everyone judged."""


class Difference(Row):
    """Errors of people on two levels."""

    levels: tuple[int, int]
    welch: float | None
    mann_whitney: float | None
    brunner_munzel: float | None
    """p values, each corrected for all pairs of levels (Holm)."""
    hedges: float | None
    """Difference of the means in standard deviations; positive: the higher level is harder."""
    cliff: float | None
    """Share of pairs of items in which the higher level is harder, less that in which it is easier."""


class Agreement(Row):
    """All of it."""

    people: tuple[str, ...]
    items: int
    """Items that somebody judged or answered."""
    criteria: dict[str, Criterion]
    accuracy: dict[str, Estimate]
    """Level -> share of answers that are the keyed letters."""
    differences: tuple[Difference, ...]
    error_and_entropy: Correlation | None
    """Pearson, over items: share of people who were wrong, and the model's entropy."""
    error_and_entropy_ranks: Correlation | None
    """Spearman of the same."""


def agreement(sheets: Sequence[Sheet], items: Mapping[str, Item], probed: Sequence[Probed]) -> Agreement:
    """What the sheets say together."""
    errors = _errors(sheets, items)
    judged = {item for sheet in sheets for flags in sheet.flags.values() for item in flags}
    sure = {row.id: row.entropy for row in probed if row.entropy is not None and row.id in errors}
    pair = ([errors[name] for name in sorted(sure)], [sure[name] for name in sorted(sure)])
    by_level: dict[int, list[float]] = defaultdict(list)
    for name in sorted(errors):
        by_level[items[name].level].append(errors[name])
    return Agreement(
        people=tuple(sheet.rater for sheet in sheets),
        items=len(judged | errors.keys()),
        criteria={name: _criterion([sheet.flags[name] for sheet in sheets]) for name in CRITERIA},
        accuracy=_accuracy(sheets, items),
        differences=_differences(by_level),
        error_and_entropy=pearson(*pair) if len(sure) > 1 else None,
        error_and_entropy_ranks=spearman(*pair) if len(sure) > 1 else None,
    )


def _errors(sheets: Sequence[Sheet], items: Mapping[str, Item]) -> dict[str, float]:
    """Item -> share of those who answered it that were wrong."""
    wrong: dict[str, list[float]] = defaultdict(list)
    for sheet in sheets:
        for name, letters in sheet.chosen.items():
            wrong[name].append(float(letters != items[name].answer))
    return {name: float(np.mean(found)) for name, found in wrong.items()}


def _accuracy(sheets: Sequence[Sheet], items: Mapping[str, Item]) -> dict[str, Estimate]:
    hits: Counter[int] = Counter()
    total: Counter[int] = Counter()
    for sheet in sheets:
        for name, letters in sheet.chosen.items():
            total[items[name].level] += 1
            hits[items[name].level] += letters == items[name].answer
    return {str(level): found for level in sorted(total) if (found := wilson(hits[level], total[level]))}


def _criterion(flags: Sequence[Mapping[str, bool]]) -> Criterion:
    every = [said for one in flags for said in one.values()]
    pairs = [one[item] == other[item] for one, other in combinations(flags, 2) for item in one.keys() & other.keys()]
    common = sorted(set.intersection(*(set(one) for one in flags))) if flags else []
    return Criterion(
        judged=len(every),
        flagged_per_100=round(100 * every.count(False) / len(every), 2) if every else 0.0,
        agreement=round(sum(pairs) / len(pairs), 4) if pairs else None,
        kappa=fleiss([[one[item] for one in flags] for item in common]),
        items=len(common),
    )


def fleiss(rows: Sequence[Sequence[bool]]) -> float | None:
    """Fleiss' kappa of yes and no; a row per item, a column per person. None where it is not defined."""
    said = {flag for row in rows for flag in row}
    if len(said) < 2 or len(rows[0]) < 2:
        return None
    from statsmodels.stats.inter_rater import fleiss_kappa  # late: it brings pandas, which takes seconds

    return round(float(fleiss_kappa(np.array([[sum(row), len(row) - sum(row)] for row in rows]))), 4)


def _differences(by_level: Mapping[int, Sequence[float]]) -> tuple[Difference, ...]:
    """Every two levels with at least two items each."""
    levels = sorted(level for level, errors in by_level.items() if len(errors) > 1)
    pairs = list(combinations(levels, 2))
    tests = ("welch", "mann_whitney", "brunner_munzel")
    p_values = {test: _corrected([_p(test, by_level[low], by_level[high]) for low, high in pairs]) for test in tests}
    return tuple(
        Difference(
            levels=pair,
            **{test: p_values[test][place] for test in tests},
            hedges=_hedges(by_level[pair[0]], by_level[pair[1]]),
            cliff=_cliff(by_level[pair[0]], by_level[pair[1]]),
        )
        for place, pair in enumerate(pairs)
    )


def _p(test: str, one: Sequence[float], other: Sequence[float]) -> float | None:
    """None where nothing varies."""
    if len({*one, *other}) < 2:
        return None
    with np.errstate(all="ignore"):
        if test == "welch":
            value = stats.ttest_ind(one, other, equal_var=False).pvalue
        elif test == "mann_whitney":
            value = stats.mannwhitneyu(one, other).pvalue
        else:
            value = stats.brunnermunzel(one, other).pvalue
    return float(value) if np.isfinite(value) else None


def _corrected(values: Sequence[float | None]) -> list[float | None]:
    known = iter(holm([value for value in values if value is not None]))
    return [None if value is None else round(next(known), 6) for value in values]


def _hedges(low: Sequence[float], high: Sequence[float]) -> float | None:
    n, m = len(low), len(high)
    spread = ((n - 1) * np.var(low, ddof=1) + (m - 1) * np.var(high, ddof=1)) / (n + m - 2)
    if not spread:
        return None
    return round(float((np.mean(high) - np.mean(low)) / np.sqrt(spread)) * (1 - 3 / (4 * (n + m) - 9)), 4)


def _cliff(low: Sequence[float], high: Sequence[float]) -> float:
    signs = [float(np.sign(b - a)) for a in low for b in high]
    return round(sum(signs) / len(signs), 4)
