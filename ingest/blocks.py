"""Drafts written out as the blocks and pages of a `Document`.

In: drafts with everything known about them. Out: blocks with joined texts, styles, places on paper and
ids made from content.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ingest import contents, joining
from ingest.drafts import Draft
from ingest.furniture import Furniture
from ingest.lines import Line
from ingest.page import PageContent, apply, union
from ingest.rules import Rules
from ingest.sheets import Sheet
from ingest.text import raised_and_lowered
from kg.document import Block, Box, Page
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


class Blocks:
    """The drafts of a book as blocks, one after the other."""

    def __init__(self, drafts: list[Draft], rules: Rules, pages: Sequence[PageContent]) -> None:
        """`drafts` is taken over: a draft is given up as soon as its block is made."""
        self._drafts, self._rules, self._pages = drafts, rules, pages
        self._words = joining.vocabulary(drafts)
        self._seen: dict[int, Counter[str]] = {}
        """How often each text came on the page at hand and the one before."""
        self._titles: dict[int, str] = {}
        """`id()` of a draft that is the parent of others -> id of its block."""

    def __iter__(self) -> Iterator[Block]:
        self._drafts.reverse()
        while self._drafts:
            yield self._block(self._drafts.pop())

    def _block(self, one: Draft) -> Block:
        text = self._text(one)
        found: dict[str, Any] = {
            "id": self._id(one, text),
            "label": one.label,
            "text": text.text,
            "prov": _prov(one, text, self._pages),
            "level": one.level,
            "font_size": one.size or None,
            "bold": one.bold,
            "parent": self._parent(one),
            "number": one.number,
        }
        if text.spans:
            found["spans"] = [{"start": start, "end": end, "style": style} for start, end, style in text.spans]
        if one.votes:
            found["level_votes"] = [{"witness": witness, "level": level} for witness, level in one.votes]
        if one.table is not None:
            found["html"] = one.table.html
        if one.flags:
            found["flags"] = sorted(one.flags)
        return Block.model_validate(found)

    def _parent(self, one: Draft) -> str | None:
        if one.parent is None:
            return None
        return self._titles.get(id(one.parent)) or self._id(one.parent, self._text(one.parent))

    def _text(self, one: Draft) -> joining.Joined:
        if one.table is not None:
            return joining.Joined(one.table.text, (), [])
        text = joining.assemble(one.lines, one.breaks, self._words, self._rules.joint)
        if one.label == "document_index":
            return joining.Joined(contents.shortened(text.text), (), [0] * len(one.lines))
        return joining.Joined(raised_and_lowered(text.text, text.spans), text.spans, text.starts)

    def _id(self, one: Draft, text: joining.Joined) -> str:
        """The id of the draft's block: the same each time it is asked for."""
        known = self._titles.get(id(one))
        if known is None:
            if one.page not in self._seen:
                self._seen = {page: seen for page, seen in self._seen.items() if page >= one.page - 1}
            seen = self._seen.setdefault(one.page, Counter())
            seen[text.text] += 1
            known = digest(f"{one.page}\n{text.text}\n{seen[text.text]}", 10)
            if "box" in one.flags:
                self._titles[id(one)] = known
        return known


def _prov(one: Draft, text: joining.Joined, pages: Sequence[PageContent]) -> list[dict[str, Any]]:
    """One entry for each page and column; label and title of a heading have one each."""
    if not one.lines or one.label == "document_index" or len(one.lines) == 1:
        return [_place(one.page, one.place, 0, len(text.text), pages)]
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
        box = union([one.lines[at].box for at in group])
        found.append(_place(one.lines[group[0]].page, box, start, end, pages))
    return found


def _place(page: int, box: Box, start: int, end: int, pages: Sequence[PageContent]) -> dict[str, Any]:
    return {"page": page, "bbox": apply(pages[page].to_display, box), "start": start, "end": end}


def _stays(one: Draft, last: Line, line: Line) -> bool:
    if "label" in one.flags and last.style != line.style:
        return False
    return last.page == line.page and last.column == line.column and line.box[1] > last.box[1] - 2 * last.height
