"""Rules that know nothing and answer all the same: what a benchmark must not reward.

In: what is on the page (query, options) and each option's degree in the graph. Out: scores per option; the rule
answers with the option that scores most, and splits its chance evenly where several do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from kg.similarity import Vectors, ngrams
from kg.text import fold

Scores = NDArray[np.float64]

PROBES = (
    "longest",
    "shortest",
    "shares_most",
    "shares_least",
    "most_like_query",
    "most_like_others",
    "least_like_others",
    "highest_degree",
    "lowest_degree",
)
"""Names in the order of the rows of `single` and `chances`."""
OF_THE_SET = ("most_like_others", "least_like_others")
"""Probes whose score depends on which other options there are."""


@lru_cache(maxsize=100_000)
def grams(text: str) -> frozenset[str]:
    """All different characters and pairs of characters, without case and spaces."""
    return frozenset(ngrams("".join(fold(text).split()), (1, 2)))


class SharedCharacters:
    """Rows whose dot product is the number of characters and pairs of them that two texts share."""

    label = "shared characters"
    width = 1024

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """One row of 0 and 1 per text."""
        matrix = np.zeros((len(texts), self.width), dtype=np.float32)
        for row, text in enumerate(texts):
            matrix[row, [crc32(gram.encode("utf-8")) % self.width for gram in sorted(grams(text))]] = 1
        return matrix


def single(query: str, texts: Sequence[str], degrees: Sequence[int]) -> Mapping[str, Scores]:
    """Scores of the probes that look at one option at a time."""
    asked = grams(query)
    length = np.array([len(text) for text in texts], dtype=float)
    shared = np.array([len(asked & grams(text)) for text in texts], dtype=float)
    union = np.array([len(asked | grams(text)) for text in texts], dtype=float)
    degree = np.array(degrees, dtype=float)
    return {
        "longest": length,
        "shortest": -length,
        "shares_most": shared,
        "shares_least": -shared,
        "most_like_query": np.round(shared / np.maximum(union, 1), 6),
        "highest_degree": degree,
        "lowest_degree": -degree,
    }


def chances(right: int, scores: Mapping[str, Scores], vectors: Vectors, sets: NDArray[np.intp]) -> NDArray[np.float64]:
    """For each set of options (rows of `sets`, indices into the scores) and each probe, the chance to be right.

    The first `right` options of every set are right ones. The result has one row per set, one column per probe.
    """
    places = np.ascontiguousarray(sets.T)
    among = _among(np.round(vectors @ vectors.T, 4).astype(float), places)
    rows = {"most_like_others": among, "least_like_others": -among}
    columns = [_chance(right, rows[name] if name in OF_THE_SET else scores[name][places]) for name in PROBES]
    return np.stack(columns, axis=1)


def _among(alike: Scores, places: NDArray[np.intp]) -> Scores:
    """For each place in a set and each set, the sum of the likenesses to the options in the other places."""
    sums = np.zeros(places.shape)
    for one, other in combinations(range(len(places)), 2):
        pair = alike[places[one], places[other]]
        sums[one] += pair
        sums[other] += pair
    return sums


def _chance(right: int, scores: Scores) -> Scores:
    """`scores` has one row per place in a set, one column per set: long rows are what numpy is fast on."""
    top = scores >= scores.max(axis=0) - 1e-9
    return np.asarray(top[:right].sum(axis=0) / top.sum(axis=0), dtype=float)


@lru_cache(maxsize=64)
def sets_of(right: int, pool: int, wanted: int) -> NDArray[np.intp]:
    """All sets of the first `right` options and `wanted` of the `pool` that follow, in lexical order."""
    chosen = np.array(list(combinations(range(right, right + pool), wanted)), dtype=np.intp)
    head = np.tile(np.arange(right, dtype=np.intp), (len(chosen), 1))
    return np.hstack([head, chosen])


def f1_of_one(right: int) -> float:
    """F1 of one right letter where `right` letters are right."""
    return 2 / (right + 1)


def random_guess(right: int, options: int = 4) -> tuple[float, float]:
    """Expected EM and F1 of guessing each non-empty set of letters alike (paper §8.5)."""
    every = [set(pick) for size in range(1, options + 1) for pick in combinations(range(options), size)]
    gold = set(range(right))
    f1 = sum(2 * len(gold & pick) / (len(gold) + len(pick)) for pick in every)
    return 1 / len(every), f1 / len(every)
