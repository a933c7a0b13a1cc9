"""Chapters and sections that are listed or numbered but whose heading is not in the body.

In: the chosen headings and the lists. Out: the same with a `Part` where each missing one begins: at the first
block of the page it is listed on, or with its own first section. What cannot be placed stays unmatched and is
reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kg.document import Block
from segment.contents import Entry
from segment.headings import UNMARKED, Heading
from segment.skeleton import Listing, Part
from segment.titles import Title
from segment.witnesses import Scheme, Witness, decided

SILENT = ("front_matter", "contents", "introduction")
"""Kinds that need no heading: what they name begins with the book, the contents or the chapter anyway."""


@dataclass(frozen=True)
class Unmatched:
    """A listed heading that is not in the body."""

    entry: Entry
    witness: Witness
    placed: bool
    """It begins with the page it is listed on, or with its first section."""


def with_missing(
    parts: Sequence[Part],
    listings: Sequence[Listing],
    headings: Sequence[Heading],
    body: Sequence[Block],
    scheme: Scheme,
) -> tuple[list[Part], list[Unmatched]]:
    """The parts with those that only a list knows, and the listed headings that were not found."""
    whole = list(parts)
    unmatched: list[Unmatched] = []
    for listing in listings:
        for i, entry in enumerate(listing.entries):
            if i in listing.matches or entry.title.kind in SILENT:
                continue
            part = _placed(listing, i, headings, body, scheme)
            if part.depth > 1 or _known(part, whole):
                continue
            placed = part.at >= 0 and (part.title.kind is None or part.depth < 1)
            if not placed and not (entry.page is not None or entry.printed_page or entry.title.number):
                continue  # a line on the contents pages that lists nothing
            unmatched.append(Unmatched(entry, listing.witness, placed))
            if placed:
                whole = sorted([*whole, part], key=_place)
    return whole, unmatched


def _place(part: Part) -> tuple[int, int]:
    return (part.at, part.depth)


def _known(new: Part, parts: Sequence[Part]) -> bool:
    """A part has its number and depth, or, where one of them has no number, its title."""
    for part in parts:
        if part.title.number and new.title.number:
            if (part.title.key, part.depth) == (new.title.key, new.depth):
                return True
        elif part.title.plain == new.title.plain or part.title.whole == new.title.whole:
            return True
    return False


def _placed(listing: Listing, i: int, headings: Sequence[Heading], body: Sequence[Block], scheme: Scheme) -> Part:
    """The part of an unmatched entry; `at` is -1 if there is no place for it."""
    entry = listing.entries[i]
    votes: dict[Witness, int] = {listing.witness: listing.depths[i]}
    own = scheme.depth(entry.title)
    if own is not None:
        votes["numbering"] = own
    depth = decided(votes)
    before = [headings[j].at for k, j in listing.matches.items() if k < i]
    after = [(headings[j].at, k) for k, j in listing.matches.items() if k > i]
    low, (high, follower) = max(before, default=-1), min(after, default=(len(body), -1))
    at = _first_of_page(body, entry.page)
    leads = follower == i + 1 and listing.depths[follower] > listing.depths[i]
    if at is None or not low < at <= high or (at == high and not leads):
        at = high if leads and depth <= 0 else -1
    return Part(at, at, depth, entry.title, UNMARKED, votes, True)


def _first_of_page(body: Sequence[Block], page: int | None) -> int | None:
    if page is None:
        return None
    return next((at for at, block in enumerate(body) if block.prov[0].page >= page), None)


def with_numbered_chapters(parts: Sequence[Part], scheme: Scheme, name: str) -> tuple[list[Part], list[Part]]:
    """The parts with a chapter wherever a section's number begins with one that no heading or list has.

    `name` is what such a chapter is called, with `{number}`. Nothing is added in books whose section numbers do
    not begin with the chapter's. Second value: the added ones.
    """
    if not _prefixed(parts):
        return list(parts), []
    whole: list[Part] = []
    added: list[Part] = []
    current: int | None = None
    for part in parts:
        if part.depth <= 0:
            current = part.title.key[0] if part.title.key and part.depth == 0 else None
        elif part.depth == 1 and len(part.title.key) == 2 and part.title.rank is None and part.title.key[0] != current:
            current = part.title.key[0]
            title = Title(name.format(number=current), name.format(number=current), str(current))
            chapter = Part(part.at, part.at, 0, title, UNMARKED, {"numbering": 0}, False)
            added.append(chapter)
            whole.append(chapter)
        whole.append(part)
    return whole, added


def _prefixed(parts: Sequence[Part]) -> bool:
    right = wrong = 0
    current: int | None = None
    for part in parts:
        if part.depth == 0 and part.title.key:
            current = part.title.key[0]
        elif part.depth == 1 and len(part.title.key) == 2 and current is not None:
            right, wrong = right + (part.title.key[0] == current), wrong + (part.title.key[0] != current)
    return right >= wrong
