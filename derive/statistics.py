"""Figures with what they are worth: intervals, corrections for many tests, correlations.

In: counts, values grouped by what they hang together with. Out: numbers; the same input and seed give the same ones.
Everything is about shares and scores, not percent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import stats  # type: ignore[import-untyped]

from kg.row import Row

RESAMPLES, CONFIDENCE = 2000, 0.95
Values = Sequence[float] | NDArray[np.float64]
_CHUNK = 5_000_000
"""Most numbers of a matrix of draws."""


class Estimate(Row):
    """A value and the interval it lies in with the confidence that was asked for."""

    value: float
    low: float
    high: float
    n: int
    """Independent cases it rests on: trials, or clusters."""


class Correlation(Row):
    """How two rows of numbers go together, from -1 to 1; nothing where one of them never varies."""

    value: float | None
    p: float | None
    low: float | None
    high: float | None
    n: int
    """Pairs."""


def wilson(hits: int, total: int, confidence: float = CONFIDENCE) -> Estimate | None:
    """A share with Wilson's score interval, inside [0, 1] also at the ends; none of nothing.

    Raises ValueError unless 0 <= hits <= total.
    """
    if not 0 <= hits <= total:
        raise ValueError(f"{hits} of {total}")
    if not total:
        return None
    z = float(stats.norm.ppf((1 + confidence) / 2))
    share, weight = hits / total, z * z / total
    middle = (share + weight / 2) / (1 + weight)
    reach = z / (1 + weight) * math.sqrt(share * (1 - share) / total + weight / (4 * total))
    low, high = min(share, max(0.0, middle - reach)), max(share, min(1.0, middle + reach))
    return Estimate(value=share, low=low, high=high, n=total)


def clustered(
    groups: Mapping[str, Sequence[float]], seed: int = 0, resamples: int = RESAMPLES, confidence: float = CONFIDENCE
) -> Estimate | None:
    """The mean of the groups' means, with the middle of a bootstrap that draws whole groups; none of nothing.

    A group (a question, say) counts once however many values it has; groups without values do not count.
    """
    means = np.array([math.fsum(groups[name]) / len(groups[name]) for name in sorted(groups) if len(groups[name])])
    if not len(means):
        return None
    draws = _draws(means[:, None], seed, resamples)[:, 0]
    low, high = np.quantile(draws, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Estimate(value=_round(means.mean()), low=_round(low), high=_round(high), n=len(means))


def _draws(rows: NDArray[np.float64], seed: int, resamples: int) -> NDArray[np.float64]:
    """Column means of so many draws of as many rows, with replacement; the same draws for the same number of rows."""
    n = len(rows)
    if n * resamples <= _CHUNK:
        return np.asarray(_weights(n, seed, resamples) @ rows / n)
    random, step = np.random.default_rng(seed), max(1, _CHUNK // n)
    counts = [min(step, resamples - start) for start in range(0, resamples, step)]
    return np.concatenate([_lot(random, n, count) @ rows / n for count in counts])


@lru_cache(maxsize=4)
def _weights(n: int, seed: int, resamples: int) -> NDArray[np.float64]:
    return _lot(np.random.default_rng(seed), n, resamples)


def _lot(random: np.random.Generator, n: int, draws: int) -> NDArray[np.float64]:
    """How often each of `n` rows is drawn: one line per draw."""
    drawn = random.integers(0, n, size=(draws, n)) + np.arange(draws)[:, None] * n
    return np.bincount(drawn.ravel(), minlength=draws * n).reshape(draws, n).astype(np.float64)


def holm(p_values: Sequence[float]) -> list[float]:
    """Each p value corrected for all of them by Holm's step-down rule, in the order given; at most 1."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    corrected, worst = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(order):
        worst = max(worst, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = worst
    return corrected


def spearman(one: Values, other: Values, clusters: Sequence[str] = (), seed: int = 0) -> Correlation:
    """Correlation of the ranks; ties share the mean of their ranks. For `clusters` see `pearson`."""
    return pearson(stats.rankdata(one), stats.rankdata(other), clusters, seed)


def pearson(one: Values, other: Values, clusters: Sequence[str] = (), seed: int = 0) -> Correlation:
    """Correlation of the values.

    `clusters` names for each pair what it hangs together with; whole clusters are drawn for the interval. Without
    it every pair is its own.
    """
    x, y = (np.asarray(values, dtype=np.float64) for values in (one, other))
    n = len(x)
    if n < 2 or not np.ptp(x) or not np.ptp(y):
        return Correlation(value=None, p=None, low=None, high=None, n=n)
    found = stats.pearsonr(x, y)
    draws = _correlations(x, y, list(clusters) or [str(place) for place in range(n)], seed)
    ends = np.clip(np.quantile(draws, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2]), -1, 1) if len(draws) else ()
    low, high = (_round(end) for end in ends) if len(ends) else (None, None)
    # of two pairs, any correlation is perfect, and its p value says nothing
    return Correlation(
        value=_round(found.statistic), p=_round(found.pvalue) if n > 2 else None, low=low, high=high, n=n
    )


def _correlations(
    one: NDArray[np.float64], other: NDArray[np.float64], clusters: Sequence[str], seed: int
) -> NDArray[np.float64]:
    """The correlation in each draw of whole clusters; draws in which nothing varies are left out."""
    order = {name: place for place, name in enumerate(sorted(set(clusters)))}
    # a draw's correlation follows from the sums of its clusters
    sums = np.zeros((len(order), 6))
    x, y = one - one.mean(), other - other.mean()
    np.add.at(sums, [order[name] for name in clusters], np.stack([np.ones(len(x)), x, y, x * x, y * y, x * y], axis=1))
    n, sx, sy, sxx, syy, sxy = _draws(sums, seed, RESAMPLES).T
    wide, high = n * sxx - sx * sx, n * syy - sy * sy
    usable = (wide > 1e-9) & (high > 1e-9)
    return np.asarray((n * sxy - sx * sy)[usable] / np.sqrt(wide[usable] * high[usable]))


def _round(value: float) -> float:
    """Without the last digits, which differ between machines."""
    return round(float(value), 9)
