"""Running heads, feet and page numbers are set apart; nothing else is."""

from __future__ import annotations

from kg.project import Project
from tests.ingest.paper import HAN, LEFT, SANS, Paper, headings, prose, read, texts


def a_book(pages: int = 12) -> Paper:
    """Chapter on even pages, section on odd ones, a number on each; chapters open without a head."""
    paper = Paper()
    for page in range(pages):
        if page:
            paper.turn()
        if page % 4 == 0:
            paper.heading(f"Chapter {page // 4 + 1} The Open Road", 20)
            paper.at(245, 670, str(page + 11), 8, SANS)
        elif page % 2:
            paper.at(LEFT, 40, f"Chapter {page // 4 + 1} The Open Road", 8, SANS).at(430, 40, str(page + 11), 8, SANS)
        else:
            paper.at(LEFT, 40, str(page + 11), 8, SANS).at(300, 40, "1.1 Hills and Harbours", 8, SANS)
        for part in range(4):
            paper.paragraph(prose(60, page + part))
    return paper


def test_heads_and_numbers_are_set_apart_and_the_text_is_whole(project: Project) -> None:
    made = read(a_book(), project)
    body = [block.text for block in made.body()]
    assert not any("Hills and Harbours" in text or text.isdigit() for text in body)
    assert sum(text.startswith("Chapter") for text in body) == 3 and len(headings(made)) == 3
    assert len(texts(made, "text")) == 48
    assert set(texts(made, "page_footer")) == {"11", "15", "19"}


def test_the_printed_number_becomes_the_label_of_the_page(project: Project) -> None:
    made = read(a_book(), project)
    assert [page.label for page in made.pages] == [str(page + 11) for page in range(12)]


def test_roman_numbers_and_words_beside_numbers_are_read(project: Project) -> None:
    paper = Paper()
    for page, number in enumerate(("Page iv", "Page v", "Page vi", "Page vii")):
        if page:
            paper.turn()
        paper.at(230, 670, number, 8, SANS).paragraph(prose(80, page))
    made = read(paper, project)
    assert [page.label for page in made.pages] == ["iv", "v", "vi", "vii"]
    assert len(texts(made, "page_footer")) == 4


def test_chinese_page_numbers_are_read(project: Project) -> None:
    paper = Paper()
    for page in range(4):
        if page:
            paper.turn()
        paper.at(230, 670, f"第{page + 21}页", 8, HAN).paragraph("清晨，路旁的树木向后退去，" * 12, font=HAN)
    made = read(paper, project, language="zh")
    assert [page.label for page in made.pages] == ["21", "22", "23", "24"]


def test_the_first_line_of_a_book_without_heads_is_no_head(project: Project) -> None:
    paper = Paper()
    for page in range(8):
        if page:
            paper.turn()
        for part in range(6):
            paper.paragraph(prose(60 + page, 3 * page + part))
    made = read(paper, project)
    assert {block.label for block in made.blocks} == {"text"}


def test_a_heading_at_the_height_of_the_running_head_stays_a_heading(project: Project) -> None:
    paper = Paper()
    for page in range(10):
        if page:
            paper.turn()
        if page % 5 == 0:
            paper.at(LEFT, 44, "Answers" if page else "Preface", 22, SANS)
        else:
            paper.at(LEFT, 40, "The Open Road", 8, SANS)
        paper.paragraph(prose(90, page))
    made = read(paper, project)
    assert [text for _, text in headings(made)] == ["Preface", "Answers"]
    assert len(texts(made, "page_header")) == 8


def test_a_part_of_a_head_in_a_script_of_its_own_is_set_apart(project: Project) -> None:
    paper = Paper()
    for page in range(24):
        if page:
            paper.turn()
        paper.at(LEFT, 40, "Roads", 8, SANS).at(
            400, 40, "港口" if page == 9 else "Hills", 8, HAN if page == 9 else SANS
        )
        paper.paragraph(prose(80, page))
    made = read(paper, project)
    assert texts(made, "page_header").count("港口") == 1 and len(texts(made, "page_header")) == 48
