"""Figures drawn with lines and curves, and the words inside figures.

In: the drawings and pictures of a page, its lines. Out: the figures' boxes, added to the page's pictures; the words
inside, taken out of the running text and kept as one block a figure with the flag `in_picture`.
"""

from __future__ import annotations

from collections.abc import Sequence

from ingest.drafts import Draft, draft
from ingest.lines import Line
from ingest.page import PageContent, inside, union, x_overlap, y_overlap
from ingest.rules import Rules
from kg.document import Box

REACH = 14.0
"""Drawings this many points apart are of one figure."""
LEAST = 36.0
"""A figure is at least this many points wide and high."""
SHAPES = 1
"""… and holds at least this many drawings that are not straight along the page."""
LARGEST = 0.5
"""What covers more than this part of the page is a background."""
LARGER = 1.06
"""Words larger than this many times the usual size are a title over a picture, not a label in it."""
SHORT = 25
"""… and of one beside it."""
LONGEST = 60
"""Characters of a label in a figure at most."""


def labels(page: PageContent, lines: Sequence[Line], usual: float, rules: Rules) -> tuple[list[list[Line]], list[Line]]:
    """The words in each figure of the page, and the other lines. Drawn figures are added to `page.pictures`."""
    drawn = [_grown(box, lines, usual, rules) for box in _drawn(page)]
    page.pictures = [*page.pictures, *drawn]
    page.dots = [dot for dot in page.dots if not any(inside(dot, box) for box in drawn)]
    whole = page.width * page.height
    boxes = [box for box in page.pictures if (box[2] - box[0]) * (box[3] - box[1]) < LARGEST * whole]
    found: list[list[Line]] = []
    left = list(lines)
    for box in boxes:
        reach = (box[0] - 2, box[1] - 2, box[2] + 2, box[3] + 2)
        within = [line for line in left if inside(line.box, reach, 3.0) and not rules.caption.match(line.text)]
        own = [line for line in within if _is_label(line, usual)]
        if own and len(own) == len(within):
            found.append(own)
            used = {id(line) for line in own}
            left = [line for line in left if id(line) not in used]
    return found, left


def _is_label(line: Line, usual: float) -> bool:
    return line.size <= LARGER * usual and len(line.text) <= LONGEST


def _grown(box: Box, lines: Sequence[Line], usual: float, rules: Rules) -> Box:
    """The figure with the short words close around it, such as those on its axes; never a line at the text's margin."""
    margin = min((line.box[0] for line in lines), default=0.0)
    grown = box
    for line in lines:
        short = len(line.text) <= SHORT and _is_label(line, usual) and not rules.caption.match(line.text)
        near = x_overlap(line.box, box) > -REACH and y_overlap(line.box, box) > -REACH
        if short and near and (line.box[0] > margin + 2 or line.angle):
            grown = union([grown, line.box])
    return grown


def _drawn(page: PageContent) -> list[Box]:
    """Clusters of drawings. Rules count as part of a figure if it has shapes beside them."""
    long = 0.75 * page.width
    rules = [box for box in page.rules if box[2] - box[0] < long and box[3] - box[1] < 0.5 * page.height]
    pieces = [(box, True) for box in [*page.shapes, *page.dots]] + [(box, False) for box in rules]
    if not page.shapes or len(pieces) > 1500:
        return []
    clusters: list[tuple[Box, int]] = []
    for box, counts in sorted(pieces):
        merged, shapes = box, int(counts)
        rest: list[tuple[Box, int]] = []
        for other, number in clusters:
            if x_overlap(merged, other) > -REACH and y_overlap(merged, other) > -REACH:
                merged, shapes = union([merged, other]), shapes + number
            else:
                rest.append((other, number))
        clusters = [*rest, (merged, shapes)]
    return [box for box, shapes in clusters if shapes >= SHAPES and min(box[2] - box[0], box[3] - box[1]) >= LEAST]


def insert(drafts: list[Draft], found: Sequence[Sequence[Line]]) -> None:
    """The words of each figure stand right after it."""
    for own in found:
        words = draft("text", list(own))
        words.mark("in_picture")
        words.breaks = " "
        at = next(
            (at for at, one in enumerate(drafts) if one.label == "picture" and inside(words.place, one.place, 6.0)),
            None,
        )
        drafts.insert(len(drafts) if at is None else at + 1, words)
