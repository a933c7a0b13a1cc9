"""What a set of questions loses before it is grounded: refusals, answers without content, questions asked twice.

In: items. Out: items, each question once, with the answers of all its copies.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Sequence

import numpy as np

from derive.paths.questions import Gathered
from kg.item import Item
from kg.similarity import Similarity
from kg.text import fold, one_line

BATCH = 1024
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")


def without_refusals(found: Gathered, refusals: Collection[str]) -> None:
    """Accepted texts that are a refusal as a whole are gone, and questions that are left with none."""
    known, kept = {_plain(text) for text in refusals}, []
    for item in found.items:
        answers = tuple(text for text in item.accepted if _plain(text) not in known)
        if answers:
            kept.append(item.model_copy(update={"accepted": answers}))
        else:
            found.drop(item.id, "refusal")
    found.items = kept


def _plain(text: str) -> str:
    return one_line(fold(text)).strip(" .。!！")


class Same:
    """Which things belong together, one pair after the other (union-find)."""

    def __init__(self, count: int) -> None:
        self._parent = list(range(count))

    def first(self, thing: int) -> int:
        """The smallest thing that hangs together with this one."""
        while self._parent[thing] != thing:
            self._parent[thing] = self._parent[self._parent[thing]]
            thing = self._parent[thing]
        return thing

    def join(self, one: int, other: int) -> None:
        """The two and all that hangs together with either belong together."""
        low, high = sorted((self.first(one), self.first(other)))
        self._parent[high] = low


About = Callable[[Item], Hashable]
"""What a question is about, apart from its wording."""


def once(
    found: Gathered,
    similarity: Similarity,
    threshold: float,
    exempt: Collection[str] = (),
    about: About = lambda item: (),
) -> None:
    """Questions whose likeness is above the threshold are one, with the answers and the copies' ids of all.

    Likeness is passed on: if A is like B and B like C, the three are one. Questions with different numbers, about
    different things, or from an exempt source are never one.
    """
    items = found.items
    same = Same(len(items))
    for one, other in _alike(items, similarity, threshold, exempt, about):
        same.join(one, other)
    groups: dict[int, list[Item]] = defaultdict(list)
    for place, item in enumerate(items):
        groups[same.first(place)].append(item)
    found.items = [_merged(group) for _, group in sorted(groups.items())]
    for group in groups.values():
        for item in group[1:]:
            found.drop(item.id, "asked_before")


def _alike(
    items: Sequence[Item], similarity: Similarity, threshold: float, exempt: Collection[str], about: About
) -> list[tuple[int, int]]:
    """Pairs (earlier, later) that are alike."""
    places = [place for place, item in enumerate(items) if item.origin.get("source") not in exempt]
    rows = similarity.vectors([items[place].question for place in places])
    # a short name in a long wording hardly shows, and embeddings and n-grams alike take "20 m" for "21 m"
    guards = [
        (tuple(_DIGITS.findall(item.question)), item.query, item.task, about(item))
        for item in (items[place] for place in places)
    ]
    pairs: list[tuple[int, int]] = []
    for start in range(0, len(places), BATCH):
        ones, others = np.nonzero(rows[start : start + BATCH] @ rows[start:].T > threshold)
        for one, other in zip((ones + start).tolist(), (others + start).tolist(), strict=True):
            if one < other and guards[one] == guards[other]:
                pairs.append((places[one], places[other]))
    return pairs


def _merged(group: Sequence[Item]) -> Item:
    """The first of them with the answers, subjects, objects and context of all."""
    first, *others = group
    if not others:
        return first
    origin = dict(first.origin)
    for name in ("subjects", "objects", "incorrect"):
        if values := list(dict.fromkeys(value for item in group for value in item.origin.get(name, ()))):
            origin[name] = values
    contexts = dict.fromkeys(str(item.origin["context"]) for item in group if item.origin.get("context"))
    origin |= {"merged": [item.id for item in others]} | ({"context": "\n".join(contexts)} if contexts else {})
    accepted = tuple(dict.fromkeys(text for item in group for text in item.accepted))
    return first.model_copy(update={"accepted": accepted, "origin": origin})
