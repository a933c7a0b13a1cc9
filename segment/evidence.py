"""All witnesses heard: what a book shows of its structure, before rows are made of it.

In: a document and the title reader of its language. Out: `Evidence`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kg.document import Block, Document
from segment.contents import entries_of, region_of
from segment.headings import Heading, headings_of, placed
from segment.listing import matched, outline_entries, with_pages
from segment.missing import Unmatched, with_missing, with_numbered_chapters
from segment.skeleton import Listing, Part, listing, skeleton
from segment.titles import Title, TitleReader, settled
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


def evidence_of(document: Document, reader: TitleReader) -> Evidence:
    """The headings, what the lists say about them, and the parts they make."""
    body = document.body()
    contents = region_of(body, reader)
    outline = [entry for entry in outline_entries(document.outline, reader) if entry.title.kind != "contents"]
    marked = headings_of(body, reader, contents, frozenset())
    known = frozenset(heading.title.whole for heading in marked)
    printed = entries_of(document, [body[at] for at in contents], reader, known) if contents else []
    letters = frozenset(form for entry in [*outline, *printed] for form in _letters(entry.title))
    letters |= {heading.title.whole for heading in marked if len(heading.title.key) > 1}
    headings = headings_of(body, reader, contents, letters)
    settle = settled([heading.title for heading in headings] + [entry.title for entry in [*outline, *printed]])
    headings = placed([replace(heading, title=settle(heading.title)) for heading in headings], body)
    outline, printed = ([replace(e, title=settle(e.title)) for e in entries] for entries in (outline, printed))
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
    parts = _merged(parts, end_matter(headings, parts, body))
    return Evidence(body, contents, headings, listings, parts, unmatched, added)


def _letters(title: Title) -> list[str]:
    """By what letters a short text is recognised as a listed title."""
    return [title.whole] if not title.number or len(title.plain) < 4 else [title.whole, title.plain]


def _merged(parts: Sequence[Part], more: Sequence[Part]) -> list[Part]:
    taken = {(part.at, part.depth) for part in parts}
    return sorted([*parts, *(p for p in more if (p.at, p.depth) not in taken)], key=lambda p: (p.at, p.depth))
