"""The order in which a class meets sections and chapters: book after book, section after section.

In: `segment/<book>/sections_index.json` of every book and what the graph says about parts. Out: `Curriculum`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from kg.graph import Edge
from kg.project import Project
from kg.section import SectionRow

SECTIONS = "segment/*/sections_index.json"
TAUGHT = "section"
"""Kind of the sections that teach, in contrast to summaries, glossaries, answers …"""


@dataclass(frozen=True)
class Curriculum:
    """All sections in teaching order."""

    books: tuple[tuple[str, tuple[SectionRow, ...]], ...]
    """(slug, rows in reading order) in curriculum order."""
    parents: Mapping[str, str] = field(default_factory=dict)
    """What each section and chapter of the graph is part of."""

    @cached_property
    def place(self) -> Mapping[str, int]:
        """Section id -> its place among all sections, from 0."""
        ids = (row.id for _, rows in self.books for row in rows)
        return {section: place for place, section in enumerate(dict.fromkeys(ids))}

    @cached_property
    def chapter_of(self) -> Mapping[str, str]:
        """Section id -> id of its chapter, for sections that teach.

        Front matter, glossaries and the like are missing where they stand outside all chapters of their book: nothing
        is introduced there.
        """
        found: dict[str, str] = {}
        for _, rows in self.books:
            for row in rows:
                chapter = self.parents.get(row.id, row.chapter)
                if chapter and (row.chapter or row.kind == TAUGHT):
                    found[row.id] = chapter
        return found

    @cached_property
    def chapters(self) -> Mapping[str, int]:
        """Chapter id -> its place among all chapters, from 0."""
        return {chapter: place for place, chapter in enumerate(dict.fromkeys(self.chapter_of.values()))}

    def homes(self, located: Iterable[Edge]) -> dict[str, str]:
        """Node id -> the section inside a chapter where it is met first, by edges that say where nodes appear.

        Nodes that appear in no such section are missing.
        """
        homes: dict[str, str] = {}
        for edge in located:
            if edge.target not in self.chapter_of:
                continue
            known = homes.get(edge.source)
            if known is None or self.place[edge.target] < self.place[known]:
                homes[edge.source] = edge.target
        return homes


def curriculum(project: Project, parts: Iterable[Edge] = ()) -> Curriculum:
    """The curriculum of all books that have been segmented; `parts` are the graph's edges from part to whole."""
    store = project.store
    books: list[tuple[str, tuple[SectionRow, ...]]] = []
    for book in project.books:
        name = f"segment/{book.slug}/sections_index.json"
        if store.exists(name):
            books.append((book.slug, tuple(SectionRow.model_validate(row) for row in store.read_json(name))))
    return Curriculum(tuple(books), {edge.source: edge.target for edge in parts})
