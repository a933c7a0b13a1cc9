"""Pages turned upright: the space in which most of a page's text runs left to right, and the way back.

In: how many characters run at which angle, the page's size and rotation. Out: transformations and boxes.
Matrices are those of PDF: x' = a x + c y + e, y' = b x + d y + f; the origin is at the top left.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ingest.page import IDENTITY, Matrix, apply
from kg.document import Box

TURNS: dict[int, Matrix] = {
    90: (0.0, 1.0, -1.0, 0.0, 0.0, 0.0),
    180: (-1.0, 0.0, 0.0, -1.0, 0.0, 0.0),
    270: (0.0, -1.0, 1.0, 0.0, 0.0, 0.0),
}
"""What makes text that runs at this angle (counter-clockwise) run left to right."""


def quarter(dx: float, dy: float) -> int:
    """0, 90, 180 or 270: the counter-clockwise angle nearest to the direction (`dx`, `dy`), y upwards."""
    return int(round(math.degrees(math.atan2(dy, dx)) / 90.0) * 90) % 360


def main_angle(characters: Mapping[int, int]) -> int:
    """The angle at which most characters run; the smaller one of two; 0 where there are none."""
    return max(characters, key=lambda angle: (characters[angle], -angle)) if characters else 0


def upright(angle: int, size: tuple[float, float]) -> tuple[Matrix, tuple[float, float]]:
    """The transformation after which text at `angle` runs left to right, and the page's size then."""
    if angle == 0:
        return IDENTITY, size
    a, b, c, d, _, _ = TURNS[angle]
    corners = [(a * x + c * y, b * x + d * y) for x in (0, size[0]) for y in (0, size[1])]
    left, top = min(x for x, _ in corners), min(y for _, y in corners)
    turned = size if angle == 180 else (size[1], size[0])
    return (a, b, c, d, -left, -top), turned


def displayed(rotation: int, size: tuple[float, float]) -> Matrix:
    """From a page of this size to the page as displayed, turned clockwise by `rotation` degrees."""
    width, height = size
    return {
        90: (0.0, 1.0, -1.0, 0.0, height, 0.0),
        180: (-1.0, 0.0, 0.0, -1.0, width, height),
        270: (0.0, -1.0, 1.0, 0.0, 0.0, width),
    }.get(rotation, IDENTITY)


def inverse(matrix: Matrix) -> Matrix:
    """The way back."""
    a, b, c, d, e, f = matrix
    det = a * d - b * c
    return (d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det)


def times(first: Matrix, second: Sequence[float]) -> Matrix:
    """First `first`, then `second`."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def turn(matrix: Matrix, box: Sequence[float]) -> Box:
    """The box after the transformation; exactly as it was if nothing is to be done."""
    if matrix is IDENTITY:
        return (float(box[0]), float(box[1]), float(box[2]), float(box[3]))
    return apply(matrix, (box[0], box[1], box[2], box[3]))
