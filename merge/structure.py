"""A book's own structure as nodes and containment edges.

In: the book and its section index. Out: nodes for the book, its chapters and sections, edges from part to whole.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from kg.document import Book
from kg.graph import Edge, Node
from kg.ids import book_id, digest, slug
from kg.schema import GraphSchema
from kg.section import Kind, SectionRow

TAUGHT: Kind = "section"
"""Rows of this kind always become nodes; others only where something is anchored in them."""


@dataclass(frozen=True)
class Chapter:
    """A chapter as the index shows it."""

    id: str
    number: str
    title: str


def reading_order(rows: Sequence[SectionRow]) -> list[SectionRow]:
    """The rows by where they start, whatever order they came in."""
    return sorted(rows, key=lambda row: (row.start_block, row.end_block, row.start_page, row.id))


def chapters_of(book: Book, subject: str, rows: Sequence[SectionRow], schema: GraphSchema) -> dict[str, Chapter]:
    """The chapter of every row, by the row's id.

    The schema wants every section in a chapter: where the index has no chapter for a row, the row's own title (in a
    book without any chapters, the book's) stands for one.
    """
    prefix = f"{subject}:{schema.node_type('chapter').lower()}:{book.slug}:"
    none_at_all = not any(row.chapter for row in rows)
    found = {}
    for row in rows:
        if row.chapter:
            found[row.id] = Chapter(row.chapter, row.chapter_number, row.chapter_title)
        else:
            title = (book.title if none_at_all else row.section_title) or row.section_title or book.slug
            found[row.id] = Chapter(prefix + (slug(title) or digest(title)), "", title)
    return found


def structure(
    book: Book, subject: tuple[str, str], rows: Sequence[SectionRow], anchors: Collection[str], schema: GraphSchema
) -> tuple[list[Node], list[Edge]]:
    """Nodes and edges of the rows; `subject` is its short name and title, `anchors` ids of sections that are needed.

    `rows` are in reading order. Orders count from 1 among the parts of the book.
    """
    whole = Node(
        id=book_id(subject[0], schema.node_type("book"), book.slug),
        label=schema.node_type("book"),
        name=book.title or book.slug,
        properties=_filled(subject=subject[1], language=book.language, grade=book.grade, license=book.license),
    )
    of_row = chapters_of(book, subject[0], rows, schema)
    kept = [row for row in rows if row.kind == TAUGHT or row.id in anchors]
    wanted = {row.id for row in kept}
    chapters = {chapter.id: chapter for row in rows if row.chapter or row.id in wanted for chapter in [of_row[row.id]]}
    part = schema.edge_type("containment")
    nodes = [whole, *(_chapter_node(chapter, order, schema) for order, chapter in enumerate(chapters.values(), 1))]
    nodes += [_section_node(row, order, schema) for order, row in enumerate(kept, 1)]
    edges = [Edge(source=chapter, target=whole.id, type=part) for chapter in chapters]
    edges += [Edge(source=row.id, target=of_row[row.id].id, type=part) for row in kept]
    return nodes, edges


def _chapter_node(chapter: Chapter, order: int, schema: GraphSchema) -> Node:
    name = chapter.title or chapter.number or chapter.id
    properties = _filled(number=chapter.number, order=order)
    return Node(id=chapter.id, label=schema.node_type("chapter"), name=name, properties=properties)


def _section_node(row: SectionRow, order: int, schema: GraphSchema) -> Node:
    properties = _filled(
        number=row.section_number, order=order, kind=row.kind, start_page=row.start_page, end_page=row.end_page
    )
    name = row.section_title or row.section_number or row.id
    return Node(id=row.id, label=schema.node_type("section"), name=name, properties=properties)


def _filled(**properties: str | int) -> dict[str, str | int]:
    return {name: value for name, value in properties.items() if value != ""}
