"""The written records beside the items: why each wrong option is there, what was left out, and the figures.

In: chosen questions of each arm. Out: `Why`, `Left`, `Summary`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from derive.ask import ModelUse
from derive.audit import Audit, audit
from derive.distractors.accuracy import Accuracy
from derive.distractors.mapping import Mapped
from derive.distractors.mutate import kind_of
from derive.distractors.pools import SLIP, Question, Wrong
from derive.material import Material
from kg.graph import Provenance
from kg.item import Item
from kg.row import Row
from kg.similarity import Similarity


class Why(Row):
    """Where one wrong option comes from, and why somebody would choose it."""

    item: str
    arm: str
    letter: str
    text: str
    layer: str
    node: str = ""
    path: tuple[tuple[str, str, str], ...] = ()
    nodes: tuple[str, ...] = ()
    score: float = 0.0
    """Likeness to question and answer."""
    why: str = ""
    evidence: tuple[Provenance, ...] = ()
    """A quotation for each edge of the path that has one."""


class Left(Row):
    """A question that did not get its options."""

    id: str
    set: str
    arm: str
    reason: str


class ArmFigures(Row):
    """One arm."""

    items: int
    wrong: int
    """Wrong options."""
    parity: float
    """Share of questions with as many wrong options as they had (or were to have)."""
    typed: float
    """Share of wrong options of the kind of the right ones: node type, number, formula."""
    with_path: float
    with_slip: float
    flagged: int
    """Wrong options with neither path nor slip; their layer says so."""
    known_correct: int
    """Wrong options that the graph says are right, by any name."""
    layers: dict[str, int]
    alike: float
    """Mean likeness of two wrong options of a question; less is more diverse."""
    own_paths: float
    """Share of wrong options with a path whose path no other option of the question starts with or repeats."""
    evidenced: float
    """Share of path edges that quote a book."""
    audit: Audit | None
    """What rules that know nothing score."""


class Summary(Row):
    """`distractors/summary.json`."""

    language: str
    facts: dict[str, Any]
    read: int
    """Questions; each is kept or left out in each arm."""
    sets: dict[str, int]
    mapped: dict[str, dict[str, int]]
    """Part -> stage -> entities."""
    widened: int
    refused: dict[str, int]
    left: dict[str, dict[str, int]]
    """Arm -> reason -> questions."""
    arms: dict[str, ArmFigures]
    accuracy: tuple[Accuracy, ...] = ()
    model: ModelUse | None = None


class Figures:
    """Counts what was made."""

    def __init__(self, material: Material, similarity: Similarity) -> None:
        self._m, self._similarity = material, similarity

    def of_arm(self, items: Sequence[Item], questions: Mapping[str, Question], whys: Sequence[Why]) -> ArmFigures:
        """The figures of one arm."""
        wrong = [(item, letter) for item in items for letter in item.options if letter not in item.answer]
        own = Counter(why.item for why in whys)
        edges = [key for why in whys for key in why.path]
        return ArmFigures(
            items=len(items),
            wrong=len(wrong),
            parity=_share(own[item.id] == questions[item.id].wanted for item in items),
            typed=_share(self._typed(questions[item.id], item.options[letter], item, letter) for item, letter in wrong),
            with_path=_share(bool(why.path) for why in whys),
            with_slip=_share(why.layer.startswith(SLIP) for why in whys),
            flagged=sum(not why.path and not why.layer.startswith(SLIP) for why in whys),
            known_correct=sum(self._right(questions[why.item], why) for why in whys),
            layers=dict(sorted(Counter(why.layer for why in whys).items())),
            alike=self._alike(items),
            own_paths=_own_paths(whys),
            evidenced=_share(self._quoted(key) for key in edges),
            audit=audit(items, self._m.view.degree, self._similarity) if items else None,
        )

    def _typed(self, question: Question, text: str, item: Item, letter: str) -> bool:
        node = item.choices[letter].id
        if node and question.mapping.answers:
            labels = {self._m.view.nodes[answer].label for answer in question.mapping.answers}
            return self._m.view.nodes[node].label in labels
        return kind_of(text) == question.kind

    def _right(self, question: Question, why: Why) -> bool:
        return bool(why.node) and question.avoided is not None and why.node in question.avoided.right

    def _quoted(self, key: tuple[str, str, str]) -> bool:
        edge = self._m.view.edge(self._m.view.schema.edges[key[0]].role, key[1], key[2])
        return bool(edge and edge.provenance)

    def _alike(self, items: Sequence[Item]) -> float:
        sums = []
        for item in items:
            texts = [text for letter, text in item.options.items() if letter not in item.answer]
            rows = self._similarity.vectors(texts)
            sums += [float(rows[one] @ rows[other]) for one, other in combinations(range(len(texts)), 2)]
        return round(float(np.mean(sums)), 4) if sums else 0.0


def whys(item: Item, arm: str, placed: Mapping[str, Wrong]) -> list[Why]:
    """One row per wrong option."""
    return [
        Why(
            item=item.id,
            arm=arm,
            letter=letter,
            text=wrong.text,
            layer=wrong.layer,
            node=wrong.node,
            path=wrong.path,
            nodes=wrong.nodes,
            score=wrong.score,
            why=wrong.why,
            evidence=wrong.evidence,
        )
        for letter, wrong in placed.items()
    ]


def mapped_counts(rows: Sequence[Mapped]) -> dict[str, dict[str, int]]:
    """Part -> stage -> entities."""
    parts = sorted({row.part for row in rows})
    return {part: dict(sorted(Counter(row.stage for row in rows if row.part == part).items())) for part in parts}


def _own_paths(rows: Sequence[Why]) -> float:
    seen: Counter[tuple[str, tuple[str, ...]]] = Counter((row.item, row.nodes[:2]) for row in rows if row.path)
    return _share(seen[row.item, row.nodes[:2]] == 1 for row in rows if row.path)


def _share(values: Any) -> float:
    found = list(values)
    return round(sum(found) / len(found), 4) if found else 1.0
