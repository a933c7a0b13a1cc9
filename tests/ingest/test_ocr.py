"""Pages without a usable text layer are recognised, those alone, and never twice."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from ingest.ocr import Kept, Ocr, make
from ingest.pymupdf import PyMuPdf
from ingest.reader import Image, PageReader
from ingest.recognised import Recognised
from ingest.stage import Ingest
from ingest.tesseract import Tesseract
from kg.document import Book, Document
from kg.engine import attempt
from kg.errors import InputError, SettingsError
from kg.project import Project
from kg.stage import Result
from tests.ingest.paper import SANS_BOLD, Paper, document, prose

here = pytest.mark.skipif(shutil.which("tesseract") is None, reason="the program tesseract is not installed")


def scanned(paper: Paper, dpi: int = 150) -> Paper:
    """The pages of a paper as pictures."""
    made = Paper()
    for number, page in enumerate(paper.file):
        if number:
            made.turn()
        made.page.insert_image(made.page.rect, pixmap=page.get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY))
    return made


def mixed(tmp_path: Path) -> Path:
    """A book whose second page is a scan."""
    paper = Paper().paragraph(prose(80)).turn().line("Falling Bodies", 18, SANS_BOLD).gap(10).paragraph(prose(80))
    paper.turn().paragraph(prose(80, 7))
    scan = scanned(paper)
    paper.file.delete_page(1)
    paper.file.insert_pdf(scan.file, from_page=1, to_page=1, start_at=1)
    return paper.save(tmp_path / "mixed.pdf")


def result(path: Path, project: Project, reader: PageReader, ocr: Ocr | None, **book: Any) -> Result:
    entry = Book.model_validate({"slug": "book", "file": str(path), **book})
    stage = Ingest(reader=reader, ocr=ocr)
    (item,) = stage.plan(replace(project, books=(entry,)))
    return attempt(stage, item, replace(project, books=(entry,)))


@here
def test_exactly_the_scanned_page_is_recognised_and_the_reason_is_kept(
    tmp_path: Path, project: Project, reader: PageReader
) -> None:
    made = result(mixed(tmp_path), project, reader, Ocr(engine="tesseract"))
    book = document(made)
    assert made.failures == ()
    assert [(page.route, page.reason) for page in book.pages] == [("text", ""), ("ocr", "no text layer"), ("text", "")]
    blocks = [block for block in book.blocks if block.prov[0].page == 1]
    assert all(block.source is not None and block.source.route == "ocr" for block in blocks)
    assert (blocks[0].label, blocks[0].text) == ("section_header", "Falling Bodies")
    assert all(((block.source and block.source.confidence) or 0) > 0.7 for block in blocks)
    assert prose(80) in " ".join(block.text for block in blocks)
    assert any("text recognition read page 2" in warning for warning in book.warnings)


@here
def test_a_book_of_scans_tells_its_language_by_itself(tmp_path: Path, project: Project, reader: PageReader) -> None:
    path = scanned(Paper().paragraph(prose(120))).save(tmp_path / "scan.pdf")
    book = document(result(path, project, reader, Ocr(engine="tesseract")))
    assert book.language == "en" and book.pages[0].route == "ocr"


@here
def test_a_page_is_recognised_once(tmp_path: Path, project: Project) -> None:
    path = mixed(tmp_path)
    first = result(path, project, PyMuPdf(), Ocr(engine="tesseract"))
    kept = list(project.store.root.glob(".ocr/*.json"))
    assert len(kept) == 1
    found = Recognised.model_validate_json(kept[0].read_text())
    changed = found.lines[0].model_copy(
        update={"pieces": (found.lines[0].pieces[0].model_copy(update={"text": "Kept"}),)}
    )
    kept[0].write_text(found.model_copy(update={"lines": (changed,)}).to_json())
    second = result(path, project, PyMuPdf(), Ocr(engine="tesseract"))
    assert "Kept" in [block.text for block in document(second).blocks] and first.files != second.files


def test_without_text_recognition_such_a_page_is_a_failure(
    tmp_path: Path, project: Project, reader: PageReader
) -> None:
    made = result(mixed(tmp_path), project, reader, None)
    (failure,) = made.failures
    assert failure.page == 1 and "no text layer" in failure.what and document(made).pages[1].route == "failed"


def test_a_language_without_an_engine_is_named(tmp_path: Path, project: Project) -> None:
    bare = {code: pack.model_copy(update={"parts": {}}) for code, pack in project.languages.items()}
    made = result(mixed(tmp_path), replace(project, languages=bare), PyMuPdf(), Ocr(), language="en")
    (failure,) = made.failures
    assert failure.page == 1 and "no engine" in failure.what and "install" in failure.remedy


def test_engines_that_are_not_known_or_not_there_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError, match="guesswork"):
        Ocr(engine="guesswork")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SettingsError, match="not installed"):
        Tesseract()


def grey(page: Any, dpi: float = 200.0) -> Image:
    drawn = page.get_pixmap(dpi=int(dpi), colorspace=pymupdf.csGRAY, alpha=False)
    return Image(drawn.width, drawn.height, bytes(drawn.samples), dpi)


@here
def test_tesseract_reads_words_with_their_places_and_sizes() -> None:
    paper = Paper().paragraph(prose(60), size=12)
    found = make("tesseract").read(grey(paper.page), "eng")
    assert found.engine.startswith("tesseract ")
    assert " ".join(piece.text for line in found.lines for piece in line.pieces) == prose(60)
    sizes = sorted(line.size * 72 / found.dpi for line in found.lines)
    assert 10 < sizes[len(sizes) // 2] < 14
    assert all(0 <= piece.left < piece.right <= found.width for line in found.lines for piece in line.pieces)


@here
def test_tesseract_names_what_it_cannot_read() -> None:
    engine = make("tesseract")
    assert engine.reads("eng") and not engine.reads("klingon") and not engine.reads("")
    with pytest.raises(InputError, match="tesseract failed"):
        engine.read(Image(0, 0, b"", 300.0), "eng")


def test_rapidocr_reads_chinese() -> None:
    pytest.importorskip("rapidocr")
    paper = Paper().line("位移是矢量，路程是标量。", 14, "china-s")
    found = make("rapidocr").read(grey(paper.page), "ch")
    assert found.engine.startswith("rapidocr ") and found.lines[0].pieces[0].confidence > 0.8
    assert "位移是矢量" in found.lines[0].pieces[0].text
    assert make("rapidocr").read(grey(Paper().page), "ch").lines == ()


def test_a_picture_is_drawn_as_displayed_and_never_too_large(tmp_path: Path, reader: PageReader) -> None:
    paper = Paper().paragraph(prose(30))
    paper.page.set_rotation(90)
    paper.turn()
    paper.page.set_mediabox(pymupdf.Rect(0, 0, 14000, 7000))
    book = Book(slug="a", file=str(paper.save(tmp_path / "a.pdf")))
    turned = reader.render(book, 0, 72.0)
    assert (turned.width, turned.height) == (700, 500) and len(turned.pixels) == 700 * 500
    assert turned.pgm().startswith(b"P5 700 500 255\n")
    large = reader.render(book, 1, 300.0)
    assert large.width <= 5001 and large.dpi < 30


def test_kept_results_differ_by_everything_they_depend_on(project: Project) -> None:
    one, other = Kept(project.store, "a"), Kept(project.store, "b")
    keys = {
        kept.key(page, engine, code, dpi)
        for kept in (one, other)
        for page in (0, 1)
        for engine in ("x", "y")
        for code in ("eng", "deu")
        for dpi in (150.0, 300.0)
    }
    assert len(keys) == 32


def test_the_document_model_takes_what_recognition_gives() -> None:
    assert "ocr" in str(Document.model_json_schema()["$defs"]["Page"]["properties"]["route"])


@here
def test_a_scan_on_its_side_is_read_and_its_places_are_those_on_the_page(tmp_path: Path, project: Project) -> None:
    paper = Paper().line("Falling Bodies", 18, SANS_BOLD).gap(10).paragraph(prose(60))
    (upright,) = paper.file
    turned = upright.get_pixmap(dpi=150, colorspace=pymupdf.csGRAY)
    size = pymupdf.Rect(0, 0, upright.rect.height, upright.rect.width)
    with pymupdf.open() as file:
        file.new_page(width=size.width, height=size.height).insert_image(size, pixmap=turned, rotate=90)
        file.save(tmp_path / "side.pdf")
    made = result(tmp_path / "side.pdf", project, PyMuPdf(), Ocr(engine="tesseract", dpi=200))
    book = document(made)
    title, text = book.blocks
    assert (title.label, title.text) == ("section_header", "Falling Bodies") and text.text == prose(60)
    left, top, right, bottom = title.prov[0].bbox
    assert bottom - top > 3 * (right - left)
    assert 0 <= left < right <= size.width and 0 <= top < bottom <= size.height
    assert title.source is not None and (title.source.confidence or 0) > 0.75


def test_a_picture_is_turned_clockwise() -> None:
    image = Image(3, 2, b"abcdef", 72.0)
    assert image.turned(90) == Image(2, 3, b"daebfc", 72.0)
    assert image.turned(180) == Image(3, 2, b"fedcba", 72.0)
    assert image.turned(270).turned(90) == image
