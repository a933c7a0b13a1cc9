"""From parts to cuts: where rows begin, of which kind, and under which chapter.

In: parts in order. Out: `Cut`s in order. Chapters are the numbered parts of depth 0 (or all ordinary ones where
none is numbered); what is above them goes into the path of what follows; unnumbered ordinary parts of their depth
are front matter before the first chapter, back matter after the last, chapters between. Answers, glossary, index
and appendices after the last chapter belong to the book, unless earlier chapters have their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from kg.section import Kind
from segment.skeleton import Part
from segment.titles import BOOK_KINDS, END_KINDS


@dataclass(frozen=True)
class Cut:
    """A row begins here."""

    part: Part
    role: str
    """`above`, `chapter`, `section`, or `matter` (a row outside chapters)."""
    kind: Kind | None
    """Of the row; none for a chapter's opening, whose kind depends on what follows."""


def cuts_of(parts: Sequence[Part]) -> list[Cut]:
    """The cuts, in order; parts inside sections make none."""
    judge = _Judge(parts)
    cuts: list[Cut] = []
    state = "front"
    outer = 1
    for index, part in enumerate(parts):
        cut = judge.cut(index, state) if part.depth <= 1 else None
        if cut is None or (state == "back" and cut.role == "matter" and part.depth > outer):
            continue
        cuts.append(cut)
        if cut.role == "matter":
            state, outer = "front" if state == "front" else "back", part.depth
        elif cut.role != "section":
            state = cut.role
    return cuts


class _Judge:
    """Knows the whole book, so that one part can be judged by its place in it."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = parts
        numbered = [at for at, part in enumerate(parts) if part.depth == 0 and _is_numbered(part)]
        ordinary = [at for at, part in enumerate(parts) if part.depth == 0 and part.title.kind is None]
        self.numbered = bool(numbered)
        chapters = numbered or ordinary
        self.first, self.last = (chapters[0], chapters[-1]) if chapters else (len(parts), -1)
        self.titles = Counter(part.title.plain for part in parts)

    def cut(self, index: int, state: str) -> Cut | None:
        part = self.parts[index]
        kind = part.title.kind
        if _is_numbered(part):
            return self._numbered(part, state)
        if kind is None:
            return self._ordinary(index, state)
        if kind in END_KINDS:
            return self._end_matter(index, state)
        return self._opening(index, state)

    def _numbered(self, part: Part, state: str) -> Cut | None:
        if part.depth < 0:
            return Cut(part, "above", "introduction")
        if part.depth == 0:
            return Cut(part, "chapter", None)
        if state != "chapter":
            return None
        kind = part.title.kind
        return Cut(part, "section", kind if kind in END_KINDS - BOOK_KINDS else "section")

    def _ordinary(self, index: int, state: str) -> Cut | None:
        part = self.parts[index]
        if part.depth == 1:
            if state == "front":
                return Cut(part, "matter", "front_matter")
            return Cut(part, "section", "section") if state == "chapter" else None
        if part.depth < 0 and self._leads(index):
            return Cut(part, "above", "introduction")
        if index < self.first:
            return Cut(part, "matter", "front_matter")
        if index > self.last:
            return Cut(part, "matter", "back_matter")
        return Cut(part, "chapter", None) if part.depth == 0 else Cut(part, "above", "introduction")

    def _leads(self, index: int) -> bool:
        """A chapter follows before the next part of this depth or above."""
        following = self.parts[index + 1 :]
        nearest = next((p for p in following if p.depth <= 0), None)
        return nearest is not None and nearest.depth == 0 and nearest.title.kind is None

    def _end_matter(self, index: int, state: str) -> Cut | None:
        part, kind = self.parts[index], self.parts[index].title.kind
        recurs = self.titles[part.title.plain] > 1
        inside = state == "chapter" and (index < self.last or recurs or not self._of_book(part))
        if inside:
            return Cut(part, "section", kind)
        return Cut(part, "matter", kind) if part.depth <= 0 or state != "above" else None

    def _of_book(self, part: Part) -> bool:
        if part.depth <= 0:
            return True
        return part.title.kind in BOOK_KINDS and part.votes.get("outline") != 1

    def _opening(self, index: int, state: str) -> Cut | None:
        part, kind = self.parts[index], self.parts[index].title.kind
        if state == "chapter" and part.depth == 1:
            return Cut(part, "section", kind)
        if state == "chapter" and index < self.last and kind == "introduction":
            return Cut(part, "section", kind)
        if part.depth > 0 and state != "front":
            return None
        late = index > self.last and kind == "front_matter"
        return Cut(part, "matter", "back_matter" if late else kind)


def _is_numbered(part: Part) -> bool:
    return (bool(part.title.number) and part.title.rank != "item") or "numbering" in part.votes
