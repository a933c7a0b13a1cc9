"""The witnesses' votes become one depth by the stated rule."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from segment.contents import Entry
from segment.titles import TitleReader
from segment.witnesses import Scheme, decided, depths_of, scheme_of

Readers = Mapping[str, TitleReader]


@pytest.mark.parametrize(
    ("language", "titles", "chapter"),
    [
        ("en", ["Chapter 1 A", "1.1 B", "Chapter 2 C"], "chapter"),
        ("en", ["Unit 1 U", "Chapter 1 A", "Unit 2 V", "Chapter 2 B"], "chapter"),
        ("en", ["Unit 1 U", "1 A", "1.1 B", "2 C", "2.1 D", "Unit 2 V", "3 E", "3.1 F"], "number"),
        ("en", ["Unit 1 U", "1.1 B", "1.2 C", "Unit 2 V", "2.1 D"], "unit"),
        ("en", ["1 A", "2 B", "3 C"], "number"),
        ("en", ["Part I A", "1 B", "2 C", "Part II D"], "number"),
        ("en", ["Part I A", "Part II D"], "part"),
        ("en", ["Motion", "Force"], ""),
        ("zh", ["第一单元 空气", "课题1 氧气", "第二单元 水"], "unit"),
        ("zh", ["第1课 春", "第2课 夏"], "section"),
        ("zh", ["第一章 力", "第一节 重力", "1. 概念"], "chapter"),
    ],
)
def test_the_scheme_of_a_book_is_seen_in_its_titles(
    readers: Readers, language: str, titles: list[str], chapter: str
) -> None:
    read = [readers[language].read(title) for title in titles]
    assert scheme_of(read, []).chapter == chapter
    assert scheme_of([], read).chapter == chapter


def levels(reader: TitleReader, *items: tuple[int, str]) -> list[Entry]:
    return [Entry(reader.read(title), level) for level, title in items]


def test_levels_mean_what_the_numbers_on_them_mean(readers: Readers) -> None:
    listed = levels(
        readers["en"], (1, "Part I A"), (2, "Chapter 1 B"), (3, "1.1 C"), (3, "Key Terms"), (4, "Detail"), (1, "Index")
    )
    assert depths_of(listed, Scheme("chapter")) == [-2, 0, 1, 1, 2, -2]


def test_without_numbers_level_one_is_the_chapter_unless_it_holds_the_books_title(readers: Readers) -> None:
    assert depths_of(levels(readers["en"], (1, "A"), (2, "B"), (1, "C")), Scheme("")) == [0, 1, 0]
    assert depths_of(levels(readers["en"], (1, "Book"), (2, "A"), (2, "B"), (3, "C")), Scheme("")) == [-1, 0, 0, 1]


def test_a_flat_list_leaves_depth_to_the_numbers(readers: Readers) -> None:
    listed = levels(readers["en"], (1, "Chapter 1 A"), (1, "1.1 B"), (1, "1.2 C"), (1, "Chapter 2 D"), (1, "2.1 E"))
    assert depths_of(listed, Scheme("chapter")) == [0, 1, 1, 0, 1]


def test_numbers_repeated_deeper_down_say_nothing(readers: Readers) -> None:
    listed = levels(readers["en"], (1, "Chapter 1 A"), (2, "1.1 B"), (1, "Answer Key"), (2, "Chapter 1"), (3, "1.1 B"))
    assert depths_of(listed, Scheme("chapter")) == [0, 1, 0, 1, 2]


def test_numbering_outweighs_one_list_and_yields_to_two() -> None:
    assert decided({"numbering": 1, "outline": 0}) == 1
    assert decided({"numbering": 1, "outline": 0, "contents": 0}) == 0
    assert decided({"outline": 1, "contents": 0}) == 1
    assert decided({"outline": 1, "contents": 0, "style": 0}) == 0
