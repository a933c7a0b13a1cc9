"""What was odd about a book's structure, said so that a teacher understands it.

In: the evidence and the rows made of it. Out: `Finding`s in a fixed order. None of them removes anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from kg.graph import Finding
from kg.section import SectionRow
from segment.evidence import Evidence
from segment.skeleton import Part
from segment.witnesses import SHOWN


def findings(book: str, evidence: Evidence, rows: Sequence[SectionRow]) -> list[Finding]:
    """All findings of one book."""
    return [
        *_missing_witnesses(book, evidence),
        *_unmatched(book, evidence),
        *_added(book, evidence),
        *_unlisted(book, evidence),
        *_disagreements(book, evidence),
        *_gaps(book, rows),
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
        title, page = one.entry.title.printed, one.entry.page
        how = "begins with the page it is listed on" if one.placed else "has no row of its own"
        message = f"{book}: the {one.witness} lists {title!r}, which is no heading in the text; it {how}"
        details = {"witness": one.witness, "page": page, "placed": one.placed}
        found.append(_finding("segment_unmatched_entry", book, message, **details))
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


def _gaps(book: str, rows: Sequence[SectionRow]) -> list[Finding]:
    """Sections of one chapter whose last numbers do not follow each other: a heading in between was not found."""
    found = []
    numbered = [row for row in rows if row.section_number]
    for before, after in pairwise(numbered):
        first, second = _ends(before.section_number), _ends(after.section_number)
        if before.chapter == after.chapter and first[0] == second[0] and second[1] > first[1] + 1:
            message = f"{book}: {after.section_number} follows {before.section_number}; what is between was not found"
            found.append(_finding("segment_number_gap", book, message, page=after.start_page))
    return found


def _ends(number: str) -> tuple[str, int]:
    head, _, last = number.rpartition(".")
    return head, int(last)
