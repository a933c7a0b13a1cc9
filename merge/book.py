"""From sections to the book: claims under one name in one chapter become one unit, edge claims find their ends.

In: a book's section index and claims. Out: a `BookPart`, the same whatever order index rows and claims come in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kg.document import Book
from kg.graph import EdgeClaim, Finding, NodeClaim
from kg.language import Language
from kg.schema import GraphSchema
from kg.section import SectionRow
from merge.desk import Desk
from merge.links import Ends, links_of
from merge.rows import BookPart
from merge.structure import reading_order, structure
from merge.units import units_of


def book_part(
    book: Book,
    subject: tuple[str, str],
    language: Language,
    schema: GraphSchema,
    rows: Iterable[SectionRow],
    claims: Iterable[NodeClaim | EdgeClaim],
) -> BookPart:
    """Everything the book says, section by section united; claims that occur twice count once."""
    desk = Desk(book, subject, language, schema, tuple(reading_order(list(rows))))
    distinct = {claim.model_dump_json(): claim for claim in claims}
    ordered = [claim for _, claim in sorted(distinct.items(), key=lambda pair: (desk.place(pair[1]), pair[0]))]
    nodes = [claim for claim in ordered if isinstance(claim, NodeClaim)]
    edges = [claim for claim in ordered if isinstance(claim, EdgeClaim)]
    units, groups = units_of(desk, nodes, edges)
    located = schema.edge_types("location")
    anchored = {label for kind in located for label in schema.edges[kind].source}
    anchors = {section for unit in units if unit.label in anchored for section in unit.sections}
    parts, containment = structure(book, subject, desk.rows, anchors, schema)
    return BookPart(
        book=book,
        language=language.code,
        nodes=tuple(parts),
        edges=tuple(containment),
        sections={row.id: (at, desk.chapters[row.id].title) for at, row in enumerate(desk.rows)},
        units=units,
        links=links_of(desk, edges, Ends(desk, units, groups)),
        findings=_lost(desk, ordered),
    )


def _lost(desk: Desk, claims: Sequence[NodeClaim | EdgeClaim]) -> tuple[Finding, ...]:
    """Sections that claims speak of and the index does not have."""
    unknown = sorted({claim.section for claim in claims} - set(desk.ordinal))
    message = "Claims name a section that the book's index does not have."
    details = [{"book": desk.book.slug, "section": section} for section in unknown]
    return tuple(Finding(check="section", action="review", message=message, details=detail) for detail in details)
