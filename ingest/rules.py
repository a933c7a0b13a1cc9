"""What reading a page needs to know about a language: the model of `parts.ingest` in `conf/language/<code>.yaml`.

In: a language pack. Out: `Rules`, its patterns compiled.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from pydantic import BaseModel, ConfigDict, field_validator

from ingest.tongue import recognise
from kg.document import Book
from kg.errors import InputError
from kg.language import Language
from kg.project import Project
from kg.text import fold, one_line


class Numbering(BaseModel):
    """One way in which headings are numbered."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pattern: str
    """Regular expression at the start of a heading, ignoring case; group 1 is the number."""
    depth: int
    """0: above chapters (part, unit), 1: chapter, 2: section, and so on."""
    label: bool = False
    """The number is worth a heading without a title: it may stand on a line of its own over the title."""
    plain: bool = False
    """Such a line is a heading even in the type of the running text."""

    @field_validator("pattern")
    @classmethod
    def _compiles(cls, pattern: str) -> str:
        re.compile(pattern)
        return pattern


class IngestPart(BaseModel):
    """`parts.ingest` of a language pack."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    caption: str = r"(?!)"
    """Start of a caption; groups `kind` and `number`."""
    table_kinds: tuple[str, ...] = ()
    """Which values of `kind` title tables, folded."""
    numbering: tuple[Numbering, ...] = ()
    """Besides decimal numbers (`2.1`), which every language has; the first that matches counts."""
    contents: tuple[str, ...] = ()
    """Titles of contents pages, folded."""
    box_labels: tuple[str, ...] = ()
    """Regular expressions that match the whole title or label line of a box, ignoring case."""
    box_parts: tuple[str, ...] = ()
    """Folded sub-headings inside a box, after which the box goes on."""
    bold_fonts: str = r"(?!)"
    """Regular expression for names of fonts that mark words as bold does, ignoring case (黑体 has no bold flag)."""
    page_words: tuple[str, ...] = ()
    """Words that stand before or after a page number at the head or foot of a page."""
    list_markers: tuple[str, ...] = ()
    """Regular expressions of list markers besides bullets and Latin letters and numbers."""
    ocr: Mapping[str, str] = {}
    """Engine for text recognition -> its name of this language; the engine that reads it best comes first."""
    vowels: str = ""
    """Letters of which nearly every word has one; empty: nothing is concluded from words without."""
    frequent: str = ""
    """Characters that make up a good part of any text; empty: nothing is concluded from their absence."""


class Rules:
    """The patterns of one language, compiled."""

    def __init__(self, language: Language) -> None:
        part = language.part("ingest", IngestPart)
        self.language = language
        self.part = part
        self.caption = re.compile(part.caption, re.IGNORECASE)
        self.bold_fonts = re.compile(part.bold_fonts, re.IGNORECASE)
        self._named: dict[str, bool] = {}
        self.numbering = tuple((re.compile(rule.pattern, re.IGNORECASE), rule) for rule in part.numbering)
        self.contents = frozenset(fold(title) for title in part.contents)
        self.box_parts = frozenset(fold(title) for title in part.box_parts)
        self._box_labels = tuple(re.compile(pattern, re.IGNORECASE) for pattern in part.box_labels)
        words = "|".join(re.escape(word) for word in part.page_words)
        self.page_words = re.compile(
            rf"(?:(?<![^\W\d_])|(?<=\d))\s*(?:{words})\s*(?=\d|[ivxlc]+\b|$)" if words else r"(?!)", re.I
        )
        markers = "|".join([*part.list_markers, *LIST_MARKERS])
        self.marker = re.compile(rf"({BULLETS})\s*(?=\S)|({markers})(?:\s+(?=\S)|(?=[^\x00-\x7f\s]))")
        self.marker_alone = re.compile(rf"(?:{BULLETS}|{markers})\s*$")

    @cached_property
    def joint(self) -> str:
        """What stands between two lines of a paragraph."""
        return " " if self.language.spaces else ""

    def names_bold(self, font: str) -> bool:
        """True if the font's name marks words as bold does."""
        if font not in self._named:
            self._named[font] = bool(self.bold_fonts.search(font))
        return self._named[font]

    def is_contents_title(self, text: str) -> bool:
        """True if `text` titles a contents page."""
        return fold(one_line(text)).strip(" :：") in self.contents or fold(text).replace(" ", "") in self.contents

    def is_box_label(self, text: str) -> bool:
        """True if `text` is the label or title line of a box or note."""
        return any(pattern.fullmatch(one_line(text)) for pattern in self._box_labels)

    def is_box_part(self, text: str) -> bool:
        """True if `text` is a heading that stands inside a box (solution, strategy …)."""
        return fold(one_line(text)).rstrip(" :：.") in self.box_parts

    def number_of(self, text: str) -> tuple[str, int, Numbering | None] | None:
        """(number, depth, rule) of a heading that starts with a number; none if it does not."""
        for pattern, rule in self.numbering:
            if match := pattern.match(text):
                return match.group(1), rule.depth, rule
        if match := DECIMAL.match(text):
            number = match.group(1)
            return number, number.count(".") + 1, None
        return None


BULLETS = r"[•◦▪■□●○◆◇▶►▸➢➤✓✔❖∙⁃‣]|[–—*·](?=\s)|[–—](?=[“‘])"
LIST_MARKERS = (
    r"\(\d{1,3}\)",
    r"\(?[a-zA-Z][.)]",
    r"\d{1,3}(?:\.\d{1,3})?[.)]",
    r"\(?[ivx]{1,4}[.)]",
)
"""Numbers and letters; a full stop after a single letter or number, or round brackets."""
DECIMAL = re.compile(r"(?:§\s*)?((?:[A-Z]\.)?\d{1,3}(?:\.\d{1,3}){0,4})(?:\.?\s+|[.、．]\s*)(?=[^\s\d.])")
"""`2.1 `, `A.3 `, `12. `; a title must follow."""


def rules_of(book: Book, text: str, project: Project) -> tuple[Rules, float]:
    """The rules of the book's language, and the share of its function words in `text`.

    Raises InputError if the configured language has no pack.
    """
    code, share = recognise(text, project.languages)
    wanted = book.language or code
    if wanted not in project.languages:
        known = ", ".join(sorted(project.languages))
        raise InputError(f"no language pack {wanted}", where=book.slug, remedy=f"use one of {known}")
    if book.language:
        share = recognise(text, {wanted: project.languages[wanted]})[1]
    return Rules(project.languages[wanted]), share
