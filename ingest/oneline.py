"""A fraction's halves put on one line, with the brackets that keep its meaning: `(a + b)/c`, `a/(bc)`, `(1/2)at`.

In: the pieces over and under a bar and those beside it. Out: one piece whose runs read from left to right.
Sub- and superscripts stay what they are: they move with the half they stand in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ingest.page import Run, union
from kg.document import Box

ADJACENT = 0.3
"""Ems between what is multiplied without a sign at most."""
SPACE = 0.15
"""Ems of white that are a space."""
SCRIPT = 0.86
"""A script is at most this part of the size of what it belongs to."""
SUM = re.compile(r"(?<=\S)\s*[=≈≅<>≤≥±∓+−–·×÷/⋅∗*-]|\S\s+\S")
"""A sign that is not the first character, or a space inside."""
GROUP = re.compile(r"√?[(\[{（][^()\[\]{}（）]*[)\]}）]")
BRACKET = re.compile(r"[()\[\]{}（）]")
ONE = "\ufffc"
"""Stands for whatever is in brackets."""
MARK = re.compile(r"\s*[,;，；、]$")
DELTA = "Δ∆δ∂∇"
ATOM = re.compile(r"[\d.,]+|[Δ∆δ∂∇]?[^\W\d_]+|[^\w\s]")
MATHEMATICAL = re.compile(r"[\U0001d400-\U0001d7ff]")


@dataclass(slots=True, eq=False)
class Piece:
    """A run, or a fraction already written on one line."""

    runs: list[Run]
    box: Box
    """White space at its ends left out."""
    size: float
    baseline: float
    home: int
    """Number of the fragment it comes from."""
    place: tuple[int, int]
    """Where it stands in the file: fragment and run."""
    is_fraction: bool = False

    @property
    def text(self) -> str:
        """Of all its runs."""
        return "".join(run.text for run in self.runs)

    @classmethod
    def of(cls, run: Run, home: int, place: tuple[int, int]) -> Piece:
        """A piece of one run."""
        left = run.box[0] + (SPACE * run.size if run.text.startswith(" ") else 0.0)
        right = run.box[2] - (SPACE * run.size if run.text.endswith(" ") else 0.0)
        return cls([run], (left, run.box[1], max(left, right), run.box[3]), run.size, run.baseline, home, place)


def fraction(bar: Box, over: list[Piece], under: list[Piece], beside: Sequence[Piece], base: float) -> Piece:
    """The fraction on the baseline `base`; it fills the place that it had."""
    upper, lower = _half(over, base), _half(under, base)
    size = max(one.size for one in over)
    if _is_sum(upper):
        upper = [_sign("(", upper), *upper, _sign(")", upper)]
    lower, mark = _without_mark(lower)
    if _is_sum(lower) or _is_product(lower):
        lower = [_sign("(", lower), *lower, _sign(")", lower)]
    before = [one for one in beside if -ADJACENT < (bar[0] - one.box[2]) / size < ADJACENT]
    after = [one for one in beside if -ADJACENT < (one.box[0] - bar[2]) / size < ADJACENT]
    opened, closed = _around(before, after)
    runs = [_sign(opened, upper), *upper, _sign("/", upper), *lower, _sign(closed + mark, lower)]
    box = union([bar, *(one.box for one in over), *(one.box for one in under)])
    return Piece(_placed([run for run in runs if run.text], box), box, size, base, -1, (-1, -1), True)


def _half(part: Sequence[Piece], base: float) -> list[Run]:
    """The runs of one half, white space seen between them written, moved to the baseline `base`."""
    size = max(one.size for one in part)
    main = max((one for one in part if one.size > SCRIPT * size), key=lambda one: one.box[2] - one.box[0])
    found: list[Run] = []
    right = part[0].box[0]
    for one in part:
        spaced = one.size > SCRIPT * size and one.box[0] - right > SPACE * one.size
        for at, run in enumerate(one.runs):
            text = " " + run.text.lstrip() if spaced and at == 0 else run.text
            found.append(replace(run, text=text, baseline=run.baseline + base - main.baseline))
        right = max(right, one.box[2])
    found[0] = replace(found[0], text=found[0].text.lstrip())
    found[-1] = replace(found[-1], text=found[-1].text.rstrip())
    return found


def _without_mark(half: list[Run]) -> tuple[list[Run], str]:
    """The half without the comma at its end, and that."""
    found = MARK.search(half[-1].text)
    if found is None or found.start() == 0:
        return half, ""
    return [*half[:-1], replace(half[-1], text=half[-1].text[: found.start()])], found.group().strip()


def _plain(half: Sequence[Run]) -> list[Run]:
    """Without its scripts."""
    size = max(run.size for run in half)
    return [run for run in half if run.size > SCRIPT * size]


def _bare(half: Sequence[Run]) -> str:
    """The text without scripts; what stands in brackets is one sign, the root sign before it included."""
    text = "".join(run.text for run in _plain(half)).strip()
    while (shorter := GROUP.sub(ONE, text)) != text:
        text = shorter
    return text


def _is_sum(half: Sequence[Run]) -> bool:
    """True for more than one term, a number with its unit, or anything else with a sign or a space inside.

    Text whose brackets do not match is left alone: its other brackets stand beside the fraction.
    """
    text = _bare(half)
    return bool(SUM.search(text)) and not BRACKET.search(text)


def _is_product(half: Sequence[Run]) -> bool:
    """True for factors without a sign between them; a slanted letter is one, an upright word is one."""
    text = _bare(half)
    if BRACKET.search(text) or text == ONE:
        return False
    slanted = frozenset(letter for run in _plain(half) if run.italic for letter in run.text)
    count = 0
    for atom in ATOM.findall(text):
        letters = atom.lstrip(DELTA)
        single = letters.isalpha() and (slanted.issuperset(letters) or MATHEMATICAL.search(letters))
        count += len(letters) if single else bool(letters)
    return count > 1


def bracket(part: Sequence[Piece]) -> None:
    """The pieces have brackets around them afterwards, if together they are more than one factor."""
    if not part:
        return
    half = _half(part, part[0].baseline)
    if _is_sum(half) or _is_product(half):
        first, last = part[0], part[-1]
        first.runs[0] = replace(first.runs[0], text=first.runs[0].text.lstrip())
        last.runs[-1] = replace(last.runs[-1], text=last.runs[-1].text.rstrip())
        left, right = first.box[0], last.box[2]
        first.runs.insert(0, replace(_sign("(", half), box=(left, first.box[1], left, first.box[3])))
        last.runs.append(replace(_sign(")", half), box=(right, last.box[1], right, last.box[3])))


def _around(before: Sequence[Piece], after: Sequence[Piece]) -> tuple[str, str]:
    """What stands before and after the fraction so that a neighbour multiplies all of it."""
    last = "".join(one.text for one in before)[-1:]
    first = "".join(one.text for one in after)[:1]
    multiplied = first.isalnum() or first in tuple("(√")
    if last.isdigit():
        return (" (", ")") if multiplied else (" ", "")
    if multiplied or last.isalpha() or last in tuple(")]√"):
        return "(", ")"
    return "", ""


def _sign(text: str, half: Sequence[Run]) -> Run:
    """Characters in the type of this half, upright and light."""
    like = _plain(half)[0]
    return replace(like, text=text, italic=False, bold=False)


def _placed(runs: Sequence[Run], box: Box) -> list[Run]:
    """The runs at the fraction's left edge and the last one over all of its width: no gap is left between them."""
    left = (box[0], box[1], box[0], box[3])
    return [replace(run, box=box if at == len(runs) - 1 else left) for at, run in enumerate(runs)]
