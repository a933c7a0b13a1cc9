"""The semantic-guided walk: from what a question asks, step by step to what is most like question and answer.

In: start nodes, nodes never to be entered, a guidance vector. Out: `Walked`: every path, its end's likeness.
The source is Algorithm 1 of KGGDG; ours keeps the relations, visits no node twice and gives shorter paths, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass as settings

from derive.material import Material
from derive.path import Path, Step, steps
from derive.view import NEAR
from kg.schema import EdgeRole
from kg.similarity import Similarity, Vectors

KNOWLEDGE: tuple[EdgeRole, ...] = (*NEAR, "demonstration")
PLACES: tuple[EdgeRole, ...] = ("location", "containment", "sequence")
PLACE_ROLES = ("section", "chapter", "book")


@settings(frozen=True, config=ConfigDict(extra="forbid"))
class WalkRules:
    """How far and how wide."""

    steps: int = Field(default=3, ge=1, le=6)
    """Most steps (n of the source, which does not say it)."""
    width: int = Field(default=3, ge=1)
    """Steps taken from the end of each path (k of the source, which does not say it)."""
    widest: int = Field(default=24, ge=1)
    """Where too few ends are found, the width doubles up to this."""
    beam: int = Field(default=0, ge=0)
    """Most paths kept per start and step; 0: all."""
    exact: bool = False
    """Only paths of exactly `steps` steps, as in the source; else shorter ones, too."""
    revisit: bool = False
    """A path may come back to a node, as in the source."""


@dataclass(frozen=True)
class Walked:
    """A path and how much its end is like question and answer."""

    path: Path
    score: float

    @property
    def end(self) -> str:
        """Where it leads."""
        return self.path.steps[-1].end


def roles_for(material: Material, nodes: Iterable[str]) -> tuple[EdgeRole, ...]:
    """Edges to walk where answers are like these nodes: exercises and places are reached by edges of their own."""
    kinds = {material.view.role(node) for node in nodes}
    roles: tuple[EdgeRole, ...] = KNOWLEDGE
    if "question" in kinds:
        roles += ("assessment",)
    return roles + PLACES if kinds & set(PLACE_ROLES) else roles


class Walker:
    """Vectors of nodes are made when first met and kept."""

    def __init__(self, material: Material, similarity: Similarity, rules: WalkRules) -> None:
        self._m, self._similarity, self.rules = material, similarity, rules
        self._rows: dict[str, Vectors] = {}

    def guide(self, question: str, answers: Sequence[str]) -> Vectors:
        """The vector of question and answer together."""
        return np.asarray(self._similarity.vectors([" ".join((question, *answers))])[0])

    def walk(
        self, starts: Sequence[str], barred: frozenset[str], guide: Vectors, roles: Sequence[EdgeRole], width: int = 0
    ) -> list[Walked]:
        """All paths from all starts, each sequence of nodes once; the most alike first, then the shorter."""
        found: dict[tuple[str, ...], Walked] = {}
        for start in dict.fromkeys(starts):
            beam = [Path(())]
            for _ in range(self.rules.steps):
                grown = [new for path in beam for new in self._grown(path, start, barred, guide, roles, width)]
                grown.sort(key=_order)
                kept = grown[: self.rules.beam] if self.rules.beam else grown
                beam = [walked.path for walked in kept]
                found.update((walked.path.nodes, walked) for walked in kept)
        exact = self.rules.steps if self.rules.exact else 0
        return sorted((one for one in found.values() if not exact or len(one.path.steps) == exact), key=_order)

    def _grown(
        self, path: Path, start: str, barred: frozenset[str], guide: Vectors, roles: Sequence[EdgeRole], width: int
    ) -> list[Walked]:
        """The path with each of the `width` steps to what is most like the guide."""
        here = path.steps[-1].end if path.steps else start
        seen = frozenset() if self.rules.revisit else frozenset((start, *path.nodes))
        ways: dict[str, Step] = {}
        for step in steps(self._m.view, here, roles):
            if step.end not in barred and step.end not in seen:
                ways.setdefault(step.end, step)
        scores = self._scores(list(ways), guide)
        best = sorted(ways, key=lambda end: (-scores[end], end))[: width or self.rules.width]
        return [Walked(Path((*path.steps, ways[end])), scores[end]) for end in best]

    def _scores(self, nodes: Sequence[str], guide: Vectors) -> dict[str, float]:
        new = [node for node in nodes if node not in self._rows]
        if new:
            self._rows.update(zip(new, self._similarity.vectors([self._said(node) for node in new]), strict=True))
        return {node: round(float(self._rows[node] @ guide), 5) for node in nodes}

    def _said(self, node: str) -> str:
        """The node's name and what the book says it is."""
        record = self._m.view.nodes[node]
        fields = self._m.view.schema.nodes[record.label].fields
        first = next((name for name, field in fields.items() if field.required and field.type == "text"), "")
        return f"{self._m.speak.plain(node)} {record.properties.get(first) or ''}".strip()


def _order(walked: Walked) -> tuple[float, int, tuple[Step, ...]]:
    return (-walked.score, len(walked.path.steps), walked.path.steps)
