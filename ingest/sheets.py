"""The pages of a book between reading and understanding: printed lines, tables, figures and frames of each.

In: a `Reading` and a first look at it. Out: one `Sheet` a page; frames are numbered through the book.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ingest import aligned, figures, fractions, frames, ruled, tables
from ingest.furniture import Furniture
from ingest.lines import Line, clean_fragments, lines, mark_bullets
from ingest.look import Look
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


def sheets(reading: Reading, look: Look, rules: Rules) -> list[Sheet]:
    """Lines, tables and frames of all pages; frames are numbered through the book.

    Pages are read one by one; what only lines are made of is given up as soon as they are made.
    """
    found: list[Sheet] = []
    count = 0
    usual = look.usual_size
    for page in look.pages(reading.pages):
        look.mark_bold(page, rules)
        made, more = sheet(page, usual, count, rules)
        count += more
        found.append(made)
    return found


def sheet(page: PageContent, usual: float, count: int, rules: Rules) -> tuple[Sheet, int]:
    """The page, its frames numbered from `count`, and how many numbers they took."""
    fragments, doubled = clean_fragments(page)
    fragments = fractions.linear(page, fragments)
    cells, rest = tables.tables(page, fragments, rules)
    own = lines(page.index, rest, rules)
    more, own = ruled.tables(page, own, rules.joint)
    aside, own = aligned.tables(page, own, rules)
    cells = [*cells, *more, *aside]
    labels, own = figures.labels(page, own, usual, rules)
    mark_bullets(own, page.dots)
    marked = frames.frames(page, count, [table.box for table in cells])
    page.fragments, page.rules, page.areas, page.dots, page.shapes = [], [], [], [], []
    return Sheet(page, own, cells, frames.settle(marked, own), labels, doubled), len(marked)


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
