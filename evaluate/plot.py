"""Plots as SVG text: dots with intervals over a floor, one row per thing measured.

In: rows of numbers from 0 to 100. Out: an `<svg>` that takes its colours from the page (`.s0`, `.s1`, `.floor`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

LABEL, WIDTH, RIGHT, ROW, TOP = 150, 560, 20, 30, 34
"""Pixels: room for labels, whole width, right margin, height of a row, room for the axis."""


@dataclass(frozen=True)
class Dot:
    """One number with its interval."""

    name: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Line:
    """One row of a plot."""

    label: str
    dots: tuple[Dot, ...]
    floor: Dot | None = None
    """What the best of the rules that know nothing gets."""


def dot_plot(title: str, lines: Sequence[Line]) -> str:
    """Rows from top to bottom; the axis runs from 0 to 100."""
    height = TOP + ROW * len(lines) + 8
    body = "".join(_axis(height)) + "".join(_row(line, TOP + ROW * index) for index, line in enumerate(lines))
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">'
        f'<text class="title" x="0" y="14">{escape(title)}</text>{body}</svg>'
    )


def _x(value: float) -> float:
    return round(LABEL + (WIDTH - LABEL - RIGHT) * min(100.0, max(0.0, value)) / 100, 1)


def _axis(height: int) -> list[str]:
    return [
        f'<line class="grid" x1="{_x(tick)}" x2="{_x(tick)}" y1="{TOP - 4}" y2="{height - 6}"/>'
        f'<text class="tick" x="{_x(tick)}" y="{TOP - 8}">{tick}</text>'
        for tick in range(0, 101, 20)
    ]


def _row(line: Line, top: int) -> str:
    middle = top + ROW / 2
    parts = [f'<text class="label" x="{LABEL - 10}" y="{middle + 4}">{escape(line.label)}</text>']
    if line.floor is not None:
        x = _x(line.floor.value)
        parts.append(
            f'<line class="floor" x1="{x}" x2="{x}" y1="{top + 4}" y2="{top + ROW - 4}">'
            f"<title>{escape(line.floor.name)}: {line.floor.value:.1f}</title></line>"
        )
    step = 8 if len(line.dots) > 1 else 0
    for index, dot in enumerate(line.dots):
        y = middle + step * (index - (len(line.dots) - 1) / 2)
        parts.append(
            f'<g class="s{index}"><title>{escape(dot.name)}: {dot.value:.1f} ({dot.low:.1f} to {dot.high:.1f})</title>'
            f'<line x1="{_x(dot.low)}" x2="{_x(dot.high)}" y1="{y}" y2="{y}"/>'
            f'<circle cx="{_x(dot.value)}" cy="{y}" r="4"/></g>'
        )
    return "".join(parts)
