"""One document divided: all witnesses heard, rows made, and what was odd about it reported.

In: a `Document`, the title reader of its language, the ids' prefix. Out: `SectionRow`s and `Finding`s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kg.document import Block, Document
from kg.graph import Finding
from kg.section import SectionRow
from segment import report
from segment.contents import Entry, entries_of, region_of
from segment.cuts import Cut, cuts_of
from segment.headings import UNMARKED, Heading, headings_of
from segment.listing import matched, outline_entries, with_pages
from segment.missing import Unmatched, with_missing, with_numbered_chapters
from segment.pack import Names
from segment.pieces import pieces_of
from segment.rows import Draft, Place, drafts_of, rows_of
from segment.skeleton import Listing, Part, listing, skeleton
from segment.titles import Title, TitleReader
from segment.unlisted import chapters_by_look, end_matter, sections_by_look
from segment.witnesses import scheme_of


@dataclass(frozen=True)
class Evidence:
    """What the book shows of its structure."""

    body: Sequence[Block]
    contents: range
    """Blocks of the printed contents."""
    headings: Sequence[Heading]
    listings: Sequence[Listing]
    parts: Sequence[Part]
    unmatched: Sequence[Unmatched]
    added: Sequence[Part]
    """Chapters that only the numbers of their sections show."""


def divided(
    document: Document, reader: TitleReader, place: Place, characters: int
) -> tuple[list[SectionRow], list[Finding]]:
    """Rows over all body blocks, in order, and the findings. No rows only if the body is empty."""
    evidence = evidence_of(document, reader)
    names = reader.rules.names
    cuts = cuts_of(evidence.parts)
    if any(cut.role == "chapter" for cut in cuts):
        cuts = _with_contents(cuts, evidence.contents, names)
        drafts = drafts_of(cuts, len(evidence.body), names)
    else:
        drafts = _unheaded(document, evidence, names, characters)
    rows = rows_of(drafts, evidence.body, place)
    return rows, report.findings(document.book, evidence, rows)


def evidence_of(document: Document, reader: TitleReader) -> Evidence:
    """The headings, what the lists say about them, and the parts they make."""
    body = document.body()
    contents = region_of(body, reader)
    outline = [entry for entry in outline_entries(document.outline, reader) if entry.title.kind != "contents"]
    marked = headings_of(body, reader, contents, frozenset())
    known = frozenset(heading.title.whole for heading in marked)
    printed = entries_of(document, [body[at] for at in contents], reader, known) if contents else []
    letters = frozenset(form for entry in [*outline, *printed] for form in _letters(entry.title))
    headings = headings_of(body, reader, contents, letters)
    printed = with_pages(printed, headings, document)
    listed = [entry.title for entry in [*outline, *printed]]
    scheme = scheme_of(listed, [heading.title for heading in headings if heading.marked])
    listings: list[Listing] = []
    if outline:
        listings.append(listing("outline", outline, matched(outline, headings), scheme))
    if printed:
        listings.append(listing("contents", printed, matched(printed, headings), scheme))
    parts = skeleton(headings, listings, scheme)
    parts, unmatched = with_missing(parts, listings, headings, body, scheme)
    parts, added = with_numbered_chapters(parts, scheme, reader.rules.names.chapter)
    if not any(part.depth == 0 and part.title.kind is None for part in parts):
        parts = _merged(parts, chapters_by_look(headings))
    parts = _merged(parts, sections_by_look(headings, parts))
    parts = _merged(parts, end_matter(headings, parts))
    return Evidence(body, contents, headings, listings, parts, unmatched, added)


def _letters(title: Title) -> list[str]:
    """By what letters a short text is recognised as a listed title."""
    return [title.whole] if not title.number or len(title.plain) < 4 else [title.whole, title.plain]


def _merged(parts: Sequence[Part], more: Sequence[Part]) -> list[Part]:
    taken = {(part.at, part.depth) for part in parts}
    return sorted([*parts, *(p for p in more if (p.at, p.depth) not in taken)], key=lambda p: (p.at, p.depth))


def _with_contents(cuts: Sequence[Cut], contents: range, names: Names) -> list[Cut]:
    """The cuts with a row for the printed contents, and one for what stands between it and the next cut."""
    if not contents:
        return list(cuts)
    kept = [cut for cut in cuts if cut.part.at not in contents]
    title = Title(names.contents, names.contents, kind="contents")
    opening = Part(contents.start, contents.stop, 0, title, UNMARKED, {}, False)
    added = [Cut(opening, "matter", "contents")]
    if all(cut.part.at != contents.stop for cut in kept):
        rest = Title(names.front_matter, names.front_matter, kind="front_matter")
        added.append(Cut(Part(contents.stop, contents.stop, 0, rest, UNMARKED, {}, False), "matter", "front_matter"))
    return sorted([*kept, *added], key=lambda cut: (cut.part.at, cut.part.depth))


def _unheaded(document: Document, evidence: Evidence, names: Names, characters: int) -> list[Draft]:
    return pieces_of(evidence.body, document.title or document.book, names, characters) if evidence.body else []


__all__ = ["Entry", "Evidence", "divided", "evidence_of"]
