"""A document in Docling's form holds every block once, in order, with its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ingest.docling import docling, main
from kg.document import Block, Document, Page, Prov


def block(name: str, label: str, text: str, **more: object) -> Block:
    prov = (Prov(page=0, bbox=(1.0, 2.0, 3.0, 4.0), start=0, end=len(text)),)
    return Block.model_validate({"id": name, "label": label, "text": text, "prov": prov, **more})


DOCUMENT = Document(
    book="book",
    title="Motion",
    language="en",
    sha256="ab" * 32,
    engine="pymupdf 1",
    pages=(Page(index=0, width=500, height=700),),
    blocks=(
        block("a", "page_header", "Running head"),
        block("b", "section_header", "Speed", level=2, bold=True),
        block("c", "list_item", "1. first", number="1."),
        block(
            "d",
            "table",
            "x | y\n1 & 2 | 3",
            html="<table><tr><td>x</td><td>y</td></tr><tr><td>1 &amp; 2</td></tr></table>",
        ),
        block("e", "picture", ""),
        block("f", "formula", "v = s/t", latex="v = \\frac{s}{t}"),
        block("g", "code", "a = 1"),
        block("h", "document_index", "Speed … 1"),
    ),
)


def test_every_block_is_there_once_in_order() -> None:
    made = docling(DOCUMENT)
    order = [child["$ref"] for child in made["body"]["children"]]
    assert order == [f"#/texts/{n}" for n in (0, 1, 2)] + ["#/tables/0", "#/pictures/0"] + [
        f"#/texts/{n}" for n in (3, 4, 5)
    ]
    labels = [item["label"] for item in made["texts"]]
    assert labels == ["page_header", "section_header", "list_item", "formula", "code", "text"]
    assert [item["content_layer"] for item in made["texts"]] == ["furniture", *["body"] * 5]
    assert made["texts"][1]["level"] == 2 and made["texts"][1]["formatting"] == {"bold": True}
    assert made["texts"][2]["enumerated"] and made["texts"][3]["text"] == "v = \\frac{s}{t}"
    assert made["texts"][3]["orig"] == "v = s/t" and made["pages"]["1"]["size"] == {"width": 500.0, "height": 700.0}


def test_places_and_cells_are_kept() -> None:
    made = docling(DOCUMENT)
    (place,) = made["tables"][0]["prov"]
    assert place["page_no"] == 1 and place["bbox"] == {
        "l": 1.0,
        "t": 2.0,
        "r": 3.0,
        "b": 4.0,
        "coord_origin": "TOPLEFT",
    }
    data = made["tables"][0]["data"]
    assert (data["num_rows"], data["num_cols"]) == (2, 2)
    assert [cell["text"] for cell in data["table_cells"]] == ["x", "y", "1 & 2"]


def test_the_command_writes_a_file_or_says_how(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "document.json", tmp_path / "docling.json"
    source.write_text(DOCUMENT.to_json())
    assert main([str(source), str(target)]) == 0
    assert json.loads(target.read_text())["schema_name"] == "DoclingDocument"
    assert main([]) == 2 and "usage" in capsys.readouterr().err
