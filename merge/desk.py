"""A book on the desk: what is needed to read its claims, and how they are named and placed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from kg.document import Book
from kg.graph import EdgeClaim, NodeClaim, Provenance
from kg.language import Language
from kg.names import key
from kg.schema import GraphSchema
from kg.section import SectionRow
from kg.text import fold
from merge.mentions import Reader
from merge.pack import Words
from merge.rows import NOWHERE, Place, Said
from merge.structure import Chapter, chapters_of


@dataclass(frozen=True)
class Desk:
    """A book with everything needed to read its claims."""

    book: Book
    subject: tuple[str, str]
    """Short name and title."""
    language: Language
    schema: GraphSchema
    rows: tuple[SectionRow, ...]
    """In reading order."""

    @cached_property
    def ordinal(self) -> dict[str, int]:
        """Place of each section in the book."""
        return {row.id: at for at, row in enumerate(self.rows)}

    @cached_property
    def chapters(self) -> dict[str, Chapter]:
        """Chapter of each section."""
        return chapters_of(self.book, self.subject[0], self.rows, self.schema)

    @cached_property
    def reader(self) -> Reader:
        """Finds names in the book's language."""
        return Reader(self.language)

    @cached_property
    def words(self) -> Words:
        """Content words of the book's language."""
        return Words(self.language)

    def place(self, claim: NodeClaim | EdgeClaim) -> Place:
        """Where the claim's own section first speaks of it."""
        if claim.section not in self.ordinal:
            return NOWHERE
        starts = [quote.start for quote in claim.evidence if quote.section == claim.section]
        return (self.ordinal[claim.section], min(starts, default=0))

    def chapter(self, section: str) -> Chapter:
        """The chapter of a section; a section that is not in the index stands for itself."""
        return self.chapters.get(section) or Chapter(section, "", "")

    def name_key(self, label: str, name: str) -> str:
        """What a node of this type is known by: the canonical key of its name, or its normalised stem."""
        if self.schema.role(label) == "question":
            return "".join(fold(name).split())
        return key(name, self.language)


def united(quotes: Iterable[Provenance]) -> tuple[Provenance, ...]:
    """Each quotation once, in the order of the books' pages."""
    listed = tuple(quotes)
    if len(listed) < 2:
        return listed
    distinct = {quote.to_json(): quote for quote in listed}
    return tuple(quote for _, quote in sorted(distinct.items(), key=lambda pair: (pair[1].place(), pair[0])))


def said(claim: NodeClaim | EdgeClaim) -> Said:
    return Said(section=claim.section, extractor=claim.extractor, rule=claim.rule, confidence=claim.confidence)
