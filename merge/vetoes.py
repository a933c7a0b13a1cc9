"""What makes two names two things, however alike they look.

In: two canonical keys. Out: the reason, or nothing. Language-specific facts come from `parts.merge`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from kg.language import Language
from kg.names import singular
from kg.text import is_cjk
from merge.pack import MergeRules

SAME_WORD = 85.0
"""Likeness in [0, 100] from which two words may be spellings of one."""
SHORTEST_TYPO = 5
"""Letters a word needs before one wrong letter may be a slip."""


class Vetoes:
    """The vetoes of one language."""

    def __init__(self, language: Language) -> None:
        rules = language.part("merge", MergeRules)
        self.language = language
        self.opposites = {frozenset(self._base(word) for word in pair) for pair in rules.opposites}
        self.variants = {frozenset(pair) for pair in rules.variants}
        self.plain = dict(rules.variants)
        pairs = [*rules.prefixes, *((prefix, "") for prefix in rules.negations)]
        self.prefixes = {frozenset(_without_common_end(*pair)) for pair in pairs}
        self.idle = set(language.stopwords) | set(language.articles)
        self._words = lru_cache(maxsize=None)(self._split)

    def _base(self, word: str) -> str:
        return singular(word, self.language)

    def spelled(self, name: str) -> str:
        """The name with every variant in the spelling that its list gives second."""
        pieces = name.split() if self.language.spaces else name
        return (" " if self.language.spaces else "").join(self.plain.get(piece, piece) for piece in pieces)

    def near(self, one: str, other: str) -> str:
        """Why two similar names are two things (`digits`, `opposite`, `negation`, `other word`, `kind`); else empty."""
        if (reason := self.stated(one, other)) or one.replace(" ", "") == other.replace(" ", ""):
            return "" if reason == "kind" and one.replace(" ", "") == other.replace(" ", "") else reason
        left, right = self._differing(one, other)
        return "other word" if left and right else ""

    def stated(self, one: str, other: str) -> str:
        """The same for two names that the text calls one thing: a replaced word is then no reason."""
        if one == other:
            return ""
        if _digits(one) and _digits(other) and _digits(one) != _digits(other):
            return "digits"
        left, right = self._differing(one, other)
        if any(frozenset((a, b)) in self.opposites for a in left for b in right):
            return "opposite"
        if any(self._negated(a, b) for a in left for b in right) or self._negated(one, other):
            return "negation"
        return "kind" if bool(left) != bool(right) else ""

    def _differing(self, one: str, other: str) -> tuple[list[str], list[str]]:
        """The words of each name that the other does not have in some spelling."""
        rest = list(self._words(other))
        odd = []
        for word in self._words(one):
            if word in rest:
                rest.remove(word)
            else:
                odd.append(word)
        lonely = []
        for word in odd:
            twin = next((candidate for candidate in rest if self._same(word, candidate)), None)
            if twin is None:
                lonely.append(word)
            else:
                rest.remove(twin)
        return lonely, rest

    def _split(self, name: str) -> list[str]:
        """Words (of Han text characters) that tell names apart."""
        pieces: Iterable[str] = name.split()
        if is_cjk(name):
            pieces = [char for char in name if not char.isspace()]
        return [piece for piece in pieces if piece not in self.idle]

    def _same(self, one: str, other: str) -> bool:
        """Two words are one, a listed variant, or one with a slip of the pen that makes no opposite."""
        if one == other or frozenset((one, other)) in self.variants:
            return True
        pair = frozenset((one, other))
        if pair in self.opposites or self._negated(one, other) or min(len(one), len(other)) < SHORTEST_TYPO:
            return False
        return fuzz.ratio(one, other) >= SAME_WORD or OSA.distance(one, other, score_cutoff=1) <= 1

    def _negated(self, one: str, other: str) -> bool:
        """One is the other with a negating prefix, or they differ in opposite prefixes only."""
        left, right = _without_common_end(one, other)
        return len(left) < len(one) and frozenset((left.strip(), right.strip())) in self.prefixes


def _without_common_end(one: str, other: str) -> tuple[str, str]:
    """What stands before the ending that both share."""
    same = 0
    while same < min(len(one), len(other)) and one[-1 - same] == other[-1 - same]:
        same += 1
    return one[: len(one) - same], other[: len(other) - same]


@lru_cache(maxsize=100_000)
def _digits(name: str) -> str:
    """The characters that count or grade."""
    return "".join(character for character in name if character.isdigit())
