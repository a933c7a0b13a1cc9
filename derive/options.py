"""From a draft to a question with enough right answers and a pool of wrong ones.

In: drafts. Out: `Open` questions: their text, usable golds, and distractors from near to far that every judge let pass.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass as settings

from derive.draft import Draft, Gold
from derive.judge import Case, Judge, Panel
from derive.material import Material
from derive.places import SCOPES
from derive.probes import SharedCharacters
from kg.similarity import Similarity, Vectors, ngrams
from kg.text import fold

OPTIONS = 4
MOST_RIGHT = 3
PLACES = ("section", "chapter", "book")


@settings(frozen=True, config=ConfigDict(extra="forbid"))
class PoolRules:
    """How wide to look for distractors, and what counts as too much alike."""

    wanted: int = Field(default=12, ge=3, le=20)
    """Distractors per question; farther layers are opened until there are so many."""
    decoys: int = Field(default=4, ge=0, le=8)
    """Further distractors, those that look most like the query; without them the right option is the one that does."""
    near_text: float = Field(default=0.85, gt=0, le=1)
    """Texts whose character 3-grams have at least this cosine are near-duplicates."""
    longest: int = Field(default=400, ge=20)
    """Most characters of an option."""
    longest_query: int = Field(default=900, ge=20)
    """Most characters of the thing asked about."""


@dataclass(frozen=True)
class Distractor:
    """A wrong answer that every judge let pass."""

    id: str
    layer: str


@dataclass(frozen=True)
class Open:
    """A question whose options are not yet chosen."""

    draft: Draft
    golds: tuple[Gold, ...]
    """Those that can be shown together."""
    pool: tuple[Distractor, ...]
    """Near to far, most alike first within a layer; no two are near-duplicates."""

    @property
    def feasible(self) -> tuple[int, ...]:
        """Numbers of right options that the question can have, ascending."""
        most = min(MOST_RIGHT, len(self.golds))
        return tuple(k for k in range(1, most + 1) if len(self.pool) >= OPTIONS - k)


class Likeness:
    """Vectors of all nodes as options, made at the first use of a kind of node."""

    def __init__(self, material: Material, similarity: Similarity) -> None:
        self._m, self.similarity = material, similarity
        self._rows: dict[str, int] = {}
        self._vectors: dict[str, Vectors] = {}

    def of(self, nodes: Sequence[str]) -> Vectors:
        """One row per node."""
        for node in nodes:
            if (label := self._m.view.nodes[node].label) not in self._vectors:
                self._prepare(label)
        labels = {self._m.view.nodes[node].label for node in nodes}
        if len(labels) == 1:
            return np.asarray(self._vectors[labels.pop()][[self._rows[node] for node in nodes]])
        rows = [self._vectors[self._m.view.nodes[node].label][self._rows[node]] for node in nodes]
        return np.asarray(rows, dtype=np.float32)

    def _prepare(self, label: str) -> None:
        ids = [node for node, record in self._m.view.nodes.items() if record.label == label]
        self._rows.update((node, row) for row, node in enumerate(ids))
        self._vectors[label] = self.similarity.vectors([self._m.speak.option(node) for node in ids])


class PoolBuilder:
    """Builds `Open` questions and counts what it left out."""

    def __init__(self, material: Material, rules: PoolRules, likeness: Likeness, judges: Sequence[Judge]) -> None:
        """The first judge is cheap and asked one case at a time, the others as many as possible."""
        self._m, self._rules, self._likeness = material, rules, likeness
        self._first, self._panel = judges[0], Panel(judges[1:])
        self._shared = Likeness(material, SharedCharacters())
        self._lengths: dict[str, int] = {}
        """Characters of a node's text; 0 where it cannot be read without the book."""
        self._grams: dict[str, frozenset[str]] = {}
        self.refused: Counter[str] = Counter()
        """Distractors that were looked at and left out, by reason."""

    def open_all(self, questions: Sequence[tuple[Draft, str, Vectors]]) -> list[Open | str]:
        """Each question with its pool, or why there is none; with a draft come its question and the question's vector.

        The pools are filled as if every teacher said yes, the teachers are asked about them all at once, and those with
        a no are filled again: what comes out is what asking one case after the other gives.
        """
        found: dict[int, Open | str] = {}
        while due := [number for number in range(len(questions)) if number not in found]:
            for number in due:
                waiting, refused = self._panel.waiting, self.refused.copy()
                one = self._opened(*questions[number])
                if self._panel.waiting == waiting:
                    found[number] = one
                else:
                    self.refused = refused
            self._panel.settle()
        return [found[number] for number in range(len(questions))]

    def _opened(self, draft: Draft, question: str, vector: Vectors) -> Open | str:
        if not self.presentable(draft.query, self._rules.longest_query):
            return "query_cannot_stand_alone"
        golds = self._golds(draft)
        if not golds:
            return "no_gold_can_stand_alone"
        return Open(draft, golds, tuple(self._pool(draft, golds, question, vector)))

    def presentable(self, node: str, most: int = 0) -> bool:
        """True if the node can be read without the book: short enough, and pointing to no figure or other exercise."""
        if node not in self._lengths:
            text = self._m.speak.plain(node)
            pointing = self._m.view.role(node) == "question" and self._m.pack.needs_more.search(text)
            self._lengths[node] = 0 if pointing else len(text)
        return 0 < self._lengths[node] <= (most or self._rules.longest)

    def _golds(self, draft: Draft) -> tuple[Gold, ...]:
        """The golds that can be shown together: none is a near-duplicate or namesake of another or of the query."""
        kept: list[Gold] = []
        for gold in sorted(draft.golds, key=lambda gold: (len(gold.path), gold.id)):
            others = [draft.query, *(other.id for other in kept)]
            if self.presentable(gold.id) and not self._alike(gold.id, others):
                kept.append(gold)
        return tuple(kept)

    def _alike(self, node: str, others: Sequence[str]) -> bool:
        view = self._m.view
        if view.role(node) in PLACES:
            # a place is told apart by its chapter and book, which makes all texts of one chapter look alike
            text = self._m.speak.option(node)
            return any(view.role(other) in PLACES and self._m.speak.option(other) == text for other in others)
        if set(others) & self._m.words.twins.get(node, frozenset()):
            return True
        own = self._trigrams(node)
        return any(cosine(own, self._trigrams(other)) >= self._rules.near_text for other in others)

    def _trigrams(self, node: str) -> frozenset[str]:
        if node not in self._grams:
            self._grams[node] = frozenset(ngrams(fold(self._m.speak.option(node)), (3,)))
        return self._grams[node]

    def _pool(self, draft: Draft, golds: Sequence[Gold], question: str, vector: Vectors) -> list[Distractor]:
        texts = tuple(self._m.speak.option(gold.id) for gold in draft.golds)
        right = self._likeness.of([gold.id for gold in golds])
        ask = Case(draft, question, texts, "", "")
        pool: list[Distractor] = []
        for layer, ids in self._layers(draft):
            if len(pool) >= self._rules.wanted:
                break
            self._fill(pool, self._rules.wanted, layer, self._ranked(ids, vector, right), ask)
        self._fill(pool, self._rules.wanted + self._rules.decoys, "look_alike", self._look_alikes(draft, pool), ask)
        return pool

    def _fill(self, pool: list[Distractor], most: int, layer: str, ids: Iterable[str], ask: Case) -> None:
        """Adds those of the ids that may stand beside what is there, until the pool has `most`."""
        fixed = [ask.draft.query, *(gold.id for gold in ask.draft.golds)]
        for node in ids:
            if len(pool) >= most:
                return
            case = replace(ask, candidate=node, text=self._m.speak.option(node))
            if reason := self._refusal(case, [*fixed, *(other.id for other in pool)]):
                self.refused[reason] += 1
            else:
                pool.append(Distractor(node, layer))

    def _look_alikes(self, draft: Draft, pool: Sequence[Distractor]) -> list[str]:
        """Nodes of the golds' types and books that are most like the query."""
        places, view = self._m.places, self._m.view
        labels = {view.nodes[gold.id].label for gold in draft.golds}
        known = {draft.query, *(gold.id for gold in draft.golds), *(distractor.id for distractor in pool)}
        books = sorted({places.scope(gold.id, "book") for gold in draft.golds})
        members = (node for book in books for node in places.members("book", book))
        others = [node for node in members if node not in known and view.nodes[node].label in labels]
        if not others:
            return []
        alike = self._likeness.of(others) @ self._likeness.of([draft.query])[0]
        shared = self._shared.of(others) @ self._shared.of([draft.query])[0]
        orders = [np.lexsort((np.arange(len(others)), -np.round(scores, 5))) for scores in (alike, shared)]
        turns = [others[place] for pair in zip(*orders, strict=True) for place in pair]
        return list(dict.fromkeys(turns))[: self._rules.decoys * 3]

    def _refusal(self, case: Case, taken: Sequence[str]) -> str:
        """Why the case cannot be an option; empty if it can. The cheapest question comes first."""
        if not self.presentable(case.candidate):
            return "cannot_stand_alone"
        if not (verdict := self._first.verdicts([case])[0]).valid:
            return verdict.reason
        if self._alike(case.candidate, taken):
            return "near_text"
        return self._panel.verdict(case).reason

    def _layers(self, draft: Draft) -> Iterator[tuple[str, list[str]]]:
        """The draft's layers, then the scopes around the golds: every node once, all of the golds' types."""
        view = self._m.view
        labels = {view.nodes[gold.id].label for gold in draft.golds}
        seen = {draft.query, *(gold.id for gold in draft.golds)}
        for name, ids in self._sources(draft):
            fresh = sorted(node for node in ids if node not in seen and view.nodes[node].label in labels)
            seen.update(fresh)
            if fresh:
                yield name, fresh

    def _sources(self, draft: Draft) -> Iterator[tuple[str, Iterable[str]]]:
        for layer in draft.layers:
            yield layer.name, layer.ids
        places = self._m.places
        for scope in SCOPES:
            names = sorted({places.scope(gold.id, scope) for gold in draft.golds})
            yield scope, [node for name in names for node in places.members(scope, name)]

    def _ranked(self, ids: Sequence[str], vector: Vectors, right: Vectors) -> list[str]:
        """By the mean of the likeness to the question and to the most alike gold, falling; ties by id."""
        rows = self._likeness.of(ids)
        scores = (rows @ vector + np.max(rows @ right.T, axis=1)) / 2
        order = np.lexsort((np.arange(len(ids)), -np.round(scores, 5)))
        return [ids[place] for place in order]


def cosine(one: frozenset[str], other: frozenset[str]) -> float:
    """Cosine of two sets; 0 if one is empty."""
    return len(one & other) / math.sqrt(len(one) * len(other)) if one and other else 0.0
