"""One document divided: rows made of the evidence, and what was odd about it reported.

In: a `Document`, the title reader of its language, the ids' prefix. Out: `SectionRow`s and `Finding`s.
"""

from __future__ import annotations

from collections.abc import Sequence

from kg.document import Document
from kg.graph import Finding
from kg.section import SectionRow
from segment import report
from segment.cuts import Cut, cuts_of
from segment.evidence import Evidence, evidence_of
from segment.headings import UNMARKED
from segment.pack import Names
from segment.pieces import pieces_of
from segment.rows import Draft, Place, drafts_of, rows_of
from segment.skeleton import Part
from segment.titles import Title, TitleReader


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
