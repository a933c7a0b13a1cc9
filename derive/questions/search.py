"""Finds the texts that say most about a question, by BM25; scores in [0, 1] where they decide what is shown.

In: keyed texts by id. Out: scores. The same for any order of the texts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

from kg.language import Language
from kg.text import is_cjk, words

K1, B = 1.2, 0.75
"""Of BM25, as usual."""
FIRST, BEST, LEAST = 50, 5, 0.15
"""Of the first so many texts the best so many are shown, if they have this score (KNIGHT, KG-1)."""


def terms(keyed: str, language: Language) -> list[str]:
    """Words but the frequent ones; of Han text, pairs of characters."""
    stop = set(language.stopwords)
    found: list[str] = []
    for word in words(keyed):
        if is_cjk(word):
            found += ["".join(pair) for pair in pairwise(word)] or [word]
        elif word not in stop:
            found.append(word)
    return found


class Search:
    """Over some texts."""

    def __init__(self, texts: Mapping[str, str], language: Language) -> None:
        self._language = language
        self._texts = {name: Counter(terms(text, language)) for name, text in sorted(texts.items())}
        self._in = Counter(term for found in self._texts.values() for term in found)
        self._mean = sum(map(len, self._texts.values())) / max(1, len(self._texts))

    def score(self, asked: str, name: str) -> float:
        """BM25 of a keyed question on one text; 0 where there is no such text."""
        found = self._texts.get(name)
        return round(sum(self._weight(found, term) for term in self._terms(asked)), 5) if found else 0.0

    def best(self, asked: str) -> list[tuple[str, float]]:
        """Names of the best few texts with the share of the question's weight that they have, the best first."""
        whole = sum(self._rare(term) for term in self._terms(asked))
        if not whole:
            return []
        scores = {name: self.score(asked, name) for name in self._texts}
        first = sorted(scores, key=lambda name: (-scores[name], name))[:FIRST]
        shares = {name: round(self._covered(asked, name) / whole, 5) for name in first}
        kept = [name for name in first if shares[name] >= LEAST]
        return [(name, shares[name]) for name in sorted(kept, key=lambda name: (-shares[name], name))[:BEST]]

    def _covered(self, asked: str, name: str) -> float:
        return sum(self._rare(term) for term in self._terms(asked) if self._texts[name][term])

    def _terms(self, asked: str) -> list[str]:
        return sorted(set(terms(asked, self._language)))

    def _rare(self, term: str) -> float:
        return math.log(1 + (len(self._texts) - self._in[term] + 0.5) / (self._in[term] + 0.5))

    def _weight(self, found: Counter[str], term: str) -> float:
        if not found[term]:
            return 0.0
        norm = K1 * (1 - B + B * len(found) / max(1.0, self._mean))
        return self._rare(term) * found[term] * (K1 + 1) / (found[term] + norm)
