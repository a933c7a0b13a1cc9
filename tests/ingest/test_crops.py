"""Figures and formulas are cut out of the page as it looks."""

from __future__ import annotations

from pathlib import Path

import pymupdf

from ingest.crops import Crops, cut
from ingest.pymupdf import PyMuPdf
from ingest.reader import Image
from ingest.stage import Ingest
from kg.document import Book, Document
from kg.project import Project
from tests.ingest.paper import ITALIC, Paper, prose

DPI = 72.0


def pixels(png: bytes) -> pymupdf.Pixmap:
    return pymupdf.Pixmap(png)


def test_a_cut_has_the_pixels_of_its_box() -> None:
    image = Image(100, 50, bytes(row for row in range(50) for _ in range(100)), DPI)
    made = pixels(cut(image, (10, 20, 30, 25)))
    assert (made.width, made.height) == (25, 10)
    assert [made.pixel(0, row)[0] for row in range(10)] == list(range(18, 28))


def test_a_box_beside_the_page_has_no_image() -> None:
    assert cut(Image(10, 10, bytes(100), DPI), (50, 50, 60, 60)) == b""


def a_paper(tmp_path: Path) -> Path:
    paper = Paper().paragraph(prose(60))
    paper.page.draw_rect((150, paper.y, 250, paper.y + 80), fill=(0, 0, 0))
    paper.page.draw_circle((300, paper.y + 40), 40, fill=(0, 0, 0))
    paper.y += 120
    paper.line("v = s / t", font=ITALIC, x=200).gap()
    return paper.paragraph(prose(60)).save(tmp_path / "figure.pdf")


def read(path: Path, project: Project, images: float | None) -> tuple[Document, dict[str, bytes]]:
    stage = Ingest(reader=PyMuPdf(), images=images)
    book = Book(slug="book", file=str(path), language="en")
    project = Project(project.store, "s", "S", (book,), project.schema, project.languages)
    files = dict(stage.run(stage.plan(project)[0], project).files)
    return Document.model_validate_json(files.pop("ingest/book/document.json")), files


def test_figures_and_formulas_have_an_image_where_it_is_wanted(tmp_path: Path, project: Project) -> None:
    made, files = read(a_paper(tmp_path), project, 144)
    shown = {block.label: block for block in made.blocks if block.image}
    assert set(shown) == {"picture", "formula"}
    picture = pixels(files[f"ingest/book/{shown['picture'].image}"])
    box = shown["picture"].prov[0].bbox
    assert abs(picture.width - 2 * (box[2] - box[0] + 4)) < 3
    assert picture.pixel(picture.width // 2 + 60, picture.height // 2)[0] < 60
    plain, rest = read(a_paper(tmp_path), project, None)
    assert not any(block.image for block in plain.blocks) and set(rest) == {"ingest/book/document.md"}


def test_a_page_that_cannot_be_drawn_is_a_failure_and_the_blocks_stay(tmp_path: Path, project: Project) -> None:
    path = a_paper(tmp_path)
    blocks = read(path, project, None)[0].blocks
    path.write_bytes(b"%PDF-1.7 no more")
    crops = Crops(PyMuPdf(), Book(slug="book", file=str(path)), 144, "ingest")
    assert tuple(crops.marked(blocks)) == blocks and not crops.files
    (failure,) = crops.failures
    assert failure.page == 0 and failure.remedy
