"""Recognised text as a page like any other: straightened, in points, in few type sizes.

In: what a recogniser found on the picture of a page. Out: a `PageContent` whose upright space is the page as displayed,
and how sure the recogniser was where.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ingest import bands, turning
from ingest.page import IDENTITY, Fragment, Matrix, PageContent, Run, apply, inside
from ingest.recognised import Piece, Recognised, TextLine
from kg.document import Block, Box, Page, Source
from kg.text import is_cjk

ASCENT, DESCENT = 0.85, 0.25
"""Ems above and below the baseline that a line's box reaches."""
SAME_SIZE = (0.85, 1.25)
"""Lines between these multiples of the usual size are set in it: scripts and missing ascenders mislead recognisers."""
STEP = 1.15
"""Other sizes are told apart if they differ by this factor."""
GAP = 2.5
"""Ems of white that part two columns of a line."""
WIDE = 100.0
"""Lines of at least this many pixels tell how far the page is turned."""
MOST_TURNED = 0.1
"""Slope beyond which a line says nothing about the page."""
DELTA = re.compile(r"[△∆](?=[a-z])")
"""A triangle before a small letter is a Greek one; `△ABC` is a triangle."""
WHOLE = 0.5
"""A picture over more of the page than this is the scan itself."""


@dataclass(frozen=True)
class Seen:
    """How sure the recogniser was of a page."""

    engine: str
    reason: str
    """Why the page was recognised."""
    places: tuple[tuple[Box, float, int], ...]
    """Box as displayed, confidence in [0, 1], characters."""


def content(found: Recognised, old: PageContent, reason: str) -> tuple[PageContent, Seen]:
    """The page with recognised text in place of its own, and what it was recognised with."""
    scale = 72.0 / found.dpi
    slope = _slope(found.lines)
    sizes = _sizes(found.lines, scale)
    turn = _Straight(slope, found)
    back = turning.inverse(turning.displayed(found.turned, old.display_size)) if found.turned else IDENTITY
    upright = turning.times(old.to_display, turning.inverse(back)) if found.turned else old.to_display
    fragments: list[Fragment] = []
    places: list[tuple[Box, float, int]] = []
    for line, size in zip(found.lines, sizes, strict=True):
        for part in _parts(line):
            fragment = _fragment(line, part, size, turn, scale)
            fragments.append(fragment)
            length = len(fragment.runs[0].text)
            sure = sum(piece.confidence * len(piece.text) for piece in part) / sum(len(piece.text) for piece in part)
            places.append((apply(back, fragment.box), sure, length))
    page = replace(
        old,
        width=found.width * scale if found.turned else old.display_size[0],
        height=found.height * scale if found.turned else old.display_size[1],
        to_display=back,
        hidden_text=False,
        fragments=bands.ordered(fragments, _usual(found.lines, scale)),
        pictures=_pictures(old, upright),
        areas=[replace(area, box=apply(upright, area.box)) for area in old.areas],
        rules=[apply(upright, box) for box in old.rules],
        dots=[],
        shapes=[apply(upright, box) for box in old.shapes],
    )
    return page, Seen(found.engine, reason, tuple(places))


def _pictures(old: PageContent, upright: Matrix) -> list[Box]:
    """The pictures of the page, except the scan."""
    shown = [apply(upright, box) for box in old.pictures]
    whole = WHOLE * old.display_size[0] * old.display_size[1]
    return [box for box in shown if (box[2] - box[0]) * (box[3] - box[1]) < whole] if len(shown) < 4 else []


def _slope(lines: Sequence[TextLine]) -> float:
    """The slope that half of the long lines' widths are above and half below."""
    rows = sorted((line.baseline[0], line.box[2] - line.box[0]) for line in lines)
    rows = [(slope, width) for slope, width in rows if width >= WIDE and abs(slope) < MOST_TURNED]
    half = sum(width for _, width in rows) / 2
    for slope, width in rows:
        half -= width
        if half <= 0:
            return slope
    return 0.0


class _Straight:
    """Turns pixels around the middle of the picture so that its lines run level."""

    def __init__(self, slope: float, found: Recognised) -> None:
        angle = math.atan(slope)
        self.sine, self.cosine = math.sin(angle), math.cos(angle)
        self.middle = (found.width / 2, found.height / 2)

    def __call__(self, x: float, y: float) -> tuple[float, float]:
        dx, dy = x - self.middle[0], y - self.middle[1]
        return (
            self.middle[0] + dx * self.cosine + dy * self.sine,
            self.middle[1] + dy * self.cosine - dx * self.sine,
        )


def _sizes(lines: Sequence[TextLine], scale: float) -> list[float]:
    """The type size of each line in points; sizes that hardly differ are one."""
    usual = _usual(lines, scale)
    return [_snapped(line.size * scale / usual) * usual for line in lines]


def _usual(lines: Sequence[TextLine], scale: float) -> float:
    """The type size in points that half of the characters are not larger than, to half a point."""
    weights = sorted((line.size * scale, sum(len(piece.text) for piece in line.pieces)) for line in lines)
    half = sum(weight for _, weight in weights) / 2
    usual = 10.0
    for size, weight in weights:
        half -= weight
        if half <= 0:
            usual = size
            break
    return round(usual * 2) / 2 or 0.5


def _snapped(ratio: float) -> float:
    """1 for about the usual size, else the nearest power of `STEP`."""
    if SAME_SIZE[0] <= ratio <= SAME_SIZE[1]:
        return 1.0
    return float(STEP ** round(math.log(max(ratio, 0.1), STEP)))


def _parts(line: TextLine) -> Iterator[list[Piece]]:
    """The pieces of a line, parted where wide white stands between them."""
    part: list[Piece] = []
    for piece in line.pieces:
        if part and piece.left - part[-1].right > GAP * line.size:
            yield part
            part = []
        part.append(piece)
    if part:
        yield part


def _fragment(line: TextLine, part: Sequence[Piece], size: float, turn: _Straight, scale: float) -> Fragment:
    slope, start = line.baseline
    left, right = part[0].left, part[-1].right
    x0, y0 = turn(left, start + slope * left)
    x1, y1 = turn(right, start + slope * right)
    base = scale * (y0 + y1) / 2
    box = (scale * x0, base - ASCENT * size, scale * x1, base + DESCENT * size)
    text = part[0].text
    for before, piece in pairwise(part):
        text += piece.text if is_cjk(before.text[-1]) and is_cjk(piece.text[0]) else f" {piece.text}"
    return Fragment([Run(DELTA.sub("Δ", text), box, round(size, 1), "", baseline=base)], box)


def marked_pages(pages: Iterable[Page], seen: Mapping[int, Seen]) -> tuple[Page, ...]:
    """The pages; those that were recognised say so, and why."""
    return tuple(
        page.model_copy(update={"route": "ocr", "reason": seen[page.index].reason}) if page.index in seen else page
        for page in pages
    )


def marked(blocks: Iterable[Block], seen: Mapping[int, Seen]) -> Iterator[Block]:
    """The blocks; those from recognised pages carry their source and its mean confidence."""
    for block in blocks:
        own = [(prov, seen[prov.page]) for prov in block.prov if prov.page in seen]
        if not own:
            yield block
            continue
        found = [
            (sure, length)
            for prov, page in own
            for box, sure, length in page.places
            if inside(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) * 2, prov.bbox)
        ]
        total = sum(length for _, length in found)
        sure = round(sum(sure * length for sure, length in found) / total, 3) if total else None
        yield block.model_copy(update={"source": Source(engine=own[0][1].engine, route="ocr", confidence=sure)})


def text_of(found: Recognised) -> str:
    """All words, for telling the language."""
    return " ".join(piece.text for line in found.lines for piece in line.pieces)
