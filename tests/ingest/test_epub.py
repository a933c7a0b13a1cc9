"""An EPUB is read like a PDF by the engine that can, and told from other zip files by the others."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from ingest.pdfium import Pdfium
from ingest.pymupdf import PyMuPdf
from ingest.source import is_epub
from ingest.stage import Ingest
from kg.document import Book
from kg.engine import attempt
from kg.project import Project
from tests.ingest.paper import document, prose

CONTAINER = """<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""
PACKAGE = """<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="2.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Small Physics</dc:title>
<dc:identifier id="id">1</dc:identifier></metadata><manifest>
<item id="toc" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
<item id="one" href="one.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine toc="toc"><itemref idref="one"/></spine></package>"""
CONTENTS = """<?xml version="1.0"?><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><navMap>
<navPoint id="1" playOrder="1"><navLabel><text>Chapter 1 Motion</text></navLabel><content src="one.xhtml"/></navPoint>
</navMap></ncx>"""
PAGE = """<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>Chapter 1 Motion</h1><p>{}</p><h2>1.1 Speed</h2>
<p><b>Speed</b> is the way in a unit of time.</p><p>{}</p></body></html>"""


def epub(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("mimetype", "application/epub+zip")
        file.writestr("META-INF/container.xml", CONTAINER)
        file.writestr("book.opf", PACKAGE)
        file.writestr("toc.ncx", CONTENTS)
        file.writestr("one.xhtml", PAGE.format(prose(60), prose(60, 3)))
    return path


def test_an_epub_gives_headings_bold_words_and_bookmarks(tmp_path: Path, project: Project) -> None:
    stage = Ingest(reader=PyMuPdf())
    book = Book(slug="book", file=str(epub(tmp_path / "small.epub")))
    project = replace(project, books=(book,))
    (item,) = stage.plan(project)
    made = document(attempt(stage, item, project))
    found = [(block.label, block.level, block.text) for block in made.blocks]
    assert found[0] == ("section_header", 1, "Chapter 1 Motion") and ("section_header", 2, "1.1 Speed") in found
    assert ("text", None, prose(60)) in found and made.title == "Small Physics"
    assert [(one.level, one.title, one.page) for one in made.outline] == [(1, "Chapter 1 Motion", 0)]
    (bold,) = [block for block in made.blocks if block.text.startswith("Speed is")]
    assert [(span.start, span.end, span.style) for span in bold.spans] == [(0, 5, "bold")]


def test_an_engine_for_pdfs_names_the_one_that_reads_epubs(tmp_path: Path, project: Project) -> None:
    stage = Ingest(reader=Pdfium())
    book = Book(slug="book", file=str(epub(tmp_path / "small.epub")))
    project = replace(project, books=(book,))
    (item,) = stage.plan(project)
    (failure,) = attempt(stage, item, project).failures
    assert failure.what == "not a PDF but an EPUB" and "ingest=pymupdf" in failure.remedy


@pytest.mark.parametrize("name", ["word/document.xml", "mimetype"])
def test_another_zip_file_is_no_epub(tmp_path: Path, name: str) -> None:
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as file:
        file.writestr(name, "application/vnd.oasis.opendocument.text")
    assert not is_epub(tmp_path / "other.zip")
