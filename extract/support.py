"""A section as evidence: where a quotation stands, where a name is mentioned, and what stands beside what.

In: a section and its language. Out: a `Page` that answers such questions; each thing is prepared once.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property, lru_cache

from extract.align import Aligned, Aligner
from extract.mentions import Mention, Names
from extract.view import Token, name_tokens, tokens
from kg.graph import Provenance
from kg.language import Language
from kg.locate import provenance
from kg.section import Section
from kg.sentences import sentence_at
from kg.text import is_cjk


class Page:
    """One section."""

    def __init__(self, section: Section, language: Language) -> None:
        self.section, self.language = section, language
        self._aligner = Aligner(section)
        self.align = lru_cache(maxsize=4096)(self._align)

    def _align(self, quote: str) -> Aligned:
        return self._aligner.find(quote)

    @cached_property
    def _tokens(self) -> list[Token]:
        return tokens(self.section.text, self.language)

    def tokens_in(self, start: int, end: int) -> list[Token]:
        """Its words that begin at `start <= i < end`."""
        starts = [token.start for token in self._tokens]
        return self._tokens[bisect_left(starts, start) : bisect_left(starts, end)]

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(token.key for token in self._tokens)

    @cached_property
    def _keys(self) -> frozenset[str]:
        """Its words; pairs of neighbouring characters where words are not spaced."""
        keys = [token.key for token in self._tokens]
        return self._words | frozenset(a + b for a, b in itertools.pairwise(keys))

    @lru_cache(maxsize=4096)  # noqa: B019 - a page lives as long as its section is read
    def mentions(self, name: str) -> tuple[Mention, ...]:
        """Every place where the name stands, word by word, whatever its number or case."""
        words = name_tokens(name, self.language)
        if not words or not self._words.issuperset(words):
            return ()
        return tuple(Names([(name, name)], self.language).find(self._tokens, self.section.text))

    def mention(self, name: str) -> Provenance | None:
        """The sentence in which the name stands first."""
        places = self.mentions(name)
        if not places:
            return None
        start, end = sentence_at(self.section.text, places[0].start, self.language)
        return provenance(self.section, start, end)

    def share(self, name: str) -> float:
        """Share, in [0, 1], of the name's words that the section holds; of its pairs of characters in Chinese."""
        keys = name_tokens(name, self.language)
        if is_cjk(name):
            keys = tuple(a + b for a, b in itertools.pairwise(keys)) or keys
        else:
            keys = tuple(word for word in keys if word not in self.language.stopwords) or keys
        return sum(word in self._keys for word in keys) / len(keys) if keys else 0.0

    def near(self, names: Sequence[str], place: Provenance) -> bool:
        """True if one of the names stands in the quotation or in a sentence beside it."""
        text = self.section.text
        start = sentence_at(text, max(0, place.start - 2), self.language)[0]
        end = sentence_at(text, min(place.end + 2, len(text) - 1), self.language)[1]
        return self._within(names, min(start, place.start), max(end, place.end))

    def in_paragraph(self, names: Sequence[str], place: Provenance) -> bool:
        """True if one of the names stands in a paragraph the quotation touches, or in a sentence beside it."""
        first, last = self.section.block_at(place.start), self.section.block_at(place.end - 1)
        starts = [*self.section.starts, len(self.section.text)]
        return self._within(names, starts[first], starts[last + 1]) or self.near(names, place)

    def beside(self, one: Provenance, other: Provenance) -> bool:
        """True if two quotations share a paragraph."""
        first, last = (self.section.block_at(at) for at in (one.start, one.end - 1))
        return first <= self.section.block_at(other.end - 1) and self.section.block_at(other.start) <= last

    def _within(self, names: Sequence[str], start: int, end: int) -> bool:
        return any(start <= mention.start < end for name in names for mention in self.mentions(name))
