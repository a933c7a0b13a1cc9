"""Pictures and formulas cut out of the page as it looks.

In: the blocks of a book and an engine that draws pages. Out: the blocks, each figure and formula with its `image`, and
the images as PNG files in shades of grey.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator

from ingest.reader import Image, PageReader
from kg.document import Block, Book, Box, Label
from kg.errors import Failure, InputError

LABELS: frozenset[Label] = frozenset({"picture", "formula"})
MARGIN = 2.0
"""Points around what is cut out."""


class Crops:
    """The images of one book."""

    def __init__(self, reader: PageReader, book: Book, dpi: float, stage: str) -> None:
        self._reader, self._book, self._dpi, self._stage = reader, book, dpi, stage
        self._page: tuple[int, Image | None] = (-1, None)
        """The page drawn last: blocks come page by page."""
        self.files: dict[str, bytes] = {}
        """Path relative to the document's folder -> PNG file."""
        self.failures: list[Failure] = []
        """Pages that could not be drawn."""

    def marked(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """The blocks in order; figures and formulas know their image, and `files` has it."""
        for block in blocks:
            image = self._drawn(block.prov[0].page) if block.label in LABELS else None
            png = cut(image, block.prov[0].bbox) if image is not None else b""
            if not png:
                yield block
                continue
            name = f"images/{block.id}.png"
            self.files[name] = png
            yield block.model_copy(update={"image": name})

    def _drawn(self, page: int) -> Image | None:
        if self._page[0] != page:
            try:
                self._page = (page, self._reader.render(self._book, page, self._dpi))
            except InputError as error:
                self._page = (page, None)
                self.failures.append(
                    Failure(stage=self._stage, item=self._book.slug, what=error.what, remedy=error.remedy, page=page)
                )
        return self._page[1]


def cut(image: Image, box: Box) -> bytes:
    """The part of the page inside `box` (points), as PNG; empty if no pixel of it is on the page."""
    scale = image.dpi / 72.0
    left, top = (max(int((edge - MARGIN) * scale), 0) for edge in box[:2])
    right = min(int((box[2] + MARGIN) * scale) + 1, image.width)
    bottom = min(int((box[3] + MARGIN) * scale) + 1, image.height)
    if left >= right or top >= bottom:
        return b""
    rows = (image.pixels[row * image.width + left : row * image.width + right] for row in range(top, bottom))
    return _png(right - left, bottom - top, b"".join(b"\0" + row for row in rows))


def _png(width: int, height: int, rows: bytes) -> bytes:
    """A PNG file of these rows, a filter byte before each."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
