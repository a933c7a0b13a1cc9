"""Small books written as marked-up text, and what the stage makes of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from kg.document import Block, Document, Label, OutlineItem, Page, Prov
from kg.graph import Finding
from kg.language import Language
from kg.section import SectionRow
from segment.divide import divided
from segment.pack import SegmentRules
from segment.rows import Place
from segment.titles import TitleReader

PLACE = Place("physics", "book", "Chapter", "Section")
SIZES = {1: 24.0, 2: 16.0, 3: 13.0, 4: 11.5}

Write = Callable[..., Document]
Divide = Callable[[Document], tuple[list[SectionRow], list[Finding]]]


def book_of(text: str, language: str = "en", outline: Sequence[tuple[int, str, int]] = ()) -> Document:
    """A document: `# …` is a heading (two signs: level 2), `> …` a contents line (two spaces: deeper by one
    indent), `=` begins a new page, everything else is a paragraph."""
    blocks: list[Block] = []
    page = 0
    for line in text.strip("\n").split("\n"):
        line = line.strip()
        if line == "=":
            page += 1
        elif line:
            blocks.append(_block(line, len(blocks), page))
    pages = tuple(Page(index=i, width=600, height=800) for i in range(page + 1))
    items = tuple(OutlineItem(level=level, title=title, page=at) for level, title, at in outline)
    return Document(
        book="book",
        title="A Book",
        language=language,
        sha256="",
        engine="t",
        pages=pages,
        outline=items,
        blocks=tuple(blocks),
    )


def _block(line: str, at: int, page: int) -> Block:
    sign = line[: len(line) - len(line.lstrip("#>"))]
    rest = line[len(sign) :]
    text = rest.strip()
    label: Label = "section_header" if sign[:1] == "#" else "document_index" if sign else "text"
    left = 60.0 + 10 * (len(rest) - len(rest.lstrip()) - 1 if sign == ">" else 0)
    prov = Prov(page=page, bbox=(left, 100, 500, 110), start=0, end=len(text))
    level = len(sign) if label == "section_header" else None
    size = SIZES[level] if level else 10.0
    return Block(id=f"b{at}", label=label, text=text, prov=(prov,), level=level, font_size=size)


@pytest.fixture(scope="session")
def write() -> Write:
    return book_of


@pytest.fixture(scope="session")
def readers(languages: Mapping[str, Language]) -> Mapping[str, TitleReader]:
    return {code: TitleReader(pack.part("segment", SegmentRules)) for code, pack in languages.items()}


@pytest.fixture(scope="session")
def divide(readers: Mapping[str, TitleReader]) -> Divide:
    return lambda document: divided(document, readers[document.language], PLACE, 400)
