"""What an engine delivers: pages of lines with fonts and boxes, pictures and ruled areas.

In: nothing. Out: the types between the engines (`pymupdf.py`, …) and the engine-neutral layout analysis. All boxes are
PDF points, origin at the top left, in the page's *upright* space: the one in which most of its text runs left to right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from kg.document import Box, OutlineItem
from kg.errors import Failure

Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(slots=True)
class Run:
    """Characters in one font, size and style on one line."""

    text: str
    box: Box
    size: float
    font: str
    bold: bool = False
    italic: bool = False
    mono: bool = False
    baseline: float = 0.0
    """Vertical position of the baseline."""


@dataclass(slots=True)
class Fragment:
    """A piece of a printed line, as the engine groups it; `angle` is 0, 90, 180 or 270 degrees, counter-clockwise."""

    runs: list[Run]
    box: Box
    angle: int = 0


@dataclass(slots=True)
class Area:
    """A filled or stroked rectangle."""

    box: Box
    filled: bool
    """False: only its outline is drawn."""
    dark: bool = False
    """Filled with a colour on which black text would be hard to read."""
    colour: str = ""
    """Of the fill, or of the outline where it has no fill; equal colours, equal strings."""


@dataclass(slots=True)
class PageContent:
    """One page as the engine found it, in content order."""

    index: int
    width: float
    height: float
    """Of the upright page."""
    fragments: list[Fragment] = field(default_factory=list)
    pictures: list[Box] = field(default_factory=list)
    areas: list[Area] = field(default_factory=list)
    rules: list[Box] = field(default_factory=list)
    """Straight horizontal and vertical lines, thin rectangles included."""
    dots: list[Box] = field(default_factory=list)
    """Small filled shapes: bullets, if a line of text stands to their right."""
    shapes: list[Box] = field(default_factory=list)
    """Boxes of drawings that are neither rules nor areas nor dots: curves, slanted lines, arrows."""
    drawings: int = 0
    """Number of all vector drawings."""
    display_size: tuple[float, float] = (0.0, 0.0)
    """Width and height as displayed."""
    to_display: Matrix = IDENTITY
    """From upright to displayed space."""
    rotation: int = 0
    label: str | None = None
    """The page number from the file's page labels."""
    hidden_text: bool = False
    """Most of its text is invisible: an OCR layer under a picture."""


class Pages(Protocol):
    """The pages of a book: a list, or something that reads a page from the file each time it is asked for one."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> PageContent: ...

    def __iter__(self) -> Iterator[PageContent]: ...


@dataclass(slots=True)
class Reading:
    """One book as the engine found it."""

    engine: str
    """Name and version."""
    pages: Pages
    outline: tuple[OutlineItem, ...] = ()
    title: str = ""
    """From the file's metadata."""
    warnings: tuple[str, ...] = ()
    repaired: bool = False
    """The file was damaged; pages may have lost their text."""
    failures: Sequence[Failure] = ()
    """Pages that could not be read; complete once all pages have been asked for."""


def apply(matrix: Matrix, box: Box) -> Box:
    """The box after the transformation, corners sorted, rounded to a tenth of a point."""
    if matrix == IDENTITY:
        left, top, right, bottom = box
        return (round(left, 1), round(top, 1), round(right, 1), round(bottom, 1))
    a, b, c, d, e, f = matrix
    xs = (a * box[0] + c * box[1] + e, a * box[2] + c * box[3] + e)
    ys = (b * box[0] + d * box[1] + f, b * box[2] + d * box[3] + f)
    return (round(min(xs), 1), round(min(ys), 1), round(max(xs), 1), round(max(ys), 1))


def union(boxes: list[Box]) -> Box:
    """The smallest box around all; `boxes` must not be empty."""
    if len(boxes) == 1:
        return boxes[0]
    left, top, right, bottom = zip(*boxes, strict=True)
    return (min(left), min(top), max(right), max(bottom))


def overlap(first: Box, second: Box) -> float:
    """Share of the smaller box's area that lies in the other one, in [0, 1]."""
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    if width <= 0 or height <= 0:
        return 0.0
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (first, second)]
    return width * height / max(min(areas), 1e-6)


def inside(box: Box, outer: Box, slack: float = 2.0) -> bool:
    """True if `box` lies in `outer`, give or take `slack` points."""
    return (
        box[0] >= outer[0] - slack
        and box[1] >= outer[1] - slack
        and box[2] <= outer[2] + slack
        and box[3] <= outer[3] + slack
    )


def x_overlap(first: Box, second: Box) -> float:
    """Points that both boxes share horizontally; negative: the gap between them."""
    return min(first[2], second[2]) - max(first[0], second[0])


def y_overlap(first: Box, second: Box) -> float:
    """Points that both boxes share vertically; negative: the gap between them."""
    return min(first[3], second[3]) - max(first[1], second[1])
