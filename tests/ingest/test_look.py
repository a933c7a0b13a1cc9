"""A first look takes pages from all of the book, and no page is read twice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from ingest.look import MOST, first_look
from ingest.page import Fragment, PageContent, Run
from ingest.pymupdf import FRESH, PyMuPdf
from ingest.rules import Rules
from kg.document import Book
from kg.language import Language
from tests.ingest.paper import Paper


class Counted:
    """Pages that know how often they were read."""

    def __init__(self, fonts: list[str]) -> None:
        self.fonts = fonts
        self.reads: list[int] = []

    def __len__(self) -> int:
        return len(self.fonts)

    def __getitem__(self, index: int, /) -> PageContent:
        self.reads.append(index)
        run = Run(f"page {index}", (0, 0, 50, 10), 10.0, self.fonts[index])
        return PageContent(index, 500, 700, fragments=[Fragment([run], run.box)])

    def __iter__(self) -> Iterator[PageContent]:
        return (self[index] for index in range(len(self)))


def test_every_page_is_handed_out_once_and_read_once() -> None:
    for count in (0, 1, MOST, 3 * MOST + 7):
        pages = Counted(["Serif"] * count)
        look = first_look(pages)
        assert len(look.kept) == min(count, MOST)
        assert [page.index for page in look.pages(pages)] == list(range(count))
        assert sorted(pages.reads) == list(range(count)) and not look.kept


def test_the_pages_looked_at_are_from_all_parts_of_the_book() -> None:
    kept = sorted(first_look(Counted(["Serif"] * 1000)).kept)
    assert kept[0] == 0 and kept[-1] > 900 and max(b - a for a, b in pairwise(kept)) < 40


def test_a_bold_font_marks_words_unless_the_book_is_set_in_it(english: Language) -> None:
    rules = Rules(english)
    for fonts, marked in ((["Serif"] * 9 + ["Serif-Bold"], True), (["Serif"] + ["Serif-Bold"] * 9, False)):
        pages = Counted(fonts)
        look = first_look(pages)
        page = pages[fonts.index("Serif-Bold")]
        look.mark_bold(page, rules)
        assert page.fragments[0].runs[0].bold is marked


def test_pages_of_a_file_that_is_opened_anew_are_the_same(tmp_path: Path) -> None:
    paper = Paper()
    for number in range(FRESH + 3):
        if number:
            paper.turn()
        paper.line(f"This is page {number}")
    path = paper.save(tmp_path / "long.pdf")
    reading = PyMuPdf().read(Book(slug="long", file=str(path)), "ingest")
    texts = [page.fragments[0].runs[0].text for page in reading.pages]
    assert texts == [f"This is page {number}" for number in range(FRESH + 3)]
    assert reading.pages[FRESH].fragments[0].runs[0].text == f"This is page {FRESH}"
