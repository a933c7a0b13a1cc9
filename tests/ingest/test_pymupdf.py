"""Files as they come: locked, damaged, turned."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from ingest import pymupdf as engine
from ingest.reader import PageReader
from kg.document import Book
from kg.errors import InputError
from kg.project import Project
from tests.ingest.paper import HEIGHT, WIDTH, Paper, document, headings, prose, read, result

LOCK = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "owner_pw": "owner"}


def a_paper(pages: int = 1) -> Paper:
    paper = Paper()
    for number in range(pages):
        if number:
            paper.turn()
        paper.paragraph(prose(60, number))
    return paper


def test_a_locked_book_asks_for_its_password(tmp_path: Path, project: Project) -> None:
    path = a_paper().save(tmp_path / "locked.pdf", user_pw="u1", **LOCK)
    (failure,) = result(path, project).failures
    assert "needs a password" in failure.what and failure.remedy == "set password for this book"
    (failure,) = result(path, project, password="wrong").failures
    assert "password is wrong" in failure.what
    assert "road" in document(result(path, project, password="u1")).blocks[0].text


def test_a_book_whose_owner_forbids_copying_is_read_with_a_warning(tmp_path: Path, project: Project) -> None:
    path = a_paper().save(tmp_path / "owner.pdf", permissions=pymupdf.PDF_PERM_PRINT, **LOCK)
    made = document(result(path, project))
    assert len(made.warnings) == 1 and "does not permit copying" in made.warnings[0]


def test_a_cut_file_gives_what_is_left_and_says_so(tmp_path: Path, project: Project) -> None:
    path = a_paper(6).save(tmp_path / "whole.pdf")
    cut = tmp_path / "cut.pdf"
    cut.write_bytes(path.read_bytes()[: int(path.stat().st_size * 0.6)])
    made = result(cut, project)
    if made.files:
        assert any("damaged" in warning for warning in document(made).warnings)
    else:
        assert made.failures[0].remedy == "get a complete copy of the file"


def test_a_header_without_a_book_behind_it_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.pdf"
    path.write_bytes(b"%PDF-1.7\nnothing more\n%%EOF")
    with pytest.raises(InputError) as error:
        engine.PyMuPdf().read(Book(slug="book", file=str(path)), "ingest")
    assert error.value.remedy == "get a complete copy of the file"
    assert str(tmp_path) not in error.value.what


def test_a_turned_page_is_read_upright_and_its_boxes_are_as_displayed(tmp_path: Path, project: Project) -> None:
    paper = Paper().paragraph(prose(60))
    upright = read(paper, project)
    paper.page.set_rotation(90)
    turned = read(paper, project)
    assert [block.text for block in turned.blocks] == [block.text for block in upright.blocks]
    assert (turned.pages[0].width, turned.pages[0].height, turned.pages[0].rotation) == (HEIGHT, WIDTH, 90)
    left, top, right, bottom = turned.blocks[0].prov[0].bbox
    assert right <= HEIGHT and bottom <= WIDTH and bottom - top > right - left


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_text_set_sideways_is_read_in_its_own_direction(angle: int, project: Project) -> None:
    paper = Paper()
    place = {
        90: (lambda n: (100 + 13 * n, 600)),
        180: (lambda n: (440, 600 - 13 * n)),
        270: (lambda n: (400 - 13 * n, 60)),
    }
    lines = [
        "The first line of a page that was set sideways",
        "goes on in a second line and ends in a third",
        "line here.",
    ]
    for number, line in enumerate(lines):
        paper.at(*place[angle](number), line, rotate=angle)
    made = read(paper, project)
    assert [block.text for block in made.blocks] == [" ".join(lines)]
    box = made.blocks[0].prov[0].bbox
    assert 0 <= box[0] < box[2] <= WIDTH and 0 <= box[1] < box[3] <= HEIGHT


def test_bookmarks_and_page_labels_come_with_the_book(project: Project) -> None:
    paper = a_paper(2).heading("Work and Energy")
    paper.file.set_toc([[1, "Work  and Energy", 2], [1, "Nowhere", -1]])
    paper.file.set_page_labels([{"startpage": 0, "prefix": "", "style": "r", "firstpagenum": 1}])
    made = read(paper, project)
    assert [(item.level, item.title, item.page) for item in made.outline] == [
        (1, "Work and Energy", 1),
        (1, "Nowhere", None),
    ]
    assert [page.label for page in made.pages] == ["i", "ii"]
    assert headings(made) == [(1, "Work and Energy")]


def test_a_page_with_thousands_of_drawings_is_no_event(project: Project) -> None:
    paper = Paper().paragraph(prose(40))
    shape = paper.page.new_shape()
    for number in range(5000):
        shape.draw_line((60 + number % 300, 300), (90 + number % 200, 400))
        shape.finish(width=0.2)
    shape.commit()
    assert "road" in read(paper, project).blocks[0].text


def test_text_drawn_twice_is_read_once(project: Project, reader: PageReader) -> None:
    once = Paper().paragraph(prose(80))
    twice = Paper().paragraph(prose(80))
    twice.y = 70.4
    twice.paragraph(prose(80))
    assert [block.text for block in read(twice, project).blocks] == [block.text for block in read(once, project).blocks]
    warned = any("drawn twice" in warning for warning in read(twice, project).warnings)
    assert warned is isinstance(reader, engine.PyMuPdf)  # PDFium drops the second layer by itself
