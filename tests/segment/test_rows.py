"""Ids are readable, unique, and stay where they are when something is added."""

from __future__ import annotations

from collections.abc import Callable

from kg.document import Document
from kg.graph import Finding
from kg.section import SectionRow

Write = Callable[..., Document]
Divide = Callable[[Document], tuple[list[SectionRow], list[Finding]]]

FIRST = "# Chapter 1 Motion\nopening\n## 1.1 Speed\nwords on speed\n## Exercises\nquestions on speed\n"
SECOND = "## 1.2 Velocity\nwords on velocity\n## Exercises\nquestions on velocity\n"
THIRD = "## 1.3 Force\nwords on force\n## Exercises\nquestions on force\n"


def test_ids_come_from_printed_numbers(write: Write, divide: Divide) -> None:
    rows, _ = divide(write(FIRST))
    assert [row.id for row in rows] == [
        "physics:section:book:1-introduction",
        "physics:section:book:1.1",
        "physics:section:book:1-exercises",
    ]
    assert {row.chapter for row in rows} == {"physics:chapter:book:1"}


def test_a_section_number_that_begins_anew_in_every_chapter_carries_the_chapter(write: Write, divide: Divide) -> None:
    rows, _ = divide(write("# 第一章 力\n## 第一节 重力\n正文\n# 第二章 热\n## 第一节 温度\n正文", "zh"))
    numbers = [(row.section_number, row.id.rsplit(":", 1)[1]) for row in rows if row.kind == "section"]
    assert numbers == [("1", "1-1"), ("1", "2-1")]


def test_ids_of_equal_titles_do_not_move_when_another_is_added(write: Write, divide: Divide) -> None:
    two, _ = divide(write(FIRST + SECOND))
    after, _ = divide(write(FIRST + SECOND + THIRD))
    between, _ = divide(write(FIRST + THIRD.replace("1.3", "1.2") + SECOND.replace("1.2", "1.3")))
    sets = [{row.id for row in rows if row.kind == "exercises"} for rows in (two, after, between)]
    assert [len(ids) for ids in sets] == [2, 3, 3]
    assert sets[0] < sets[1] and sets[0] < sets[2]


def test_rows_that_differ_in_nothing_still_have_ids_of_their_own(write: Write, divide: Divide) -> None:
    same = "## Exercises\nthe same\n"
    rows, _ = divide(write(f"# Chapter 1 Motion\n## 1.1 Speed\nwords\n{same}## 1.2 Velocity\nwords\n{same}"))
    assert len({row.id for row in rows}) == len(rows)


def test_a_long_title_keeps_its_id_apart_from_one_that_begins_alike(write: Write, divide: Divide) -> None:
    long = "One Two Three Four Five Six Seven Eight Nine"
    rows, _ = divide(write(f"# {long} Ten\nwords\n# {long} Eleven\nwords"))
    assert len({row.chapter for row in rows}) == 2


def test_files_are_numbered_in_reading_order(write: Write, divide: Divide) -> None:
    rows, _ = divide(write(FIRST))
    assert [row.file for row in rows] == [
        "sections/001-introduction.md",
        "sections/002-1-1-speed.md",
        "sections/003-exercises.md",
    ]


def test_the_same_book_gives_the_same_rows(write: Write, divide: Divide) -> None:
    assert divide(write(FIRST + SECOND)) == divide(write(FIRST + SECOND))
