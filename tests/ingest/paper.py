"""Small PDFs made at test time, and the documents read from them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pymupdf

from ingest.pymupdf import PyMuPdf
from ingest.reader import PageReader
from ingest.stage import Ingest
from kg.document import Block, Book, Document
from kg.engine import attempt
from kg.project import Project
from kg.stage import Result

ROMAN, BOLD, ITALIC, SANS, SANS_BOLD, MONO, HAN = "tiro", "tibo", "tiit", "helv", "hebo", "cour", "china-s"
WIDTH, HEIGHT = 500.0, 700.0
LEFT, RIGHT = 60.0, 440.0
READERS: list[PageReader] = [PyMuPdf()]
"""The last one reads what the tests make."""
WORDS = (
    "the long road leads over the green hills and down to the old harbour where small boats wait for the tide "
    "and people walk along the water in the evening light until the lamps are lit and the last ferry has left "
)


def width(text: str, size: float = 10.0, font: str = ROMAN) -> float:
    return float(pymupdf.get_text_length(text, fontname=font, fontsize=size))


def wrapped(text: str, measure: float = RIGHT - LEFT, size: float = 10.0, font: str = ROMAN) -> list[str]:
    """The text in lines that fit the measure."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if width(longer, size, font) > measure and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


class Paper:
    """A PDF in the making; `y` is where the next line goes."""

    def __init__(self) -> None:
        self.file: Any = pymupdf.open()
        self.page: Any = None
        self.y = 0.0
        self.turn()

    def turn(self) -> Paper:
        """A new page."""
        self.page = self.file.new_page(width=WIDTH, height=HEIGHT)
        self.y = 70.0
        return self

    def at(self, x: float, y: float, text: str, size: float = 10.0, font: str = ROMAN, rotate: int = 0) -> Paper:
        """Text with its baseline at (x, y)."""
        self.page.insert_text((x, y), text, fontsize=size, fontname=font, rotate=rotate)
        return self

    def line(self, text: str, size: float = 10.0, font: str = ROMAN, x: float = LEFT) -> Paper:
        """The next line of a column."""
        self.at(x, self.y, text, size, font)
        self.y += 1.3 * size
        return self

    def gap(self, points: float = 10.0) -> Paper:
        self.y += points
        return self

    def paragraph(
        self, text: str, size: float = 10.0, font: str = ROMAN, x: float = LEFT, right: float = RIGHT
    ) -> Paper:
        for line in wrapped(text, right - x, size, font):
            self.line(line, size, font, x)
        return self.gap(8)

    def heading(self, text: str, size: float = 16.0) -> Paper:
        self.gap(12)
        return self.line(text, size, SANS_BOLD).gap(8)

    def mixed(self, *parts: tuple[str, str], size: float = 10.0, x: float = LEFT) -> Paper:
        """One line of pieces in different fonts."""
        for text, font in parts:
            self.at(x, self.y, text, size, font)
            x += width(text, size, font)
        self.y += 1.3 * size
        return self

    def rule(self, x0: float, y0: float, x1: float, y1: float) -> Paper:
        self.page.draw_line((x0, y0), (x1, y1))
        return self

    def tint(self, x0: float, y0: float, x1: float, y1: float) -> Paper:
        """A filled area, drawn behind what is already there."""
        self.page.draw_rect((x0, y0, x1, y1), color=None, fill=(0.85, 0.9, 0.95), overlay=False)
        return self

    def save(self, path: Path, **options: Any) -> Path:
        self.file.save(path, **options)
        return path


def result(path: Path, project: Project, **book: Any) -> Result:
    """What the stage makes of a file."""
    entry = Book.model_validate({"slug": "book", "file": str(path), "language": "en", **book})
    ours = replace(project, books=(entry,))
    stage = Ingest(reader=READERS[-1])
    (item,) = stage.plan(ours)
    return attempt(stage, item, stage.setup(ours))


def document(made: Result) -> Document:
    return Document.model_validate_json(made.files["ingest/book/document.json"])


def read(paper: Paper, project: Project, **book: Any) -> Document:
    """The document of a paper; the book must be read without a failure."""
    path = project.store.root.parent / "paper.pdf"
    made = result(paper.save(path), project, **book)
    assert made.failures == ()
    return document(made)


def texts(blocks: Document, label: str) -> list[str]:
    return [block.text for block in blocks.blocks if block.label == label]


def headings(made: Document) -> list[tuple[int | None, str]]:
    return [(block.level, block.text) for block in made.blocks if block.label == "section_header"]


def styled(block: Block, style: str) -> list[str]:
    return [block.text[span.start : span.end] for span in block.spans if span.style == style]


def prose(words: int, start: int = 0) -> str:
    """A sentence of that many words, a capital first and a full stop last."""
    found = (WORDS.split() * (words // 30 + 2))[start : start + words]
    return " ".join(found).capitalize() + "."
