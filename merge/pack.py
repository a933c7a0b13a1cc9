"""What merging must know about a language: the model of `parts.merge` in a language pack, and the words it leaves.

In: YAML data, texts. Out: content words for comparing meanings, and facts for telling near names apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from kg.language import Language
from kg.names import singular
from kg.row import Row
from kg.text import is_cjk, words

SHORTEST_WORD = 3
"""Letters of a content word; shorter ones are symbols and particles."""
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]+")


class MergeRules(Row):
    """Facts about a language's names and definitions."""

    generic: tuple[str, ...] = ()
    """Words in definitions of anything (`amount`, `object`); sharing them says nothing."""
    opposites: tuple[tuple[str, str], ...] = ()
    """Words (or, without spaces between words, characters) that make two names two things."""
    negations: tuple[str, ...] = ()
    """Prefixes that turn a name into another thing's."""
    prefixes: tuple[tuple[str, str], ...] = ()
    """Pairs of opposite prefixes."""
    variants: tuple[tuple[str, str], ...] = ()
    """Spellings of one word or character; replacing one by the other does not make another thing."""


class Words:
    """Content words in one language."""

    def __init__(self, language: Language) -> None:
        rules = language.part("merge", MergeRules)
        self.language = language
        self.idle = {*language.stopwords, *(singular(word, language) for word in rules.generic), *rules.generic}

    def content(self, texts: Iterable[str]) -> set[str]:
        """Words that carry meaning, in the singular; of Han text the pairs of adjoining characters."""
        found: set[str] = set()
        for text in texts:
            for word in words(text):
                found |= self._pairs(word) if is_cjk(word) else self._word(word)
        return found

    def _word(self, word: str) -> set[str]:
        if len(word) < SHORTEST_WORD or word.isdigit() or word in self.idle:
            return set()
        base = singular(word, self.language)
        return set() if base in self.idle else {base}

    def _pairs(self, run: str) -> set[str]:
        for idle in sorted(self.idle, key=lambda word: (-len(word), word)):
            if is_cjk(idle):
                run = run.replace(idle, " ")
        return {piece[i : i + 2] for piece in _HAN.findall(run) for i in range(len(piece) - 1)}
