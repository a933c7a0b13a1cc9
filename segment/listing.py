"""Two lists of headings, the outline and the printed contents, and the headings of the body that they list.

In: entries and headings. Out: pairs in the order of both. A printed page number is turned into a physical page by
vote: each entry whose title is found votes for its own offset, and an entry follows the votes near it (an offset
changes after plates and inserted pages).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rapidfuzz import fuzz, process

from kg.document import Document, OutlineItem
from segment.chain import heaviest_chain
from segment.contents import Entry
from segment.headings import Heading
from segment.titles import Title, TitleReader

ALIKE = 88
"""Least similarity in [0, 100] of titles that are taken for one."""
WORTH = 70
"""The same for a closer look."""
SURE = 96
"""The same where only one of them has a number."""
WINDOW = 8
"""Entries before and after one that vote on its page."""
FAR = 2
"""Pages by which a heading may miss the page it is listed on."""


def outline_entries(outline: Sequence[OutlineItem], reader: TitleReader) -> list[Entry]:
    """The outline as entries."""
    titles = [(item, reader.read(item.title)) for item in outline if item.title.strip()]
    return [Entry(title, item.level, page=item.page) for item, title in titles]


def with_pages(entries: Sequence[Entry], headings: Sequence[Heading], document: Document) -> list[Entry]:
    """Entries with the physical page they should be on, where the votes agree on one.

    Roman page numbers are looked up among the pages' own labels.
    """
    labels = {page.label.casefold(): page.index for page in reversed(document.pages) if page.label}
    offsets = _offsets(entries, headings)
    paged = []
    for at, entry in enumerate(entries):
        printed = entry.printed_page.casefold()
        page = None
        if printed.isdigit() and at in offsets:
            page = int(printed) + offsets[at]
        elif printed and not printed.isdigit():
            page = labels.get(printed)
        inside = page is not None and 0 <= page < len(document.pages)
        paged.append(replace(entry, page=page if inside else None))
    return paged


def _offsets(entries: Sequence[Entry], headings: Sequence[Heading]) -> dict[int, int]:
    """Physical page minus printed page, per entry; an entry without enough votes near it is left out."""
    index = _Index(headings)
    votes: list[tuple[int, int]] = []
    for at, entry in enumerate(entries):
        if entry.printed_page.isdigit():
            found = [j for j, weight in index.like(entry.title) if weight >= 0.9]
            votes += [(at, headings[j].page - int(entry.printed_page)) for j in found[:20]]
    total = Counter(offset for _, offset in votes)
    need = min(3, sum(entry.printed_page.isdigit() for entry in entries))
    overall = _winner(total, need)
    offsets = {}
    for at in range(len(entries)):
        near = Counter(offset for voter, offset in votes if abs(voter - at) <= WINDOW)
        offset = _winner(near, need)
        offset = overall if offset is None else offset
        if offset is not None:
            offsets[at] = offset
    return offsets


def _winner(votes: Counter[int], need: int) -> int | None:
    if not votes:
        return None
    offset, count = min(votes.items(), key=lambda item: (-item[1], abs(item[0])))
    return offset if count >= max(1, need) else None


def matched(entries: Sequence[Entry], headings: Sequence[Heading]) -> dict[int, int]:
    """Index of an entry -> index of the heading it lists; both in order, none twice.

    A page is believed only if most entries with one find their heading there.
    """
    index = _Index(headings)
    alike = [(i, j, weight) for i, entry in enumerate(entries) for j, weight in index.like(entry.title)]
    believed = _pages_hold(entries, headings, alike)
    points = []
    for i, j, weight in alike:
        total = _weight(entries[i], headings[j], weight, believed)
        if total > 0:
            points.append((i, j, total))
    return {points[at][0]: points[at][1] for at in heaviest_chain(points)}


def _pages_hold(entries: Sequence[Entry], headings: Sequence[Heading], alike: Sequence[tuple[int, int, float]]) -> bool:
    near: Mapping[int, list[bool]] = defaultdict(list)
    for i, j, weight in alike:
        page = entries[i].page
        if page is not None and weight >= 0.9:
            near[i].append(abs(headings[j].page - page) <= 1)
    return not near or sum(any(hits) for hits in near.values()) >= 0.5 * len(near)


def _weight(entry: Entry, heading: Heading, alike: float, believed: bool) -> float:
    weight = 2 * alike + (0.5 if heading.marked else 0.0) + 0.5 / heading.look
    if entry.page is None or not believed:
        return weight
    off = abs(heading.page - entry.page)
    if off > FAR:
        return 0.0
    return weight + (1.0, 0.4, 0.1)[off]


class _Index:
    """Headings by their letters and numbers."""

    def __init__(self, headings: Sequence[Heading]) -> None:
        self.headings = headings
        self.by: Mapping[str, set[int]] = defaultdict(set)
        for at, heading in enumerate(headings):
            for form in _forms(heading.title):
                self.by[form].add(at)
        self.plain = {at: heading.title.plain for at, heading in enumerate(headings) if len(heading.title.plain) > 3}

    def like(self, title: Title) -> list[tuple[int, float]]:
        """Headings that may be the one with this title, in order, with their likeness in (0, 1]."""
        hits = {at for form in _forms(title) for at in self.by.get(form, ())}
        if len(title.plain) > 5:
            close = process.extract(title.plain, self.plain, scorer=fuzz.ratio, score_cutoff=WORTH, limit=9)
            hits |= {found[2] for found in close}
        weighed = [(at, likeness(title, self.headings[at].title)) for at in sorted(hits)]
        return [(at, weight) for at, weight in weighed if weight > 0]


def _forms(title: Title) -> list[str]:
    return [form for form in (title.whole, title.plain, f"#{title.number}" if title.number else "") if form]


def likeness(listed: Title, heading: Title) -> float:
    """How surely two titles are one heading's: 0 if their numbers or words for chapter differ, at most 1."""
    if listed.whole == heading.whole:
        return 1.0
    if listed.number and heading.number and listed.number != heading.number:
        return 0.0
    if listed.rank and heading.rank and listed.rank != heading.rank:
        return 0.0
    numbered = bool(listed.number and heading.number)
    if not listed.plain or not heading.plain:
        return 0.7 if numbered and listed.rank == heading.rank else 0.0
    score = fuzz.ratio(listed.plain, heading.plain)
    shorter, longer = sorted((listed.plain, heading.plain), key=len)
    if longer.startswith(shorter) and len(shorter) >= (4 if numbered else 12):
        score = max(score, ALIKE + 2.0)
    if longer.endswith(shorter) and len(shorter) >= max(8, 0.6 * len(longer)):  # `A Units` for `Appendix A Units`
        score = max(score, float(ALIKE))
    needed = 60 if numbered else SURE if listed.number or heading.number else ALIKE
    if score < needed:
        return 0.0
    return (0.95 if numbered else 0.9) * score / 100
