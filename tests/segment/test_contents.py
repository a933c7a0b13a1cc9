"""Printed contents in all their shapes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from kg.document import Block, Document, Page, Prov
from segment.contents import entries_of, region_of
from segment.titles import TitleReader

Readers = Mapping[str, TitleReader]
Write = Callable[[str], Document]


def document(lines: list[tuple[str, float, int]], language: str = "en") -> Document:
    """Contents lines as (text, left edge, page)."""
    blocks = tuple(
        Block(
            id=f"b{at}",
            label="document_index",
            text=text,
            prov=(Prov(page=page, bbox=(left, 10.0 * at, left + 200, 10.0 * at + 9), start=0, end=len(text)),),
        )
        for at, (text, left, page) in enumerate(lines)
    )
    pages = tuple(Page(index=i, width=600, height=800) for i in range(9))
    return Document(book="b", title="", language=language, sha256="", engine="t", pages=pages, blocks=blocks)


@pytest.mark.parametrize(
    ("line", "title", "page"),
    [
        ("2.1 Relative Motion … 57", "2.1 Relative Motion", "57"),
        ("2.1 Relative Motion . . . . . . 57", "2.1 Relative Motion", "57"),
        ("2.1 Relative Motion 57", "2.1 Relative Motion", "57"),
        ("2.1 Relative Motion | 57", "2.1 Relative Motion", "57"),
        ("Preface … xiv", "Preface", "xiv"),
        ("第一章 运动的描述……………12", "第一章 运动的描述", "12"),
        ("第一章 运动的描述 ……（12）", "第一章 运动的描述", "12"),
        ("第一节 质点·······3", "第一节 质点", "3"),
        ("Chapter 4 Waves", "Chapter 4 Waves", ""),
        ("Mechanics", "Mechanics", ""),
    ],
)
def test_an_entry_gives_its_title_and_its_page(readers: Readers, line: str, title: str, page: str) -> None:
    lines = [(line, 60.0, 0), ("1 First … 1", 60.0, 0), ("2 Second … 2", 60.0, 0)]
    book = document(lines, "zh" if "第" in line else "en")
    entry = entries_of(book, book.body(), readers[book.language], frozenset())[0]
    assert (entry.title.printed, entry.printed_page) == (title, page)


def test_without_page_numbers_a_trailing_number_belongs_to_the_title(readers: Readers) -> None:
    book = document([("Chapter 1 Motion", 60, 0), ("Apollo 11", 70, 0), ("Chapter 2 Heat", 60, 0), ("Ice", 70, 0)])
    entries = entries_of(book, book.body(), readers["en"], frozenset())
    assert [entry.title.printed for entry in entries] == ["Chapter 1 Motion", "Apollo 11", "Chapter 2 Heat", "Ice"]


def test_indent_is_measured_inside_its_column(readers: Readers) -> None:
    lines = [
        ("Chapter 1 A … 1", 60.0, 0),
        ("1.1 B … 1", 75.0, 0),
        ("Chapter 2 C … 3", 320.0, 0),
        ("2.1 D … 3", 335.0, 0),
    ]
    book = document(lines)
    assert [entry.level for entry in entries_of(book, book.body(), readers["en"], frozenset())] == [1, 2, 1, 2]


def test_an_entry_printed_on_two_lines_is_one(readers: Readers) -> None:
    lines = [
        ("1.1 Newton's Law and Einstein's", 60.0, 0),
        ("General Relativity … 5", 60.0, 0),
        ("1.2 Mass … 6", 60.0, 0),
    ]
    book = document(lines)
    entries = entries_of(book, book.body(), readers["en"], frozenset())
    assert [entry.title.text for entry in entries] == ["Newton's Law and Einstein's General Relativity", "Mass"]


def test_a_page_number_on_its_own_line_belongs_to_the_entry_before_it(readers: Readers) -> None:
    book = document([("1.1 Speed", 60.0, 0), ("7", 500.0, 0), ("1.2 Velocity … 9", 60.0, 0)])
    entries = entries_of(book, book.body(), readers["en"], frozenset())
    assert [(entry.title.text, entry.printed_page) for entry in entries] == [("Speed", "7"), ("Velocity", "9")]


def test_an_index_at_the_back_is_no_contents(readers: Readers, write: Write) -> None:
    text = "# Chapter 1 Motion\nwords\n# Index\n> force … 3\n> mass … 4\n> speed … 5"
    book = write(text)
    assert len(region_of(book.body(), readers["en"])) == 0


def test_lines_under_a_heading_for_contents_count_even_if_the_parser_missed_them(
    readers: Readers, write: Write
) -> None:
    text = "# Contents\n1 Motion\n2 Force\n3 Heat\n# 1 Motion\nwords"
    book = write(text)
    assert list(region_of(book.body(), readers["en"])) == [0, 1, 2, 3]
