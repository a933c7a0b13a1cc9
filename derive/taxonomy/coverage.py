"""How much of a corpus the tree covers, and how much of the tree a corpus covers (ArabicKT, equations 1 and 2).

In: texts, a `Linker`. Out: `CoverageRow`s. A text is covered if it speaks of a node; a category is covered if a text
speaks of it or of anything under it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from derive.ask import Ask
from derive.linker import Candidate
from derive.material import Material
from derive.rubric import json_object
from derive.statistics import Estimate, wilson
from derive.taxonomy.tree import TOP, Kind, Tree
from kg.prompt import load
from kg.row import Row

PROMPT = Path(__file__).parent / "prompts" / "coverage.md"
THRESHOLD = 0.3
STEPS = tuple(step / 20 for step in range(1, 20))
LEAST_LABELLED = 30
"""Labelled texts from which a threshold is chosen by them."""


class Calibration(Row):
    """How well the threshold tells apart what an exercise tests from what it does not, by the graph's own edges."""

    threshold: float
    precision: float | None
    recall: float | None
    """Of the tested nodes, those found among the first candidates and let pass."""
    texts: int


class CoverageRow(Row):
    """One corpus."""

    corpus: str
    texts: int
    covered: Estimate | None
    """C(D)."""
    reverse: dict[str, Estimate | None]
    """Kind of tree -> share of its categories covered, C_rev(D)."""
    by_level: dict[str, dict[str, Estimate | None]]
    """Kind of tree -> level -> the same for the categories of this level."""
    left_out: dict[str, int] = {}
    unread: int = 0
    """Texts whose judge did not answer; they count as not covered."""


class CoverJudge(Protocol):
    """Says which of the candidates a text speaks of."""

    def covered(self, texts: Sequence[str], found: Sequence[Sequence[Candidate]]) -> list[frozenset[str] | None]:
        """Node ids per text; none where it could not be judged."""


class RuleCover:
    """A name in the text covers; likeness does from the threshold on."""

    def __init__(self, threshold: float) -> None:
        self.threshold = threshold

    def covered(self, texts: Sequence[str], found: Sequence[Sequence[Candidate]]) -> list[frozenset[str] | None]:
        """Node ids per text."""
        return [frozenset(one.node for one in many if self.passes(one)) for many in found]

    def passes(self, candidate: Candidate) -> bool:
        """True if the candidate counts."""
        return candidate.stage != "similar" or candidate.score >= self.threshold


class ModelCover:
    """Asks a model about all candidates of a text in one call."""

    def __init__(self, ask: Ask, material: Material) -> None:
        self._ask, self._m = ask, material
        self.prompt = load(PROMPT)

    def covered(self, texts: Sequence[str], found: Sequence[Sequence[Candidate]]) -> list[frozenset[str] | None]:
        """Node ids per text; none where the reply cannot be read."""
        asked = [(text, many) for text, many in zip(texts, found, strict=True) if many]
        replies = iter(self._ask([self.prompt.messages(self._values(*pair)) for pair in asked]) if asked else [])
        return [self._read(next(replies), many) if many else frozenset() for many in found]

    def _values(self, text: str, many: Sequence[Candidate]) -> dict[str, str]:
        points = [f"{place}. {self._m.speak.option(one.node)}" for place, one in enumerate(many, 1)]
        return {"text": text, "points": "\n".join(points)}

    def _read(self, reply: str | None, many: Sequence[Candidate]) -> frozenset[str] | None:
        said = (json_object(reply or "") or {}).get("covered")
        if not isinstance(said, list):
            return None
        return frozenset(many[place - 1].node for place in said if isinstance(place, int) and 0 < place <= len(many))


def calibrate(found: Mapping[str, Sequence[Candidate]], material: Material, given: float | None) -> Calibration:
    """The threshold with the best F1 over the graph's own exercises; the `given` one, or a default, without enough.

    `found`: exercise -> candidates.
    """
    gold = {node: frozenset(material.view.after(node, "assessment")) for node in sorted(found)}
    labelled = [node for node, tested in gold.items() if tested]
    seen, tested = [found[node] for node in labelled], [gold[node] for node in labelled]
    if given is None and len(labelled) >= LEAST_LABELLED:
        given = max(STEPS, key=lambda step: (_f1(step, seen, tested), -step))
    threshold = THRESHOLD if given is None else given
    precision, recall = _rates(threshold, seen, tested)
    return Calibration(threshold=threshold, precision=precision, recall=recall, texts=len(labelled))


def _rates(
    step: float, found: Sequence[Sequence[Candidate]], gold: Sequence[frozenset[str]]
) -> tuple[float | None, float | None]:
    judge = RuleCover(step)
    said = [frozenset(one.node for one in many if judge.passes(one)) for many in found]
    hits = sum(len(one & tested) for one, tested in zip(said, gold, strict=True))
    claimed, wanted = sum(map(len, said)), sum(map(len, gold))
    return (round(hits / claimed, 4) if claimed else None, round(hits / wanted, 4) if wanted else None)


def _f1(step: float, found: Sequence[Sequence[Candidate]], gold: Sequence[frozenset[str]]) -> float:
    precision, recall = _rates(step, found, gold)
    return 2 * precision * recall / (precision + recall) if precision and recall else 0.0


def measure(corpus: str, texts: int, found: Sequence[frozenset[str] | None], trees: Mapping[Kind, Tree]) -> CoverageRow:
    """What so many texts and the trees have of each other."""
    spoken = frozenset().union(*(one for one in found if one))
    reverse: dict[str, Estimate | None] = {}
    levels: dict[str, dict[str, Estimate | None]] = {}
    for kind, tree in trees.items():
        hit = {above for node in spoken for above in tree.line(node)}
        categories = [node for node in tree.order if node != TOP and tree.below.get(node)]
        reverse[kind] = wilson(sum(node in hit for node in categories), len(categories))
        levels[kind] = {
            str(level): wilson(sum(node in hit for node in own), len(own))
            for level in sorted({tree.level[node] for node in categories})
            if (own := [node for node in categories if tree.level[node] == level])
        }
    return CoverageRow(
        corpus=corpus,
        texts=texts,
        covered=wilson(sum(bool(one) for one in found), texts),
        reverse=reverse,
        by_level=levels,
        unread=sum(one is None for one in found),
    )
