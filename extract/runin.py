"""Labels inside paragraphs: a block in which a new labelled paragraph starts is cut in two there.

In: a section whose parser ran `… at rest. **Solution.** The net force …` together. Out: the same section, its text and
all offsets unchanged, with one block more for every bold label.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from extract.pack import Pack
from extract.parts import role_of
from kg.document import Block, Prov, Span
from kg.section import Section

_AFTER = ".:：。—–"


def cut_labels(section: Section, pack: Pack) -> Section:
    """The section with every bold label of a role at the start of a block."""
    blocks: list[Block] = []
    starts: list[int] = []
    for block, start in zip(section.blocks, section.starts, strict=True):
        cuts = [0, *_labels(block, pack), len(block.text)]
        for begin, end in pairwise(cuts):
            blocks.append(block if len(cuts) == 2 else _piece(block, begin, end))
            starts.append(start + begin)
    return replace(section, blocks=tuple(blocks), starts=tuple(starts))


def _labels(block: Block, pack: Pack) -> Iterator[int]:
    """Offsets of labels that do not open the block."""
    if block.label not in {"text", "list_item"}:
        return
    for span in block.spans:
        if span.style == "bold" and block.text[: span.start].strip() and is_label(block, span, pack):
            yield span.start


def is_label(block: Block, span: Span, pack: Pack) -> bool:
    """True if the bold span is a label that may open a paragraph, with a full stop, colon or line's end behind it."""
    text = block.text[span.start : span.end].rstrip()
    after = block.text[span.end :].lstrip()
    closed = text.endswith(tuple(_AFTER)) or not after or after.startswith(tuple(_AFTER))
    return closed and role_of(text.rstrip(_AFTER), pack, run_in=True) is not None


def _piece(block: Block, begin: int, end: int) -> Block:
    """Characters `begin <= i < end` of the block, without white space at the end."""
    text = block.text[begin:end].rstrip()
    spans = tuple(
        Span(start=max(span.start, begin) - begin, end=min(span.end, begin + len(text)) - begin, style=span.style)
        for span in block.spans
        if span.start < begin + len(text) and span.end > begin
    )
    provs = [prov for prov in block.prov if prov.start < end and prov.end > begin] or list(block.prov[:1])
    moved = tuple(
        Prov(page=prov.page, bbox=prov.bbox, start=max(prov.start - begin, 0), end=max(prov.end - begin, 0))
        for prov in provs
    )
    whole = block.bold and len(text) == len(block.text)
    first = begin == 0
    return block.model_copy(
        update={
            "id": block.id if first else f"{block.id}+{begin}",
            "label": block.label if first else "text",
            "number": block.number if first else None,
            "text": text,
            "spans": spans,
            "prov": moved,
            "bold": whole,
        }
    )
