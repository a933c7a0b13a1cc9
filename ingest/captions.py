"""Captions of figures and tables, and the pictures and tables themselves, put in their places among the text.

In: the drafts of a page, its pictures and tables. Out: drafts with captions labelled and pictures and tables inserted.
A sentence that begins with `Figure 1.2 shows` is no caption: a caption's label is set apart by its type, or the caption
stands next to a picture or table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ingest.drafts import Draft
from ingest.page import union, x_overlap, y_overlap
from ingest.rules import Rules
from ingest.tables import Table
from kg.document import Box
from kg.text import is_cjk

NEAR = 30.0
"""Points between a caption and what it describes at most."""
LONG = 40
"""A Chinese caption without a type of its own has at most this many characters."""
LEAST = 24.0
"""A picture is at least this many points wide and high; smaller ones are ornaments and bullets."""


def label_captions(drafts: Sequence[Draft], things: Sequence[Box], rules: Rules, body: float) -> None:
    """Captions are labelled `caption` and carry their number afterwards."""
    for draft in drafts:
        if draft.label not in ("text", "list_item") or not draft.lines:
            continue
        match = rules.caption.match(draft.text)
        if match is None:
            continue
        rest = draft.text[match.end() :].lstrip(" .:：—–-|")
        sentence = rest[:1].islower() or (is_cjk(rest[:1]) and len(rest) > LONG)
        set_apart = _label_is_set_apart(draft, match.end()) or draft.size < 0.95 * body
        if set_apart or (not sentence and any(_is_near(draft.place, thing) for thing in things)):
            draft.label = "caption"
            draft.number = match.group("number")


def _label_is_set_apart(draft: Draft, end: int) -> bool:
    first = draft.lines[0]
    marked = [span for span in first.spans if span.style in ("bold", "italic") and span.start == 0]
    return any(span.end >= end - 1 and span.end < len(draft.text) for span in marked) or (
        draft.bold and len(draft.text) < 120
    )


def _is_near(place: Box, thing: Box) -> bool:
    gap = -y_overlap(place, thing)
    return x_overlap(place, thing) > 0 and gap < NEAR


def _columns(drafts: Sequence[Draft]) -> dict[int, Box]:
    """What each column's text covers."""
    found: dict[int, list[Box]] = {}
    for draft in drafts:
        if draft.lines:
            found.setdefault(draft.column, []).append(draft.place)
    return {column: union(boxes) for column, boxes in found.items()}


def with_things(drafts: list[Draft], pictures: Sequence[Box], tables: Sequence[Table], page: int) -> list[Draft]:
    """The drafts with pictures and tables before the first text that stands below them in their column."""
    things = [Draft("picture", [], page, box) for box in _distinct(pictures)]
    things += [Draft("table", [], page, table.box, table=table) for table in tables]
    columns = _columns(drafts)
    for thing in sorted(things, key=lambda one: (one.place[1], one.place[0])):
        at = _place(drafts, thing.place, columns)
        drafts.insert(at, thing)
    return drafts


def _distinct(pictures: Sequence[Box]) -> list[Box]:
    kept: list[Box] = []
    for box in sorted(set(pictures), key=lambda one: (one[1], one[0], one[2], one[3])):
        if min(box[2] - box[0], box[3] - box[1]) < LEAST:
            continue
        if any(y_overlap(box, other) > 0 and x_overlap(box, other) > 0 and _contains(other, box) for other in kept):
            continue
        kept.append(box)
    return kept


def _contains(outer: Box, box: Box) -> bool:
    return outer[0] <= box[0] and outer[1] <= box[1] and outer[2] >= box[2] and outer[3] >= box[3]


def _place(drafts: Sequence[Draft], box: Box, columns: Mapping[int, Box]) -> int:
    """Before the first draft below; else after the last one beside or above in the same column; else at the end."""
    last = len(drafts)
    for at, draft in enumerate(drafts):
        if x_overlap(columns.get(draft.column, draft.place) if draft.lines else draft.place, box) <= 0:
            continue
        if draft.place[1] >= box[3] - 4 or (draft.place[1] + draft.place[3]) / 2 > (box[1] + box[3]) / 2:
            return at
        last = at + 1
    return last
