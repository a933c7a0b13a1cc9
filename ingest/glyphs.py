"""Single characters grouped into runs and fragments, for engines that know no better than characters.

In: glyphs in the file's order. Out: fragments in upright space. What stands next to each other on one baseline in one
font is a run; runs on about one baseline are a fragment.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ingest.page import Fragment, Matrix, Run, union
from ingest.turning import turn
from kg.document import Box

GAP = 0.2
"""Ems between two characters of one run at most, and …"""
WORDS = 0.9
"""… between two runs of one fragment."""
BACK = 0.5
"""Ems by which a character may stand left of the end of the one before it (kerning, slanted type)."""
SHIFT = 0.05
"""A baseline that moves by more than this part of the type size starts a new run."""
SAME_LINE = 0.5
"""Runs whose baselines are within this part of the type size are one fragment."""
RIGHT_TO_LEFT = (0x590, 0x900)


class Font(NamedTuple):
    """What a font's dictionary says."""

    name: str
    bold: bool
    italic: bool
    mono: bool


class Glyph(NamedTuple):
    """One character; box in the page's unrotated space with y downwards."""

    text: str
    box: Box
    font: Font
    size: float
    angle: int
    origin: tuple[float, float]
    """A point on its baseline."""


def fragments(glyphs: Sequence[Glyph], upright: Matrix, angle: int) -> list[Fragment]:
    """Characters that stand next to each other in one font made runs, and runs on one baseline made fragments."""
    runs: list[tuple[int, Run]] = []
    pending: list[Glyph] = []
    for glyph in glyphs:
        if pending and not _goes_on(pending[-1], glyph):
            runs.append((pending[0].angle, _run(pending, upright)))
            pending = []
        pending.append(glyph)
    if pending:
        runs.append((pending[0].angle, _run(pending, upright)))
    groups: list[tuple[int, list[Run]]] = []
    for turned, run in runs:
        if groups and groups[-1][0] == turned == angle and _same_line(groups[-1][1][-1], run):
            groups[-1][1].append(run)
        else:
            groups.append((turned, [run]))
    return [Fragment(own, union([run.box for run in own]), (turned - angle) % 360) for turned, own in groups]


def _goes_on(last: Glyph, glyph: Glyph) -> bool:
    """True if the two are neighbours on one baseline in one font."""
    if last.font is not glyph.font or last.size != glyph.size or last.angle != glyph.angle:
        return False
    ahead, across = _along(last, glyph)
    if abs(across) > SHIFT * glyph.size:
        return False
    if last.box[0] == glyph.box[0] and last.box[1] == glyph.box[1]:
        return True  # a ligature's letters share its box
    return -BACK * glyph.size < ahead < GAP * glyph.size or _is_leftward(last, glyph)


def _along(last: Glyph, glyph: Glyph) -> tuple[float, float]:
    """Points from the end of `last` to the start of `glyph` in the direction of the text, and across it."""
    one, two = last.box, glyph.box
    across = glyph.origin[1] - last.origin[1] if glyph.angle in (0, 180) else glyph.origin[0] - last.origin[0]
    ahead = {0: two[0] - one[2], 180: one[0] - two[2], 90: one[1] - two[3], 270: two[1] - one[3]}[glyph.angle]
    return ahead, across


def _is_leftward(last: Glyph, glyph: Glyph) -> bool:
    """True for the next letter of a script that runs from right to left."""
    rightmost = any(RIGHT_TO_LEFT[0] <= ord(one.text[0]) < RIGHT_TO_LEFT[1] for one in (last, glyph))
    return rightmost and -BACK * glyph.size < last.box[0] - glyph.box[2] < GAP * glyph.size


def _run(glyphs: Sequence[Glyph], upright: Matrix) -> Run:
    first = glyphs[0]
    box = turn(upright, union([glyph.box for glyph in glyphs]))
    baseline = upright[1] * first.origin[0] + upright[3] * first.origin[1] + upright[5]
    text = "".join(glyph.text for glyph in glyphs)
    name, bold, italic, mono = first.font
    return Run(text, box, first.size, name, bold, italic, mono, baseline)


def _same_line(last: Run, run: Run) -> bool:
    size = max(last.size, run.size)
    ahead = run.box[0] - last.box[2]
    return abs(run.baseline - last.baseline) < SAME_LINE * size and -BACK * size < ahead < WORDS * size
