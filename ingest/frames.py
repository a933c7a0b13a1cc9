"""Frames: tinted or outlined areas that set a box, a note or a lab apart from the running text.

In: the filled and stroked areas and the rules of a page, and its lines. Out: the frames, each line's frame, and which
frame goes on from the page before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ingest.lines import Line
from ingest.page import Area, PageContent, inside, overlap, x_overlap
from kg.document import Box

WIDTH = 0.2
"""A frame is at least this part of the page wide …"""
HEIGHT = 14.0
"""… and this many points high."""
WHOLE = 0.93
"""What covers this part of the page in both directions is its background."""
WHITE = 0.985


@dataclass(slots=True)
class Frame:
    """One frame on one page."""

    number: int
    """Unique within the book; a frame that goes on over a page break keeps its number."""
    page: int
    box: Box
    colour: str
    parent: int = -1
    """The frame it stands in; -1: none."""


def frames(page: PageContent, first: int, tables: Sequence[Box]) -> list[Frame]:
    """The frames of a page, outer ones first, numbered from `first`."""
    found: list[Frame] = []
    for area in sorted(page.areas, key=lambda one: (-_surface(one.box), one.box)):
        if not _can_frame(area, page) or any(overlap(area.box, table) > 0.6 for table in tables):
            continue
        if _behind_picture(area.box, page.pictures) or any(_same(one.box, area.box) for one in found):
            continue
        found.append(Frame(first + len(found), page.index, area.box, area.colour))
    for at, frame in enumerate(found):
        outer = [one for one in found[:at] if inside(frame.box, one.box)]
        frame.parent = outer[-1].number if outer else -1
    return found


def _surface(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _can_frame(area: Area, page: PageContent) -> bool:
    width, height = area.box[2] - area.box[0], area.box[3] - area.box[1]
    if width < WIDTH * page.width or height < HEIGHT:
        return False
    if width > WHOLE * page.width and height > WHOLE * page.height:
        return False
    return _is_tinted(area) or _has_sides(area.box, page.rules)


def _behind_picture(box: Box, pictures: Sequence[Box]) -> bool:
    """True if the area is the ground or the border of a picture."""
    return any(overlap(box, one) > 0.9 and _surface(one) > 0.6 * _surface(box) for one in pictures)


def _is_tinted(area: Area) -> bool:
    return not area.filled or min(float(part) for part in area.colour.split(",")) < WHITE


def _has_sides(box: Box, rules: Sequence[Box]) -> bool:
    """True if lines are drawn down the left and the right side."""
    return all(
        any(abs(rule[0] - x) < 2 and abs(rule[2] - x) < 2 and _spans(rule, box) for rule in rules)
        for x in (box[0], box[2])
    )


def _spans(rule: Box, box: Box) -> bool:
    return rule[3] - rule[1] > 0.8 * (box[3] - box[1]) and rule[1] < box[1] + 3 and rule[3] > box[3] - 3


def _same(first: Box, second: Box) -> bool:
    """The tint and the border of one frame, or its title bar within it."""
    return all(abs(a - b) < 4 for a, b in zip(first, second, strict=True)) or (
        inside(second, first) and second[3] - second[1] < 26 and second[2] - second[0] > 0.9 * (first[2] - first[0])
    )


def settle(found: Sequence[Frame], lines: Sequence[Line]) -> list[Frame]:
    """Every line knows the innermost frame around it afterwards. Returns the frames that hold at least one line."""
    used: set[int] = set()
    for line in lines:
        holding = [frame for frame in found if inside(line.box, frame.box, 3.0)]
        if holding:
            line.frame = holding[-1].number
            used.update(frame.number for frame in holding)
    return [frame for frame in found if frame.number in used]


def continued(before: Sequence[Frame], after: Sequence[Frame], bottom: float, top: float) -> dict[int, int]:
    """Frames at the head of a page that go on from the foot of the page before: their number -> its number.

    `bottom` is the lower edge of the text on the page before, `top` the upper edge of the text on this page.
    """
    renamed: dict[int, int] = {}
    for frame in after:
        for old in before:
            edges = abs(frame.box[0] - old.box[0]) < 4 and abs(frame.box[2] - old.box[2]) < 4
            shifted = abs((frame.box[2] - frame.box[0]) - (old.box[2] - old.box[0])) < 4
            reaches = old.box[3] >= bottom - 8 and frame.box[1] <= top + 8
            if (edges or shifted) and reaches and frame.colour == old.colour and (frame.parent < 0) == (old.parent < 0):
                renamed[frame.number] = old.number
    return renamed


def on_rule(box: Box, rules: Sequence[Box], reach: float) -> bool:
    """True if a horizontal rule runs over or under `box` within `reach` points."""
    for rule in rules:
        if rule[3] - rule[1] > rule[2] - rule[0] or x_overlap(rule, box) < 0.3 * (box[2] - box[0]):
            continue
        if -2 <= rule[1] - box[3] <= reach or -2 <= box[1] - rule[3] <= reach:
            return True
    return False
