"""Headings are read in two languages: rank, number, title, kind."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from segment.titles import TitleReader, settled

Readers = Mapping[str, TitleReader]


@pytest.mark.parametrize(
    ("language", "heading", "rank", "number", "text"),
    [
        ("en", "Chapter 2 Motion in One Dimension", "chapter", "2", "Motion in One Dimension"),
        ("en", "CHAPTER TWO: Motion", "chapter", "2", "Motion"),
        ("en", "Chapter XIV – Heat", "chapter", "14", "Heat"),
        ("en", "Chapter twenty-one Stars", "chapter", "21", "Stars"),
        ("en", "Unit 3 | Energy", "unit", "3", "Energy"),
        ("en", "Part I Mechanics", "part", "1", "Mechanics"),
        ("en", "Section 2.1 Speed", "section", "2.1", "Speed"),
        ("en", "Lesson 4: Friction", "section", "4", "Friction"),
        ("en", "2.1 Relative Motion", None, "2.1", "Relative Motion"),
        ("en", "2.10. Relative Motion", None, "2.10", "Relative Motion"),
        ("en", "02 Forces", None, "2", "Forces"),
        ("en", "3D Printing", None, "", "3D Printing"),
        ("en", "Chapters of a Life", None, "", "Chapters of a Life"),
        ("en", "Partial Pressure", None, "", "Partial Pressure"),
        ("zh", "第一章 运动的描述", "chapter", "1", "运动的描述"),
        ("zh", "第二十一章　光", "chapter", "21", "光"),
        ("zh", "第１章机械运动", "chapter", "1", "机械运动"),
        ("zh", "第十节 浮力", "section", "10", "浮力"),
        ("zh", "第一百零二节 浮力", "section", "102", "浮力"),
        ("zh", "第3单元 运动", "unit", "3", "运动"),
        ("zh", "课题2 化学是一门科学", "section", "2", "化学是一门科学"),
        ("zh", "1.1正数和负数", None, "1.1", "正数和负数"),
        ("zh", "1 小数乘法", None, "1", "小数乘法"),
        ("zh", "１．２　有理数", None, "1.2", "有理数"),
        ("zh", "一、物体和质点", "item", "1", "物体和质点"),
        ("zh", "一次函数", None, "", "一次函数"),
        ("zh", "第一宇宙速度", None, "", "第一宇宙速度"),
    ],
)
def test_rank_number_and_title_are_told_apart(
    readers: Readers, language: str, heading: str, rank: str | None, number: str, text: str
) -> None:
    title = readers[language].read(heading)
    assert (title.rank, title.number, title.text) == (rank, number, text)


@pytest.mark.parametrize(
    ("language", "heading", "kind"),
    [
        ("en", "KEY TERMS", "key_terms"),
        ("en", "Section Summary", "summary"),
        ("en", "Key Equations", "key_equations"),
        ("en", "Chapter Review", "exercises"),
        ("en", "Test Prep", "exercises"),
        ("en", "VISUAL CONNECTION QUESTIONS", "exercises"),
        ("en", "Problem Set 2.1", "exercises"),
        ("en", "Mid-Chapter Quiz", "exercises"),
        ("en", "2.3 Solving Word Problems", None),
        ("en", "Formula Review", "key_equations"),
        ("en", "For Further Exploration", "back_matter"),
        ("zh", "本节习题", "exercises"),
        ("en", "Problems & Exercises", "exercises"),
        ("en", "Answer Key", "answers"),
        ("en", "Appendix B Useful Tables", "back_matter"),
        ("en", "Preface to the Second Edition", "front_matter"),
        ("en", "Table of Contents", "contents"),
        ("en", "Glossary", "glossary"),
        ("en", "Index", "index"),
        ("en", "Introduction", "introduction"),
        ("en", "Index of Refraction and Lenses", None),
        ("en", "Solutions", None),
        ("en", "Periodic Table", None),
        ("en", "Work and Energy", None),
        ("en", "Question of Scale", None),
        ("zh", "习题1.1", "exercises"),
        ("zh", "复习题 A组", "exercises"),
        ("zh", "练习与应用", "exercises"),
        ("zh", "整理和复习", "summary"),
        ("zh", "本章小结", "summary"),
        ("zh", "目 录", "contents"),
        ("zh", "附录 常用数据", "back_matter"),
        ("zh", "参考答案", "answers"),
        ("zh", "绪论", "introduction"),
        ("zh", "光的折射", None),
    ],
)
def test_kinds_are_known_by_their_wording(readers: Readers, language: str, heading: str, kind: str | None) -> None:
    assert readers[language].read(heading).kind == kind


def test_end_matter_that_names_its_chapter_is_a_chapter_only_if_no_other_heading_is(readers: Readers) -> None:
    review, chapter = (readers["en"].read(heading) for heading in ("Chapter 3 Review", "Chapter 3 Waves"))
    alone, beside = settled([review])(review), settled([review, chapter])(review)
    assert (alone.kind, alone.rank, alone.number) == (None, "chapter", "3")
    assert (beside.kind, beside.rank, beside.number) == ("exercises", None, "")


def test_end_matter_that_names_its_chapter_is_none_beside_a_chapter_with_a_plain_number(readers: Readers) -> None:
    review, chapter = (readers["en"].read(heading) for heading in ("Chapter 3 Review", "3 Linear Functions"))
    assert settled([review, chapter])(review).kind == "exercises"


def test_a_numbered_summary_keeps_its_number(readers: Readers) -> None:
    title = readers["en"].read("2.5 Summary")
    assert (title.kind, title.number, title.text) == ("summary", "2.5", "Summary")


def test_a_word_that_belongs_to_the_title_stays_in_it(readers: Readers) -> None:
    title = readers["zh"].read("实验活动1 氧气的制取")
    assert title.named and title.text == "实验活动1 氧气的制取" and title.rank == "section"
