"""MinerU 4: its middle JSON (`docvortex.middle` 2.x), boxes as shares of the page.

In: the parsed JSON and the pages' sizes. Out: a `Marked`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ingest.parts import Marked, Part, Styled, table
from kg.document import Box, Label, Page
from kg.errors import InputError

SCHEMA = "docvortex.middle"
MAJOR = "2"
"""Versions of the schema that are known."""
LABELS: Mapping[str, Label] = {
    "doc_title": "title",
    "paragraph_title": "section_header",
    "text": "text",
    "abstract": "text",
    "header": "page_header",
    "footer": "page_footer",
    "page_number": "page_footer",
    "aside_text": "page_header",
    "page_footnote": "footnote",
    "code": "code",
    "algorithm": "code",
    "image_caption": "caption",
    "table_caption": "caption",
    "chart_caption": "caption",
    "code_caption": "caption",
    "image_footnote": "text",
    "table_footnote": "text",
    "ref_text": "text",
}
"""What a block's type is called here; types that are not listed are text."""
STYLES = frozenset({"bold", "italic", "superscript", "subscript"})
A4 = (595.0, 842.0)


def read(data: Mapping[str, Any], sizes: Sequence[tuple[float, float]], where: str) -> Marked:
    """The book. `sizes` of the PDF's pages; without them those that the file gives.

    Raises InputError for an unknown version.
    """
    version = str(data.get("schema_version", ""))
    if version.partition(".")[0] != MAJOR:
        remedy = f"{SCHEMA} {MAJOR}.x is known; use MinerU 4.0 to 4.x"
        raise InputError(f"{SCHEMA} {version} is not known", where=where, remedy=remedy)
    producer = (data.get("metadata") or {}).get("producer") or {}
    mode = (data.get("extensions") or {}).get("mineru") or {}
    name = " ".join(
        str(part) for part in (producer.get("name", "mineru"), producer.get("version", ""), mode.get("tier", ""))
    )
    given = _sizes(data)
    parts: list[Part] = []
    pages: list[Page] = []
    for page in data["pages"]:
        index = int(page["page_idx"])
        width, height = sizes[index] if index < len(sizes) else given.get(index, A4)
        pages.append(Page(index=index, width=width, height=height, route="layout_model"))
        for block in page.get("blocks") or ():
            parts += _parts(block, index, (width, height))
    return Marked(name.strip(), parts, tuple(pages), "layout_model")


def _sizes(data: Mapping[str, Any]) -> dict[int, tuple[float, float]]:
    layout = (data.get("extensions") or {}).get("docvortex_layout") or {}
    found = {}
    for at, page in enumerate(layout.get("pages") or ()):
        if page.get("width_pt") and page.get("height_pt"):
            found[int(page.get("page_idx", at))] = (float(page["width_pt"]), float(page["height_pt"]))
    return found


def _box(block: Mapping[str, Any], size: tuple[float, float]) -> Box:
    left, top, right, bottom = (float(part) for part in block.get("bbox") or (0, 0, 0, 0))
    return (
        round(left * size[0], 1),
        round(top * size[1], 1),
        round(right * size[0], 1),
        round(bottom * size[1], 1),
    )


def _parts(block: Mapping[str, Any], page: int, size: tuple[float, float]) -> Iterator[Part]:
    kind, box = str(block["type"]), _box(block, size)
    content = block.get("content")
    if kind in ("image", "chart", "table", "code") and isinstance(content, list) and _has_blocks(content):
        for child in content:
            yield from _parts(child, page, size)
    elif kind in ("image_body", "chart_body", "seal"):
        yield Part("picture", "", page, box)
    elif kind == "table_body":
        yield table(page, box, content if isinstance(content, str) else _inline(content)[0])
    elif kind == "equation":
        yield _equation(block, content, page, box)
    elif kind in ("list", "index") and isinstance(content, list):
        label: Label = "document_index" if kind == "index" else "list_item"
        for child in content:
            text, spans = _inline(child.get("content"))
            if text:
                yield Part(label, text, page, _box(child, size) if child.get("bbox") else box, spans=spans)
    else:
        text, spans = _inline(content)
        if text:
            goes_on = bool(block.get("continues_prev"))
            yield Part(LABELS.get(kind, "text"), text, page, box, spans=_light(text, spans), continues=goes_on)


def _has_blocks(content: Sequence[Any]) -> bool:
    return any(isinstance(child, Mapping) and "bbox" in child for child in content)


def _equation(block: Mapping[str, Any], content: Any, page: int, box: Box) -> Part:
    """A formula. The flash tier gives none of it but its place: then it has no text until a text layer gives it one."""
    latex = content if isinstance(content, str) else _inline(content)[0]
    latex = latex.strip().strip("$").strip()
    return Part("formula", latex, page, box, latex=latex or None)


def _light(text: str, spans: Sequence[Styled]) -> list[Styled]:
    return [span for span in spans if (span[0], span[1]) != (0, len(text))]


def _inline(content: Any) -> tuple[str, list[Styled]]:
    """The text of spans and its styles."""
    if isinstance(content, str):
        return content.strip(), []
    text = ""
    spans: list[Styled] = []
    for span in content or ():
        inner = span.get("content", "") if isinstance(span, Mapping) else str(span)
        if not isinstance(inner, str):
            inner = _inline(inner)[0]
        start = len(text) + len(inner) - len(inner.lstrip())
        end = len(text) + len(inner.rstrip())
        text += inner
        spans += [(start, end, style) for style in span.get("styles") or () if style in STYLES and start < end]
    return text.rstrip(), spans
