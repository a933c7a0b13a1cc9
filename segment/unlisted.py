"""Headings that no list names and no number orders: end matter, sections of unnumbered chapters, chapters by look.

In: the headings and what was chosen so far. Out: further `Part`s, witnessed by style alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kg.document import Block
from segment.headings import Heading
from segment.skeleton import Part
from segment.titles import BOOK_KINDS, END_KINDS


def chapters_by_look(headings: Sequence[Heading]) -> list[Part]:
    """The headings of the most prominent look that more than one has; none if no heading is marked.

    A single heading above all others is the book's title.
    """
    marked = [heading for heading in headings if heading.marked]
    looks = Counter(heading.look for heading in marked if heading.title.kind is None)
    shared = [look for look, count in looks.items() if count > 1]
    if not shared:
        return [_part(heading, 0) for heading in marked if heading.title.kind is None]
    return [_part(heading, 0) for heading in marked if heading.look <= min(shared) and _counts(heading, marked, shared)]


def _counts(heading: Heading, marked: Sequence[Heading], shared: Sequence[int]) -> bool:
    return heading.look >= min(shared) or heading is not marked[0] or heading.title.kind is not None


def _part(heading: Heading, depth: int) -> Part:
    return Part(heading.at, heading.end, depth, heading.title, heading.look, {"style": depth}, False)


def usual_look(parts: Sequence[Part], depth: int) -> int | None:
    """The look most printed headings of a depth have; none if there are none."""
    looks = Counter(part.look for part in parts if part.depth == depth and part.end > part.at and not part.title.kind)
    return min(looks, key=lambda look: (-looks[look], look)) if looks else None


def end_matter(headings: Sequence[Heading], parts: Sequence[Part], body: Sequence[Block]) -> list[Part]:
    """Headings of a stated kind that no list names, with the depth of their look.

    One that looks like a section or more stands for itself, unless chapters look like sections: then looks say
    nothing. One that looks less than a section does so only if headings of its title mostly come after the last
    section of their chapter, in more chapters than one; and never below end matter that looks more. Where a list
    names end matter of its kind in the same chapter, and after the answers or the index have begun, it is part of
    that. A glossary, index or answers that occur once and open a page after the last section close the book.
    """
    judge = _EndMatter(headings, parts, body)
    found: list[Part] = []
    for start, end in _spans(parts):
        own = [part for part in parts if start <= part.at < end]
        taken = {part.at for part in own}
        inside = [heading for heading in headings if start <= heading.at < end and heading.at not in taken]
        for heading in inside:
            if _speaks(heading) and judge.stands(heading, own):
                part = _part(heading, judge.depth(heading))
                own.append(part)
                found.append(part)
    return found


class _EndMatter:
    """Knows the book's looks and where its end matter stands."""

    def __init__(self, headings: Sequence[Heading], parts: Sequence[Part], body: Sequence[Block]) -> None:
        self.chapter_look, self.section_look = usual_look(parts, 0), usual_look(parts, 1)
        self.telling = self.chapter_look != self.section_look
        late: Counter[str] = Counter()
        spread: Counter[str] = Counter()
        for start, end in _spans(parts):
            last = _last_section([part for part in parts if start <= part.at < end])
            inside = [heading for heading in headings if start <= heading.at < end and _speaks(heading)]
            late.update({heading.title.plain: 0 for heading in inside})
            for heading in inside:
                late[heading.title.plain] += 1 if heading.at > last else -1
            spread.update({heading.title.plain for heading in inside})
        pages = [block.prov[0].page for block in body]
        wordings = Counter(heading.title.plain for heading in headings)
        final = _last_section(parts)
        self.closing = {
            heading.at
            for heading in headings
            if heading.title.kind in BOOK_KINDS and wordings[heading.title.plain] == 1 and heading.at > final
            if heading.marked and (heading.at == 0 or pages[heading.at - 1] < pages[heading.at])
        }
        few = sum(part.depth == 0 for part in parts) <= 2
        self.late = {title for title, balance in late.items() if balance > 0 and (few or spread[title] > 1)}

    def depth(self, heading: Heading) -> int:
        prominent = self.chapter_look is not None and heading.look <= self.chapter_look
        return 0 if prominent or heading.at in self.closing else 1

    def stands(self, heading: Heading, own: Sequence[Part]) -> bool:
        """It opens a row of its own in the span that holds the parts `own`."""
        kind = heading.title.kind
        if heading.at in self.closing and not any(part.listed and part.title.kind == kind for part in own):
            return True
        ends = [part for part in own if part.title.kind in END_KINDS and part.at < heading.at]
        above = max(ends, key=lambda part: part.at, default=None)
        if above is not None and (above.look < heading.look or (_of_book(above) and kind not in BOOK_KINDS)):
            return False
        if any(part.listed and part.title.kind == kind for part in own):
            return False
        alike = self.section_look is None or (self.telling and heading.look <= self.section_look)
        return alike or (heading.at > _last_section(own) and heading.title.plain in self.late)


def _of_book(part: Part) -> bool:
    return part.depth <= 0 and part.title.kind in BOOK_KINDS


def _last_section(own: Sequence[Part]) -> int:
    """Block of the last ordinary section, or of the first part if there is none."""
    first = min((part.at for part in own), default=0)
    return max((part.at for part in own if part.depth == 1 and part.title.kind is None), default=first)


def _speaks(heading: Heading) -> bool:
    return heading.marked and heading.title.kind not in (None, "introduction", "contents") and not heading.title.number


def _spans(parts: Sequence[Part]) -> list[tuple[int, int]]:
    starts = [part.at for part in parts if part.depth <= 0]
    return list(zip([0, *starts], [*starts, 1 << 60], strict=True))


def sections_by_look(headings: Sequence[Heading], parts: Sequence[Part]) -> list[Part]:
    """Sections of the chapters that have none yet: their unnumbered headings of the most prominent look.

    Where the sections of other chapters have that look too, only headings of that look or more count.
    """
    usual = usual_look(parts, 1)
    found: list[Part] = []
    chapters = [at for at, part in enumerate(parts) if part.depth == 0 and not part.title.kind]
    for index in chapters:
        chapter = parts[index]
        own = _until_next(parts, index)
        if any(part.depth == 1 and part.title.kind in (None, "introduction") and part.listed for part in own):
            continue
        if any(part.depth == 1 and part.title.kind is None for part in own):
            continue
        end = min((part.at for part in parts[index + 1 :] if part.depth <= 0), default=1 << 60)
        open_ = [h for h in headings if chapter.end <= h.at < end and h.marked and _may_be_section(h, chapter)]
        looks = {heading.look for heading in open_}
        if looks:
            look = usual if usual in looks else min(looks)
            found += [_part(heading, 1) for heading in open_ if heading.look <= look]
    return found


def _until_next(parts: Sequence[Part], index: int) -> list[Part]:
    own = []
    for part in parts[index + 1 :]:
        if part.depth <= 0:
            break
        own.append(part)
    return own


def _may_be_section(heading: Heading, chapter: Part) -> bool:
    title = heading.title
    below = heading.look > chapter.look and title.plain != chapter.title.plain
    return below and title.kind is None and len(title.key) < 2
