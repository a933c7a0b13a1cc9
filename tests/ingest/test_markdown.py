"""Markdown books keep their headings, their bold words, their formulas and their tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ingest.markdown import Markdown
from kg.document import Document
from kg.project import Project
from tests.ingest.paper import document, headings, styled, texts
from tests.ingest.parsed import TITLES, listed
from tests.ingest.test_mineru import result

TEXT = """---
title: kept out
---
# Motion

## Speed

A **speed** is *how far* a body
moves in 1 s; a<sub>0</sub> is `fixed`.

1. first
2. second **bold**

   goes on

- a bullet

$$v = \\frac{s}{t}$$ (1.1)

| a | b & c |
|---|---|
| 1 | 2 |

<table><tr><td>x</td></tr></table>

```
code here
```

![A road](road.png)

### **Lab** Rolling
"""


def made(tmp_path: Path, project: Project, text: str = TEXT) -> Document:
    path = tmp_path / "book.md"
    path.write_text(text)
    return document(result(path, project, Markdown()))


def test_everything_in_it_is_a_block_of_its_kind(tmp_path: Path, project: Project) -> None:
    book = made(tmp_path, project)
    assert headings(book) == [(1, "Motion"), (2, "Speed"), (3, "Lab Rolling")] and book.title == "Motion"
    assert texts(book, "text") == ["A speed is how far a body moves in 1 s; a₀ is fixed.", "goes on"]
    assert texts(book, "list_item") == ["1. first", "2. second bold", "• a bullet"]
    assert texts(book, "table") == ["a | b & c\n1 | 2", "x"] and texts(book, "code") == ["code here"]
    assert texts(book, "caption") == ["A road"] and len(texts(book, "picture")) == 1
    (formula,) = [block for block in book.blocks if block.label == "formula"]
    assert (formula.latex, formula.number) == ("v = \\frac{s}{t}", "1.1")
    (page,) = book.pages
    assert page.route == "markup" and [vote.witness for vote in book.blocks[0].level_votes] == ["markup"]


def test_styles_cover_their_words(tmp_path: Path, project: Project) -> None:
    book = made(tmp_path, project)
    (text,) = [block for block in book.blocks if block.text.startswith("A speed")]
    assert styled(text, "bold") == ["speed"] and styled(text, "italic") == ["how far"]
    assert styled(text, "subscript") == ["₀"]
    (item,) = [block for block in book.blocks if block.text.startswith("2.")]
    assert styled(item, "bold") == ["bold"] and item.number == "2."


def test_a_content_list_beside_it_is_read_in_its_place(tmp_path: Path, project: Project) -> None:
    (tmp_path / "book_content_list.json").write_text(json.dumps(listed()))
    book = made(tmp_path, project)
    assert len(book.pages) == 2 and [text for _, text in headings(book)] == list(TITLES)


@pytest.mark.parametrize(
    ("name", "data", "what"),
    [
        ("gone.md", None, "not found"),
        ("book.pdf", b"%PDF-", "not a Markdown file"),
        ("book.md", b"\xff\xfe\x00a", "cannot be read as text"),
        ("book.md", b"", "no text"),
    ],
)
def test_what_cannot_be_read_is_named(
    tmp_path: Path, project: Project, name: str, data: bytes | None, what: str
) -> None:
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    (failure,) = result(path, project, Markdown()).failures
    assert what in failure.what and failure.remedy
