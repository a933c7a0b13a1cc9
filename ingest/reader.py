"""What the stage asks of an engine: pages with fonts and boxes, or a whole book whose blocks are already labelled.

In: nothing. Out: the protocols. `pymupdf.py` and `pdfium.py` are page readers, `markdown.py` and `mineru*.py` book
readers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from ingest.page import Reading
from kg.document import Block, Book, Document
from kg.errors import Failure
from kg.project import Project

LARGEST_SIDE = 5000
"""Pixels of a rendered page at most in either direction; a larger page is rendered more coarsely."""


@dataclass(frozen=True)
class Image:
    """A page in shades of grey, as displayed."""

    width: int
    height: int
    """In pixels."""
    pixels: bytes
    """A byte a pixel, row by row from the top."""
    dpi: float
    """Pixels an inch of the page."""

    def turned(self, angle: int) -> Image:
        """The picture turned clockwise by 90, 180 or 270 degrees."""
        if angle == 180:
            return Image(self.width, self.height, self.pixels[::-1], self.dpi)
        columns = [self.pixels[at :: self.width] for at in range(self.width)]
        rows = [column[::-1] for column in columns] if angle == 90 else columns[::-1]
        return Image(self.height, self.width, b"".join(rows), self.dpi)

    def pgm(self) -> bytes:
        """The picture as a PGM file."""
        return b"P5 %d %d 255\n" % (self.width, self.height) + self.pixels


@runtime_checkable
class PageReader(Protocol):
    """An engine that reads text layers."""

    @property
    def version(self) -> str:
        """Name and version of the library."""

    @property
    def epub(self) -> bool:
        """True if it reads EPUBs besides PDFs."""

    def read(self, book: Book, stage: str) -> Reading:
        """All pages of the book; a page that cannot be read is a failure of that page and of `stage`.

        Raises InputError if the file cannot be opened, needs another password, or has no pages.
        """

    def render(self, book: Book, page: int, dpi: float) -> Image:
        """The page with this index as displayed. Raises InputError if it cannot be drawn."""


@dataclass(frozen=True)
class Made:
    """A book as read."""

    shell: Document
    """The document without its blocks."""
    blocks: Iterable[Block]
    """In reading order; may be gone through once."""
    failures: tuple[Failure, ...] = ()
    """Pages that could not be read."""


@runtime_checkable
class BookReader(Protocol):
    """An engine that reads what another program has taken apart, or what was never pages."""

    @property
    def version(self) -> str:
        """Name and version of the format or program."""

    def files(self, book: Book) -> list[Path]:
        """The files that the document depends on."""

    def document(self, book: Book, project: Project, stage: str) -> Made:
        """The book's document; failures are those of `stage`. Raises InputError if it cannot be read."""


def scale_for(width: float, height: float, dpi: float) -> float:
    """Pixels per point that give `dpi`, or less on a page so large that its picture would not fit in memory."""
    return min(dpi / 72.0, LARGEST_SIDE / max(width, height, 1.0))
