"""What was odd about a book's structure, said so that a teacher understands it.

In: the evidence and the rows made of it. Out: `Finding`s in a fixed order. None of them removes anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kg.graph import Finding
from kg.section import SectionRow
from segment.skeleton import Part
from segment.witnesses import SHOWN

if TYPE_CHECKING:
    from segment.divide import Evidence


def findings(book: str, evidence: Evidence, rows: Sequence[SectionRow]) -> list[Finding]:
    """All findings of one book."""
    return [
        *_missing_witnesses(book, evidence),
        *_unmatched(book, evidence),
        *_added(book, evidence),
        *_unlisted(book, evidence),
        *_disagreements(book, evidence),
    ]


def _finding(check: str, book: str, message: str, **details: Any) -> Finding:
    return Finding(check=check, action="note", message=message, details={"book": book, **details})


def _missing_witnesses(book: str, evidence: Evidence) -> list[Finding]:
    found = []
    if not evidence.listings:
        message = f"{book} has neither an outline nor a printed contents; its headings alone give its structure"
        found.append(_finding("segment_no_list", book, message))
    if not evidence.parts:
        message = f"{book} has no headings; it was cut into pieces at page breaks"
        found.append(_finding("segment_no_headings", book, message))
    return found


def _unmatched(book: str, evidence: Evidence) -> list[Finding]:
    found = []
    for one in evidence.unmatched:
        how = "begins with the page it is listed on" if one.placed else "has no row of its own"
        message = f"{book}: the {one.witness} lists {one.entry.title.printed!r}, which is no heading in the text; it {how}"
        page = one.entry.page
        found.append(_finding("segment_unmatched_entry", book, message, witness=one.witness, page=page, placed=one.placed))
    return found


def _added(book: str, evidence: Evidence) -> list[Finding]:
    return [
        _finding(
            "segment_missing_chapter",
            book,
            f"{book}: no heading for chapter {part.title.number}; it begins with its first section",
            number=part.title.number,
        )
        for part in evidence.added
    ]


def _unlisted(book: str, evidence: Evidence) -> list[Finding]:
    """Headings that made a row though no list names them, where a list covers others of their depth."""
    covered = {part.depth for part in evidence.parts if part.listed and part.title.kind is None}
    return [
        _finding(
            "segment_unlisted_heading",
            book,
            f"{book}: {part.title.printed!r} is a heading of its own but in no list",
            page=evidence.body[part.at].prov[0].page,
        )
        for part in evidence.parts
        if not part.listed and part.depth in covered and part.end > part.at and part.depth <= 1
    ]


def _disagreements(book: str, evidence: Evidence) -> list[Finding]:
    """One finding a witness: the headings whose depth it sees otherwise."""
    found = []
    for witness in SHOWN:
        others = [part for part in evidence.parts if _differs(part, witness)]
        if others:
            names = [part.title.printed for part in others]
            message = f"{book}: the {witness} puts {len(others)} headings on another level, for example {names[0]!r}"
            found.append(_finding("segment_witness_disagrees", book, message, witness=witness, headings=names))
    return found


def _differs(part: Part, witness: str) -> bool:
    said = {str(name): depth for name, depth in part.votes.items()}
    return witness in said and said[witness] != part.depth and min(said[witness], part.depth) <= 1
