"""Small books made in code: blocks from short strings, sections, and the extractor with the settings of `conf/`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from extract.claims import Claims, Desk, Prior
from extract.pack import pack_of
from extract.rules import Rules
from extract.view import BookView, SectionView, book_view
from kg.document import Block, Book, Document, Page, Prov, Span
from kg.language import Language
from kg.language import load as load_languages
from kg.schema import GraphSchema
from kg.schema import load as load_schema
from kg.section import Kind, Section, SectionRow, section

ROOT = Path(__file__).resolve().parents[2]
LABELS = {"#": "section_header", "-": "list_item", "=": "formula", "|": "table", "(": "caption"}
Lines = Sequence[str]


def make_block(line: str, number: int, parent: str | None = None) -> Block:
    """`# Title`, `## Deeper`, `[] Box title`, `- item`, `= formula`, `| cell | cell`; `**bold**`, `__it__`."""
    label, level, flags = "text", None, ()
    left = 50.0
    if line.startswith("[] "):
        label, level, flags, line = "section_header", 5, ("box",), line[3:]
    elif hit := re.match(r"(#+) ", line):
        label, level, line = "section_header", len(hit.group(1)), line[hit.end() :]
    elif line[:2] in {"- ", "= ", "| ", "( "}:
        label, line = LABELS[line[0]], line[2:]
    if label == "list_item":
        indent = len(line) - len(line.lstrip())
        left, line = left + 10.0 * indent, line.lstrip()
    text, spans = "", []
    for piece in re.split(r"(\*\*.+?\*\*|__.+?__)", line.replace("\\n", "\n")):
        style = {"**": "bold", "__": "italic"}.get(piece[:2]) if len(piece) > 4 else None
        bare = piece[2:-2] if style else piece
        if style:
            spans.append(Span(start=len(text), end=len(text) + len(bare), style=style))
        text += bare
    prov = Prov(page=number // 10, bbox=(left, 10.0 * number, 500.0, 10.0 * number + 9), start=0, end=len(text))
    bold = len(spans) == 1 and spans[0].style == "bold" and spans[0].end - spans[0].start == len(text)
    return Block(
        id=f"b{number}",
        label=label,
        text=text,
        prov=(prov,),
        level=level,
        spans=tuple(spans),
        bold=bold,
        parent=parent,
        flags=flags,
    )


def make_blocks(lines: Lines, first: int = 0) -> list[Block]:
    """Blocks of the lines; those that start with `> ` stand in the box before them."""
    blocks: list[Block] = []
    box: str | None = None
    for number, line in enumerate(lines, start=first):
        inside = line.startswith("> ")
        box = box if inside else None
        block = make_block(line[2:] if inside else line, number, box)
        if "box" in block.flags:
            box = block.id
        blocks.append(block)
    return blocks


class Shelf:
    """Makes books and reads them with the rules of `conf/`."""

    def __init__(self, languages: dict[str, Language], schema: GraphSchema, priors: dict[str, Prior]) -> None:
        self.languages, self.schema, self.priors = languages, schema, priors

    def document(self, parts: Sequence[tuple[Any, ...]], code: str = "en") -> tuple[Document, list[SectionRow]]:
        """A document and its rows from parts `(kind, number, title, lines)`; the number's head is the chapter's."""
        blocks: list[Block] = []
        rows: list[SectionRow] = []
        for at, (kind, number, title, lines) in enumerate(parts):
            start = len(blocks)
            blocks += make_blocks(lines, start)
            chapter = number.split(".")[0]
            rows.append(
                SectionRow(
                    id=f"t:section:book:{at}",
                    chapter_number=chapter,
                    chapter_title=f"Chapter {chapter}",
                    section_number=number if "." in number else "",
                    section_title=title,
                    kind=kind,
                    start_page=start // 10,
                    end_page=len(blocks) // 10,
                    file=f"sections/{at}.md",
                    chapter=f"t:chapter:book:{chapter}",
                    start_block=start,
                    end_block=len(blocks),
                )
            )
        pages = tuple(Page(index=i, width=600, height=800) for i in range(len(blocks) // 10 + 1))
        document = Document(
            book="book", title="Book", language=code, sha256="0", engine="test", pages=pages, blocks=tuple(blocks)
        )
        return document, rows

    def sections(self, parts: Sequence[tuple[Any, ...]], code: str = "en") -> list[Section]:
        """The sections of such a document."""
        document, rows = self.document(parts, code)
        body = document.body()
        return [section(document, body, row) for row in rows]

    def book(self, parts: Sequence[tuple[Any, ...]], code: str = "en") -> BookView:
        """The same as the rules read it."""
        language = self.languages[code]
        return book_view(self.sections(parts, code), language, pack_of(language))

    def view(self, lines: Lines, kind: Kind = "section", code: str = "en") -> SectionView:
        """One section."""
        return self.book([(kind, "1.1", "Section", lines)], code).sections[0]

    def claims(self, parts: Sequence[tuple[Any, ...]], code: str = "en") -> Claims:
        """What the rules say about such a book."""
        return Rules(priors=self.priors).claims(self.sections(parts, code), self.schema, self.languages[code])

    def desk(self) -> Desk:
        """A place for claims."""
        return Desk(self.schema, self.priors)


@pytest.fixture(scope="session")
def shelf() -> Shelf:
    conf = yaml.safe_load((ROOT / "conf/extract/rules.yaml").read_text(encoding="utf-8"))
    priors = {name: Prior(**prior) for name, prior in conf["extractor"]["priors"].items()}
    return Shelf(load_languages(ROOT / "conf/language"), load_schema(ROOT / "conf/schema/k12.yaml"), priors)


@pytest.fixture
def book_row() -> Callable[[str], Book]:
    return lambda slug: Book(slug=slug, file=f"/nowhere/{slug}.pdf")
