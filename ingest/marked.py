"""Labelled parts made a document: levels, boxes and ids by the same rules as for any other engine.

In: a `Marked` book. Out: the document. Where the markup's levels carry no hierarchy (MinerU's do not) they are found
anew from the bookmarks, the printed contents, the numbers and the type.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ingest import boxes, headings, levels
from ingest.blocks import Blocks
from ingest.drafts import Draft
from ingest.lines import Line
from ingest.page import PageContent
from ingest.parts import Marked, Part
from ingest.reader import Made
from ingest.rules import Rules, rules_of
from ingest.tables import Table
from ingest.text import Mark
from kg.document import Block, Book, Document, Source
from kg.errors import InputError
from kg.project import Project

USUAL = 10.0
"""Points of type whose size is not known; a heading's is larger, or it would pass for text."""
HEADING = 12.0


def document(book: Book, sha256: str, marked: Marked, project: Project) -> Made:
    """The book as a document. Raises InputError if there is nothing in it."""
    if not any(part.text for part in marked.parts):
        raise InputError("no text in it", where=book.slug, remedy="look at the output of the program that made it")
    rules, _ = rules_of(book, " ".join(part.text for part in marked.parts), project)
    made: dict[int, Part] = {}
    drafts = _drafts(marked.parts, made)
    if not marked.believed:
        drafts = headings.find(drafts, marked.outline, rules)
    _level(drafts, marked, rules, made)
    shell = Document(
        book=book.slug,
        title=book.title or marked.title or _title(drafts) or book.slug,
        language=rules.language.code,
        sha256=sha256,
        engine=marked.engine,
        pages=marked.pages,
        outline=marked.outline,
        blocks=(),
        warnings=marked.warnings,
    )
    known = [made.get(id(one)) for one in drafts]
    pages = [_blank(page.index, page.width, page.height) for page in marked.pages]
    return Made(shell, _completed(Blocks(drafts, rules, pages), known, marked), marked.failures)


def _drafts(parts: Sequence[Part], made: dict[int, Part]) -> list[Draft]:
    """One draft a part, but those that go on with the one before; `made` knows their parts by `id()`."""
    drafts: list[Draft] = []
    for part in parts:
        before = next((one for one in reversed(drafts[-6:]) if one.label == "text"), None) if part.continues else None
        if before is not None and part.label == "text":
            before.lines.append(_line(part))
            before.mark("continued")
            continue
        one = Draft(part.label, [_line(part)], part.page, part.box, number=part.number)
        if part.label == "table":
            one.table = Table(part.page, part.box, part.rows, part.size or USUAL)
        elif part.label == "picture" and not part.text:
            one.lines = []
        elif part.label == "section_header" and part.size:  # its type tells lists of titles from headings
            one.label = "text"
            one.mark("candidate")
        if part.label == "code":
            one.breaks = "\n"
        drafts.append(one)
        made[id(one)] = part
    return drafts


def _line(part: Part) -> Line:
    heading = part.label in ("section_header", "title")
    size = part.size or (HEADING if heading else USUAL)
    return Line(
        page=part.page,
        text=part.text,
        box=part.box,
        size=size,
        font=part.font,
        bold=part.bold or (heading and not part.size),
        italic=False,
        mono=part.label == "code",
        baseline=part.box[3],
        spans=[Mark(*span) for span in part.spans],
    )


def _level(drafts: list[Draft], marked: Marked, rules: Rules, made: dict[int, Part]) -> None:
    """Headings are labelled and have levels and boxes afterwards."""
    for one in drafts:
        if "candidate" in one.flags:
            one.unmark("candidate")
            one.label = "section_header"
    found = [one for one in drafts if one.label == "section_header"]
    entries = [one for one in drafts if one.label == "document_index"]
    votes = levels.votes(found, entries, marked.outline, rules)
    boxes.assign(drafts, {}, rules)
    levels.resolve(drafts, votes)
    if marked.believed:
        top = min((part.level for part in marked.parts if part.level is not None), default=1)
        for one in found:
            level = made[id(one)].level
            if level is not None:
                one.level = level - top + 1
                one.votes = [("markup", one.level)]


def _title(drafts: Sequence[Draft]) -> str:
    return next((one.text for one in drafts if one.label == "title"), "")


def _blank(index: int, width: float, height: float) -> PageContent:
    return PageContent(index, width, height, display_size=(width, height))


def _completed(blocks: Iterable[Block], known: Sequence[Part | None], marked: Marked) -> Iterator[Block]:
    """The blocks with what only the markup knows."""
    for block, part in zip(blocks, known, strict=True):
        if part is None:
            yield block
            continue
        update: dict[str, object] = {"latex": part.latex, "html": part.html}
        if not part.size:
            update |= {"font_size": None, "bold": False}
        if part.confidence is not None:
            source = {"engine": marked.engine, "route": marked.route, "confidence": round(part.confidence, 3)}
            update["source"] = Source.model_validate(source)
        yield block.model_copy(update=update)
