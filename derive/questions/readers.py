"""How hard questions are for readers who need no server: chance, likeness, a search engine, one who knows the graph.

In: single-answer items. Out: for each reader and level how often it is right and how undecided it is.
A reader's entropy is that of the softmax of its scores over the options, in nats; the model's is in `probe.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from derive.material import Material
from derive.questions.proof import Proof
from derive.questions.search import Search
from derive.statistics import wilson
from kg.item import Item
from kg.row import Row
from kg.similarity import Similarity

SHARP = 10.0
"""Likenesses times this are the logits of the reader that goes by them."""
Scores = Callable[[Item], Sequence[float]]


class Reading(Row):
    """What a reader makes of some questions."""

    items: int
    accuracy: float
    """Where it is undecided between options, its chance."""
    low: float
    high: float
    """95 % interval of the accuracy."""
    entropy: float
    """Mean, in nats; 0 is sure, 1.386 is no idea of four options."""
    spread: float
    """Standard deviation of the entropy."""


def reading(pairs: Sequence[tuple[float, float]]) -> Reading | None:
    """Of (chance to be right, entropy) per item; none of no items."""
    if not pairs:
        return None
    right, entropy = (np.array(column) for column in zip(*pairs, strict=True))
    about = wilson(round(float(right.sum())), len(pairs))
    low, high = (round(about.low, 4), round(about.high, 4)) if about else (0.0, 1.0)
    mean, spread = round(float(entropy.mean()), 4), round(float(entropy.std()), 4)
    accuracy = round(float(right.mean()), 4)
    return Reading(items=len(pairs), accuracy=accuracy, low=low, high=high, entropy=mean, spread=spread)


def softmax(logits: Sequence[float]) -> list[float]:
    """Shares that add up to 1."""
    top = max(logits)
    parts = [math.exp(value - top) for value in logits]
    return [part / sum(parts) for part in parts]


def entropy(shares: Sequence[float]) -> float:
    """In nats."""
    return -sum(share * math.log(share) for share in shares if share > 0)


class Readers:
    """All offline readers of a graph."""

    def __init__(self, material: Material, similarity: Similarity, proof: Proof) -> None:
        self._m, self._similarity, self._proof = material, similarity, proof
        things = material.view.with_role("term", "procedure", "activity")
        self._records = Search({node: material.words.said(node) for node in things}, material.language)

    def report(self, items: Sequence[Item]) -> dict[str, dict[str, Reading]]:
        """Reader -> level -> reading."""
        readers: Mapping[str, Scores] = {
            "chance": lambda item: [0.0] * len(item.options),
            "likeness": self._alike,
            "search": self._search,
            "graph": self._known,
        }
        levels = sorted({item.level for item in items})
        return {
            name: {
                str(level): found
                for level in levels
                if (found := reading([_pair(item, scores(item)) for item in items if item.level == level]))
            }
            for name, scores in readers.items()
        }

    def likeness(self, items: Sequence[Item]) -> Reading | None:
        """What who goes by likeness makes of them; needs nothing but their texts."""
        return reading([_pair(item, self._alike(item)) for item in items])

    def _alike(self, item: Item) -> Sequence[float]:
        rows = self._similarity.vectors([item.question, *item.options.values()])
        return [SHARP * round(float(value), 5) for value in rows[1:] @ rows[0]]

    def _search(self, item: Item) -> Sequence[float]:
        """BM25 of the question against the records of the options."""
        asked = self._m.words.keyed(item.question)
        return [self._records.score(asked, choice.id) for choice in item.choices.values()]

    def _known(self, item: Item) -> Sequence[float]:
        right = self._proof.answers(item.query, str(item.origin["relations"]))
        return [100.0 * (item.choices[letter].id in right) for letter in item.options]


def _pair(item: Item, scores: Sequence[float]) -> tuple[float, float]:
    best = [letter for letter, score in zip(item.options, scores, strict=True) if score == max(scores)]
    return len(set(best) & set(item.answer)) / len(best), entropy(softmax(scores))
