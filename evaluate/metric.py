"""Exact match and F1 of one answer, as defined in the paper (arXiv 2605.09635, §8.5).

In: right and given letters. Out: `Points`. Standard library only: this file is copied into exported harness tasks.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple


class Points(NamedTuple):
    """Scores of one item, each in [0, 1]."""

    em: float
    """1 if exactly the right letters were given."""
    precision: float
    recall: float
    f1: float


NOTHING = Points(0.0, 0.0, 0.0, 0.0)


def points(right: Collection[str], given: Collection[str]) -> Points:
    """Scores of the given letters; all 0 if none is given or none of them is right."""
    gold, said = set(right), set(given)
    hits = len(gold & said)
    if not hits:
        return NOTHING
    return Points(float(gold == said), hits / len(said), hits / len(gold), 2 * hits / (len(said) + len(gold)))
