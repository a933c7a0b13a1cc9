"""The order of recognised lines where the columns of a page begin anew under a heading.

In: the lines of a page as a recogniser found them, one column after the other. Out: the same lines, band by band.
A text layer has its author's order; a recogniser takes a column for one piece from the top of the page to its foot.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ingest.page import Fragment
from kg.document import Box

LARGER = 1.12
"""A heading's type is at least this many times the size of the text."""
LEFT = 1.0
"""Ems by which it may be set in from where the leftmost column starts."""


def ordered(fragments: Sequence[Fragment], usual: float) -> list[Fragment]:
    """The fragments from band to band, in each as they came.

    A band starts with a heading at the left edge that has nothing beside it while the next column has text above and
    below. The first row is a band of its own if all else is a line's height further down, and so is the last one.
    `usual`: type size of the text, in points.
    """
    boxes = [one.box for one in fragments]
    if len(boxes) < 3:
        return list(fragments)
    left = min(box[0] for box in boxes)
    cuts = [*_edges(boxes)]
    for one in fragments:
        if one.runs[0].size >= LARGER * usual and one.box[0] <= left + LEFT * usual and _is_over_all(one.box, boxes):
            cuts.append(one.box[1])
    cuts.sort()
    return sorted(fragments, key=lambda one: bisect_right(cuts, (one.box[1] + one.box[3]) / 2))


def _edges(boxes: Sequence[Box]) -> list[float]:
    """The heights right under the first row and right over the last one, if these rows stand apart."""
    top, bottom = min(boxes, key=lambda box: box[1]), max(boxes, key=lambda box: box[3])
    high, low = top[3] - top[1], bottom[3] - bottom[1]
    found = []
    if all(box[1] < top[1] + high / 2 or box[1] >= top[3] + high for box in boxes):
        found.append(top[3])
    if all(box[3] > bottom[3] - low / 2 or box[3] <= bottom[1] - low for box in boxes):
        found.append(bottom[1])
    return found


def _is_over_all(heading: Box, boxes: Sequence[Box]) -> bool:
    """True if the heading has nothing beside it, and text to the right of it both above and below."""
    right = [box for box in boxes if box[0] > heading[2]]
    beside = any(box[1] < heading[3] and box[3] > heading[1] for box in boxes if box is not heading)
    return not beside and any(box[3] <= heading[1] for box in right) and any(box[1] >= heading[3] for box in right)
