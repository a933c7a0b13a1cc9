"""Lines gathered into paragraphs, list items, formulas and single lines that may be headings.

In: the lines of one page in reading order. Out: `Draft`s with the labels text, list_item, formula and code.
A line goes on in the paragraph before it unless something says otherwise: another type, a wider gap, a list marker, an
indent, or a line before it that ended although the next word would have fitted.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ingest import formulas
from ingest.drafts import Draft, draft
from ingest.lines import Line
from ingest.page import x_overlap
from ingest.rules import Rules
from kg.text import is_cjk

SIZES = 0.08
"""Lines whose type sizes differ by more than this share are not of one paragraph."""
LOOSE = 1.28
"""A gap between baselines wider than this many times the usual one starts a paragraph."""
INDENT = 0.9
"""Ems by which a first line is set in at least."""
ENDED = re.compile(r"[.!?:;。！？：；…][\"'”’」』)\]）】]*$")
BULLETS = "•◦▪■□●○◆◇▶►▸➢➤✓✔❖∙⁃‣–—*·"
INDEX_ENTRY = re.compile(r",\s\d{1,4}(?:[-–]\d{1,4})?(?:,\s\d{1,4}(?:[-–]\d{1,4})?)*$")
"""`friction, 11, 24–26`."""
FAR = 0.3
"""A line that ends this part of its column's width early ended its paragraph."""
LEAST_HEMMED = 3
"""Lines at one margin that are needed to say where they end."""
STOPPED = re.compile(r"[.!?。！？…:：][\"'”’」』)\]）】]*$")


class Paragraphs:
    """Gathers the lines of one page."""

    def __init__(self, lines: Sequence[Line], rules: Rules, inner: Mapping[int, float]) -> None:
        """`inner`: the right inner edge of each frame, by its number."""
        self.rules = rules
        self.lines = lines
        self.leading = _leading(lines)
        self.rights = _right_edges(lines)
        self.lefts = _left_edges(lines)
        for key, right in self.rights.items():
            self.rights[key] = max(right, inner.get(key[0], right))
        self.hemmed = _hemmed(lines)
        self.by_left: dict[int, list[Line]] = {}
        for line in lines:
            for cell in {round((line.box[0] - 2) / 4), round((line.box[0] + 2) / 4)}:
                self.by_left.setdefault(cell, []).append(line)

    def drafts(self) -> list[Draft]:
        """All lines, in order, each in exactly one draft."""
        found: list[Draft] = []
        for line in self.lines:
            if found and self._goes_on(found[-1], line):
                found[-1].lines.append(line)
            else:
                found.append(self._new(line))
        return [self._finished(one) for one in _with_pieces(found)]

    def _new(self, line: Line) -> Draft:
        if line.angle:
            one = draft("text", [line])
            one.mark("rotated")
        elif self._is_formula(line):
            one = draft("formula", [line])
        elif line.mono:
            one = draft("code", [line])
        elif marker := self.marker(line):
            one = draft("list_item", [line])
            one.number = None if marker in BULLETS else marker
        else:
            one = draft("text", [line])
        return one

    def _finished(self, one: Draft) -> Draft:
        fresh = draft(one.label, one.lines)
        fresh.number, fresh.flags = one.number, one.flags
        if one.label == "formula":
            right = self.rights.get((one.frame, one.column), 0.0)
            fresh.number = formulas.right_number(one.lines, right) or formulas.number_of(fresh.text)
        if one.label == "code":
            fresh.breaks = "\n"
        return fresh

    def marker(self, line: Line) -> str | None:
        """The list marker at the start of the line; none if there is none, or if it is a heading's number."""
        match = self.rules.marker.match(line.text)
        if match is None:
            return line.text.strip() if self.rules.marker_alone.match(line.text) else None
        return (match.group(1) or match.group(2)).strip()

    def _is_formula(self, line: Line) -> bool:
        if line.mono or self.rules.marker.match(line.text):
            return False
        if not formulas.is_mathematics(line):
            return formulas.is_worded(line) and self._is_displayed(line, 3.0)
        if formulas.number_of(line.text) is not None:
            return True
        return self._is_displayed(line, 1.0)

    def _is_displayed(self, line: Line, ems: float) -> bool:
        """True if the line is set in by more than `ems` and not because the text around it is."""
        left = self.lefts.get((line.frame, line.column), line.box[0])
        return line.box[0] > left + ems * line.size and not self._in_text_block(line)

    def _in_text_block(self, line: Line) -> bool:
        """True if the line starts where a line of words next to it starts: a formula in a list item's last lines."""
        return any(
            abs(other.box[0] - line.box[0]) < 2
            and 0 < abs(other.baseline - line.baseline) < 1.6 * line.size
            and other is not line
            and not formulas.is_piece(other)
            for other in self.by_left.get(round(line.box[0] / 4), [])
        )

    def _goes_on(self, one: Draft, line: Line) -> bool:
        last = one.lines[-1]
        if line.angle or last.angle or line.frame != last.frame:
            return False
        if one.label == "formula":
            return self._in_formula(one, line)
        if one.label == "text" and line.beside and last.beside and formulas.is_piece(last) and self._is_formula(line):
            return False
        if line.mono != last.mono or (self._is_formula(line) and not self._hangs_in(one, line)):
            return False
        if x_overlap(last.box, line.box) <= 0 or not self._near(one, line):
            return False
        if abs(last.size - line.size) > SIZES * max(last.size, line.size):
            return False
        if line.mono:
            return True
        return self._same_paragraph(one, last, line)

    def _in_formula(self, one: Draft, line: Line) -> bool:
        same = formulas.touches(one.lines, line)
        left = self.lefts.get((line.frame, line.column), line.box[0])
        if same:
            return line.beside or line.box[0] > left + line.size
        return False

    def _near(self, one: Draft, line: Line) -> bool:
        last = one.lines[-1]
        step = line.baseline - last.baseline
        usual = self.leading.get(round(line.size)) or self._unknown_leading(last)
        if len(one.lines) > 1:
            usual = min(max(usual, one.lines[-1].baseline - one.lines[-2].baseline), 2.2 * line.size)
        return 0.5 * line.size < step <= LOOSE * usual

    def _unknown_leading(self, last: Line) -> float:
        """The distance of baselines where too few lines tell: wide below a full line whose sentence goes on."""
        full = last.box[2] > self._right(last) - last.size and not STOPPED.search(last.text)
        return (1.6 if full else 1.25) * last.size

    def _same_paragraph(self, one: Draft, last: Line, line: Line) -> bool:
        if last.bold != line.bold and self._turns(last, line):
            return False
        if last.bold and line.bold and last.style[2] != line.style[2]:
            return False
        if self._is_next_entry(one, last, line):
            return False
        if self.marker(line) is not None and not self._mid_sentence(one, last, line):
            return False
        if one.label == "list_item":
            return self._in_item(one, last, line)
        first, indent = one.lines[0], line.box[0] - last.box[0]
        if indent > INDENT * line.size and not self._is_centred(last, line):
            return len(one.lines) == 1 and self._hangs(line) and not ENDED.search(last.text)
        if len(one.lines) > 1 and indent < -3 * INDENT * line.size and first is not last:
            return self._is_centred(last, line)
        return not self._starts_anew(last, line)

    def _turns(self, last: Line, line: Line) -> bool:
        """True if the change from or to bold type is that of a heading, not of words inside a paragraph."""
        if self._ended_early(last, line):
            return True
        if line.bold and STOPPED.search(line.text) and not STOPPED.search(last.text):
            return False  # the last words of its sentence
        if last.style[2] != line.style[2]:
            return True
        return line.bold and line.text[:1].isupper() and not STOPPED.search(line.text)

    def _is_next_entry(self, one: Draft, last: Line, line: Line) -> bool:
        """True if the line starts the next entry of a glossary, an index or a list of sections."""
        first = one.lines[0]
        if abs(line.box[0] - first.box[0]) >= 0.5 * line.size:
            return False
        if len(one.lines) > 1 and one.lines[1].box[0] - first.box[0] > 0.5 * line.size:
            return True
        early = self._ended_early(last, line)
        if _starts_bold(first) and _starts_bold(line) and (early or self._hang_under(line)):
            return True
        if STOPPED.search(last.text) and _runs_in(line):
            return True
        if INDEX_ENTRY.search(last.text) and INDEX_ENTRY.search(line.text):
            return True
        return early and all(self.rules.number_of(text) is not None for text in (first.text, line.text))

    def _hang_under(self, line: Line) -> bool:
        """True if lines of this column start an indent further right than `line`: entries hang there."""
        ems = [(other.box[0] - line.box[0]) / line.size for other in self.lines if other.column == line.column]
        return sum(0.5 < indent < 3 for indent in ems) >= 3

    def _in_item(self, one: Draft, last: Line, line: Line) -> bool:
        """True if the line goes on in the list item: under its words, or at its margin after a full line."""
        if STOPPED.search(last.text) and self._ended_early(last, line):
            return False
        if line.box[0] > self._words_start(one) - 0.8 * line.size:
            return True
        return not self._ended_early(last, line) and not STOPPED.search(last.text)

    def _words_start(self, one: Draft) -> float:
        """Where the words of a list item start, after its marker."""
        first = one.lines[0]
        if len(one.lines) > 1:
            return one.lines[1].box[0]
        match = self.rules.marker.match(first.text)
        return first.box[0] + (first.box[2] - first.box[0]) * (match.end() if match else 0) / max(len(first.text), 1)

    def _hangs_in(self, one: Draft, line: Line) -> bool:
        """True if the line starts where the words of the list item start."""
        return one.label == "list_item" and abs(line.box[0] - self._words_start(one)) < 0.8 * line.size

    def _mid_sentence(self, one: Draft, last: Line, line: Line) -> bool:
        """A number or letter at the start of a line that is part of a sentence, as in `about\n5. Then`."""
        if ENDED.search(last.text) or self._ended_early(last, line):
            return False
        if one.label == "list_item":
            return line.box[0] > one.lines[0].box[0] + 0.5 * line.size
        return abs(line.box[0] - last.box[0]) < 3 * line.size and line.text[:1] not in BULLETS

    def _is_centred(self, last: Line, line: Line) -> bool:
        middle = (last.box[0] + last.box[2]) / 2 - (line.box[0] + line.box[2]) / 2
        return abs(middle) < 2.5

    def _hangs(self, line: Line) -> bool:
        """Most lines of this column start further left or here: a hanging indent, as in a glossary."""
        return sum(abs(other.box[0] - line.box[0]) < 2 for other in self.lines) > 3

    def _ended_early(self, last: Line, line: Line, spare: float = 0.0) -> bool:
        """True if the first word of `line` would have fitted on the line before it, with `spare` points to spare."""
        right = max(self._right(last), last.box[2])
        words = line.text.split(" ", 1)[0] if not is_cjk(line.text[:1]) else line.text[:2]
        width = (line.box[2] - line.box[0]) * (len(words) + 1) / max(len(line.text), 1)
        return last.box[2] + width < right - 0.3 * last.size - spare

    def _right(self, line: Line) -> float:
        """Where the lines around this one end at the right: at their column's edge, or before what stands beside."""
        edge = self.rights.get((line.frame, line.column), line.box[2])
        return min(edge, self.hemmed.get(id(line), edge))

    def _starts_anew(self, last: Line, line: Line) -> bool:
        """True if a sentence ended, or a capital starts, on a line that had room left for its first word."""
        if STOPPED.search(last.text):
            return self._ended_early(last, line)
        width = self._right(last) - self.lefts.get((last.frame, last.column), last.box[0])
        if self._ended_early(last, line, max(FAR * width, 6 * last.size)) and not self._is_centred(last, line):
            return True
        capital = line.text[:1].isupper() or is_cjk(line.text[:1])
        return capital and not last.text.endswith(",") and self._ended_early(last, line, 6 * last.size)


def _with_pieces(found: Sequence[Draft]) -> list[Draft]:
    """Formulas with their numerators and denominators, which the file may hold before or after them."""
    kept: list[Draft] = []
    for one in found:
        if kept and _one_formula(kept[-1], one):
            kept[-1].lines.extend(one.lines)
            kept[-1].label, kept[-1].number = "formula", None
        else:
            kept.append(one)
    return kept


def _one_formula(before: Draft, one: Draft) -> bool:
    if "formula" not in (before.label, one.label) or before.frame != one.frame:
        return False
    if before.label not in ("formula", "text") or one.label not in ("formula", "text"):
        return False
    if not all(formulas.is_piece(line) or formulas.is_mathematics(line) for line in [*before.lines, *one.lines]):
        return False
    return formulas.touches(before.lines, one.lines[0])


def _leading(lines: Sequence[Line]) -> dict[int, float]:
    """The most frequent distance of two baselines for each type size, to half a point."""
    counts: dict[int, Counter[float]] = {}
    for last, line in itertools.pairwise(lines):
        step = line.baseline - last.baseline
        if last.column == line.column and 0.8 * line.size < step < 2.2 * line.size:
            counts.setdefault(round(line.size), Counter())[round(step * 2) / 2] += 1
    return {
        size: max(own, key=lambda step: (own[step], -step)) for size, own in counts.items() if sum(own.values()) >= 3
    }


def _right_edges(lines: Sequence[Line]) -> dict[tuple[int, int], float]:
    edges: dict[tuple[int, int], float] = {}
    for line in lines:
        key = (line.frame, line.column)
        edges[key] = max(edges.get(key, 0.0), line.box[2])
    return edges


def _hemmed(lines: Sequence[Line]) -> dict[int, float]:
    """Of lines under each other that mostly have text beside them: how far right the farthest of them reaches.

    So it is with columns that fill only a part of a page, which nobody saw as columns. Keys are the lines' `id()`.
    """
    level = sorted(lines, key=lambda line: line.baseline)
    baselines = [line.baseline for line in level]

    def has_beside(line: Line) -> bool:
        reach = 0.8 * line.size
        near = level[bisect_left(baselines, line.baseline - reach) : bisect_right(baselines, line.baseline + reach)]
        return any(other.box[0] > line.box[2] and other.column == line.column for other in near)

    found: dict[int, float] = {}
    for run in _runs(lines):
        if len(run) >= LEAST_HEMMED and 3 * sum(map(has_beside, run)) >= 2 * len(run):
            right = max(line.box[2] for line in run)
            found |= {id(line): right for line in run}
    return found


def _runs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Lines in a row that follow each other down the page, not far apart."""
    run: list[Line] = []
    for line in lines:
        if run and not 0 < line.baseline - run[-1].baseline < 2.2 * line.size:
            yield run
            run = []
        run.append(line)
    if run:
        yield run


def _left_edges(lines: Sequence[Line]) -> dict[tuple[int, int], float]:
    edges: dict[tuple[int, int], float] = {}
    for line in lines:
        key = (line.frame, line.column)
        edges[key] = min(edges.get(key, 1e9), line.box[0])
    return edges


def _starts_bold(line: Line) -> bool:
    """True if the line starts with bold words and goes on in another type."""
    return not line.bold and any(span.start == 0 and span.style == "bold" for span in line.spans)


def _runs_in(line: Line) -> bool:
    """True if the line starts with a bold label and its colon or full stop: `Solution.`"""
    if not _starts_bold(line):
        return False
    end = max(span.end for span in line.spans if span.start == 0 and span.style == "bold")
    return bool(re.match(r"[.:：]", line.text[end:].lstrip())) or line.text[end - 1] in ".:："
