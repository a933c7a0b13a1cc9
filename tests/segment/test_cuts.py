"""What stands around the chapters has its own kind and is no chapter."""

from __future__ import annotations

from collections.abc import Callable

from kg.document import Document
from kg.graph import Finding
from kg.section import SectionRow

Write = Callable[..., Document]
Divide = Callable[[Document], tuple[list[SectionRow], list[Finding]]]

CHAPTERS = "# 1 Motion\n## 1.1 Speed\nwords\n# 2 Force\n## 2.1 Push\nwords\n"


def outside(rows: list[SectionRow]) -> list[tuple[str, str]]:
    return [(row.kind, row.section_title) for row in rows if not row.chapter]


def outline_of(text: str) -> list[tuple[int, str, int]]:
    lines = [line for line in text.split("\n") if line.startswith("#")]
    return [(len(line) - len(line.lstrip("#")), line.lstrip("# "), 0) for line in lines]


def test_front_and_back_matter_are_told_by_wording_and_by_place(write: Write, divide: Divide) -> None:
    before = "# Preface\nw\n# A Word First\nw\n# Introduction\nw\n"
    text = before + CHAPTERS + "# Glossary\nw\n# A Last Word\nw\n# Acknowledgments\nw\n"
    rows, _ = divide(write(text, "en", outline_of(text)))
    assert outside(rows) == [
        ("front_matter", "Preface"),
        ("front_matter", "A Word First"),
        ("introduction", "Introduction"),
        ("glossary", "Glossary"),
        ("back_matter", "A Last Word"),
        ("back_matter", "Acknowledgments"),
    ]
    assert [row.chapter_number for row in rows if row.chapter] == ["1", "1", "2", "2"]


def test_an_unnumbered_heading_between_numbered_chapters_is_a_chapter(write: Write, divide: Divide) -> None:
    text = CHAPTERS.replace("# 2 Force", "# Interlude\nwords\n# 2 Force")
    rows, _ = divide(write(text, "en", outline_of(text)))
    assert [row.chapter_title for row in rows] == ["Motion", "Motion", "Interlude", "Force", "Force"]


def test_a_part_without_number_stands_above_its_chapters(write: Write, divide: Divide) -> None:
    chapters = CHAPTERS.replace("#", "##").replace("####", "###")
    text = f"# Mechanics\n{chapters}# Waves\n## 3 Sound\n### 3.1 Pitch\nwords\n"
    rows, _ = divide(write(text, "en", outline_of(text)))
    assert [row.path[0] for row in rows if row.kind == "section"] == ["Mechanics", "Mechanics", "Waves"]


def test_a_glossary_in_every_chapter_belongs_to_its_chapter(write: Write, divide: Divide) -> None:
    words = "## Glossary\nwords\n"
    rows, _ = divide(
        write(f"# 1 Motion\n## 1.1 Speed\nwords\n{words}# 2 Force\n## 2.1 Push\nwords\n{words}# Index\nwords")
    )
    assert [(row.kind, row.chapter_number) for row in rows if row.kind in ("glossary", "index")] == [
        ("glossary", "1"),
        ("glossary", "2"),
        ("index", ""),
    ]


def test_a_glossary_below_the_last_chapter_only_belongs_to_the_book(write: Write, divide: Divide) -> None:
    rows, _ = divide(write(CHAPTERS + "## Exercises\nwords\n## Glossary\nwords"))
    assert [(row.kind, row.chapter_number) for row in rows][-2:] == [("exercises", "2"), ("glossary", "")]


def test_a_small_glossary_that_opens_a_page_after_all_sections_closes_the_book(write: Write, divide: Divide) -> None:
    own_page = divide(write(CHAPTERS + "## Exercises\nwords\n=\n### Glossary\nwords"))[0]
    assert [(row.kind, row.chapter_number) for row in own_page][-2:] == [("exercises", "2"), ("glossary", "")]
    same_page = divide(write(CHAPTERS + "## Exercises\nwords\n### Glossary\nwords"))[0]
    assert same_page[-1].kind == "exercises"


def test_a_numbered_section_called_introduction_is_a_section(write: Write, divide: Divide) -> None:
    rows, _ = divide(write(CHAPTERS.replace("1.1 Speed", "1.1 Introduction")))
    assert [(row.kind, row.section_number) for row in rows[:2]] == [("introduction", ""), ("section", "1.1")]


def test_a_numbered_summary_is_a_summary_and_keeps_its_number(write: Write, divide: Divide) -> None:
    rows, _ = divide(write(CHAPTERS + "## 2.2 Summary\nwords"))
    assert (rows[-1].kind, rows[-1].section_number, rows[-1].section_title) == ("summary", "2.2", "Summary")


def test_a_listed_introduction_goes_on_with_the_opening_of_its_chapter(write: Write, divide: Divide) -> None:
    text = CHAPTERS.replace("## 1.1", "opening\n## Introduction\nwords\n## 1.1")
    rows, _ = divide(write(text, "en", outline_of(text)))
    assert (rows[0].kind, rows[0].section_title, rows[0].end_block - rows[0].start_block) == (
        "introduction",
        "Introduction",
        4,
    )


def test_an_introduction_at_chapter_level_between_chapters_opens_no_chapter(write: Write, divide: Divide) -> None:
    text = CHAPTERS.replace("# 2 Force", "# Introduction\nwords\n# 2 Force")
    rows, _ = divide(write(text, "en", outline_of(text)))
    assert {row.chapter_title for row in rows} == {"Motion", "Force"}
