"""Documents for Docling's tools: the JSON form of a `DoclingDocument`; nothing of Docling is imported.

In: a `Document`. Out: its JSON; `python -m ingest.docling DOCUMENT.json TARGET.json` writes it.
What Docling has no place for (level votes, confidence, flags) stays behind; running heads and feet are its furniture.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from typing import Any

from ingest.parts import rows_of
from kg.document import FURNITURE, Block, Document, Label

VERSION = "1.7.0"
"""Of Docling's schema; later 1.x versions read it."""
LABELS: Mapping[Label, str] = {"document_index": "text"}
"""Labels that Docling keeps for other things; all others have the same name there."""


def docling(document: Document) -> dict[str, Any]:
    """The document in Docling's form."""
    made: dict[str, Any] = {
        "schema_name": "DoclingDocument",
        "version": VERSION,
        "name": document.title,
        "origin": {
            "mimetype": "application/pdf",
            "binary_hash": int(document.sha256[:16] or "0", 16),
            "filename": document.book,
        },
        "furniture": _root("furniture"),
        "body": _root("body"),
        "groups": [],
        "texts": [],
        "pictures": [],
        "tables": [],
        "key_value_items": [],
        "form_items": [],
        "pages": {
            str(page.index + 1): {"size": {"width": page.width, "height": page.height}, "page_no": page.index + 1}
            for page in document.pages
        },
    }
    for block in document.blocks:
        _add(block, made)
    return made


def _root(layer: str) -> dict[str, Any]:
    return {"self_ref": f"#/{layer}", "children": [], "content_layer": layer, "name": "_root_", "label": "unspecified"}


def _add(block: Block, made: dict[str, Any]) -> None:
    kind = {"picture": "pictures", "table": "tables"}.get(block.label, "texts")
    reference = f"#/{kind}/{len(made[kind])}"
    layer = "furniture" if block.label in FURNITURE else "body"
    item: dict[str, Any] = {
        "self_ref": reference,
        "parent": {"$ref": "#/body"},
        "children": [],
        "content_layer": layer,
        "label": LABELS.get(block.label, block.label),
        "prov": [_place(block, at) for at in range(len(block.prov))],
    }
    if kind == "texts":
        item |= {"orig": block.text, "text": block.text}
        if block.label == "section_header":
            item["level"] = min(block.level or 1, 100)
        if block.label == "list_item":
            item |= {"enumerated": bool(block.number and block.number[0].isdigit()), "marker": block.number or "•"}
        if block.label == "formula" and block.latex:
            item["text"] = block.latex
        if block.label == "code":
            item |= {"captions": [], "references": [], "footnotes": [], "code_language": "unknown"}
        if block.bold:
            item["formatting"] = {"bold": True}
    else:
        item |= {"captions": [], "references": [], "footnotes": [], "annotations": []}
    if kind == "tables":
        item["data"] = _cells(block)
    made["body"]["children"].append({"$ref": reference})
    made[kind].append(item)


def _place(block: Block, at: int) -> dict[str, Any]:
    prov = block.prov[at]
    left, top, right, bottom = prov.bbox
    box = {"l": left, "t": top, "r": right, "b": bottom, "coord_origin": "TOPLEFT"}
    return {"page_no": prov.page + 1, "bbox": box, "charspan": [prov.start, prov.end]}


def _cells(block: Block) -> dict[str, Any]:
    rows = rows_of(block.html) if block.html else [line.split(" | ") for line in block.text.split("\n")]
    width = max((len(row) for row in rows), default=0)
    cells = [
        {
            "row_span": 1,
            "col_span": 1,
            "start_row_offset_idx": down,
            "end_row_offset_idx": down + 1,
            "start_col_offset_idx": across,
            "end_col_offset_idx": across + 1,
            "text": unescape(text),
            "column_header": False,
            "row_header": False,
            "row_section": False,
        }
        for down, row in enumerate(rows)
        for across, text in enumerate(row)
    ]
    return {"table_cells": cells, "num_rows": len(rows), "num_cols": width}


def main(arguments: list[str]) -> int:
    """The second file holds the document of the first in Docling's form. Returns the exit code."""
    if len(arguments) != 2:
        sys.stderr.write("usage: python -m ingest.docling DOCUMENT.json TARGET.json\n")
        return 2
    source, target = (Path(name) for name in arguments)
    document = Document.model_validate_json(source.read_bytes())
    target.write_text(json.dumps(docling(document), ensure_ascii=False), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
