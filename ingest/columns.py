"""Columns of a page, and the order in which its lines are read.

In: the lines of a page in content order. Out: the same lines in reading order, each with its column.
Content order is kept where it runs down the columns; where it jumps back up, the parts are ordered anew (Breuel, *High
performance document layout analysis*, 2003): in one column from above, a left column before a right one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from ingest.lines import Line
from ingest.page import union, x_overlap, y_overlap
from kg.document import Box

GUTTER = 7.0
"""Points a gutter is wide at least."""
CROSSING = 0.3
"""Up to this share of the lines may cross a gutter (headings, figures over both columns)."""
SIDE = 0.15
"""At least this share of the lines stands on either side."""
NARROW = 0.15
"""The longer lines of a column are at least this part of the text's width; shorter ones are cells or formulas."""
LEVEL = 1.5
"""Baselines up to this many points apart are one."""
NEXT = 3
"""Lines this many places apart in the file are next to each other."""
STEP = 2.0
MOST_PARTS = 200
"""A page in more parts than this (a map, a poster) stays in the file's order."""


@dataclass(frozen=True)
class Gutter:
    """A white strip between two columns."""

    low: float
    high: float
    """Left and right edge."""
    top: float
    bottom: float
    """The height over which there is text on both sides."""


def gutters(lines: Sequence[Line]) -> list[Gutter]:
    """The gutters of a page from left to right."""
    boxes = [line.box for line in lines if line.angle == 0]
    if len(boxes) < 8:
        return []
    left = min(box[0] for box in boxes)
    cells = int((max(box[2] for box in boxes) - left) / STEP) + 1
    changes = [0] * (cells + 2)
    for box in boxes:
        changes[int((box[0] - left) / STEP)] += 1
        changes[min(int((box[2] - left) / STEP) + 1, cells)] -= 1
    found: list[Gutter] = []
    depths = list(accumulate(changes[: cells + 1]))
    start = -1
    for cell in range(cells + 1):
        free = depths[cell] <= CROSSING * len(boxes) and cell < cells
        if free and start < 0:
            start = cell
        elif not free and start >= 0:
            low, high = _freest(depths, start, cell)
            found += _gutter(boxes, left + low * STEP, left + high * STEP)
            start = -1
    return found


def _freest(depths: Sequence[int], start: int, end: int) -> tuple[int, int]:
    """The longest stretch in `start`–`end` that the fewest lines touch."""
    least = min(depths[start:end])
    best, run = (start, start), start
    for cell in range(start, end + 1):
        if cell < end and depths[cell] == least:
            continue
        if cell - run > best[1] - best[0]:
            best = (run, cell)
        run = cell + 1
    return best


def _gutter(boxes: Sequence[Box], low: float, high: float) -> list[Gutter]:
    """The strip `low`–`high` if columns of text stand on both sides of it; its edges moved to the text."""
    middle = (low + high) / 2
    before = [box for box in boxes if box[2] <= middle]
    after = [box for box in boxes if box[0] >= middle]
    if min(len(before), len(after)) < max(4, SIDE * len(boxes)):
        return []
    edges = (max(box[2] for box in before), min(box[0] for box in after))
    if edges[1] - edges[0] < GUTTER:
        return []
    right = union(after)
    before = [box for box in before if y_overlap(box, right) > 0]
    if len(before) < 4:
        return []
    left = union(before)
    if y_overlap(left, right) < 0.5 * min(left[3] - left[1], right[3] - right[1]):
        return []
    whole = union(list(boxes))
    for side in (before, after):
        widths = sorted(box[2] - box[0] for box in side)
        if widths[len(widths) * 3 // 4] < NARROW * (whole[2] - whole[0]):
            return []
    return [Gutter(*edges, max(left[1], right[1]) - 1, min(left[3], right[3]) + 1)]


def columns(lines: Sequence[Line]) -> None:
    """Every line knows its column afterwards, and if other text stands beside it.

    Column 0 is the full width, where no gutter is or where a line crosses it; others are numbered from 1 in the order
    in which the file has them. Text on the same baseline in another column counts as beside a line only if it comes
    next to it in the file too: so a row of a glossary is told from two columns on one grid.
    """
    strips = gutters(lines)
    numbers: dict[tuple[tuple[int, bool], ...], int] = {(): 0}
    for line in lines:
        near = [at for at, strip in enumerate(strips) if strip.top < line.box[3] and line.box[1] < strip.bottom]
        crossed = any(line.box[0] < strips[at].low - 1 and line.box[2] > strips[at].high + 1 for at in near)
        key = () if crossed else tuple((at, line.box[0] >= strips[at].low) for at in near)
        line.column = numbers.setdefault(key, len(numbers))
    ordered = sorted(enumerate(lines), key=lambda pair: (pair[1].box[1], pair[0]))
    for at, (place, line) in enumerate(ordered):
        for other_place, other in ordered[at + 1 :]:
            if other.box[1] > line.box[3]:
                break
            if line.frame != other.frame or abs(line.baseline - other.baseline) > LEVEL:
                continue
            if line.column == other.column or abs(place - other_place) <= NEXT:
                line.beside = other.beside = True


def reading_order(lines: Sequence[Line]) -> list[Line]:
    """The lines as a reader takes them."""
    parts = _parts(lines)
    boxes = [union([line.box for line in part]) for part in parts]
    if len(parts) > MOST_PARTS:
        return list(lines)
    if not any(_goes_back(boxes[at], boxes[at + 1]) for at in range(len(boxes) - 1)):
        return list(lines)
    order = _topological(boxes)
    return [line for at in order for line in parts[at]]


def _goes_back(first: Box, second: Box) -> bool:
    """True if `second`, which comes next in the file, stands above `first` in the same column."""
    narrow = min(first[2] - first[0], second[2] - second[0])
    return second[3] <= first[1] + 2 and x_overlap(first, second) > 0.3 * narrow


def _parts(lines: Sequence[Line]) -> list[list[Line]]:
    """Runs of lines that follow each other closely down a column."""
    parts: list[list[Line]] = []
    for line in lines:
        if parts and _follows(parts[-1][-1], line):
            parts[-1].append(line)
        else:
            parts.append([line])
    return parts


def _follows(before: Line, line: Line) -> bool:
    gap = line.box[1] - before.box[3]
    near = -1.2 * before.height < gap < 1.2 * max(before.height, line.height)
    return near and line.frame == before.frame and x_overlap(before.box, line.box) > -3 * line.height


def _topological(boxes: Sequence[Box]) -> list[int]:
    """Indices so that all pairs are in reading order; ties, and circles, as in the file."""
    count = len(boxes)
    after: list[set[int]] = [set() for _ in range(count)]
    waiting = [0] * count
    for first in range(count):
        for second in range(count):
            if first != second and _precedes(boxes, first, second):
                after[first].add(second)
                waiting[second] += 1
    order: list[int] = []
    open_ = list(range(count))
    while open_:
        ready = next((at for at in open_ if waiting[at] == 0), open_[0])
        open_.remove(ready)
        order.append(ready)
        for at in after[ready]:
            waiting[at] -= 1
    return order


def _precedes(boxes: Sequence[Box], first: int, second: int) -> bool:
    one, two = boxes[first], boxes[second]
    if x_overlap(one, two) > 0.1 * min(one[2] - one[0], two[2] - two[0]):
        return (one[1] + one[3]) / 2 < (two[1] + two[3]) / 2 and one[1] < two[1]
    if one[2] > two[0] + 1:
        return False
    top, bottom = sorted((one[1], two[1]))
    between = (box for at, box in enumerate(boxes) if at not in (first, second) and top < box[1] and box[3] <= bottom)
    return not any(x_overlap(box, one) > 1 and x_overlap(box, two) > 1 for box in between)
