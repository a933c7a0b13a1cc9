"""Headings are found by their look, their number and the bookmarks; bold words that are none stay text."""

from __future__ import annotations

import pytest

from kg.project import Project
from tests.ingest.paper import BOLD, HAN, LEFT, MONO, ROMAN, SANS_BOLD, Paper, headings, prose, read, texts, width


def test_larger_and_bold_lines_are_headings_at_the_depth_of_their_numbers(project: Project) -> None:
    paper = Paper().heading("1 Motion", 22).paragraph(prose(70))
    for section in ("1.1 Distance", "1.2 Speed"):
        paper.heading(section, 15).paragraph(prose(80)).heading("A Closer Look", 11).paragraph(prose(70))
    assert headings(read(paper, project)) == [
        (1, "1 Motion"),
        (2, "1.1 Distance"),
        (3, "A Closer Look"),
        (2, "1.2 Speed"),
        (3, "A Closer Look"),
    ]


def test_a_label_over_a_title_is_one_heading_with_a_place_for_each(project: Project) -> None:
    paper = Paper().line("Chapter 2", 13, SANS_BOLD).gap(4).line("Motion in One Dimension", 24, SANS_BOLD).gap(20)
    made = read(paper.paragraph(prose(90)), project)
    (block,) = [block for block in made.blocks if block.label == "section_header"]
    assert block.text == "Chapter 2 Motion in One Dimension"
    assert [block.text[prov.start : prov.end].strip() for prov in block.prov] == [
        "Chapter 2",
        "Motion in One Dimension",
    ]


def test_a_heading_that_wraps_is_one_heading(project: Project) -> None:
    paper = Paper().paragraph(prose(60)).gap(12)
    for line in ("2.3 The Energy of Bodies That Fall, Roll and", "Swing in a Field of Gravity"):
        paper.line(line, 14, SANS_BOLD)
    made = read(paper.gap().paragraph(prose(60)), project)
    assert [text for _, text in headings(made)] == [
        "2.3 The Energy of Bodies That Fall, Roll and Swing in a Field of Gravity"
    ]


def test_bold_words_in_a_line_of_text_are_no_heading(project: Project) -> None:
    paper = Paper().paragraph(prose(60)).mixed(("Displacement", BOLD), (" is a change of place.", ROMAN)).gap(8)
    paper.at(LEFT, paper.y, "mass", font=BOLD).at(LEFT + 120, paper.y, "what a body holds of matter")
    assert headings(read(paper, project)) == []


def test_three_bold_lines_in_a_row_are_a_list_and_no_headings(project: Project) -> None:
    paper = Paper().paragraph(prose(60))
    for term in ("friction", "inertia", "momentum", "pressure"):
        paper.line(term, font=BOLD).gap(6)
    assert headings(read(paper.paragraph(prose(60)), project)) == []


def test_the_sections_listed_at_a_chapter_opening_are_no_headings(project: Project) -> None:
    paper = Paper().heading("Chapter 1 Motion", 22)
    for title in ("1.1 Distance", "1.2 Speed"):
        paper.line(title, 10.5, BOLD).gap(4)
    for title in ("1.1 Distance", "1.2 Speed"):
        paper.gap(20).heading(title, 15).paragraph(prose(90))
    made = read(paper, project)
    assert headings(made) == [(1, "Chapter 1 Motion"), (2, "1.1 Distance"), (2, "1.2 Speed")]
    assert made.blocks[1].text.startswith("1.1 Distance")


def test_bookmarks_name_headings_that_look_like_text_and_set_the_levels(project: Project) -> None:
    paper = Paper().heading("Waves", 20).paragraph(prose(60)).line("Standing waves").gap().paragraph(prose(80))
    paper.heading("Look Again", 12).paragraph(prose(60))
    paper.file.set_toc([[1, "Part One", 1], [2, "Waves", 1], [3, "Standing  Waves", 1], [4, "Look Again", 1]])
    made = read(paper, project)
    assert [text for _, text in headings(made)] == ["Waves", "Standing waves", "Look Again"]
    levels = [level or 0 for level, _ in headings(made)]
    assert levels == sorted(levels) and levels[0] == 1 and len(set(levels)) == 3
    assert made.blocks[0].level_votes[0].witness == "outline"


def test_a_repeated_section_title_in_smaller_type_is_deeper(project: Project) -> None:
    paper = (
        Paper().heading("Chapter 1 Motion", 22).paragraph(prose(60)).heading("1.1 Distance", 15).paragraph(prose(60))
    )
    paper.heading("Review", 15).heading("1.1 Distance", 11).paragraph(prose(60)).turn()
    paper.heading("Chapter 2 Forces", 22).paragraph(prose(60)).heading("2.1 Pushes", 15).paragraph(prose(60))
    found = headings(read(paper, project))
    assert found[1] == (2, "1.1 Distance") and found[3] == (3, "1.1 Distance")


def test_a_title_page_gives_the_title_and_no_headings(project: Project) -> None:
    paper = (
        Paper().gap(150).line("Open School", 14).gap(20).line("Physics 8", 34, SANS_BOLD).gap(20).line("A. Author", 14)
    )
    paper.turn().heading("Preface", 18)
    for part in range(6):
        paper.paragraph(prose(80, part))
    made = read(paper, project)
    assert texts(made, "title") == ["Physics 8"] and made.title == "Physics 8"
    assert headings(made) == [(1, "Preface")]


@pytest.mark.parametrize("text", ["and so on,", "A bold sentence that ends.", "Materials:", "= 3.6", "x"])
def test_what_does_not_read_like_a_heading_is_none(text: str, project: Project) -> None:
    paper = Paper().paragraph(prose(60)).gap().line(text, font=SANS_BOLD).gap().paragraph(prose(60))
    assert headings(read(paper, project)) == []


def test_a_heading_in_the_type_of_code_is_one(project: Project) -> None:
    paper = Paper().paragraph(prose(60)).gap().line("repeat", 14, MONO).gap().paragraph(prose(60))
    assert [text for _, text in headings(read(paper, project))] == ["repeat"]


def test_chinese_numbers_make_headings_without_bold_type(project: Project) -> None:
    text = "物体在单位时间内通过的路程叫做速度，物体运动时，它的位置随着时间的推移而发生变化。" * 3
    paper = Paper()
    for title in ("第一章 机械运动", "第一节 速度"):
        paper.line(title, font=HAN).gap()
    for start in range(0, len(text), 36):
        paper.line(text[start : start + 36], font=HAN)
    paper.gap().line("第二节 声音", font=HAN).gap()
    for start in range(0, len(text), 36):
        paper.line(text[start : start + 36], font=HAN)
    assert headings(read(paper, project, language="zh")) == [
        (1, "第一章 机械运动"),
        (2, "第一节 速度"),
        (2, "第二节 声音"),
    ]


def test_a_box_title_does_not_swallow_the_heading_inside_its_box(project: Project) -> None:
    paper = Paper().paragraph(prose(80)).gap(14).line("INVESTIGATION 2.1: Do Leaves Need Light?", 11, SANS_BOLD).gap(8)
    made = read(paper.line("Materials", 11, SANS_BOLD).gap(8).paragraph(prose(80)), project)
    assert [text for _, text in headings(made)] == ["INVESTIGATION 2.1: Do Leaves Need Light?", "Materials"]


def test_a_heading_in_small_capitals_has_the_size_of_its_large_ones(project: Project) -> None:
    paper = Paper().paragraph(prose(90)).gap(16)
    x = LEFT
    for text, size in (("K", 12.5), ("ey ", 8.75), ("T", 12.5), ("erms", 8.75)):
        paper.at(x, paper.y, text, size, SANS_BOLD)
        x += width(text, size, SANS_BOLD)
    paper.y += 20
    assert [text for _, text in headings(read(paper.paragraph(prose(90)), project))] == ["Key Terms"]
