"""Pairs of names that look alike, without comparing all with all.

In: canonical keys. Out: pairs of indices with their likeness. Names meet in blocks (a shared word, beginning, end or
pair of characters); a block that is too large is divided by a second feature instead of being dropped.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from rapidfuzz import fuzz, process

from kg.text import is_cjk

CAP = 80
"""Names in a block from which it is divided."""
FEW = 10
"""Names in a block up to which comparing them one by one costs less than setting up a table."""
AFFIX = 5
"""Letters of a beginning or end that makes a block."""


def near_pairs(names: Sequence[str], cutoff: float) -> list[tuple[int, int, float]]:
    """Pairs `i < j` with likeness >= `cutoff` (in [0, 100]), sorted.

    Neither word order nor spaces count. Two equal names are no pair.
    """
    forms = [_sorted(name) for name in names]
    best: dict[tuple[int, int], float] = {
        pair: 100.0 for pair in same_forms([name.replace(" ", "") for name in names], names)
    }
    for block in _blocks(forms):
        sorted_already = all(forms[at] == names[at] for at in block)
        for texts in (forms,) if sorted_already else (forms, names):
            for i, j, score in _alike(block, texts, cutoff):
                if names[i] != names[j]:
                    best[(i, j)] = max(score, best.get((i, j), 0.0))
    return [(i, j, round(score, 1)) for (i, j), score in sorted(best.items())]


def same_forms(forms: Sequence[str], names: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of different names with one form; of several names with it, each with the first."""
    first: dict[str, int] = {}
    for at, (form, name) in enumerate(zip(forms, names, strict=True)):
        i = first.setdefault(form, at)
        if names[i] != name:
            yield i, at


def _sorted(name: str) -> str:
    """The name with its words in alphabetical order."""
    return " ".join(sorted(name.split()))


def _alike(block: Sequence[int], texts: Sequence[str], cutoff: float) -> Iterator[tuple[int, int, float]]:
    if len(block) <= FEW:
        for pair in combinations(block, 2):
            i, j = sorted(pair)
            if score := fuzz.ratio(texts[i], texts[j], score_cutoff=cutoff):
                yield i, j, score
        return
    here = [texts[at] for at in block]
    scores = process.cdist(here, here, scorer=fuzz.ratio, score_cutoff=cutoff, dtype=np.uint8)
    rows, columns = np.nonzero(scores)
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        if row < column:
            i, j = sorted((block[row], block[column]))
            yield i, j, fuzz.ratio(texts[i], texts[j])


def _blocks(forms: Sequence[str]) -> Iterator[list[int]]:
    """Lists of names that share a feature; large ones divided by length and beginning until they are small."""
    members: dict[str, list[int]] = defaultdict(list)
    for at, form in enumerate(forms):
        for feature in _features(form):
            members[feature].append(at)
    for feature in sorted(members):
        yield from _divided(members[feature], forms)


def _divided(block: list[int], forms: Sequence[str]) -> Iterator[list[int]]:
    """The block, or overlapping stretches of it in alphabetical order and in order of the reversed names."""
    if len(block) < 2:
        return
    if len(block) <= CAP:
        yield block
        return
    for order in (sorted(block, key=lambda at: forms[at]), sorted(block, key=lambda at: forms[at][::-1])):
        for start in range(0, len(order) - CAP // 4, CAP // 2):
            yield order[start : start + CAP]


def _features(form: str) -> set[str]:
    if is_cjk(form):
        return {f"p:{form[i : i + 2]}" for i in range(len(form) - 1)}
    joined = form.replace(" ", "")
    words = {f"w:{word}" for word in form.split() if len(word) > 3}
    return words | {f"a:{joined[:AFFIX]}", f"z:{joined[-AFFIX:]}"}
