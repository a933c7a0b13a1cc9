"""A book as the rules read it: sections with tokens, sentences and parts, each made once.

In: `kg.section.Section`s in reading order. Out: `SectionView`s that know what is running text, and turn
character ranges into evidence.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from extract.pack import Pack, Role, compiled
from extract.parts import READING, Outline, outline
from extract.runin import cut_labels
from kg.graph import Provenance
from kg.language import Language
from kg.locate import provenance
from kg.names import outside_brackets, singular
from kg.section import Section
from kg.sentences import sentences
from kg.text import fold, one_line

NOT_PROSE: frozenset[Role] = frozenset(
    {"objectives", "key_terms", "key_equations", "exercises", "answer", "materials", "safety", "problem", "solution"}
)
_FORMULA_NUMBER = re.compile(r"[(（]?\d{1,2}[.\-–]\d{1,3}[)）]?")
FORMULA_REACH = 3
"""Blocks before a bare number among which its formula stands."""
_LEAD = re.compile(r"(?:#{1,6}[ ])?[\s•●▪◦‣■□◆◇]*")
"""What stands before the words of a heading or a list item in a section's text."""
_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")


class Token(NamedTuple):
    """A word, or one Han character."""

    key: str
    """Folded, in the singular."""
    start: int
    end: int


def tokens(text: str, language: Language, start: int = 0) -> list[Token]:
    """Words of `text` (a Han character is one); offsets are counted from `start`."""
    found = []
    cached, end = _Cached(language), -1
    for hit in _TOKEN.finditer(text):
        word = hit.group()
        if word in {"s", "S"} and hit.start() == end + 1 and text[end] in "'’":
            continue
        end = hit.end()
        found.append(Token(_stem(word, language.code, cached), start + hit.start(), start + end))
    return found


class _Cached:
    """Carries a language pack through a cache that goes by its code."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def __hash__(self) -> int:
        return hash(self.language.code)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Cached) and self.language is other.language


@lru_cache(maxsize=200_000)
def _stem(word: str, _code: str, pack: _Cached) -> str:
    return singular(fold(word), pack.language)


def name_tokens(name: str, language: Language) -> tuple[str, ...]:
    """Token keys of a name without brackets and leading articles."""
    keys = [token.key for token in tokens(outside_brackets(name), language)]
    while len(keys) > 1 and keys[0] in language.articles:
        keys.pop(0)
    return tuple(keys)


class SectionView:
    """One section, prepared."""

    def __init__(self, section: Section, index: int, language: Language, pack: Pack) -> None:
        self.section, self.index, self.language, self.pack = section, index, language, pack
        self.row, self.text, self.blocks = section.row, section.text, section.blocks

    @cached_property
    def outline(self) -> Outline:
        """Its parts."""
        return outline(self.section, self.pack)

    @cached_property
    def tokens(self) -> list[Token]:
        """All its words."""
        return tokens(self.text, self.language)

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """Ranges of its sentences; a heading is one."""
        return sentences(self.text, self.language)

    @cached_property
    def _sentence_starts(self) -> list[int]:
        return [start for start, _ in self.sentences]

    def sentence(self, offset: int) -> tuple[int, int]:
        """The sentence that holds the character at `offset`."""
        return self.sentences[max(0, bisect_right(self._sentence_starts, offset) - 1)]

    def span(self, block: int) -> tuple[int, int]:
        """Characters of a block in the section's text."""
        start = self.section.starts[block]
        return start, start + len(self.blocks[block].text)

    def said(self, block: int) -> tuple[int, int]:
        """Characters of a block without the label it may open with (`Solution: …`)."""
        start, end = self.span(block)
        return start + self.outline.label_end(block), end

    def quote(self, start: int, end: int) -> Provenance:
        """The evidence at these characters, without a heading's marks or a bullet before it."""
        return provenance(self.section, self.own(start, end), end)

    def own(self, start: int, end: int) -> int:
        """Where the words of characters `start <= i < end` begin: after a heading's marks or a bullet."""
        lead = _LEAD.match(self.text, start, end)
        return lead.end() if lead and lead.end() < end else start

    def line(self, start: int, end: int) -> str:
        """These characters as one line."""
        return one_line(self.text[start:end])

    def content(self, blocks: Iterable[int]) -> str:
        """The blocks' texts without labels, one line each."""
        return "\n".join(filter(None, (self._unnumbered(i) for i in blocks if not self.stray(i))))

    def _unnumbered(self, block: int) -> str:
        """The block's line; of a formula without its printed number."""
        line = self.line(*self.said(block))
        number = self.blocks[block].number if self.blocks[block].label == "formula" else None
        return line.removesuffix(number).rstrip() if number and line != number else line

    def stray(self, block: int) -> bool:
        """True for the number of a formula that stands apart from it."""
        near = (block - k for k in range(1, FORMULA_REACH + 1) if block >= k)
        bare = _FORMULA_NUMBER.fullmatch(self.blocks[block].text.strip()) is not None
        return bare and any(self.blocks[i].label == "formula" for i in near)

    @cached_property
    def prose(self) -> tuple[bool, ...]:
        """For every block: it explains (it is no heading, exercise, list of terms …)."""
        return tuple(self._is_prose(i) for i in range(len(self.blocks)))

    def _is_prose(self, i: int) -> bool:
        block = self.blocks[i]
        if block.label not in {"text", "list_item", "footnote"} or compiled(self.pack.caption).match(block.text):
            return False
        return not self.outline.roles(i) & NOT_PROSE

    @property
    def teaches(self) -> bool:
        """True for sections of running text."""
        return self.row.kind in READING


@dataclass(frozen=True)
class BookView:
    """All sections of a book in reading order."""

    language: Language
    pack: Pack
    sections: tuple[SectionView, ...]

    def of_chapter(self, view: SectionView) -> list[SectionView]:
        """The teaching sections of the same chapter, in order."""
        return [other for other in self.sections if other.teaches and same_chapter(other, view)]


def same_chapter(one: SectionView, other: SectionView) -> bool:
    """True if both stand in one chapter, or both in none."""
    return (one.row.chapter, one.row.chapter_number, one.row.chapter_title) == (
        other.row.chapter,
        other.row.chapter_number,
        other.row.chapter_title,
    )


def book_view(sections: Sequence[Section], language: Language, pack: Pack) -> BookView:
    """The book as the rules read it."""
    cut = [cut_labels(section, pack) for section in sections]
    views = tuple(SectionView(section, index, language, pack) for index, section in enumerate(cut))
    return BookView(language, pack, views)
