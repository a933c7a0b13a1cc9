"""Sections: a partition of a document's body, and where each character of it stands.

In: a `Document` and index rows. Out: section texts whose concatenation is the document's text, byte for byte.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from kg.document import Block, Document
from kg.row import Row

Kind = Literal[
    "front_matter",
    "contents",
    "introduction",
    "section",
    "summary",
    "key_terms",
    "key_equations",
    "exercises",
    "answers",
    "glossary",
    "index",
    "back_matter",
]


class SectionRow(Row):
    """One row of `sections_index.json`. The rows are in reading order and partition the body blocks."""

    id: str
    """Id of the section's node; unique over all books."""
    chapter_number: str
    """As printed, without the word for chapter; empty outside chapters and where none is printed."""
    chapter_title: str
    section_number: str
    section_title: str
    kind: Kind
    start_page: int
    """0-based physical page of its first block."""
    end_page: int
    """0-based physical page of its last block (inclusive)."""
    file: str
    """Its text, relative to the book's folder."""
    level: int = 1
    """Depth of the heading that opens it; 1 is the highest level in the book."""
    chapter: str = ""
    """Id of the chapter's node; empty outside chapters."""
    path: tuple[str, ...] = ()
    """Titles of all headings above it, outermost first, chapters, units and parts included."""
    start_block: int = 0
    end_block: int = 0
    """Body blocks `start_block <= i < end_block`."""
    found_by: str = ""
    """Which witnesses agree on it: `outline+contents+style`."""


def markdown(block: Block) -> tuple[str, int]:
    """The block as it stands in a section file, and where its own text starts in that."""
    prefix = "#" * min(block.level, 6) + " " if block.level else ""
    return f"{prefix}{block.text}\n\n", len(prefix)


@dataclass(frozen=True)
class Section:
    """A section with its blocks, its text, and the way back from characters to pages."""

    book: str
    language: str
    row: SectionRow
    blocks: tuple[Block, ...]
    text: str
    """The content of `row.file`."""
    starts: tuple[int, ...]
    """Offset in `text` at which each block's own text starts."""

    def block_at(self, offset: int) -> int:
        """Index of the block that holds the character at `offset` (0 <= offset < len(text))."""
        return max(0, bisect_right(self.starts, offset) - 1)

    def page_at(self, offset: int) -> int:
        """0-based physical page of the character at `offset`."""
        at = self.block_at(offset)
        block, inside = self.blocks[at], offset - self.starts[at]
        pages = [prov.page for prov in block.prov if prov.start <= inside]
        return pages[-1] if pages else block.prov[0].page


def section(document: Document, body: Sequence[Block], row: SectionRow) -> Section:
    """The section of `row`; `body` is `document.body()`, passed in so that it is made once a book."""
    blocks = tuple(body[row.start_block : row.end_block])
    parts, starts, length = [], [], 0
    for block in blocks:
        text, at = markdown(block)
        parts.append(text)
        starts.append(length + at)
        length += len(text)
    return Section(document.book, document.language, row, blocks, "".join(parts), tuple(starts))


def document_text(document: Document) -> str:
    """The text of the whole document: the concatenation of all its section files."""
    return "".join(markdown(block)[0] for block in document.body())
