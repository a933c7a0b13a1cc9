"""One page laid out: its lines in reading order, gathered into drafts, with tables and figures in their places.

In: a `Sheet` and which of its lines are furniture. Out: drafts.
"""

from __future__ import annotations

from collections.abc import Sequence

from ingest import captions, columns, contents, figures, frames
from ingest.drafts import Draft, draft
from ingest.furniture import Furniture
from ingest.lines import Line
from ingest.page import inside
from ingest.paragraphs import Paragraphs
from ingest.rules import Rules
from ingest.sheets import Sheet


def page_drafts(sheet: Sheet, apart: Furniture, rules: Rules, after_contents: bool) -> tuple[list[Draft], bool]:
    """The drafts of a page in reading order, furniture first and last, and whether it is a contents page."""
    heads = [draft("page_header", [line]) for line in sheet.lines if apart.labels.get(id(line)) == "page_header"]
    feet = [draft("page_footer", [line]) for line in sheet.lines if apart.labels.get(id(line)) == "page_footer"]
    body = [line for line in sheet.lines if id(line) not in apart.labels]
    inner = _inner_edges(sheet.frames, body)
    columns.columns(body)
    listed = contents.is_contents(body, rules, after_contents)
    if listed:
        found: list[Draft] = []
        waiting: list[Line] = []
        for one in contents.entries(body, rules):
            if isinstance(one, Draft):
                found += [*_gathered(waiting, rules, inner), one]
                waiting = []
            else:
                waiting.append(one)
        found += _gathered(waiting, rules, inner)
    else:
        found = _gathered(columns.reading_order(body), rules, inner)
    captions.with_things(found, sheet.content.pictures, sheet.tables, sheet.content.index)
    figures.insert(found, sheet.labels)
    _settle_tables(found, sheet)
    return [*heads, *found, *feet], listed


def _gathered(own: Sequence[Line], rules: Rules, inner: dict[int, float]) -> list[Draft]:
    return Paragraphs(own, rules, inner).drafts() if own else []


def _inner_edges(own: Sequence[frames.Frame], body: Sequence[Line]) -> dict[int, float]:
    """Right edge of each frame's text: as far from the frame as its left one."""
    edges: dict[int, float] = {}
    for frame in own:
        lefts = [line.box[0] for line in body if line.frame == frame.number]
        if lefts:
            edges[frame.number] = frame.box[2] - (min(lefts) - frame.box[0])
    return edges


def _settle_tables(found: Sequence[Draft], sheet: Sheet) -> None:
    """Tables and pictures know the frame they stand in."""
    for one in found:
        if not one.lines:
            holding = [frame.number for frame in sheet.frames if inside(one.place, frame.box, 3.0)]
            one.frame = holding[-1] if holding else -1
