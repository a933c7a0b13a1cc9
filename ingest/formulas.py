"""Display formulas: lines that are mathematics and stand apart from the running text.

In: lines and the measure they are set in. Out: whether a line is (part of) a formula, and its printed number.
No LaTeX is made up: the text layer has lost what it would need.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ingest.lines import Line
from ingest.page import x_overlap, y_overlap

OPERATORS = re.compile(r"[=≈≅≃∝<>≤≥≠×÷±∓√∑∫∂→⇒⇌∆·−+/^]|[\U0001d400-\U0001d7ff]")
RELATIONS = re.compile(r"[=≈≅≃∝<>≤≥≠→⇒⇌]")
MATH_FONT = re.compile(r"math|cmmi|cmsy|cmex|cmr\d|msam|msbm|symbol|mtextra|euclid", re.IGNORECASE)
ALONE = re.compile(r"[(（]?(?:[A-Z]\.)?\d{1,3}(?:[.\-–]\d{1,3})?[a-z]?[)）]?")
BRACKETED = re.compile(r"(?:^|\s)([(（](?:[A-Z]\.)?\d{1,3}(?:[.\-–]\d{1,3}[a-z]?)?[)）])$")
LONG_WORD = re.compile(r"[^\W\d_]{3,}")
EQUATED = re.compile(r"\s[=≈≅∝]\s")
HAN = re.compile(r"[\u3400-\u9fff]")


def is_mathematics(line: Line) -> bool:
    """True if the line holds a formula rather than words: signs, few words."""
    text = line.text
    if not OPERATORS.search(text) or (line.bold and not MATH_FONT.search(line.font)):
        return False
    words = LONG_WORD.findall(text)
    letters = sum(len(word) for word in words)
    if len(HAN.findall(text)) > 2 or letters > 0.5 * len(text) or len(words) > 6:
        return False
    return bool(RELATIONS.search(text)) or letters < 0.25 * len(text)


def is_worded(line: Line) -> bool:
    """True for an equation of words, as in `average speed = distance`: only its place tells it from text."""
    if line.bold or len(line.text) >= 90 or not EQUATED.search(line.text):
        return False
    return len(LONG_WORD.findall(line.text)) <= 8


def is_piece(line: Line) -> bool:
    """True for what may be a numerator, denominator or bracket of a formula beside it."""
    return len(line.text) < 40 and sum(len(word) for word in LONG_WORD.findall(line.text)) < 0.6 * len(line.text)


def touches(lines: Sequence[Line], line: Line) -> bool:
    """True if `line` stands within the height of the formula that `lines` make, fractions included."""
    top, bottom = min(one.box[1] for one in lines), max(one.box[3] for one in lines)
    shared = y_overlap((0.0, top, 1.0, bottom), (0.0, line.box[1], 1.0, line.box[3]))
    return shared > 0.1 * min(line.height, bottom - top) or _is_fraction(lines[-1], line)


def _is_fraction(above: Line, below: Line) -> bool:
    """A numerator close over its denominator, neither of them an equation."""
    if RELATIONS.search(above.text) or RELATIONS.search(below.text):
        return False
    narrow = min(above.box[2] - above.box[0], below.box[2] - below.box[0])
    gap = below.box[1] - above.box[3]
    return x_overlap(above.box, below.box) > 0.5 * narrow and 0 <= gap < 0.3 * below.height


def right_number(lines: Sequence[Line], right: float) -> str | None:
    """The number that stands alone at the right edge `right` of the column, after a wide gap; none if none does."""
    last = lines[-1]
    if len(lines) < 2 or not ALONE.fullmatch(last.text) or last.box[2] < right - 2 * last.size:
        return None
    gap = last.box[0] - max(line.box[2] for line in lines[:-1])
    return last.text if gap > 1.5 * last.size else None


def number_of(text: str) -> str | None:
    """The formula's printed number, as printed; none if it has none."""
    match = BRACKETED.search(text)
    return match.group(1) if match else None
