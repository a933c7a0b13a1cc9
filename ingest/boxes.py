"""Boxes and notes: what stands in a frame, or under a title that names a box, belongs to that title.

In: the drafts of a book, headings labelled. Out: titles of boxes with the flag `box`, what is inside with its parent.
A heading inside a box (`Solution`) has the flag `box` as well, and its box as parent, so that no box divides the book.
A frame with a numbered or bookmarked heading in it is a page design, no box.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ingest.drafts import Draft
from ingest.rules import Rules

AMONG = 3
"""The title is one of the first drafts in the frame."""


def assign(drafts: Sequence[Draft], outer: Mapping[int, int], rules: Rules) -> None:
    """Titles are flagged and parents set afterwards.

    `outer`: the frame around each frame that stands in another, by number.
    """
    framed: dict[int, list[Draft]] = {}
    for one in drafts:
        if one.frame >= 0:
            framed.setdefault(one.frame, []).append(one)
    inside: set[int] = set()
    titles: dict[int, Draft] = {}
    for number in sorted(framed):
        title, members = _framed(framed[number], rules)
        inside |= members
        if title is not None:
            titles[number] = title
    for number, title in titles.items():
        around = titles.get(outer.get(number, -1))
        if around is not None and around is not title:
            title.parent = around
    _labelled(drafts, inside, rules)


def _framed(own: Sequence[Draft], rules: Rules) -> tuple[Draft | None, set[int]]:
    """The title of a frame and the `id()`s of what it holds; neither if the frame is no box."""
    if any("main" in one.flags for one in own if one.label == "section_header"):
        return None, set()
    title = next((one for one in own[:AMONG] if _can_title(one, rules)), None)
    first = own[0]
    if title is None and first.label == "text" and first.bold and len(first.lines) <= 2 and len(own) > 1:
        title = first
    if title is None:
        return None, {id(one) for one in own}
    _put_under(title, [one for one in own if one is not title])
    return title, {id(one) for one in own}


def _can_title(one: Draft, rules: Rules) -> bool:
    if one.label == "section_header":
        return True
    return one.label in ("text", "caption") and len(one.lines) == 1 and rules.is_box_label(one.text)


def _put_under(title: Draft, others: Sequence[Draft]) -> None:
    title.label = "section_header"
    title.number = None
    title.mark("box")
    for one in others:
        one.parent = title
        if one.label == "section_header":
            one.mark("box")


def _labelled(drafts: Sequence[Draft], inside: set[int], rules: Rules) -> None:
    """Boxes without a frame: from a title that names one to the next heading that is not a part of it."""
    title: Draft | None = None
    for one in drafts:
        if id(one) in inside:
            title = None
        elif one.label == "section_header" and title is not None and rules.is_box_part(one.text):
            _put_under(title, [one])
        elif one.label == "section_header":
            label = one.lines[0].text if "label" in one.flags else one.text
            title = one if rules.is_box_label(label) and "main" not in one.flags else None
            if title is not None:
                _put_under(title, [])
        elif title is not None:
            one.parent = title
