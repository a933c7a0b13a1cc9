"""Odd PDFs, made on the spot: what people really have in their folders.

Each entry of `ODD` is (name, maker, what must come of it): a word of the one failure, or `ok`, or `any` where engines
may differ but must end with a document or with one clear line.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pymupdf

from tests.ingest.paper import HAN, SANS_BOLD, Paper, prose

LOCK = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "owner_pw": "owner"}
Make = Callable[[Path], None]


def book(pages: int = 3) -> Paper:
    paper = Paper()
    for number in range(pages):
        if number:
            paper.turn()
        paper.line(f"{number + 1} Chapter", 18, SANS_BOLD).gap().paragraph(prose(70, number)).paragraph(
            prose(50, number)
        )
    return paper


def data(pages: int = 3) -> bytes:
    return bytes(book(pages).file.tobytes())


def saved(change: Callable[[Paper], object] = lambda paper: None, **options: Any) -> Make:
    def make(path: Path) -> None:
        paper = book()
        change(paper)
        paper.save(path, **options)

    return make


def written(content: bytes) -> Make:
    def make(path: Path) -> None:
        path.write_bytes(content)

    return make


def changed(change: Callable[[bytes], bytes]) -> Make:
    """The plain book's bytes after `change`."""

    def make(path: Path) -> None:
        path.write_bytes(change(data()))

    return make


def _scripted(paper: Paper) -> None:
    paper.file.xref_set_key(paper.file.pdf_catalog(), "OpenAction", "<</S/JavaScript/JS(app.alert\\(1\\))>>")


def _form(paper: Paper) -> None:
    field = pymupdf.Widget()
    field.field_type, field.field_name, field.rect = (
        pymupdf.PDF_WIDGET_TYPE_TEXT,
        "name",
        pymupdf.Rect(60, 500, 200, 520),
    )
    field.field_value = "filled in"
    paper.page.add_widget(field)


def _annotated(paper: Paper) -> None:
    paper.page.add_highlight_annot(pymupdf.Rect(60, 60, 200, 80))
    paper.page.add_text_annot((100, 100), "a remark")


def _labelled_badly(paper: Paper) -> None:
    paper.file.xref_set_key(paper.file.pdf_catalog(), "PageLabels", "<</Nums[0 (no) 7]>>")


def _outline_in_a_circle(paper: Paper) -> None:
    paper.file.set_toc([[1, "A", 1], [1, "B", 2]])
    catalog = paper.file.pdf_catalog()
    root = int(paper.file.xref_get_key(catalog, "Outlines")[1].split()[0])
    first = int(paper.file.xref_get_key(root, "First")[1].split()[0])
    paper.file.xref_set_key(first, "Next", f"{first} 0 R")


def _page_tree_in_a_circle(path: Path) -> None:
    path.write_bytes(
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Kids[2 0 R]/Count 1>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF"
    )


def _thousand_forms(paper: Paper) -> None:
    inner = pymupdf.open("pdf", data(1))
    for _ in range(60):
        paper.page.show_pdf_page(pymupdf.Rect(300, 600, 310, 610), inner)


def _bomb(path: Path) -> None:
    """A page whose content is 60 MB of spaces, 60 KB when compressed."""
    paper = book(1)
    xref = paper.page.get_contents()[0]
    paper.file.update_stream(xref, paper.file.xref_stream(xref) + b" " * 60_000_000)
    paper.save(path, deflate=True)


def _blank(path: Path) -> None:
    Paper().save(path)


def _box_inside_out(paper: Paper) -> None:
    paper.file.xref_set_key(paper.page.xref, "MediaBox", "[500 700 0 0]")


def _nonsense(paper: Paper) -> None:
    paper.file.update_stream(paper.page.get_contents()[0], b"q q ( BT /F Tf")


NO_PAGES = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"
    b"trailer<</Root 1 0 R>>\n%%EOF"
)


def _noise(paper: Paper) -> None:
    for number in range(800):
        paper.at(60 + number * 37 % 380, 60 + number * 53 % 580, "xy", size=4)


ODD: list[tuple[str, Make, str]] = [
    ("plain", saved(), "ok"),
    ("locked", saved(user_pw="secret", **LOCK), "needs a password"),
    ("owner_only", saved(permissions=0, **LOCK), "ok"),
    ("zero_bytes", written(b""), "empty"),
    ("zero_pages", written(NO_PAGES), "any"),
    ("header_only", written(b"%PDF-1.7\n"), "any"),
    ("half", changed(lambda whole: whole[: len(whole) // 2]), "any"),
    ("without_its_end", changed(lambda whole: whole[:-600]), "any"),
    ("junk_before", changed(lambda whole: b"mail header\r\n" * 20 + whole), "any"),
    ("junk_after", changed(lambda whole: whole + b"\0" * 5000), "ok"),
    ("web_page", written(b"<!DOCTYPE html><title>404</title>"), "web page"),
    ("word_file", written(b"PK\x03\x04 word/document.xml"), "zip archive"),
    ("picture", written(b"\x89PNG\r\n\x1a\n"), "picture"),
    ("text_file", written(b"only text"), "not a PDF"),
    ("blank", _blank, "no text"),
    ("turned", saved(lambda paper: [page.set_rotation(90) for page in paper.file]), "ok"),
    ("turned_upside_down", saved(lambda paper: [page.set_rotation(180) for page in paper.file]), "ok"),
    ("odd_rotation", saved(lambda paper: paper.file.xref_set_key(paper.page.xref, "Rotate", "45")), "ok"),
    ("huge_page", saved(lambda paper: paper.page.set_mediabox(pymupdf.Rect(0, 0, 14400, 14400))), "ok"),
    ("tiny_page", saved(lambda paper: paper.page.set_mediabox(pymupdf.Rect(0, 0, 3, 3))), "ok"),
    ("shifted_origin", saved(lambda paper: paper.page.set_mediabox(pymupdf.Rect(-200, -300, 500, 700))), "ok"),
    ("cropped", saved(lambda paper: paper.page.set_cropbox(pymupdf.Rect(50, 50, 450, 400))), "ok"),
    ("inside_out_box", saved(_box_inside_out), "ok"),
    ("script", saved(_scripted), "ok"),
    ("form", saved(_form), "ok"),
    ("remarks", saved(_annotated), "ok"),
    ("portfolio", saved(lambda paper: paper.file.embfile_add("a.txt", b"attached")), "ok"),
    ("bad_labels", saved(_labelled_badly), "ok"),
    ("bookmarks_in_a_circle", saved(_outline_in_a_circle), "any"),
    ("pages_in_a_circle", _page_tree_in_a_circle, "any"),
    ("bookmark_to_nowhere", saved(lambda paper: paper.file.set_toc([[1, "Nowhere", 2], [2, "  ", -1]])), "ok"),
    ("right_to_left", saved(lambda paper: paper.at(300, 600, "שלום עולם", font=HAN)), "ok"),
    ("drawn_twice", saved(lambda paper: paper.at(60.2, 70.2, prose(8))), "ok"),
    ("forms_in_forms", saved(_thousand_forms), "ok"),
    ("compressed_bomb", _bomb, "ok"),
    ("scattered_letters", saved(_noise), "ok"),
    ("missing_contents", saved(lambda paper: paper.file.xref_set_key(paper.page.xref, "Contents", "9999 0 R")), "ok"),
    ("contents_of_nonsense", saved(_nonsense), "ok"),
    ("missing_fonts", saved(lambda paper: paper.file.xref_set_key(paper.page.xref, "Resources", "<<>>")), "any"),
    ("one_long_word", saved(lambda paper: paper.at(60, 500, "w" * 30_000)), "ok"),
    ("objects_in_streams", saved(garbage=4, deflate=True, use_objstms=1), "ok"),
    ("fast_web_view", saved(clean=True), "ok"),
]
