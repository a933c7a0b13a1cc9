"""Which nodes a text speaks of: by name, by other name, by a name inside the text, by likeness.

In: texts and a `Material`. Out: `Candidate`s, the best first, each with its score and the stage that found it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np

from derive.material import Material
from derive.words import SHORTEST
from kg.names import key
from kg.schema import NodeRole
from kg.similarity import Similarity, Vectors
from kg.text import is_cjk, words

Stage = Literal["exact", "alias", "mention", "similar"]
STAGES: tuple[Stage, ...] = ("exact", "alias", "mention", "similar")
"""From sure to unsure; a candidate of an earlier stage comes first."""
ROLES: tuple[NodeRole, ...] = ("term", "procedure", "activity")
SURE = 0.7
"""Likeness of two names from which a slip of spelling is taken for one."""
NEAREST = 10
"""Names that are looked at for a slip of spelling."""
LONG = 5
"""Letters from which a word may have a slip."""
NAMED = 0.2
"""Weight of a name's words in the likeness of a text to a thing; the rest are the words of its whole record."""


@dataclass(frozen=True)
class Candidate:
    """A node that the text may mean."""

    node: str
    score: float
    """In [0, 1], 1 for a name itself; comparable within a stage."""
    stage: Stage


@dataclass(frozen=True)
class Mention:
    """A name of a node inside a text."""

    node: str
    name: str
    """The name's key."""
    at: int
    """Place in the keyed text, in words, or characters where words are not spaced."""


class Linker:
    """Ready after the first question; every answer is the same for any order of the graph's records.

    `sure` is the likeness from which `resolve` takes two names for one. With `slips` only a slip of spelling can be
    one: surface likeness cannot tell `elastic` from `inelastic`. Without, likeness alone decides (embeddings).
    """

    def __init__(
        self,
        material: Material,
        similarity: Similarity,
        roles: Sequence[NodeRole] = ROLES,
        sure: float = SURE,
        slips: bool = True,
    ) -> None:
        self._m, self._similarity, self._sure, self._slips = material, similarity, sure, slips
        self.nodes: tuple[str, ...] = tuple(material.view.with_role(*roles))
        """Those that can be found, sorted."""

    def candidates(self, text: str, k: int = 10) -> tuple[Candidate, ...]:
        """At most `k` nodes, each once: sure stages first, within a stage by falling score, then by id."""
        found: dict[str, Candidate] = {}
        for one in (*self._named(text), *self._mentioned(text), *self._alike(text)):
            found.setdefault(one.node, one)
        order = sorted(found.values(), key=lambda one: (STAGES.index(one.stage), -one.score, one.node))
        return tuple(order[:k])

    def resolve(self, text: str) -> Candidate | None:
        """The one node that the text is a name of, or is as good as a name of; None where that is not sure.

        A name inside a longer text names something else (`kinetic energy` is no `energy`) and does not count.
        """
        if named := self._named(text):
            return named[0]
        nodes, names, _ = self._index
        bare = self._bare(text)
        for place, score in self._spelt_like(text)[:NEAREST]:
            if score < self._sure:
                break
            if not self._slips or self._slip(bare, names[place]):
                return Candidate(nodes[place], score, "similar")
        return None

    def mentions(self, text: str) -> tuple[Mention, ...]:
        """The names that stand in the text in their order; a name inside a longer one that stands there is left out."""
        keyed = self._m.words.keyed(text)
        tokens = keyed.split() if self._m.language.spaces else list(keyed)
        found: list[Mention] = []
        at = 0
        while at < len(tokens):
            size, name = self._longest_at(tokens, at)
            found += [Mention(node, name, at) for node in self._by_name.get(name, ())]
            at += size
        return tuple(found)

    def _longest_at(self, tokens: Sequence[str], at: int) -> tuple[int, str]:
        """Tokens of the longest name that starts here, and the name; one token and no name if none does."""
        joint = " " if self._m.language.spaces else ""
        for size in range(min(self._most_tokens, len(tokens) - at), 0, -1):
            name = joint.join(tokens[at : at + size])
            if len(name) >= SHORTEST and name in self._by_name:
                return size, name
        return 1, ""

    def _named(self, text: str) -> list[Candidate]:
        """Nodes that go by this name, those whose own name it is first."""
        name = key(text, self._m.language) if text.strip() else ""
        nodes = self._by_name.get(name, ())
        own = [node for node in nodes if key(self._m.view.nodes[node].name, self._m.language) == name]
        other = [node for node in nodes if node not in own]
        return [Candidate(node, 1.0, "exact") for node in own] + [Candidate(node, 1.0, "alias") for node in other]

    def _mentioned(self, text: str) -> list[Candidate]:
        """Scored by how much the name says: rare words count for more."""
        scores: dict[str, float] = {}
        for mention in self.mentions(text):
            scores[mention.node] = max(scores.get(mention.node, 0.0), self._name_weight(mention.name))
        return [Candidate(node, _score(1 - math.exp(-weight / 8)), "mention") for node, weight in scores.items()]

    def _alike(self, text: str) -> list[Candidate]:
        """By words shared with the thing's record and names; a text no longer than a name also by its spelling."""
        scores = self._word_scores(text)
        if len(text) <= max(map(len, self._by_name), default=0):
            nodes = self._index[0]
            for place, score in self._spelt_like(text):
                scores[nodes[place]] = max(score, scores.get(nodes[place], 0.0))
        return [Candidate(node, score, "similar") for node, score in scores.items() if score > 0]

    def _spelt_like(self, text: str) -> list[tuple[int, float]]:
        """Place in the index and likeness of every name, the most alike first."""
        _, _, rows = self._index
        if not text.strip() or not len(rows):
            return []
        scores = np.round((rows @ self._similarity.vectors([self._bare(text)])[0]).astype(float), 5)
        return [(int(place), min(1.0, float(scores[place]))) for place in np.argsort(-scores, kind="stable")]

    def _slip(self, text: str, name: str) -> bool:
        """True if at most one letter in a word of five or more tells them apart; a Han character is never a slip."""
        one, other = text.split(), name.split()
        if not self._m.language.spaces or len(one) != len(other):
            return False
        pairs = zip(one, other, strict=True)
        return all(a == b or (min(len(a), len(b)) >= LONG and _one_apart(a, b)) for a, b in pairs)

    def _word_scores(self, text: str) -> dict[str, float]:
        """Cosine of the weighted words with the record, and the share of its best name that the text has."""
        asked = sorted({term for term in self._terms(self._m.words.keyed(text)) if term in self._postings})
        length = math.sqrt(sum(self._weight(term) ** 2 for term in asked))
        said: dict[str, float] = defaultdict(float)
        named: dict[tuple[str, str], float] = defaultdict(float)
        for term in asked:
            weight = self._weight(term)
            for node in self._postings[term]:
                said[node] += weight**2 / (length * self._lengths[node])
            for name in self._names_with.get(term, ()):
                for node in self._by_name[name]:
                    named[node, name] += weight / self._name_weight(name)
        best: dict[str, float] = defaultdict(float)
        for (node, _), share in named.items():
            best[node] = max(best[node], share)
        return {node: _score((1 - NAMED) * score + NAMED * best[node]) for node, score in said.items()}

    def _bare(self, text: str) -> str:
        return self._m.words.keyed(text).strip() or text

    @cached_property
    def _by_name(self) -> dict[str, tuple[str, ...]]:
        """Key of a name -> nodes, sorted."""
        found: dict[str, set[str]] = defaultdict(set)
        for node in self.nodes:
            for name in self._m.words.names(node):
                found[name].add(node)
        return {name: tuple(sorted(found[name])) for name in sorted(found)}

    @cached_property
    def _most_tokens(self) -> int:
        spaces = self._m.language.spaces
        return max((len(name.split()) if spaces else len(name) for name in self._by_name), default=0)

    @cached_property
    def _index(self) -> tuple[list[str], list[str], Vectors]:
        """Node, name and row of each name of a node."""
        pairs = sorted((node, name) for name, nodes in self._by_name.items() for node in nodes)
        names = [name for _, name in pairs]
        return [node for node, _ in pairs], names, self._similarity.vectors(names)

    @cached_property
    def _postings(self) -> dict[str, list[str]]:
        """Term -> nodes whose record has it."""
        found: dict[str, list[str]] = defaultdict(list)
        for node in self.nodes:
            for term in sorted(set(self._terms(self._m.words.said(node)))):
                found[term].append(node)
        return dict(found)

    @cached_property
    def _names_with(self) -> dict[str, list[str]]:
        """Term -> names that have it."""
        found: dict[str, list[str]] = defaultdict(list)
        for name in self._by_name:
            for term in sorted(set(self._terms(name))):
                found[term].append(name)
        return dict(found)

    @cached_property
    def _lengths(self) -> dict[str, float]:
        squares: dict[str, float] = defaultdict(float)
        for term, nodes in self._postings.items():
            for node in nodes:
                squares[node] += self._weight(term) ** 2
        return {node: math.sqrt(square) for node, square in squares.items()}

    def _name_weight(self, name: str) -> float:
        return sum(self._weight(term) for term in sorted(set(self._terms(name))))

    def _weight(self, term: str) -> float:
        """Inverse document frequency; a term that no record has counts as the rarest."""
        return math.log(1 + len(self.nodes) / (1 + len(self._postings.get(term, ()))))

    def _terms(self, keyed: str) -> Iterable[str]:
        """Words but the frequent ones; of Han text, pairs of characters."""
        for word in words(keyed):
            if is_cjk(word):
                yield from ("".join(pair) for pair in pairwise(word)) if len(word) > 1 else (word,)
            elif word not in self._stopwords:
                yield word

    @cached_property
    def _stopwords(self) -> frozenset[str]:
        return frozenset(self._m.language.stopwords)


def _score(value: float) -> float:
    """In [0, 1], rounded so that no order hangs on the last bit of a sum."""
    return min(1.0, round(value, 5))


def _one_apart(one: str, other: str) -> bool:
    """True if one letter more, less, changed, or two neighbours swapped make one word of the other."""
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    a, b = one[start:], other[start:]
    return a[1:] == b[1:] or a == b[1:] or a[1:] == b or (a[:2] == b[1::-1] and a[2:] == b[2:])
