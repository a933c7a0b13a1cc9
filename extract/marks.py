"""Terms that the text marks where it introduces them: inline bold, and italics where a sentence defines them.

In: spans of running text. Out: `Mark`s; bold labels, vectors, single letters, numbers and emphasised phrases are left
out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from extract.naming import is_name, without_symbol
from extract.parts import role_of
from extract.view import BookView, SectionView
from kg.document import Block

LABEL_SECTIONS = 3
"""A bold text that opens paragraphs in this many sections is a label."""
_EDGE = " \t\n•●▪◦‣■□◆◇.,;:!?()[]{}“”\"'‘’、，。；：（）【】《》「」—–"
_RUN_IN = re.compile(r"\s*[.:：。—–]")


@dataclass(frozen=True)
class Mark:
    """Characters `start <= i < end` of a section are set apart as a term."""

    view: SectionView
    start: int
    end: int
    style: Literal["bold", "italic"]

    @property
    def name(self) -> str:
        """As printed."""
        return self.view.line(self.start, self.end)


def marks(book: BookView) -> list[Mark]:
    """All marks of the book's running text, in order."""
    found = [mark for view in book.sections if view.teaches or view.row.kind == "summary" for mark in _of_section(view)]
    labels, headings = _labels(found), _heading_labels(book)
    return [mark for mark in found if not _is_label(mark, labels, headings)]


def _of_section(view: SectionView) -> Iterator[Mark]:
    for i, block in enumerate(view.blocks):
        if not view.prose[i] or block.bold:
            continue
        base = view.section.starts[i]
        for start, end, style in _ranges(block):
            start, end = _trimmed(block.text, start, end)
            end = without_symbol(block, start, end, view)
            if is_name(block.text[start:end], view) and not _mathematical(block, start, end):
                yield Mark(view, base + start, base + end, style)


def _ranges(block: Block) -> Iterator[tuple[int, int, Literal["bold", "italic"]]]:
    """Bold and italic ranges; neighbours of one style with only a space or hyphen between them are one."""
    for style in ("bold", "italic"):
        joined: list[list[int]] = []
        for span in sorted((span for span in block.spans if span.style == style), key=lambda span: span.start):
            if joined and not block.text[joined[-1][1] : span.start].strip(" -–‑\u00a0’'"):
                joined[-1][1] = max(joined[-1][1], span.end)
            else:
                joined.append([span.start, span.end])
        for start, end in joined:
            yield start, end, style


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and (text[start] in _EDGE or text[start].isspace()):
        start += 1
    while end > start and (text[end - 1] in _EDGE or text[end - 1].isspace()):
        end -= 1
    opened = text[start:end].count("(") - text[start:end].count(")")
    if opened == 1 and text[end : end + 1] == ")":
        end += 1
    return start, end


def _mathematical(block: Block, start: int, end: int) -> bool:
    """True if the range touches a subscript or superscript, as a vector's or unit's symbol does."""
    return end - start <= 4 and any(
        span.style in {"subscript", "superscript"} and span.start <= end and span.end >= start for span in block.spans
    )


def opens_block(mark: Mark) -> bool:
    """True if the mark opens its paragraph and a full stop, colon or dash follows, as after a label."""
    start, _ = mark.view.span(mark.view.section.block_at(mark.start))
    before = mark.view.text[start : mark.start].strip(_EDGE)
    ends = mark.view.text[mark.end : mark.end + 1] == "\n"
    return not before and (ends or bool(_RUN_IN.match(mark.view.text, mark.end)))


def _is_label(mark: Mark, labels: set[str], headings: set[str]) -> bool:
    """True for a run-in label, and for the label of boxes where the text refers to them (`the Snap Lab`)."""
    text = _text_of(mark)
    if mark.name[:1].isupper() and text in headings:
        return True
    if _heads_step(mark):
        return True
    return opens_block(mark) and (text in labels or role_of(mark.name, mark.view.pack) is not None)


def _heads_step(mark: Mark) -> bool:
    """True for the label of a lab's or example's step with a sentence of its own behind it: `Purpose To find …`."""
    view = mark.view
    block = view.section.block_at(mark.start)
    start, end = view.span(block)
    rest = view.text[mark.end : end]
    parted = rest.lstrip()[:1].isupper() if view.language.spaces else rest[:1].isspace()
    capital = mark.name[:1].isupper() or not view.language.spaces
    if not (parted and capital) or view.text[start : mark.start].strip(_EDGE):
        return False
    return view.outline.host(block) is not None or role_of(mark.name, view.pack) is not None


def _heading_labels(book: BookView) -> set[str]:
    """Labels of boxes and groups in headings."""
    return {part.label.casefold() for view in book.sections for part in view.outline.parts if part.label}


def _text_of(mark: Mark) -> str:
    return mark.name.casefold()


def _labels(found: list[Mark]) -> set[str]:
    """Texts that open paragraphs again and again."""
    where: dict[str, set[int]] = defaultdict(set)
    for mark in found:
        if opens_block(mark):
            where[_text_of(mark)].add(mark.view.index)
    return {text for text, sections in where.items() if len(sections) >= LABEL_SECTIONS}
