"""MinerU's content list: a flat list in reading order, boxes in thousandths of the page.

In: the parsed JSON and the pages' sizes. Out: a `Marked`. Paragraphs over a page break stand whole on their first page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ingest.parts import Marked, Part, table
from kg.document import Box, Label, Page

LABELS: Mapping[str, Label] = {
    "header": "page_header",
    "footer": "page_footer",
    "page_number": "page_footer",
    "aside_text": "page_header",
    "page_footnote": "footnote",
    "code": "code",
    "index": "document_index",
    "ref_text": "text",
}
A4 = (595.0, 842.0)


def read(rows: Sequence[Mapping[str, Any]], sizes: Sequence[tuple[float, float]]) -> Marked:
    """The book. `sizes` of the PDF's pages; without them boxes are on A4 paper."""
    parts: list[Part] = []
    last = 0
    for row in rows:
        page = int(row.get("page_idx", 0))
        last = max(last, page)
        size = sizes[page] if page < len(sizes) else A4
        parts += _parts(row, page, size)
    pages = [
        Page(index=at, width=size[0], height=size[1], route="layout_model")
        for at in range(last + 1)
        for size in (sizes[at] if at < len(sizes) else A4,)
    ]
    return Marked("mineru content list", parts, tuple(pages), "layout_model")


def _parts(row: Mapping[str, Any], page: int, size: tuple[float, float]) -> Iterator[Part]:
    kind = str(row["type"])
    box = _box(row, size)
    if kind in ("image", "chart"):
        yield Part("picture", "", page, box)
        yield from _captions(row, page, box)
    elif kind == "table":
        yield from _captions(row, page, box)
        yield table(page, box, str(row["table_body"])) if row.get("table_body") else Part("picture", "", page, box)
    elif kind == "equation":
        latex = str(row.get("text") or "").strip().strip("$").strip()
        yield Part("formula", latex, page, box, latex=latex if row.get("text_format", "latex") == "latex" else None)
    elif kind == "list":
        for item in row.get("list_items") or ():
            yield Part("list_item", str(item).strip(), page, box)
    else:
        text = str(row.get("text") or row.get("code_body") or "").strip()
        heading = kind == "text" and bool(row.get("text_level"))
        if text:
            yield Part("section_header" if heading else LABELS.get(kind, "text"), text, page, box)


def _captions(row: Mapping[str, Any], page: int, box: Box) -> Iterator[Part]:
    for key in ("image_caption", "img_caption", "chart_caption", "table_caption"):
        for caption in row.get(key) or ():
            if str(caption).strip():
                yield Part("caption", str(caption).strip(), page, box)


def _box(row: Mapping[str, Any], size: tuple[float, float]) -> Box:
    left, top, right, bottom = (float(part) / 1000 for part in row.get("bbox") or (0, 0, 0, 0))
    return (round(left * size[0], 1), round(top * size[1], 1), round(right * size[0], 1), round(bottom * size[1], 1))
