"""What rules that know nothing would score on a benchmark, and how even its letters and numbers of answers are.

In: items, the degree of every node, a similarity. Out: `Audit`, per task and over all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from derive.probes import PROBES, chances, f1_of_one, random_guess, single
from kg.item import LETTERS, Item
from kg.row import Row
from kg.similarity import Similarity

LOW, HIGH = 0.18, 0.35
"""Where the exact-match rate of every probe that names one letter should lie on single-answer items."""
ENOUGH = 100
"""Single-answer items needed for the rates to be held against `LOW` and `HIGH`."""


class Rate(Row):
    """What one rule scores, in [0, 1]; where a rule cannot choose between options, its expected score."""

    em: float
    f1: float
    em_single: float | None
    """Exact match on items with one right option; none if there are none."""


class Audit(Row):
    """One task, or all."""

    items: int
    right: dict[str, int]
    """Number of right options -> items."""
    letters: dict[str, int]
    """Letter -> how often it is right."""
    combinations: dict[str, int]
    probes: dict[str, Rate]
    verdict: str
    """`fair`, `unfair: …` naming the probes that leave the range, or why nothing can be said."""


def audit(items: Sequence[Item], degree: Mapping[str, int], similarity: Similarity) -> Audit:
    """The audit of some items (at least one)."""
    rows = [_row(item, degree, similarity) for item in items]
    probes = {name: _rate(items, [row[name] for row in rows]) for name in PROBES}
    for letter in LETTERS[: max(len(item.options) for item in items)]:
        probes[f"always_{letter}"] = _rate(items, [float(letter in item.answer) for item in items])
    probes["always_all"] = _always_all(items)
    probes["random"] = _random(items)
    singles = sum(len(item.answer) == 1 for item in items)
    return Audit(
        items=len(items),
        right=_counted(str(len(item.answer)) for item in items),
        letters=_counted(letter for item in items for letter in item.answer),
        combinations=_counted("".join(item.answer) for item in items),
        probes=probes,
        verdict=_verdict(probes, singles),
    )


def _row(item: Item, degree: Mapping[str, int], similarity: Similarity) -> dict[str, float]:
    """Probe -> its chance to name a right option."""
    letters = [*item.answer, *(letter for letter in item.options if letter not in item.answer)]
    texts = [item.options[letter] for letter in letters]
    degrees = [degree.get(item.choices[letter].id, 0) if letter in item.choices else 0 for letter in letters]
    scores = single(str(item.origin.get("asked") or item.question), texts, degrees)
    sets = np.arange(len(texts), dtype=np.intp)[None, :]
    found = chances(len(item.answer), scores, similarity.vectors(texts), sets)[0]
    return dict(zip(PROBES, map(float, found), strict=True))


def _rate(items: Sequence[Item], chance: Sequence[float]) -> Rate:
    """Scores of a rule that names one letter, which is right with that chance."""
    rights = [len(item.answer) for item in items]
    singles = [c for c, right in zip(chance, rights, strict=True) if right == 1]
    return Rate(
        em=round(sum(singles) / len(items), 4),
        f1=round(sum(c * f1_of_one(right) for c, right in zip(chance, rights, strict=True)) / len(items), 4),
        em_single=round(sum(singles) / len(singles), 4) if singles else None,
    )


def _always_all(items: Sequence[Item]) -> Rate:
    shares = [len(item.answer) / len(item.options) for item in items]
    f1 = sum(2 * share / (1 + share) for share in shares) / len(items)
    em = sum(share == 1 for share in shares) / len(items)
    return Rate(em=round(em, 4), f1=round(f1, 4), em_single=0.0)


def _random(items: Sequence[Item]) -> Rate:
    guesses = [random_guess(len(item.answer), len(item.options)) for item in items]
    em, f1 = (round(float(np.mean(values)), 4) for values in zip(*guesses, strict=True))
    return Rate(em=em, f1=f1, em_single=em)


def _counted(values: Any) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))


def _verdict(probes: Mapping[str, Rate], singles: int) -> str:
    if singles < ENOUGH:
        return f"too few single-answer items to tell ({singles} of {ENOUGH})"
    guessing = [name for name in probes if name not in ("always_all", "random")]
    unfair = [name for name in guessing if not LOW <= (probes[name].em_single or 0) <= HIGH]
    return f"unfair: {', '.join(unfair)}" if unfair else "fair"
