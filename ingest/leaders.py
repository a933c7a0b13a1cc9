"""Dot leaders taken out of the picture of a page before it is recognised, and put back into its lines.

In: a picture. Out: the picture without them, and where they were. Recognisers take rows of dots for words, misjudge the
height of the line that they stand in, and misread its other words, too.
A leader is a row of at least `LEAST` marks of a dot's size, at even distances, with nothing but white around each.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ingest.reader import Image
from ingest.recognised import Piece, Recognised, TextLine

LEAST = 6
LARGEST = 0.04
"""Inches that a dot is wide or high at most."""
SMALLEST = 2
"""… and pixels at least."""
APART = 0.14
"""Inches between two dots at most."""
RISE = 0.01
"""Inches by which the next dot may be higher or lower."""
EVEN, SHARE = 0.25, 0.8
"""This share of the distances differs from the usual one by at most that part of it."""
AROUND = 0.25
"""Inches around a pixel whose mean tells paper from ink."""
DARKER = 25
"""Shades by which ink is darker than that."""
DOTS = "...."
Dot = tuple[float, float, int]
"""Middle, and number of the mark."""


@dataclass(frozen=True)
class Leader:
    """A row of dots, in pixels."""

    left: float
    right: float
    height: float
    """Of its middle, from the top."""


def erased(image: Image) -> tuple[Image, list[Leader]]:
    """The picture with paper where leaders were, and the leaders."""
    # late: scipy takes half a second to load, and a run that finds all done needs none of it
    from scipy import ndimage  # type: ignore[import-untyped]

    shades = np.frombuffer(image.pixels, np.uint8).reshape(image.height, image.width)
    paper = ndimage.uniform_filter(shades, size=max(3, round(AROUND * image.dpi)))
    marks, _ = ndimage.label(shades < paper.astype(np.int16) - DARKER, structure=np.ones((3, 3)))
    places = ndimage.find_objects(marks)
    largest = LARGEST * image.dpi
    dots: list[Dot] = []
    for number, (rows, columns) in enumerate(places):
        wide, high = columns.stop - columns.start, rows.stop - rows.start
        if min(wide, high) >= SMALLEST and max(wide, high) <= largest:
            dots.append(((columns.start + columns.stop) / 2, (rows.start + rows.stop) / 2, number))
    found: list[Leader] = []
    cleared = shades.copy()
    for row in _rows(dots, APART * image.dpi, RISE * image.dpi):
        for _, _, number in row:
            rows, columns = (slice(max(part.start - 2, 0), part.stop + 2) for part in places[number])
            cleared[rows, columns] = np.maximum(shades[rows, columns], paper[rows, columns])
        found.append(Leader(row[0][0], row[-1][0], float(np.median([y for _, y, _ in row]))))
    if not found:
        return image, []
    return Image(image.width, image.height, cleared.tobytes(), image.dpi), found


def _rows(dots: list[Dot], apart: float, rise: float) -> Iterator[list[Dot]]:
    """Dots that follow each other at even distances, from left to right."""
    dots.sort()
    lefts = [x for x, _, _ in dots]
    rows: dict[int, list[Dot]] = {}
    for at, dot in enumerate(dots):
        row = rows.pop(at, None) or [dot]
        after = range(at + 1, bisect_left(lefts, dot[0] + apart))
        follower = next((other for other in after if abs(dots[other][1] - dot[1]) <= rise), None)
        if follower is not None and follower not in rows:
            row.append(dots[follower])
            rows[follower] = row
        elif len(row) >= LEAST and _is_even(row):
            yield row


def _is_even(row: Sequence[Dot]) -> bool:
    gaps = np.diff([x for x, _, _ in row])
    usual = np.median(gaps)
    return bool(np.mean(np.abs(gaps - usual) <= EVEN * usual) >= SHARE)


def put_back(found: Recognised, leaders: Sequence[Leader]) -> Recognised:
    """The lines with a leader's dots between the words on both sides of it, which are one line then."""
    lines = list(found.lines)
    for leader in leaders:
        own = [line for line in lines if _is_at(line, leader)]
        before = [line for line in own if line.pieces[0].left < leader.left]
        if not before:
            continue
        first = before[0]
        dots = Piece(text=DOTS, left=leader.left, right=leader.right, confidence=1.0)
        pieces = sorted([*(piece for line in own for piece in line.pieces), dots], key=lambda piece: piece.left)
        corners = zip(*(line.box for line in own), strict=True)
        left, top, right, bottom = (pick(edge) for pick, edge in zip((min, min, max, max), corners, strict=True))
        whole = first.model_copy(update={"pieces": tuple(pieces), "box": (left, top, max(right, leader.right), bottom)})
        lines = [whole if line is first else line for line in lines if line is first or line not in own]
    return found.model_copy(update={"lines": tuple(lines)})


def _is_at(line: TextLine, leader: Leader) -> bool:
    """True if the leader stands on the line's baseline."""
    slope, start = line.baseline
    return -0.25 * line.size < start + slope * leader.left - leader.height < 0.5 * line.size
