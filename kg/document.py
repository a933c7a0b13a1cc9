"""One document model between all parsers and the rest of the house.

In: whatever a parser found. Out: `Document`, written as `ingest/<book>/document.json`.
The label names are Docling's; boxes are PDF points with the origin at the top left of the page as displayed.
"""

from __future__ import annotations

from typing import Literal

from kg.row import Row

SCHEMA_VERSION = "1.0"

Label = Literal[
    "title",
    "section_header",
    "text",
    "list_item",
    "table",
    "picture",
    "caption",
    "formula",
    "code",
    "footnote",
    "page_header",
    "page_footer",
    "document_index",
]
FURNITURE: frozenset[Label] = frozenset({"page_header", "page_footer"})
"""Labels set apart from the running text; they stay in `document.json` and in no section."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in points."""


class Book(Row):
    """One book of a subject, as configured or as found in a folder."""

    slug: str
    """Folder name and id part: letters (any script), digits, `.`, `-`, `_`."""
    file: str
    """Absolute path of the source."""
    title: str = ""
    language: str = ""
    """Language pack to use; empty: recognised from the text."""
    grade: str = ""
    order: float | None = None
    """Place in the curriculum; empty: the books follow each other by slug, numbers compared as numbers."""
    license: str = ""
    """SPDX id of the book's licence."""
    password: str = ""


class Span(Row):
    """Characters `start <= i < end` of the block's text are set in this style."""

    start: int
    end: int
    style: Literal["bold", "italic", "superscript", "subscript"]


class Prov(Row):
    """Where characters `start <= i < end` of the block's text stand on paper."""

    page: int
    """0-based physical page."""
    bbox: Box
    start: int
    end: int


class LevelVote(Row):
    """What one witness says about a heading's level (1 = chapter or its like)."""

    witness: Literal["outline", "contents", "numbering", "style", "markup"]
    level: int


class Source(Row):
    """Which engine read a block, and how."""

    engine: str
    route: Literal["text", "existing_ocr", "ocr", "markup", "layout_model"] = "text"
    confidence: float | None = None
    """Mean recognition confidence in [0, 1]; none for a text layer."""


class Block(Row):
    """A paragraph, heading, list item, table, figure …: the unit of reading order."""

    id: str
    label: Label
    text: str
    """Plain Unicode text, lines joined, hyphenation and ligatures undone, no markup.
    A table: one line a row, cells joined by ` | `."""
    prov: tuple[Prov, ...]
    """In text order; at least one. A paragraph that runs over a page break has two."""
    level: int | None = None
    """Of a heading: 1 is the highest level in the book; none for everything else."""
    level_votes: tuple[LevelVote, ...] = ()
    spans: tuple[Span, ...] = ()
    font_size: float | None = None
    """Of most of its characters, in points."""
    bold: bool = False
    """Most of its characters are bold."""
    parent: str | None = None
    """Id of the heading block of the box or note this block stands in."""
    number: str | None = None
    """Printed number of a formula, figure, table or list item, as printed (`2.4`, `3.`, `(a)`)."""
    latex: str | None = None
    """LaTeX from the source or a model; never made up from a text layer."""
    html: str | None = None
    image: str | None = None
    """Path of the picture, relative to the document's folder."""
    source: Source | None = None
    """Only where it differs from the page's engine and route."""
    flags: tuple[str, ...] = ()
    """`box` (a heading that titles a box), `continued`, `rotated`, …"""


class Page(Row):
    """One physical page."""

    index: int
    width: float
    height: float
    rotation: int = 0
    label: str | None = None
    """The page number as printed (or from the PDF's page labels)."""
    route: Literal["text", "existing_ocr", "ocr", "markup", "layout_model", "failed"] = "text"
    reason: str = ""
    """Why this route was taken, where it is not the plain text layer."""


class OutlineItem(Row):
    """One bookmark."""

    level: int
    """1 is the outermost."""
    title: str
    page: int | None
    """0-based physical page; none where the bookmark leads nowhere."""


class Document(Row):
    """One book as read."""

    schema_version: str = SCHEMA_VERSION
    book: str
    """The book's slug."""
    title: str
    language: str
    sha256: str
    """Of the source file."""
    engine: str
    """Name and version of the engine that read it."""
    pages: tuple[Page, ...]
    outline: tuple[OutlineItem, ...] = ()
    blocks: tuple[Block, ...]
    """In reading order, furniture included."""
    warnings: tuple[str, ...] = ()

    def body(self) -> list[Block]:
        """The blocks that make up the text: all but running heads, feet and page numbers."""
        return [block for block in self.blocks if block.label not in FURNITURE]
