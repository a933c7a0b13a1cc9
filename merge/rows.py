"""What the book level hands to the subject level, and what the subject level says about its joins.

A `Unit` is everything one chapter of one book says under one name: within a chapter a name has one meaning. What there
are hundreds of thousands of has slots: a third of the memory of a `Row`, and read faster.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from kg.document import Book
from kg.graph import Edge, Finding, Node, Provenance, Ref
from kg.row import Row

Place = tuple[int, int]
"""Position in a book: ordinal of the section, offset in its text. Sorts in reading order."""

NOWHERE: Place = (1 << 30, 0)
"""Place of a claim whose section is not in the index: after everything else."""


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class Value:
    """One wording of a property, with where and how it was read."""

    value: Any
    section: str
    rule: str
    confidence: float
    at: Place


@dataclass(frozen=True, slots=True, order=True, config=ConfigDict(extra="forbid"))
class Said:
    """One claim behind a unit or an edge: which section, which rule, how sure."""

    section: str
    extractor: str
    rule: str
    confidence: float


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class Alias:
    """Another name that the book states, with the quotations that state it."""

    name: str
    key: str
    evidence: tuple[Provenance, ...] = ()


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class Unit:
    """What one chapter of one book says under one name."""

    label: str
    key: str
    """Canonical key of the name; of a question its normalised stem and options."""
    chapter: str
    """Id of the chapter, or of the section where there is none."""
    chapter_title: str
    names: tuple[tuple[str, int], ...]
    """The name as printed and how many claims print it so, in reading order."""
    at: Place
    sections: tuple[str, ...]
    """Where it is claimed, in reading order."""
    values: dict[str, tuple[Value, ...]]
    """Per property its distinct values in reading order."""
    aliases: tuple[Alias, ...] = ()
    evidence: tuple[Provenance, ...] = ()
    said: tuple[Said, ...] = ()
    words: tuple[str, ...] = ()
    """Content words of its descriptions, without those of its own name."""
    context: tuple[str, ...] = ()
    """Content words of what stands around it: titles, neighbouring terms, ends of its edges."""


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class Link:
    """All claims of one book that two things stand in one relation."""

    type: str
    source: int | Ref
    """Index of the unit meant; a name where this book does not have it."""
    target: int | Ref
    section: str
    """First section that says so."""
    properties: dict[str, Any] = field(default_factory=dict)
    evidence: tuple[Provenance, ...] = ()
    said: tuple[Said, ...] = ()


class BookPart(Row):
    """`merge/books/<book>.json`: one book's contribution."""

    book: Book
    language: str
    nodes: tuple[Node, ...]
    """Book, chapters and sections; sections of other kinds only where something is anchored in them."""
    edges: tuple[Edge, ...]
    """Containment."""
    sections: dict[str, tuple[int, str]]
    """Section id -> ordinal in the book and title of the chapter."""
    units: tuple[Unit, ...]
    links: tuple[Link, ...]
    findings: tuple[Finding, ...] = ()


class Join(Row):
    """One line of `merges.jsonl`: these claims became part of that node, and why. Leaving it out undoes it."""

    id: str
    """The node."""
    alone: str
    """The id these claims would have had by themselves."""
    label: str
    rule: str
    """`same_key`, `alias` or `same_stem`."""
    score: float
    """Likeness of what is said under both names, in [0, 1]; 1 where nothing contradicts and nothing can be compared."""
    book: str
    chapter: str
    name: str
    """As printed there."""
    evidence: tuple[Provenance, ...] = ()
    """What states the alias; else the first quotation of the claims that were joined."""
