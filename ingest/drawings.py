"""Vector drawings of a page sorted into what its layout can use: rules, areas, bullets, and other shapes.

In: drawings as an engine found them. Out: the page's `rules`, `areas`, `dots` and `shapes` filled in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

from ingest.page import Area, Matrix, PageContent
from ingest.turning import turn
from kg.document import Box

THIN = 2.0
"""A drawn rectangle with a side of at most this many points is a line."""
DOT = 7.0
"""A drawn shape of at most this many points, about as wide as high, may be a bullet."""
MOST_DRAWINGS = 4000
"""A page with more vector drawings is a map or a plot: its drawings tell nothing about its layout."""


class Drawing(TypedDict, total=False):
    """One path in the page's unrotated space, as PyMuPDF's `get_cdrawings` has it."""

    rect: Sequence[float]
    items: Sequence[Any]
    """`("l", from, to)`, `("c", four points)`, `("re", rectangle)` or `("qu", quadrangle)`."""
    type: str
    """`f`: filled, `s`: stroked, `fs`: both."""
    fill: Sequence[float] | None
    color: Sequence[float] | None
    """Of fill and stroke, parts in [0, 1]; none: there is none."""
    width: float | None
    fill_opacity: float


def add(drawings: Sequence[Drawing], content: PageContent, upright: Matrix) -> None:
    """The page knows its drawings afterwards, in upright space; of a page with too many only their number."""
    content.drawings = len(drawings)
    if len(drawings) > MOST_DRAWINGS:
        return
    for drawing in drawings:
        box = turn(upright, drawing["rect"])
        width, height = box[2] - box[0], box[3] - box[1]
        if max(width, height) <= DOT and min(width, height) > 1.0 and abs(width - height) < 1.5:
            content.dots.append(box)
        elif min(width, height) <= max(THIN, drawing.get("width") or 0.0):
            if max(width, height) > THIN and _straight(drawing):
                content.rules.append(box)
        elif _rectangular(drawing):
            _add_area(drawing, box, content)
        else:
            content.shapes.append(box)
            content.rules.extend(turn(upright, rule) for rule in _segments(drawing))


def _straight(drawing: Drawing) -> bool:
    return all(item[0] in ("l", "re", "qu") for item in drawing["items"])


def _rectangular(drawing: Drawing) -> bool:
    """One rectangle, or a closed path of a few straight sides and rounded corners."""
    kinds = [item[0] for item in drawing["items"]]
    if kinds in (["re"], ["qu"]):
        return True
    straight = [item for item in drawing["items"] if item[0] == "l"]
    if len(straight) not in (3, 4) or len(kinds) > 12 or set(kinds) - {"l", "c"}:
        return False
    return all(min(abs(a[0] - b[0]), abs(a[1] - b[1])) < THIN for _, a, b in straight)


def _segments(drawing: Drawing) -> list[Box]:
    """Horizontal and vertical strokes of a path of many lines, a table's grid for example."""
    if drawing["type"] == "f":
        return []
    found: list[Box] = []
    for item in drawing["items"]:
        if item[0] == "l" and min(abs(item[1][0] - item[2][0]), abs(item[1][1] - item[2][1])) < THIN / 2:
            (ax, ay), (bx, by) = item[1], item[2]
            found.append((min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)))
        elif item[0] == "re":
            left, top, right, bottom = item[1]
            found += [(left, top, right, top), (left, bottom, right, bottom)]
            found += [(left, top, left, bottom), (right, top, right, bottom)]
    return found


def _add_area(drawing: Drawing, box: Box, content: PageContent) -> None:
    fill, stroke = drawing.get("fill"), drawing.get("color")
    filled = fill is not None and drawing.get("fill_opacity", 1) > 0
    colour = fill if filled else stroke
    if colour is None:
        return
    light = sum(colour) / len(colour)
    name = ",".join(f"{part:.2f}" for part in colour)
    content.areas.append(Area(box, filled, dark=filled and light < 0.45, colour=name))
