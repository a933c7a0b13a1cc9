"""What engines for text recognition find on the picture of a page.

In: nothing. Out: `Recognised`, lines of words with places and confidence, in pixels.
"""

from __future__ import annotations

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
    width: int
    height: int
    """Of the picture, in pixels."""
    dpi: float
    lines: tuple[TextLine, ...]
    """In the engine's reading order."""
    turned: int = 0
    """Degrees by which the page was turned clockwise for the picture that was read: 0, 90, 180 or 270."""

    @property
    def sure(self) -> float:
        """Mean confidence of its characters; 0 where there are none."""
        pieces = [piece for line in self.lines for piece in line.pieces]
        return self.read / total if (total := sum(len(piece.text) for piece in pieces)) else 0.0

    @property
    def read(self) -> float:
        """Sum of the confidence of its characters."""
        return sum(piece.confidence * len(piece.text) for line in self.lines for piece in line.pieces)
