"""The stage as a whole: what it promises, and books it cannot read."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pymupdf
import pytest
from pydantic import ValidationError

from ingest.pymupdf import PyMuPdf
from ingest.stage import Ingest
from kg.document import Book, Document
from kg.project import Project
from kg.section import document_text
from kg.stage import ROOT, Stage
from tests.ingest.paper import HAN, LEFT, Paper, document, prose, read, result

CORPUS = sorted((ROOT / "corpus").glob("*/*.pdf"))


def scan(paper: Paper) -> Paper:
    """The page is a picture from edge to edge."""
    pixels = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 60, 80), False)
    pixels.clear_with(200)
    paper.page.insert_image(paper.page.rect, pixmap=pixels, keep_proportion=False)
    return paper


def test_it_is_a_stage_with_an_item_for_each_book(tmp_path: Path, project: Project) -> None:
    stage = Ingest(reader=PyMuPdf())
    assert isinstance(stage, Stage) and stage.writes == ("ingest/*/document.json", "ingest/*/document.md")
    path = Paper().paragraph(prose(30)).save(tmp_path / "a.pdf")
    books = (Book(slug="a", file=str(path)), Book(slug="b", file="/nowhere.pdf"))
    before = stage.plan(replace(project, books=books))
    assert [item.key for item in before] == ["a", "b"] and before[1].inputs["file"] == "missing"
    Paper().paragraph(prose(31)).save(path)
    after = stage.plan(replace(project, books=books))
    assert after[0].inputs != before[0].inputs and after[1].inputs == before[1].inputs


def test_a_misspelt_setting_is_refused() -> None:
    with pytest.raises(ValidationError, match="brokn_share"):
        Ingest(**{"reader": PyMuPdf(), "brokn_share": 0.1})


def test_the_markdown_is_the_text_of_the_document(tmp_path: Path, project: Project) -> None:
    made = result(Paper().heading("1 Motion").paragraph(prose(60)).save(tmp_path / "a.pdf"), project)
    assert (
        made.files["ingest/book/document.md"].decode()
        == document_text(document(made))
        == f"# 1 Motion\n\n{prose(60)}\n\n"
    )
    assert made.counts == {"pages": 1, "blocks": 2, "headings": 1, "tables": 0, "figures": 0, "formulas": 0}


def test_a_scan_needs_ocr(tmp_path: Path, project: Project) -> None:
    (failure,) = result(scan(Paper()).save(tmp_path / "a.pdf"), project).failures
    assert "no text layer" in failure.what and "OCR" in failure.remedy and failure.page is None


def test_scanned_pages_inside_a_book_are_named_and_the_rest_is_delivered(tmp_path: Path, project: Project) -> None:
    paper = scan(Paper().paragraph(prose(60)).turn()).turn().paragraph(prose(60, 9))
    made = result(paper.save(tmp_path / "a.pdf"), project)
    assert [(failure.page, failure.item) for failure in made.failures] == [(1, "book")]
    assert [page.route for page in document(made).pages] == ["text", "failed", "text"]
    assert [block.text for block in document(made).blocks] == [prose(60), "", prose(60, 9)]


def test_a_blank_page_is_no_failure(project: Project) -> None:
    made = read(Paper().paragraph(prose(60)).turn().turn().paragraph(prose(60)), project)
    assert [page.route for page in made.pages] == ["text"] * 3


def test_invisible_text_under_a_picture_is_marked_as_made_elsewhere(project: Project) -> None:
    paper = scan(Paper())
    for number in range(20):
        paper.page.insert_text((LEFT, 80 + 14 * number), prose(8, number), fontname="tiro", fontsize=10, render_mode=3)
    made = read(paper, project)
    assert made.pages[0].route == "existing_ocr" and "OCR layer" in made.warnings[0]


def test_the_language_is_recognised_where_none_is_given(project: Project) -> None:
    assert read(Paper().paragraph(prose(60)), project, language="").language == "en"
    paper = Paper()
    for _ in range(5):
        paper.line("物体在单位时间内通过的路程叫做速度，这是我们的定义。", font=HAN)
    assert read(paper, project, language="").language == "zh"


def test_an_unknown_language_is_refused_with_the_known_ones(tmp_path: Path, project: Project) -> None:
    (failure,) = result(Paper().paragraph(prose(30)).save(tmp_path / "a.pdf"), project, language="xx").failures
    assert "no language pack xx" in failure.what and "en, zh" in failure.remedy


def test_gibberish_is_warned_of(project: Project) -> None:
    paper = Paper()
    for _ in range(30):
        paper.paragraph("xaq vorrk plomf drunt skeev " * 4)
    assert any("function word" in warning for warning in read(paper, project, language="").warnings)


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_a_book_gives_the_same_bytes_twice_and_every_offset_is_right(path: Path, project: Project) -> None:
    made = result(path, project, language="")
    assert made.failures == () and made.files == result(path, project, language="").files
    book = document(made)
    ids = [block.id for block in book.blocks]
    assert len(set(ids)) == len(ids)
    for block in book.blocks:
        assert block.prov[0].start == 0 and block.prov[-1].end == len(block.text)
        assert all(left.end == right.start for left, right in zip(block.prov, block.prov[1:], strict=False))
        assert all(0 <= span.start < span.end <= len(block.text) for span in block.spans)
        assert all(0 <= prov.page < len(book.pages) for prov in block.prov)
        assert block.parent is None or block.parent in ids
        assert (block.level is None) == (block.label != "section_header")
    assert all(ord(character) >= 32 or character == "\n" for block in book.blocks for character in block.text)


def test_pdfium_reads_books_where_pymupdf_is_not_installed(tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2")
    code = (
        "import sys; sys.modules['pymupdf'] = None; "
        "sys.argv = ['run.py', 'subject=physics_zh', 'stages=[ingest]', 'ingest=pdfium', 'engine.workers=1', "
        f"'out={tmp_path}']; from kg.main import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    made = Document.model_validate_json((tmp_path / "ingest/wuli-8/document.json").read_bytes())
    assert made.engine.startswith("pdfium ") and len(made.pages) > 10
