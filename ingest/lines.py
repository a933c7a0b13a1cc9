"""Fragments of a page joined to printed lines, each with its text and its inline styles.

In: a `PageContent`. Out: `Line`s in content order. A line never reaches over a column gutter or a table cell.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from ingest import text as characters
from ingest.page import Fragment, PageContent, Run, overlap, union, y_overlap
from ingest.rules import Rules
from ingest.text import Mark
from kg.document import Box
from kg.text import is_cjk

SMALL = 0.86
"""A run of at most this part of the line's type size may be a super- or subscript."""
SHORT = 12
"""Characters of a line that may have more of them in its scripts than outside at most."""
SHIFT = 0.1
"""… if its baseline is off by more than this part of the type size."""
STACKED = 1.12
"""Ems between the baselines of two runs, one over the other, that are no script but half of a fraction each."""
GAP = 1.2
"""Fragments on one baseline up to this many ems apart are one line."""
MARKER_GAP = 5.0
"""… and this many after a list marker or a heading's number."""
DRAWN = "• "
BULLET_GAP = 2.5
"""Ems between a drawn bullet and its text at most."""
CELL = 8.0
"""Twice the points by which the two may be apart in either direction."""
SAME_PLACE = 0.8
"""Two runs of equal text that share this much of their area are one run drawn twice."""


@dataclass(slots=True)
class Line:
    """One printed line of one column."""

    page: int
    text: str
    box: Box
    size: float
    """Of most of its characters."""
    font: str
    bold: bool
    """All of it but punctuation and spaces."""
    italic: bool
    mono: bool
    baseline: float
    spans: Sequence[Mark] = ()
    angle: int = 0
    beside: bool = False
    """Other text stands on the same baseline in the same column."""
    frame: int = -1
    """Number of the frame (`frames.py`) it stands in; -1: none."""
    column: int = 0

    @property
    def height(self) -> float:
        """Of its box."""
        return self.box[3] - self.box[1]

    @property
    def style(self) -> tuple[float, bool, str]:
        """Lines of equal style look alike: size to half a point, bold, font family."""
        return (round(self.size * 2) / 2, self.bold, family(self.font))


@cache
def family(font: str) -> str:
    """The font's name without weight and slant."""
    return font.partition("-")[0].partition(",")[0]


def clean_fragments(page: PageContent) -> tuple[list[Fragment], int]:
    """Fragments with readable text, none twice, and the number of characters that were drawn twice."""
    uses: Counter[str] = Counter()
    for fragment in page.fragments:
        for run in fragment.runs:
            run.text = characters.clean(run.text)
        uses.update([run.text.strip() for run in fragment.runs])
    printed = _Printed()
    kept: list[Fragment] = []
    dropped = 0
    for fragment in page.fragments:
        runs = []
        for run in fragment.runs:
            bare = run.text.strip()
            if bare and uses[bare] > 1 and printed.before(bare, run.box):
                dropped += len(bare)
                continue
            if len(bare) >= 8 and characters.is_doubled(bare):
                dropped += len(bare) // 2
                run.text = characters.undouble(run.text)
            if run.text:
                runs.append(run)
        if any(run.text.strip() for run in runs):
            kept.append(Fragment(runs, union([run.box for run in runs]), fragment.angle))
    return kept, dropped


class _Printed:
    """Where on a page each text has stood so far."""

    def __init__(self) -> None:
        self._boxes: defaultdict[tuple[str, int, int], list[Box]] = defaultdict(list)

    def before(self, text: str, box: Box) -> bool:
        """True if the text has stood in this place; the place is known afterwards."""
        left, top = box[0], box[1]
        known = self._boxes.get((text, int(left // CELL), int(top // CELL)))
        if known and any(overlap(box, one) > SAME_PLACE for one in known):
            return True
        for x in {int((left - CELL / 2) // CELL), int((left + CELL / 2) // CELL)}:
            for y in {int((top - CELL / 2) // CELL), int((top + CELL / 2) // CELL)}:
                self._boxes[(text, x, y)].append(box)
        return False


def lines(page: int, fragments: Sequence[Fragment], rules: Rules) -> list[Line]:
    """The printed lines of a page in content order."""
    rows: list[list[Fragment]] = []
    for fragment in fragments:
        if rows and _continues(rows[-1], fragment, rules):
            rows[-1].append(fragment)
        else:
            rows.append([fragment])
    return [line for row in rows if (line := _line(page, row)).text]


def mark_bullets(own: Sequence[Line], dots: Sequence[Box]) -> None:
    """Lines with a drawn bullet before them start with `• ` afterwards, as those with a typed one do."""
    for dot in dots:
        middle = (dot[1] + dot[3]) / 2
        for line in own:
            reach = line.box[0] - dot[2]
            if line.angle == 0 and 0 < reach < BULLET_GAP * line.size and line.box[1] < middle < line.box[3]:
                if not line.text.startswith(DRAWN):
                    line.text = f"{DRAWN}{line.text}"
                    line.spans = [Mark(start + 2, end + 2, style) for start, end, style in line.spans]
                    line.box = (dot[0], *line.box[1:])
                break


def _text_of(fragment: Fragment) -> str:
    return "".join(run.text for run in fragment.runs)


def _continues(row: list[Fragment], fragment: Fragment, rules: Rules) -> bool:
    """True if `fragment` goes on in the line `row`: on its baseline and not far, or a script or fraction at its end."""
    last = row[-1]
    if last.angle != fragment.angle or fragment.angle not in (0,):
        return False
    box = union([part.box for part in row])
    heights = sorted((last.box[3] - last.box[1], fragment.box[3] - fragment.box[1]))
    shared = y_overlap(last.box, fragment.box)
    size = max(run.size for run in fragment.runs + last.runs)
    gap = fragment.box[0] - box[2]
    if shared < 0.5 * max(heights[0], 1.0) or gap < -0.3 * size:
        return shared > 0.2 * heights[0] and _is_stacked(last, fragment, size)
    if heights[0] < SMALL * heights[1] and gap > size:
        return False
    if rules.marker_alone.match(_text_of(row[0]).strip()) and len(row) == 1:
        return gap < MARKER_GAP * size and not rules.marker.match(_text_of(fragment).strip())
    if len(row) == 1 and _numbers_a_heading(row[0].runs[-1], _text_of(row[0]).strip(), fragment.runs[0]):
        return gap < MARKER_GAP * size
    return gap < GAP * size


def _numbers_a_heading(number: Run, text: str, title: Run) -> bool:
    """`2.1`, or a bold `2`, before a title of the same size."""
    if number.size != title.size or not text.replace(".", "").isdigit():
        return False
    return "." in text.rstrip(".") or (len(text) <= 3 and number.bold and title.bold)


def _is_stacked(last: Fragment, fragment: Fragment, size: float) -> bool:
    """A denominator under its numerator, inside a line of text."""
    narrow = max(part.box[2] - part.box[0] for part in (last, fragment)) < 6 * size
    return narrow and abs(last.box[0] - fragment.box[0]) < 3 * size and fragment.box[2] > last.box[0]


def _line(page: int, row: list[Fragment]) -> Line:
    runs = [run for fragment in row for run in fragment.runs]
    if len(runs) == 1:
        return _plain_line(page, row[0], runs[0])
    weights: Counter[tuple[float, str, bool, bool]] = Counter()
    for run in runs:
        weights[(run.size, run.font, run.italic, run.mono)] += len(run.text.strip())
    power = 2 if weights.total() <= SHORT else 0  # 10⁻¹⁸ is set in the type of its 10
    if _small_capitals(runs):
        power = 9  # the type is that of the large capitals
    size, font, italic, mono = max(weights, key=lambda key: (weights[key] * key[0] ** power, key))
    bases: Counter[float] = Counter()
    for run in runs:
        if run.size > SMALL * size:
            bases[round(run.baseline)] += len(run.text)
    base = max(bases, key=lambda key: (bases[key], -key)) if bases else runs[0].baseline
    text, spans = _assemble(runs, size, base)
    solid = [run for run in runs if any(character.isalnum() for character in run.text)]
    return Line(
        page=page,
        text=text,
        box=union([fragment.box for fragment in row]),
        size=size,
        font=font,
        bold=all(run.bold for run in solid or runs),
        italic=italic,
        mono=mono,
        baseline=base,
        spans=spans,
        angle=row[0].angle,
    )


def _small_capitals(runs: Sequence[Run]) -> bool:
    """True for words in capitals of two sizes, `K` large and `EY` small, which files hold as `K` and `ey`, too."""
    sizes = sorted({run.size for run in runs if run.text.strip()})
    if len(sizes) != 2 or not 0.6 * sizes[1] <= sizes[0] <= 0.85 * sizes[1]:
        return False
    if len({(run.font, round(run.baseline)) for run in runs if run.text.strip()}) != 1:
        return False
    large = "".join(run.text for run in runs if run.size == sizes[1])
    small = "".join(run.text for run in runs if run.size == sizes[0])
    letters = sum(character.isalpha() for character in small)
    return large == large.upper() and 2 * letters > len(small.strip()) and small in (small.lower(), small.upper())


def _plain_line(page: int, fragment: Fragment, run: Run) -> Line:
    """A line of one run."""
    text = " ".join(run.text.split())
    marks = [Mark(0, len(text), name) for name, on in (("bold", run.bold), ("italic", run.italic)) if on and text]
    return Line(
        page=page,
        text=text,
        box=fragment.box,
        size=run.size,
        font=run.font,
        bold=run.bold,
        italic=run.italic,
        mono=run.mono,
        baseline=round(run.baseline),
        spans=marks or (),
        angle=fragment.angle,
    )


def _assemble(runs: list[Run], size: float, base: float) -> tuple[str, Sequence[Mark]]:
    """The line's text, single spaces, and the styles of its parts."""
    pieces: list[str] = []
    marks: list[tuple[int, int, str]] = []
    length = 0
    before: Run | None = None
    for run in runs:
        piece = " ".join(run.text.split(" "))
        if before is not None and _needs_space(before, run, pieces):
            pieces.append(" ")
            length += 1
        at_space = not pieces or pieces[-1].endswith(" ")
        piece = _single_spaced(piece, at_space)
        if piece:
            marks.extend((length, length + len(piece), style) for style in _styles(run, size, base))
            pieces.append(piece)
            length += len(piece)
        before = run
    text = "".join(pieces)
    stripped = text.rstrip()
    return stripped, merged_spans(stripped, marks)


def _single_spaced(text: str, at_space: bool) -> str:
    joined = " ".join(text.split())
    if not joined:
        return "" if at_space or not text else " "
    head = " " if text[0] == " " and not at_space else ""
    tail = " " if text[-1] == " " else ""
    return f"{head}{joined}{tail}"


def _needs_space(before: Run, run: Run, pieces: list[str]) -> bool:
    if not pieces or pieces[-1].endswith(" ") or run.text.startswith(" "):
        return False
    gap = run.box[0] - before.box[2]
    if gap < 0 and abs(run.baseline - before.baseline) > STACKED * max(run.size, before.size):
        return True
    if is_cjk(pieces[-1][-1] + run.text[:1]):
        return gap > 0.6 * run.size
    size = max(run.size, before.size) if abs(run.baseline - before.baseline) > SHIFT * run.size else run.size
    return gap > 0.15 * size


def _styles(run: Run, size: float, base: float) -> list[str]:
    found = [name for name, on in (("bold", run.bold), ("italic", run.italic)) if on]
    if run.size <= SMALL * size and run.text.strip():
        rise = base - run.baseline
        if rise > SHIFT * size:
            found.append("superscript")
        elif rise < -SHIFT * size:
            found.append("subscript")
    return found


def merged_spans(text: str, marks: Sequence[tuple[int, int, str]]) -> Sequence[Mark]:
    """One span for neighbours of one style (spaces between them included); none starts or ends with a space."""
    if not marks:
        return ()
    found: list[Mark] = []
    for style in ("bold", "italic", "superscript", "subscript"):
        start = end = -1
        for left, right, name in [*marks, (len(text) + 2, len(text) + 2, style)]:
            if name != style:
                continue
            if start >= 0 and not text[end:left].strip() and left <= len(text):
                end = right
                continue
            if start >= 0:
                found += _trimmed(text, start, min(end, len(text)), style)
            start, end = left, right
    return sorted(found)


def _trimmed(text: str, start: int, end: int, style: str) -> list[Mark]:
    inner = text[start:end]
    start += len(inner) - len(inner.lstrip())
    end -= len(inner) - len(inner.rstrip())
    return [Mark(start, end, style)] if end > start else []
