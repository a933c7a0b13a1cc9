"""The headings of a body: everything that may open a chapter or section.

In: body blocks. Out: `Heading`s in reading order, each read, with the rank of its look.
Titles of boxes are no headings in this sense, and neither is what stands on the contents pages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from kg.document import Block
from kg.text import squash
from segment.titles import Title, TitleReader

BOX = "box"
HEADED = ("section_header", "title")
LONGEST = 200
"""Characters of the longest heading."""
SHORT = 60
"""Characters of the longest unmarked one that no list names."""
UNMARKED = 99
"""The look of what the parser took for no heading."""


@dataclass(frozen=True)
class Heading:
    """One heading of the body."""

    at: int
    """Index of its (first) body block."""
    end: int
    """Index after its last block."""
    page: int
    title: Title
    look: int
    """1 is the most prominent look in the book; headings of one look share the number."""
    marked: bool
    """The parser took it for a heading."""
    start: int = 0
    """Characters of the body before it."""
    repeats: bool = False
    """It stands below end matter that looks more prominent: a number it has is that of a section it is about."""


def headings_of(body: Sequence[Block], reader: TitleReader, skip: range, listed: frozenset[str]) -> list[Heading]:
    """All headings outside the contents pages (`skip`), in order.

    A short text block counts too, unmarked, if its letters are those of a listed title or it opens with a
    word for chapter and its number; in a body without marked headings also with a number like `2.1`.
    """
    shown = [block for at, block in enumerate(body) if _is_marked(block) and at not in skip]
    looks = _looks(shown)
    found: list[Heading] = []
    for at, block in enumerate(body):
        if at in skip or len(block.text) > LONGEST or not block.text.strip():
            continue
        marked = _is_marked(block)
        if not marked and not _may_open(block, reader, listed, bare=not shown):
            continue
        title = reader.read(block.text)
        look = looks(block) if marked else UNMARKED
        found.append(Heading(at, at + 1, block.prov[0].page, title, look, marked))
    return _joined(found, body, reader)


def _is_marked(block: Block) -> bool:
    return block.label in HEADED and BOX not in block.flags and block.parent is None


def _may_open(block: Block, reader: TitleReader, listed: frozenset[str], bare: bool) -> bool:
    if block.label not in ("text", "list_item") or block.parent is not None:
        return False
    letters = squash(block.text)
    if letters in listed and len(letters) > 2:
        return True
    title = reader.read(block.text)
    opens = title.rank in ("part", "unit", "chapter") or (bare and (title.rank == "section" or len(title.key) == 2))
    return opens and len(block.text) <= SHORT and block.text.strip()[-1].isalnum()


def _looks(blocks: Sequence[Block]) -> Callable[[Block], int]:
    """Rank of a look: by the parser's own style levels, else by type size, else by its final levels."""
    measures = (_style_level, _type_size, _final_level)
    telling = [
        measure for measure in measures if sum(measure(block) is not None for block in blocks) >= 0.8 * len(blocks)
    ]
    if not telling or not blocks:
        return lambda block: 1
    measure = telling[0]
    order = {
        value: rank for rank, value in enumerate(sorted({v for v in map(measure, blocks) if v is not None}), start=1)
    }

    def look(block: Block) -> int:
        value = measure(block)
        return len(order) + 1 if value is None else order[value]

    return look


def _style_level(block: Block) -> float | None:
    return next((float(v.level) for v in block.level_votes if v.witness in ("style", "markup")), None)


def _type_size(block: Block) -> float | None:
    return None if block.font_size is None else -round(block.font_size * 2) / 2


def _final_level(block: Block) -> float | None:
    return None if block.level is None else float(block.level)


def _joined(headings: list[Heading], body: Sequence[Block], reader: TitleReader) -> list[Heading]:
    """`Chapter 2` and the title printed below it as a heading of its own become one heading."""
    joined: list[Heading] = []
    for heading in headings:
        last = joined[-1] if joined else None
        if last and _completes(last, heading, body):
            title = reader.read(f"{last.title.printed} {heading.title.printed}")
            look = min(last.look, heading.look)
            joined[-1] = replace(last, end=heading.end, title=title, look=look, marked=last.marked or heading.marked)
        else:
            joined.append(heading)
    return joined


def _completes(last: Heading, heading: Heading, body: Sequence[Block]) -> bool:
    if last.title.text or not last.title.number or heading.title.number or not heading.marked:
        return False
    between = body[last.end : heading.at]
    return heading.page - last.page <= 1 and heading.title.kind is None and all(b.label == "picture" for b in between)


def placed(headings: Sequence[Heading], body: Sequence[Block]) -> list[Heading]:
    """The headings with the characters before them, and with what more prominent headings they stand below."""
    starts = [0, *accumulate(len(block.text) for block in body)]
    above: list[Heading] = []
    whole = []
    for heading in headings:
        if heading.marked:
            above = [other for other in above if other.look < heading.look]
        repeats = heading.marked and any(other.title.closes for other in above)
        whole.append(replace(heading, start=starts[heading.at], repeats=repeats))
        if heading.marked:
            above.append(heading)
    return whole
