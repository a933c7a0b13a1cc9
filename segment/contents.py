"""The printed contents: where it stands, and its entries.

In: a document's body. Out: the blocks it takes up, and `Entry`s with title, depth of indent and printed page.
Entries may have dot leaders or none, page numbers or none, and stand in one or two columns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kg.document import Block, Document
from kg.text import one_line, squash
from segment.titles import Title, TitleReader

FEWEST = 3
"""Entries that make a contents list."""
NEAR = 4
"""Blocks of another kind that may stand between two entries."""
EARLY = 0.34
"""Share of the body in which a list without a heading of its own must begin."""
LONGEST = 150
"""Characters of the longest entry."""

_PAGE = re.compile(
    r"(?P<title>.*?)(?P<gap>[\s.…⋯·•‥_|—–-]*)[（(]?(?P<page>\d{1,4}|[ivxlcdm]{1,8})[）)]?\s*", re.IGNORECASE | re.DOTALL
)
_LEADER = re.compile(r"[.…⋯·•‥_|]\s*[.…⋯·•‥_|]|[…⋯‥|]")
_TRAIL = re.compile(r"[\s.…⋯·•‥_|]+$")


@dataclass(frozen=True)
class Entry:
    """One line of a list of headings: of the printed contents, or of the outline."""

    title: Title
    level: int
    """1 is outermost; only comparable within its list."""
    printed_page: str = ""
    page: int | None = None
    """0-based physical page it should be on."""


@dataclass(frozen=True)
class _Line:
    text: str
    page: str
    x: float
    """Left edge inside its column."""
    look: tuple[float, bool]


def region_of(body: Sequence[Block], reader: TitleReader) -> range:
    """The blocks of the contents, its own heading included; empty if the book has none."""
    marked = [at for at, block in enumerate(body) if block.label == "document_index"]
    opened = _first_chapter(body, reader)
    for run in _runs(marked):
        heading = _heading_before(body, run[0], reader)
        kind = reader.read(body[heading].text).kind if heading is not None else None
        headed = heading is not None and kind == "contents"
        early = run[0] < opened and (headed or run[0] <= EARLY * len(body))
        if len(run) >= FEWEST and kind in (None, "contents") and early:
            return range(heading if heading is not None and headed else run[0], run[-1] + 1)
    return _unmarked(body, reader, opened)


def _first_chapter(body: Sequence[Block], reader: TitleReader) -> int:
    """The first heading with a word for chapter: lists after it are a chapter's own."""
    for at, block in enumerate(body):
        if block.label == "section_header" and reader.read(block.text).rank in ("part", "unit", "chapter"):
            return at
    return len(body)


def _runs(marked: Sequence[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for at in marked:
        if runs and at - runs[-1][-1] <= NEAR + 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    return runs


def _heading_before(body: Sequence[Block], first: int, reader: TitleReader) -> int | None:
    for at in range(first - 1, max(-1, first - 1 - NEAR), -1):
        if body[at].label in ("section_header", "title") or reader.read(body[at].text).kind == "contents":
            return at
    return None


def _unmarked(body: Sequence[Block], reader: TitleReader, opened: int) -> range:
    """A list under a heading for contents that the parser did not recognise; it ends where its first entry recurs."""
    for start, block in enumerate(body[:opened]):
        if len(block.text) > LONGEST or reader.read(block.text).kind != "contents":
            continue
        end = start + 1
        seen: list[str] = []
        while end < len(body) and len(body[end].text) <= LONGEST * 4 and body[end].label not in ("picture", "formula"):
            lines = [squash(_TRAIL.sub("", line)) for line in body[end].text.split("\n")]
            if lines[0] in seen or max(len(line) for line in body[end].text.split("\n")) > LONGEST:
                break
            seen += [letters for line in body[end].text.split("\n") for letters in _forms(line)]
            end += 1
        if end - start > FEWEST or len(seen) > FEWEST:
            return range(start, end)
    return range(0)


def _forms(line: str) -> list[str]:
    """Letters of an entry with and without its page number."""
    found = _PAGE.fullmatch(line)
    return [squash(line), squash(found["title"])] if found and squash(found["title"]) else [squash(line)]


def entries_of(document: Document, blocks: Sequence[Block], reader: TitleReader, known: frozenset[str]) -> list[Entry]:
    """The entries in `blocks`; `known` holds the letters of the body's headings, to tell wrapped entries."""
    lines = _lines(document, blocks)
    paged = sum(bool(line.page) for line in lines)
    if paged < 0.4 * len(lines):
        lines = [line if _leader(line) else _unpaged(line) for line in lines]
    joined = _joined(lines, reader, known)
    titles = [(line, reader.read(line.text)) for line in joined]
    listed = [(line, title) for line, title in titles if title.kind != "contents" and title.whole]
    levels = _levels([line for line, _ in listed])
    return [Entry(title, level, line.page) for (line, title), level in zip(listed, levels, strict=True)]


def _lines(document: Document, blocks: Sequence[Block]) -> list[_Line]:
    widths = {page.index: page.width for page in document.pages}
    lefts: dict[tuple[int, bool], float] = {}
    places: list[tuple[Block, tuple[int, bool]]] = []
    for block in blocks:
        prov = block.prov[0]
        column = (prov.page, prov.bbox[0] > 0.45 * widths.get(prov.page, 1e9))
        lefts[column] = min(lefts.get(column, prov.bbox[0]), prov.bbox[0])
        places.append((block, column))
    lines = []
    for block, column in places:
        x = block.prov[0].bbox[0] - lefts[column]
        look = (-(round((block.font_size or 0) * 2) / 2), not block.bold)
        lines += [_line(text, x, look) for text in block.text.split("\n") if text.strip()]
    return lines


def _line(text: str, x: float, look: tuple[float, bool]) -> _Line:
    text = one_line(text.replace(" | ", " … "))
    found = _PAGE.fullmatch(text)
    if not found:
        return _Line(_TRAIL.sub("", text), "", x, look)
    gap, title = found["gap"], found["title"].strip()
    if not title or _LEADER.search(gap) or (gap.endswith(" ") and found["page"].isdigit()):
        return _Line(title, found["page"], x, look)
    return _Line(_TRAIL.sub("", text), "", x, look)


def _leader(line: _Line) -> bool:
    return not line.page or not line.text


def _unpaged(line: _Line) -> _Line:
    """Where few lines end in a number, the number belongs to the title."""
    return replace(line, text=f"{line.text} {line.page}", page="")


def _joined(lines: Sequence[_Line], reader: TitleReader, known: frozenset[str]) -> list[_Line]:
    """Entries that were printed on two lines are whole, and a page number on a line of its own has its entry."""
    joined: list[_Line] = []
    for line in lines:
        last = joined[-1] if joined else None
        if last is not None and not last.page and (not line.text or _continues(last, line, reader, known)):
            joined[-1] = replace(last, text=one_line(f"{last.text} {line.text}"), page=line.page)
        elif line.text:
            joined.append(line)
    return joined


def _continues(last: _Line, line: _Line, reader: TitleReader, known: frozenset[str]) -> bool:
    if squash(last.text + line.text) in known:
        return True
    first, second = reader.read(last.text), reader.read(line.text)
    if second.number or second.kind or second.whole in known or first.whole in known:
        return bool(first.number and not first.text and not second.number)
    return line.text[:1].islower() or bool(line.page and first.number)


def _levels(lines: Sequence[_Line]) -> list[int]:
    """Rank of each line's indent; where all stand at one edge, of its type."""
    edges: list[float] = []
    for x in sorted(line.x for line in lines):
        if not edges or x - edges[-1] > 5:
            edges.append(x)
    if len(edges) > 1:
        return [max(rank for rank, edge in enumerate(edges, start=1) if line.x >= edge - 0.01) for line in lines]
    looks = sorted({line.look for line in lines})
    return [looks.index(line.look) + 1 for line in lines]
