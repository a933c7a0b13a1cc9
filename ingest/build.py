"""From what an engine delivered to a `Document`.

In: a `Reading` of any engine that delivers lines with boxes and fonts. Out: the document, and failures of its pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ingest import boxes, captions, columns, contents, figures, footnotes, frames, furniture, headings, joining, levels, ruled, tables
from ingest.drafts import Draft, draft
from ingest.lines import Line, clean_fragments, lines, mark_bullets
from ingest.page import PageContent, Reading, apply, inside, union
from ingest.paragraphs import Paragraphs
from ingest.rules import Rules
from kg.document import Block, Book, Document, Page, Prov
from kg.ids import digest


@dataclass(slots=True)
class Sheet:
    """One page between reading and writing."""

    content: PageContent
    lines: list[Line]
    tables: list[tables.Table]
    frames: list[frames.Frame]
    labels: list[list[Line]] = field(default_factory=list)
    """The words in each figure."""
    doubled: int = 0
    """Characters that were drawn twice."""
    reason: str = ""
    """Why its text cannot be used; empty: it can."""


def sheets(reading: Reading, rules: Rules) -> list[Sheet]:
    """Lines, tables and frames of all pages; frames are numbered through the book."""
    _mark_bold(reading.pages, rules)
    found: list[Sheet] = []
    count = 0
    usual = _usual_size(reading.pages)
    for page in reading.pages:
        fragments, doubled = clean_fragments(page)
        cells, rest = tables.tables(page, fragments, rules)
        page.fragments = []
        own = lines(page.index, rest, rules)
        more, own = ruled.tables(page, own, rules.joint)
        cells = [*cells, *more]
        labels, own = figures.labels(page, own, usual, rules)
        mark_bullets(own, page.dots)
        marked = frames.frames(page, count, [table.box for table in cells])
        count += len(marked)
        found.append(Sheet(page, own, cells, frames.settle(marked, own), labels, doubled))
    return found


def _usual_size(pages: Sequence[PageContent]) -> float:
    """Type size of most of the characters."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for fragment in page.fragments:
            for run in fragment.runs:
                sizes[run.size] += len(run.text)
    return max(sizes, key=lambda size: (sizes[size], -size)) if sizes else 10.0


def _mark_bold(pages: Sequence[PageContent], rules: Rules) -> None:
    """Runs in a font whose name says bold are bold, unless most of the book is set in such fonts."""
    sizes: Counter[str] = Counter()
    for page in pages:
        for fragment in page.fragments:
            for run in fragment.runs:
                sizes[run.font] += len(run.text)
    named = {font for font in sizes if rules.bold_fonts.search(font)}
    if 2 * sum(sizes[font] for font in named) > sum(sizes.values()):
        return
    for page in pages:
        for fragment in page.fragments:
            for run in fragment.runs:
                run.bold = run.bold or run.font in named


def document(book: Book, sha256: str, reading: Reading, pages: Sequence[Sheet], rules: Rules) -> Document:
    """The book as a document."""
    apart = furniture.find(
        [sheet.content for sheet in pages],
        [sheet.lines for sheet in pages],
        [item.title for item in reading.outline],
        rules.page_words,
    )
    _join_frames(pages, apart)
    drafts: list[Draft] = []
    before = False
    for sheet in pages:
        own, before = _page_drafts(sheet, apart, rules, before)
        drafts += own
    drafts = _structured(drafts, reading, pages, rules)
    blocks = _blocks(drafts, rules, {sheet.content.index: sheet.content for sheet in pages})
    return Document(
        book=book.slug,
        title=book.title or reading.title or _title(drafts) or book.slug,
        language=rules.language.code,
        sha256=sha256,
        engine=reading.engine,
        pages=tuple(_page(sheet, apart) for sheet in pages),
        outline=reading.outline,
        blocks=tuple(blocks),
        warnings=reading.warnings,
    )


def _join_frames(pages: Sequence[Sheet], apart: furniture.Furniture) -> None:
    """A frame that goes on over a page break has one number afterwards."""
    before: list[frames.Frame] = []
    bottom = 0.0
    for sheet in pages:
        body = [line for line in sheet.lines if id(line) not in apart.labels]
        if not body:
            continue
        edges = union([line.box for line in body])
        renamed = frames.continued(before, sheet.frames, bottom, edges[1])
        for frame in sheet.frames:
            frame.number = renamed.get(frame.number, frame.number)
        for line in body:
            line.frame = renamed.get(line.frame, line.frame)
        before, bottom = sheet.frames, edges[3]


def _page_drafts(sheet: Sheet, apart: furniture.Furniture, rules: Rules, after_contents: bool) -> tuple[list[Draft], bool]:
    """The drafts of a page in reading order, furniture first and last, and whether it is a contents page."""
    heads = [draft("page_header", [line]) for line in sheet.lines if apart.labels.get(id(line)) == "page_header"]
    feet = [draft("page_footer", [line]) for line in sheet.lines if apart.labels.get(id(line)) == "page_footer"]
    body = [line for line in sheet.lines if id(line) not in apart.labels]
    inner = _inner_edges(sheet.frames, body)
    listed = contents.is_contents(body, rules, after_contents)
    if listed:
        found: list[Draft] = []
        waiting: list[Line] = []
        for one in contents.entries(body, rules):
            if isinstance(one, Draft):
                found += [*_gathered(waiting, rules, inner), one]
                waiting = []
            else:
                waiting.append(one)
        found += _gathered(waiting, rules, inner)
    else:
        columns.columns(body)
        found = _gathered(columns.reading_order(body), rules, inner)
    captions.with_things(found, sheet.content.pictures, sheet.tables, sheet.content.index)
    figures.insert(found, sheet.labels)
    _settle_tables(found, sheet)
    return [*heads, *found, *feet], listed


def _gathered(own: Sequence[Line], rules: Rules, inner: dict[int, float]) -> list[Draft]:
    return Paragraphs(own, rules, inner).drafts() if own else []


def _inner_edges(own: Sequence[frames.Frame], body: Sequence[Line]) -> dict[int, float]:
    """Right edge of each frame's text: as far from the frame as its left one."""
    edges: dict[int, float] = {}
    for frame in own:
        lefts = [line.box[0] for line in body if line.frame == frame.number]
        if lefts:
            edges[frame.number] = frame.box[2] - (min(lefts) - frame.box[0])
    return edges


def _settle_tables(found: Sequence[Draft], sheet: Sheet) -> None:
    """Tables and pictures know the frame they stand in."""
    for one in found:
        if not one.lines:
            holding = [frame.number for frame in sheet.frames if inside(one.place, frame.box, 3.0)]
            one.frame = holding[-1] if holding else -1


def _structured(drafts: list[Draft], reading: Reading, pages: Sequence[Sheet], rules: Rules) -> list[Draft]:
    body = headings.body_size(drafts)
    things: dict[int, list[tuple[float, float, float, float]]] = {
        sheet.content.index: [*sheet.content.pictures, *(table.box for table in sheet.tables)] for sheet in pages
    }
    by_page: dict[int, list[Draft]] = {}
    for one in drafts:
        by_page.setdefault(one.page, []).append(one)
    for index, own in by_page.items():
        captions.label_captions(own, things.get(index, []), rules, body)
        footnotes.label(own, body, pages[index].content)
    drafts = headings.find(drafts, reading.outline, rules)
    found = [one for one in drafts if one.label == "section_header"]
    entries = [one for one in drafts if one.label == "document_index"]
    votes = levels.votes(found, entries, reading.outline, rules)
    boxes.assign(drafts, rules)
    levels.resolve(drafts, votes)
    return joining.joined(drafts, rules.language.spaces)


def _title(drafts: Sequence[Draft]) -> str:
    """The largest type on the first two pages."""
    first = [one for one in drafts if one.page < 2 and one.lines and one.label in ("title", "section_header")]
    best = max(first, key=lambda one: (one.size, -one.page), default=None)
    return best.text if best else ""


def _page(sheet: Sheet, apart: furniture.Furniture) -> Page:
    content = sheet.content
    route = "failed" if sheet.reason else ("existing_ocr" if content.hidden_text else "text")
    printed = apart.numbers.get(content.index)
    return Page.model_validate(
        {
            "index": content.index,
            "width": content.display_size[0],
            "height": content.display_size[1],
            "rotation": content.rotation,
            "label": printed or content.label,
            "route": route,
            "reason": sheet.reason or ("its text is an invisible layer under a picture" if content.hidden_text else ""),
        }
    )


def _blocks(drafts: Sequence[Draft], rules: Rules, pages: dict[int, PageContent]) -> list[Block]:
    words = joining.vocabulary(drafts)
    seen: Counter[tuple[int, str]] = Counter()
    ids: dict[int, str] = {}
    texts: list[joining.Joined] = []
    for one in drafts:
        text = joining.assemble(one.lines, one.breaks, words, rules.joint)
        if one.label == "document_index":
            text = joining.Joined(contents.shortened(text.text), [], [0] * len(one.lines))
        elif one.table is not None:
            text = joining.Joined(one.table.text, [], [])
        texts.append(text)
        seen[(one.page, text.text)] += 1
        ids[id(one)] = digest(f"{one.page}\n{text.text}\n{seen[(one.page, text.text)]}", 10)
    return [
        Block(
            id=ids[id(one)],
            label=one.label,
            text=text.text,
            prov=_prov(one, text, pages),
            level=one.level,
            level_votes=tuple(one.votes),
            spans=tuple(text.spans),
            font_size=one.size or None,
            bold=one.bold,
            parent=ids.get(id(one.parent)) if one.parent is not None else None,
            number=one.number,
            html=one.table.html if one.table is not None else None,
            flags=tuple(sorted(one.flags)),
        )
        for one, text in zip(drafts, texts, strict=True)
    ]


def _prov(one: Draft, text: joining.Joined, pages: dict[int, PageContent]) -> tuple[Prov, ...]:
    """One entry for each page and column; label and title of a heading have one each."""
    if not one.lines:
        return (Prov(page=one.page, bbox=apply(pages[one.page].to_display, one.place), start=0, end=len(text.text)),)
    if one.label == "document_index":
        return (Prov(page=one.page, bbox=apply(pages[one.page].to_display, one.place), start=0, end=len(text.text)),)
    groups: list[list[int]] = []
    for at, line in enumerate(one.lines):
        last = one.lines[groups[-1][-1]] if groups else None
        if last is not None and _stays(one, last, line):
            groups[-1].append(at)
        else:
            groups.append([at])
    found = []
    for number, group in enumerate(groups):
        start = text.starts[group[0]]
        end = text.starts[groups[number + 1][0]] if number + 1 < len(groups) else len(text.text)
        page = one.lines[group[0]].page
        box = apply(pages[page].to_display, union([one.lines[at].box for at in group]))
        found.append(Prov(page=page, bbox=box, start=start, end=end))
    return tuple(found)


def _stays(one: Draft, last: Line, line: Line) -> bool:
    if "label" in one.flags and last.style != line.style:
        return False
    return last.page == line.page and last.column == line.column and line.box[1] > last.box[1] - 2 * last.height
