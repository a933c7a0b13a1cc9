"""What segmenting must know about a language: the model of `parts.segment` in a language pack.

In: YAML data. Out: `SegmentRules`. Patterns are regular expressions that ignore case.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from kg.row import Row
from kg.section import Kind

Rank = Literal["part", "unit", "chapter", "section", "item"]
"""What a word such as `Chapter` or `单元` says about depth; an `item` is numbered without saying any."""
RANKS: tuple[Rank, ...] = ("part", "unit", "chapter", "section")
"""Outermost first."""


class WordRule(Row):
    """How headings of one rank begin."""

    rank: Rank
    pattern: str
    """`{n}` stands for a number in digits, Roman numerals or the language's own words."""
    named: bool = False
    """Word and number belong to the title (`实验活动1 …`): they order such headings but are no section number."""


class Names(Row):
    """What rows are called that have no heading of their own."""

    front_matter: str = "Front matter"
    contents: str = "Contents"
    introduction: str = "Introduction"
    chapter: str = "Chapter {number}"
    pages: str = "Pages {first}–{last}"
    """Of a piece of a book without headings; 1-based physical pages."""


class SegmentRules(Row):
    """All rules of one language."""

    numerals: Mapping[str, int] = {}
    """Number words that are added up."""
    multipliers: Mapping[str, int] = {}
    """Number words that multiply what stands before them."""
    words: tuple[WordRule, ...] = ()
    """The first that matches the beginning of a heading counts."""
    kinds: Mapping[Kind, tuple[str, ...]] = {}
    """Patterns of whole titles by kind; in this order, the first that matches counts."""
    names: Names = Names()
