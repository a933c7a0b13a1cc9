"""Drafts written out as the blocks and pages of a `Document`.

In: drafts with everything known about them. Out: blocks with joined texts, styles, places on paper and
ids made from content.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ingest import contents, joining
from ingest.drafts import Draft
from ingest.furniture import Furniture
from ingest.lines import Line
from ingest.page import PageContent, apply, union
from ingest.rules import Rules
from ingest.sheets import Sheet
from ingest.text import raised_and_lowered
from kg.document import Block, Page, Prov
from kg.ids import digest


def page(sheet: Sheet, apart: Furniture) -> Page:
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


def blocks_of(drafts: Sequence[Draft], rules: Rules, pages: dict[int, PageContent]) -> list[Block]:
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
        text = joining.Joined(raised_and_lowered(text.text, text.spans), text.spans, text.starts)
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
