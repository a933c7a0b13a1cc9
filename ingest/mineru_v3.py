"""MinerU 2 and 3 and magic-pdf: their middle JSON (`pdf_info`), boxes in points.

In: the parsed JSON. Out: a `Marked`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ingest.parts import Marked, Part, table
from kg.document import Box, Label, Page
from kg.text import is_cjk

LABELS: Mapping[str, Label] = {
    "title": "section_header",
    "text": "text",
    "list": "list_item",
    "index": "document_index",
    "interline_equation": "formula",
    "code_body": "code",
    "image_caption": "caption",
    "table_caption": "caption",
    "image_footnote": "text",
    "table_footnote": "text",
    "header": "page_header",
    "footer": "page_footer",
    "page_number": "page_footer",
    "aside_text": "page_header",
    "page_footnote": "footnote",
    "discarded": "page_header",
}
"""What a block's type is called here; types that are not listed are text."""


def read(data: Mapping[str, Any]) -> Marked:
    """The book."""
    name = f"{data.get('_backend') or data.get('_parse_type') or 'pipeline'} {data.get('_version_name') or ''}".strip()
    parts: list[Part] = []
    pages: list[Page] = []
    for at, page in enumerate(data["pdf_info"]):
        index = int(page.get("page_idx", at))
        width, height = (float(part) for part in page["page_size"])
        pages.append(Page(index=index, width=width, height=height, route="layout_model"))
        for block in page.get("discarded_blocks") or ():
            parts += _parts(block, index, "discarded")
        for block in page.get("para_blocks") or page.get("preproc_blocks") or ():
            parts += _parts(block, index, "")
    return Marked(f"mineru {name}", parts, tuple(pages), "layout_model")


def _parts(block: Mapping[str, Any], page: int, kind: str) -> Iterator[Part]:
    own = str(block["type"])
    kind = own if own in LABELS or not kind else kind
    if block.get("blocks"):
        for child in block["blocks"]:
            yield from _parts(child, page, "")
        return
    box = _box(block)
    if own in ("image_body", "image"):
        yield Part("picture", "", page, box)
    elif own in ("table_body", "table"):
        html = next((str(span["html"]) for span in _spans(block) if span.get("html")), "")
        yield table(page, box, html) if html else Part("picture", "", page, box)
    elif own == "interline_equation":
        latex = " ".join(str(span.get("content", "")) for span in _spans(block)).strip()
        yield Part("formula", latex, page, box, latex=latex or None)
    elif own in ("list", "index"):
        yield from _entries(block, page, LABELS[own])
    elif text := _text(block.get("lines") or ()):
        yield Part(LABELS.get(kind, "text"), text, page, box, confidence=_score(block))


def _entries(block: Mapping[str, Any], page: int, label: Label) -> Iterator[Part]:
    """One part for each entry: lines that start one are marked; without marks every line is one."""
    lines = list(block.get("lines") or ())
    marked = any(line.get("is_list_start_line") for line in lines)
    entries: list[list[Any]] = []
    for line in lines:
        if not entries or line.get("is_list_start_line") or not marked:
            entries.append([])
        entries[-1].append(line)
    for entry in entries:
        if text := _text(entry):
            yield Part(label, text, page, _box(entry[0]))


def _box(thing: Mapping[str, Any]) -> Box:
    left, top, right, bottom = (round(float(part), 1) for part in thing.get("bbox") or (0, 0, 0, 0))
    return (left, top, right, bottom)


def _spans(block: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for line in block.get("lines") or ():
        yield from line.get("spans") or ()


def _text(lines: Sequence[Mapping[str, Any]]) -> str:
    """The lines joined; a hyphen at a line's end is MinerU's to undo."""
    text = ""
    for line in lines:
        for span in line.get("spans") or ():
            piece = str(span.get("content") or "").strip()
            if piece:
                glued = not text or (is_cjk(text[-1]) and is_cjk(piece[0]))
                text += piece if glued else f" {piece}"
    return text


def _score(block: Mapping[str, Any]) -> float | None:
    scores = [float(span["score"]) for span in _spans(block) if isinstance(span.get("score"), int | float)]
    return sum(scores) / len(scores) if scores else None
