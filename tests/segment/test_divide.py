"""Books of many shapes come apart into the right chapters and sections, and lose nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.document import Block, Document, OutlineItem, Page, Prov
from kg.graph import Finding
from kg.section import SectionRow, document_text, section
from segment.divide import divided
from segment.rows import Place
from segment.titles import TitleReader

Write = Callable[..., Document]
Divide = Callable[[Document], tuple[list[SectionRow], list[Finding]]]

WORDS = "Some words of running text that say a little about the matter at hand."
PRIMARY = """
# 目录
> 1 小数乘法 … 2
> 2 位置 … 5
> 总复习 … 7
=
# 1 小数乘法
开头的话。
## 小数乘整数
正文一。
### 做一做
题。
## 小数乘小数
正文二。
=
=
=
# 2 位置
正文三。
## 练习二
题。
=
=
# 总复习
正文五。
"""
MIDDLE = """
# 目录
> 第一章 有理数 … 1
>   1.1 正数和负数 … 1
>   习题1.1 … 2
>   1.2 有理数 … 3
>   习题1.2 … 4
> 第二章 整式 … 5
>   2.1 整式 … 5
=
# 第一章 有理数
章前的话。
## 1.1 正数和负数
正文。
=
## 习题1.1
题目。
=
## 1.2 有理数
正文。
=
## 习题1.2
题目。
=
# 第二章 整式
## 2.1 整式
正文。
"""
COLLEGE = f"""
# Chapter 1 Motion
### 1.1 Speed
### 1.2 Velocity
## 1.1 Speed
{WORDS}
### What Speed Is
{WORDS}
## 1.2 Velocity
{WORDS}
### Summary
### 1.1 Speed
{WORDS}
### 1.2 Velocity
{WORDS}
### Problems
{WORDS}
# Chapter 2 Force
{WORDS}
## Introduction
{WORDS}
## 2.1 Push
{WORDS}
### Summary
{WORDS}
### Problems
#### 2.1 Push
{WORDS}
# Answer Key
## Chapter 1
{WORDS}
# Appendix A Units
{WORDS}
# Index
force, 3
"""


def shape(rows: list[SectionRow]) -> list[tuple[str, str, str, str]]:
    return [(row.kind, row.chapter_number, row.section_number, row.section_title) for row in rows]


def text_of(document: Document, rows: list[SectionRow]) -> str:
    body = document.body()
    return "".join(section(document, body, row).text for row in rows)


def test_a_primary_school_book_has_its_plain_numbers_as_chapters(write: Write, divide: Divide) -> None:
    document = write(PRIMARY, "zh")
    rows, findings = divide(document)
    assert shape(rows) == [
        ("contents", "", "", "目录"),
        ("introduction", "1", "", "引言"),
        ("section", "1", "", "小数乘整数"),
        ("section", "1", "", "小数乘小数"),
        ("section", "2", "", "位置"),
        ("exercises", "2", "", "练习二"),
        ("exercises", "", "", "总复习"),
    ]
    assert [row.start_page for row in rows] == [0, 1, 1, 1, 4, 4, 6]
    assert findings == []
    assert text_of(document, rows) == document_text(document)


def test_two_sets_of_exercises_in_a_chapter_are_two_rows_with_two_ids(write: Write, divide: Divide) -> None:
    rows, _ = divide(write(MIDDLE, "zh"))
    sets = [row for row in rows if row.kind == "exercises"]
    assert [(row.section_title, row.section_number, row.start_page) for row in sets] == [
        ("习题1.1", "", 2),
        ("习题1.2", "", 4),
    ]
    assert len({row.id for row in rows}) == len({row.file for row in rows}) == len(rows)


def test_text_between_a_chapter_and_its_first_section_is_its_introduction(write: Write, divide: Divide) -> None:
    document = write(MIDDLE, "zh")
    rows, _ = divide(document)
    opening = next(row for row in rows if row.kind == "introduction")
    assert section(document, document.body(), opening).text == "# 第一章 有理数\n\n章前的话。\n\n"
    assert opening.chapter == "physics:chapter:book:1"


def test_a_listed_section_without_a_heading_begins_with_its_page(write: Write, divide: Divide) -> None:
    document = write(MIDDLE.replace("## 1.2 有理数\n", "").replace("# 第二章 整式\n", ""), "zh")
    rows, findings = divide(document)
    found = {row.section_number: row for row in rows if row.section_number}
    assert [(number, found[number].start_page) for number in ("1.1", "1.2", "2.1")] == [
        ("1.1", 1),
        ("1.2", 3),
        ("2.1", 5),
    ]
    assert (found["2.1"].chapter_number, found["2.1"].chapter_title) == ("2", "整式")
    assert [finding.check for finding in findings] == ["segment_unmatched_entry"] * 2
    assert text_of(document, rows) == document_text(document)


def test_repeated_titles_in_outline_summary_and_exercises_are_no_sections(write: Write, divide: Divide) -> None:
    document = write(COLLEGE)
    rows, _ = divide(document)
    assert shape(rows) == [
        ("introduction", "1", "", "Introduction"),
        ("section", "1", "1.1", "Speed"),
        ("section", "1", "1.2", "Velocity"),
        ("summary", "1", "", "Summary"),
        ("exercises", "1", "", "Problems"),
        ("introduction", "2", "", "Introduction"),
        ("section", "2", "2.1", "Push"),
        ("summary", "2", "", "Summary"),
        ("exercises", "2", "", "Problems"),
        ("answers", "", "", "Answer Key"),
        ("back_matter", "", "", "Appendix A Units"),
        ("index", "", "", "Index"),
    ]
    assert rows[1].start_block == 3
    assert text_of(document, rows) == document_text(document)


@pytest.mark.parametrize("outline", [(), ((1, "Chapter 1 Motion", 0), (2, "1.1 Speed", 0), (1, "Chapter 2 Force", 0))])
def test_a_shallow_or_partial_outline_hides_nothing(
    write: Write, divide: Divide, outline: tuple[tuple[int, str, int], ...]
) -> None:
    with_outline, _ = divide(write(COLLEGE, "en", outline))
    without, _ = divide(write(COLLEGE))
    assert shape(with_outline) == shape(without)


def test_sections_of_a_chapter_without_a_heading_still_have_their_chapter(write: Write, divide: Divide) -> None:
    rows, findings = divide(
        write(f"# Chapter 1 A\n## 1.1 B\n{WORDS}\n## 2.1 C\n{WORDS}\n# Chapter 3 D\n## 3.1 E\n{WORDS}")
    )
    lost = next(row for row in rows if row.section_number == "2.1")
    assert (lost.chapter_number, lost.chapter_title, lost.chapter) == ("2", "Chapter 2", "physics:chapter:book:2")
    assert "segment_missing_chapter" in {finding.check for finding in findings}


def test_units_above_chapters_stay_in_the_path(write: Write, divide: Divide) -> None:
    text = f"# Unit 1 Mechanics\n{WORDS}\n## 1 Motion\n### 1.1 Speed\n{WORDS}\n## 2 Force\n### 2.1 Push\n{WORDS}"
    rows, _ = divide(write(text))
    last = rows[-1]
    assert (last.path, last.level, last.chapter_number) == (("Unit 1 Mechanics", "2 Force"), 3, "2")
    assert (rows[0].kind, rows[0].chapter, rows[0].path) == ("introduction", "", ())


def test_units_are_the_chapters_where_nothing_stands_between_them_and_the_lessons(write: Write, divide: Divide) -> None:
    air = "# 第一单元 空气\n## 课题1 氧气\n正文\n## 课题2 氮气\n正文\n## 实验活动1 制取\n正文\n"
    text = air + "# 第二单元 水\n## 课题1 净化\n正文"
    rows, _ = divide(write(text, "zh"))
    lessons = [(row.chapter_number, row.section_number, row.section_title) for row in rows if row.kind == "section"]
    assert lessons == [("1", "1", "氧气"), ("1", "2", "氮气"), ("1", "", "实验活动1 制取"), ("2", "1", "净化")]


def test_chapter_numbers_may_begin_anew_in_every_part(write: Write, divide: Divide) -> None:
    part = "## Chapter 1 {0}\n### 1.1 {0} One\n{1}\n## Chapter 2 More {0}\n### 2.1 {0} Two\n{1}\n"
    text = "# Part I Mass\n" + part.format("Mass", WORDS) + "# Part II Heat\n" + part.format("Heat", WORDS)
    rows, _ = divide(write(text))
    assert [row.section_number for row in rows if row.kind == "section"] == ["1.1", "2.1", "1.1", "2.1"]
    assert len({row.chapter for row in rows if row.chapter}) == 4
    assert len({row.id for row in rows}) == len(rows)


def test_chapters_without_numbered_sections_have_their_headings_as_sections(write: Write, divide: Divide) -> None:
    rows, _ = divide(
        write(f"# Motion\n{WORDS}\n## Speed\n{WORDS}\n### Detail\n{WORDS}\n## Velocity\n# Force\n## Push\n{WORDS}")
    )
    sections = [(row.chapter_title, row.section_title) for row in rows if row.kind == "section"]
    assert sections == [("Motion", "Speed"), ("Motion", "Velocity"), ("Force", "Push")]


def test_a_chapter_without_any_section_is_one_section(write: Write, divide: Divide) -> None:
    rows, _ = divide(write(f"# Chapter 1 Motion\n{WORDS}\n# Chapter 2 Force\n{WORDS}\n## Review Questions\n{WORDS}"))
    assert shape(rows) == [
        ("section", "1", "", "Motion"),
        ("section", "2", "", "Force"),
        ("exercises", "2", "", "Review Questions"),
    ]


def test_number_and_title_printed_as_two_headings_are_one(write: Write, divide: Divide) -> None:
    rows, _ = divide(
        write(f"# Chapter 1\n## Motion\n{WORDS}\n## 1.1 Speed\n{WORDS}\n# Chapter 2\n# Force\n## 2.1 Push\n{WORDS}")
    )
    assert {row.chapter_title for row in rows} == {"Motion", "Force"}


def test_questions_that_look_like_headings_are_no_chapters(write: Write, divide: Divide) -> None:
    questions = "## Questions\n### 1. What is speed?\n### 2. What is mass?\n### 3. What is force?\n"
    text = f"# 1 Motion\n## 1.1 Speed\n{WORDS}\n{questions}# 2 Force\n## 2.1 Push\n{WORDS}\n{questions}"
    rows, _ = divide(write(text))
    assert {row.chapter_title for row in rows} == {"Motion", "Force"}


def test_a_book_without_any_heading_comes_in_pieces_that_begin_on_new_pages(write: Write, divide: Divide) -> None:
    document = write("\n=\n".join([WORDS] * 20))
    rows, findings = divide(document)
    assert len(rows) > 1
    assert {row.kind for row in rows} == {"section"} and len({row.chapter for row in rows}) == 1
    assert rows[0].section_title == f"Pages 1–{rows[0].end_page + 1}"
    assert {finding.check for finding in findings} == {"segment_no_list", "segment_no_headings"}
    assert text_of(document, rows) == document_text(document)


def test_an_empty_document_has_no_rows(write: Write, divide: Divide) -> None:
    assert divide(write(""))[0] == []


def test_every_page_of_the_contents_may_be_unmarked(write: Write, divide: Divide) -> None:
    contents = "# 目录\n第一章 声现象\n1.1 声音的产生\n第二章 光现象\n2.1 光的传播\n"
    text = contents + "# 第一章 声现象\n开头。\n## 1.1 声音的产生\n正文。\n# 第二章 光现象\n## 2.1 光的传播\n正文"
    rows, _ = divide(write(text, "zh"))
    assert [row.kind for row in rows] == ["contents", "introduction", "section", "introduction", "section"]
    assert (rows[0].start_block, rows[0].end_block) == (0, 5)


def test_headings_the_parser_missed_are_found_by_the_outline(write: Write, divide: Divide) -> None:
    text = f"Motion\n{WORDS}\n=\n1.1 Speed\n{WORDS}\n=\nForce\n{WORDS}\n2.1 Push\n{WORDS}"
    outline = ((1, "Chapter 1: Motion", 0), (2, "1.1 Speed", 1), (1, "Chapter 2: Force", 2), (2, "2.1 Push", 2))
    rows, _ = divide(write(text, "en", outline))
    assert [(row.chapter_number, row.section_number, row.start_page) for row in rows] == [
        ("1", "", 0),
        ("1", "1.1", 1),
        ("2", "", 2),
        ("2", "2.1", 2),
    ]


LINES = """
# Chapter 1 A|# Chapter 2 B|# 3 C|## 1.1 D|## 2.1 E|## Exercises|### Summary|# Index|## F|# Contents|> 1.1 D … 2
> Chapter 2 B … 3|> Index … 9|# Unit 1 U|## Introduction|=|words|2.1 E|# Chapter 1 Review|# Answer Key|# Part II X
"""
headings = st.sampled_from(LINES.strip().replace("\n", "|").split("|"))
outlines = st.lists(
    st.tuples(
        st.integers(1, 3), st.sampled_from(["Chapter 1 A", "1.1 D", "2.1 E", "Index", "G", "5.5 H"]), st.integers(0, 4)
    ),
    max_size=5,
)


@settings(max_examples=200, deadline=None)
@given(st.lists(headings, max_size=25), outlines)
def test_rows_partition_any_book_and_their_texts_are_its_text(
    readers: Mapping[str, TitleReader], write: Write, lines: list[str], outline: list[tuple[int, str, int]]
) -> None:
    document = write("\n".join(lines), "en", outline)
    rows, _ = divided(document, readers["en"], Place("p", "b", "Chapter", "Section"), 50)
    edges = [0, *(row.end_block for row in rows)]
    assert [row.start_block for row in rows] == edges[:-1]
    assert edges[-1] == len(document.body())
    assert text_of(document, rows) == document_text(document)
    assert len({row.id for row in rows}) == len({row.file for row in rows}) == len(rows)


blocks = st.lists(
    st.tuples(
        st.sampled_from(
            ["section_header", "title", "text", "list_item", "document_index", "page_header", "picture", "table"]
        ),
        st.text(max_size=40),
        st.integers(0, 3),
        st.none() | st.integers(1, 9),
    ),
    max_size=15,
)


@settings(max_examples=200, deadline=None)
@given(blocks, st.sampled_from(["en", "zh"]))
def test_no_text_whatever_breaks_it(
    readers: Mapping[str, TitleReader], rough: list[tuple[str, str, int, int | None]], language: str
) -> None:
    made = [
        Block.model_validate(
            {
                "id": f"b{at}",
                "label": label,
                "text": text,
                "level": level,
                "prov": (Prov(page=page, bbox=(0, 0, 1, 1), start=0, end=0),),
            }
        )
        for at, (label, text, page, level) in enumerate(sorted(rough, key=lambda block: block[2]))
    ]
    document = Document(
        book="b", title="", language=language, sha256="", engine="t", blocks=tuple(made),
        pages=tuple(Page(index=i, width=600, height=800) for i in range(4)),
        outline=tuple(OutlineItem(level=1, title=text, page=None) for _, text, _, _ in rough[:3]),
    )  # fmt: skip
    rows, _ = divided(document, readers[language], Place("p", "b", "Chapter", "Section"), 50)
    assert text_of(document, rows) == document_text(document)
    assert len({row.id for row in rows}) == len(rows)
