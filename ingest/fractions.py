"""Stacked fractions written on one line: what stands over and under a drawn bar becomes `a/b`, and `√` gets brackets.

In: the fragments of a page and its drawn rules. Out: the fragments, each fraction one of them; its bar is no rule then.
A rule is a fraction's bar if short pieces stand right over and right under it and nowhere beyond its ends, and if text
beside it has its middle at the bar's height, as `=` and `a` have: rules under words and in tables have not.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from ingest.oneline import Piece, bracket, fraction
from ingest.page import Fragment, PageContent, Run, union, x_overlap, y_overlap
from kg.document import Box

LONGEST = 400.0
"""Points a bar is long at most."""
THICK = 2.0
AXIS = 0.27
"""Ems between a baseline and the height of the minus sign, the equals sign and the bars of fractions."""
LEVEL = 0.22
"""Ems by which they may differ."""
NEAR = 0.65
"""Ems between a bar and what stands over or under it at most."""
INTO = 0.4
"""Ems by which a type's box may reach over the bar."""
OVER = 1.5
"""Points by which a piece may be wider than its bar."""
BESIDE = 3.0
"""Ems from a bar to the text at its side at most."""
TALLEST = 60.0
"""Points of a fraction's upper or lower half at most."""
NESTED = 24.0
"""Points between the bar of a fraction and the one inside its upper or lower half at most."""
MARKS = " .,;:，。；：、()[]{}|（）"
"""What may stand beside a fraction at the height of its halves."""
ROOT = re.compile(r"√\s*([(\[{]*)$")
"""A root sign at the end of a piece, and the brackets after it that belong to what stands under the bar."""
REACH = 2.5
"""Points between a root sign and the bar over what it is the root of at most."""
MOST = 400
"""A page with more short rules than this has no fractions."""


def linear(page: PageContent, fragments: Sequence[Fragment]) -> list[Fragment]:
    """The fragments with fractions on one line, in the same order; `page.rules` without their bars afterwards."""
    bars = _bars(page)
    if not bars:
        return list(fragments)
    found = _Fractions(fragments, bars)
    for bar in bars:
        found.try_bar(bar)
    page.rules = [rule for rule in page.rules if rule not in found.used]
    return found.rebuilt(fragments) if found.used else list(fragments)


def _bars(page: PageContent) -> list[Box]:
    """Short horizontal rules that touch no upright one, the shortest first, so that inner fractions come first."""
    upright = [rule for rule in page.rules if rule[3] - rule[1] > max(rule[2] - rule[0], 4.0)]
    flat = sorted({rule for rule in page.rules if rule[3] - rule[1] <= THICK < rule[2] - rule[0] <= LONGEST})
    bars = [bar for bar in flat if not any(x_overlap(bar, one) > -1 and y_overlap(bar, one) > -1 for one in upright)]
    return sorted(bars, key=lambda bar: (bar[2] - bar[0], bar)) if len(bars) <= MOST else []


class _Heights:
    """The parts of the page's height in which there may be fractions."""

    def __init__(self, bars: Sequence[Box]) -> None:
        self.lows: list[float] = []
        self.highs: list[float] = []
        for low, high in sorted((bar[1] - TALLEST, bar[3] + TALLEST) for bar in bars):
            if self.highs and low <= self.highs[-1]:
                self.highs[-1] = max(high, self.highs[-1])
            else:
                self.lows.append(low)
                self.highs.append(high)

    def holds(self, run: Run) -> bool:
        """True if the top of the run is in one of them."""
        top = run.box[1]
        at = bisect_right(self.lows, top) - 1
        return at >= 0 and top <= self.highs[at]


class _Fractions:
    """The pieces of a page; fractions take the place of what they are made of."""

    def __init__(self, fragments: Sequence[Fragment], bars: Sequence[Box]) -> None:
        self.bars = bars
        self.used: set[Box] = set()
        self.touched: set[int] = set()
        """Fragments that have lost runs to a fraction."""
        near = _Heights(bars)
        self.pieces = [
            Piece.of(run, home, (home, at))
            for home, one in enumerate(fragments)
            if one.angle == 0 and any(map(near.holds, one.runs))
            for at, run in enumerate(one.runs)
            if run.text.strip() and run.size >= 1
        ]
        self._sort()

    def _sort(self) -> None:
        self.by_top = sorted(self.pieces, key=lambda piece: piece.box[1])
        self.tops = [piece.box[1] for piece in self.by_top]

    def try_bar(self, bar: Box) -> None:
        """The fraction with this bar is written on one line, if it is one."""
        start, end = bisect_left(self.tops, bar[1] - TALLEST), bisect_right(self.tops, bar[3] + TALLEST)
        around = [piece for piece in self.by_top[start:end] if x_overlap(piece.box, bar) > -BESIDE * piece.size]
        over, under = _half(bar, around, True), _half(bar, around, False)
        if self._is_root(bar, around):
            bracket(under)
            self.touched.update(piece.home for piece in under)
            self.used.add(bar)
            return
        if not over or not under or self._runs_on(bar, over, around) or self._runs_on(bar, under, around):
            return
        own = {id(piece) for piece in (*over, *under)}
        beside = [piece for piece in around if id(piece) not in own and _is_beside(piece, bar)]
        if not beside and not self._is_nested(bar):
            return
        base = min(beside, key=lambda one: _gap(one.box, bar)).baseline if beside else bar[3] + AXIS * over[0].size
        made = fraction(bar, over, under, beside, base)
        at = min(number for number, piece in enumerate(self.pieces) if id(piece) in own)
        made.home, made.place = self.pieces[at].home, self.pieces[at].place
        self.touched.update(piece.home for piece in (*over, *under))
        self.pieces[at : at + 1] = [made, self.pieces[at]]
        self.pieces = [piece for piece in self.pieces if id(piece) not in own]
        self.used.add(bar)
        self._sort()

    def _runs_on(self, bar: Box, half: Sequence[Piece], around: Sequence[Piece]) -> bool:
        """True if the text over or under the bar goes on beyond its ends: a rule under words, or over them.

        The half of another fraction beside this one is no such text.
        """
        main = max(half, key=lambda one: one.size)
        own = {id(one) for one in half}
        return any(
            id(other) not in own
            and other.text.strip(MARKS)
            and abs(other.baseline - main.baseline) < 0.15 * main.size
            and _gap(other.box, bar) < main.size
            and not any(_is_within(other, one) and _touches(other, one) for one in self.bars)
            for other in around
        )

    def _is_root(self, bar: Box, around: Sequence[Piece]) -> bool:
        """True if a root sign stands at the left end of the bar: it is drawn over what the root is taken of.

        Of several bars at one sign it is the highest; a single one that text stands beside is a fraction's.
        """
        signs = [one for one in around if ROOT.search(one.text) and _starts_at(bar, one)]
        if not signs:
            return False
        bars = [one for one in self.bars if _starts_at(one, signs[0])]
        alone = len(bars) == 1 and any(_is_beside(one, bar) for one in around if one not in signs)
        return bar == min(bars, key=lambda one: one[1]) and not alone

    def _is_nested(self, bar: Box) -> bool:
        """True if the bar stands right over or under a longer one."""
        return any(
            other[0] - OVER <= bar[0] and bar[2] <= other[2] + OVER and 4.0 < abs(other[1] - bar[1]) < NESTED
            for other in self.bars
            if other[2] - other[0] > bar[2] - bar[0]
        )

    def rebuilt(self, fragments: Sequence[Fragment]) -> list[Fragment]:
        """The fragments of the page: as they were, or what is left of them, with the fractions in their places."""
        rest: dict[int, list[Piece]] = {}
        for piece in self.pieces:
            rest.setdefault(piece.home, []).append(piece)
        found: list[Fragment] = []
        for home, fragment in enumerate(fragments):
            if home not in self.touched:
                found.append(fragment)
                continue
            open_ = False
            for piece in rest.get(home, []):
                if open_ and not piece.is_fraction:
                    found[-1] = Fragment([*found[-1].runs, *piece.runs], union([found[-1].box, piece.box]))
                else:
                    found.append(Fragment(piece.runs, piece.box))
                open_ = not piece.is_fraction
        return found


def _is_within(piece: Piece, bar: Box) -> bool:
    return piece.box[0] >= bar[0] - OVER and piece.box[2] <= bar[2] + OVER


def _touches(piece: Piece, bar: Box) -> bool:
    """True if the piece stands right over or right under the bar."""
    away = min(abs(bar[1] - piece.box[3]), abs(piece.box[1] - bar[3]))
    return away < NEAR * piece.size


def _half(bar: Box, around: Sequence[Piece], upper: bool) -> list[Piece]:
    """What stands over (or under) the bar and not beyond its ends, scripts included, in reading order."""
    height = (bar[1] + bar[3]) / 2
    side = [one for one in around if _is_within(one, bar) and (one.box[1] + one.box[3] < 2 * height) is upper]
    away = [height - one.box[3] if upper else one.box[1] - height for one in side]
    seeds = [one for one, gap in zip(side, away, strict=True) if -INTO * one.size <= gap <= NEAR * one.size]
    if not seeds:
        return []
    whole = union([one.box for one in seeds])
    found = [one for one in side if one in seeds or y_overlap(one.box, whole) > 0.3 * (one.box[3] - one.box[1])]
    found.sort(key=lambda one: one.place)
    falls = any(two.box[0] < one.box[0] - 0.5 * one.size for one, two in pairwise(found))
    return sorted(found, key=lambda one: one.box[0]) if falls else found


def _starts_at(bar: Box, sign: Piece) -> bool:
    """True if the bar starts at the right edge of the root sign, not under it."""
    match = ROOT.search(sign.text)
    slack = REACH + (len(match.group(1)) if match else 0) * 0.5 * sign.size
    return -slack < bar[0] - sign.box[2] < REACH and sign.box[1] - sign.size < bar[1] < sign.box[3]


def _gap(box: Box, bar: Box) -> float:
    return max(bar[0] - box[2], box[0] - bar[2])


def _is_beside(piece: Piece, bar: Box) -> bool:
    """True if the piece has its middle at the bar's height and stands next to one of its ends."""
    off = abs(piece.baseline - AXIS * piece.size - (bar[1] + bar[3]) / 2)
    return off < LEVEL * piece.size + 0.5 and -OVER <= _gap(piece.box, bar) < BESIDE * piece.size
