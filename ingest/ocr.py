"""What text recognition gives back, whoever does it: lines of words with places and confidence.

In: nothing. Out: the types between `tesseract.py`, `rapidocr.py` and the reader of scanned pages (`scans.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ingest.reader import Image
from kg.row import Row

Corners = tuple[float, float, float, float]


class Piece(Row):
    """A word, or as much of a line as the engine reads at once."""

    text: str
    left: float
    right: float
    """In pixels."""
    confidence: float
    """In [0, 1]."""


class TextLine(Row):
    """One printed line as recognised."""

    pieces: tuple[Piece, ...]
    """From left to right."""
    baseline: tuple[float, float]
    """Slope, and height in pixels where it meets the left edge of the picture; y runs downwards."""
    size: float
    """Type size in pixels, as far as the engine can tell."""
    box: Corners
    """Left, top, right, bottom in pixels, upright around the slanted line."""


class Recognised(Row):
    """One page as recognised."""

    engine: str
    """Name and version."""
    lines: tuple[TextLine, ...]
    """In the engine's reading order."""


class Recogniser(Protocol):
    """An engine that reads pictures of text."""

    @property
    def version(self) -> str:
        """Name and version of program and models; part of the key under which results are kept."""

    @property
    def at_once(self) -> int:
        """How many pages it reads best at the same time on this machine."""

    def read(self, image: Image, language: str) -> Recognised:
        """The text of the picture. `language` is the engine's own name for it.

        Raises InputError if it cannot be read.
        """


Make = Callable[[], Recogniser]
