"""The pages of a book between reading and understanding: printed lines, tables, figures and frames of each.

In: a `Reading`. Out: one `Sheet` a page; frames are numbered through the book.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ingest import figures, fractions, frames, ruled, tables
from ingest.furniture import Furniture
from ingest.lines import Line, clean_fragments, lines, mark_bullets
from ingest.page import PageContent, Reading, union
from ingest.rules import Rules


@dataclass(slots=True)
class Sheet:
    """One page between reading and writing."""

    content: PageContent
    lines: list[Line]
    tables: list[tables.Table]
    frames: list[frames.Frame]
    labels: list[list[Line]] = field(default_factory=list)
    """The words in each figure."""
    doubled: int = 0
    """Characters that were drawn twice."""
    reason: str = ""
    """Why its text cannot be used; empty: it can."""


def sheets(reading: Reading, rules: Rules) -> list[Sheet]:
    """Lines, tables and frames of all pages; frames are numbered through the book."""
    _mark_bold(reading.pages, rules)
    found: list[Sheet] = []
    count = 0
    usual = _usual_size(reading.pages)
    for page in reading.pages:
        fragments, doubled = clean_fragments(page)
        fragments = fractions.linear(page, fragments)
        cells, rest = tables.tables(page, fragments, rules)
        page.fragments = []
        own = lines(page.index, rest, rules)
        more, own = ruled.tables(page, own, rules.joint)
        cells = [*cells, *more]
        labels, own = figures.labels(page, own, usual, rules)
        mark_bullets(own, page.dots)
        marked = frames.frames(page, count, [table.box for table in cells])
        count += len(marked)
        found.append(Sheet(page, own, cells, frames.settle(marked, own), labels, doubled))
    return found


def _usual_size(pages: Sequence[PageContent]) -> float:
    """Type size of most of the characters."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for fragment in page.fragments:
            for run in fragment.runs:
                sizes[run.size] += len(run.text)
    return max(sizes, key=lambda size: (sizes[size], -size)) if sizes else 10.0


def _mark_bold(pages: Sequence[PageContent], rules: Rules) -> None:
    """Runs in a font whose name says bold are bold, unless most of the book is set in such fonts."""
    sizes: Counter[str] = Counter()
    for page in pages:
        for fragment in page.fragments:
            for run in fragment.runs:
                sizes[run.font] += len(run.text)
    named = {font for font in sizes if rules.bold_fonts.search(font)}
    if 2 * sum(sizes[font] for font in named) > sum(sizes.values()):
        return
    for page in pages:
        for fragment in page.fragments:
            for run in fragment.runs:
                run.bold = run.bold or run.font in named


def join_frames(pages: Sequence[Sheet], apart: Furniture) -> None:
    """A frame that goes on over a page break has one number afterwards."""
    before: list[frames.Frame] = []
    bottom = 0.0
    for sheet in pages:
        body = [line for line in sheet.lines if id(line) not in apart.labels]
        if not body:
            continue
        edges = union([line.box for line in body])
        renamed = frames.continued(before, sheet.frames, bottom, edges[1])
        for frame in sheet.frames:
            frame.number = renamed.get(frame.number, frame.number)
        for line in body:
            line.frame = renamed.get(line.frame, line.frame)
        before, bottom = sheet.frames, edges[3]
