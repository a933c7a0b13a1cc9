"""Figures, their words and their captions."""

from __future__ import annotations

import pymupdf

from kg.project import Project
from tests.ingest.paper import BOLD, LEFT, RIGHT, ROMAN, SANS, Paper, prose, read, texts


def photo(paper: Paper, top: float, bottom: float) -> Paper:
    pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 40, 30), False)
    pixels.clear_with(120)
    paper.page.insert_image((LEFT + 60, top, RIGHT - 60, bottom), pixmap=pixels, keep_proportion=False)
    return paper


def test_a_picture_stands_before_its_caption(project: Project) -> None:
    paper = Paper().paragraph(prose(60))
    photo(paper, paper.y, paper.y + 100).gap(112)
    paper.mixed(("Figure 3.2", BOLD), (" The harbour in the evening light.", ROMAN), size=9).gap().paragraph(prose(60))
    made = read(paper, project)
    assert [block.label for block in made.blocks] == ["text", "picture", "caption", "text"]
    assert made.blocks[1].text == "" and made.blocks[2].number == "3.2"


def test_a_sentence_that_names_a_figure_is_no_caption(project: Project) -> None:
    text = f"Figure 3.2 shows how {prose(60)}"
    paper = Paper()
    photo(paper, 70, 170)
    paper.y = 190
    assert texts(read(paper.paragraph(text), project), "text") == [text]


def test_a_bold_caption_without_words_is_no_heading(project: Project) -> None:
    paper = Paper().paragraph(prose(60))
    photo(paper, paper.y, paper.y + 80).gap(95).line("Figure 3.13", 10, BOLD).gap().paragraph(prose(60))
    assert texts(read(paper, project), "caption") == ["Figure 3.13"]


def test_words_in_a_drawn_figure_are_kept_out_of_the_text(project: Project) -> None:
    paper = Paper().paragraph(prose(60))
    top = paper.y
    paper.rule(160, top + 10, 160, top + 110).rule(160, top + 110, 320, top + 110).rule(160, top + 110, 300, top + 20)
    paper.page.draw_circle((300, top + 20), 2, fill=(0, 0, 0))
    for x, y, text in ((140, 14, "180"), (140, 60, "90"), (230, 124, "time in s"), (306, 22, "home")):
        paper.at(x, top + y, text, 8, SANS)
    paper.y = top + 145
    paper.mixed(("Figure 1.2", BOLD), (" The way home.", ROMAN), size=9).gap().paragraph(prose(70))
    made = read(paper, project)
    labels = [block for block in made.blocks if "in_picture" in block.flags]
    assert len(labels) == 1 and sorted(labels[0].text.split()) == ["180", "90", "home", "in", "s", "time"]
    assert [block.label for block in made.blocks if block not in labels] == ["text", "picture", "caption", "text"]


def test_drawn_bullets_make_list_items(project: Project) -> None:
    paper = Paper().paragraph(prose(60))
    for text in ("tell distance from displacement", "draw a graph of motion"):
        paper.page.draw_circle((LEFT + 6, paper.y - 3), 1.8, color=None, fill=(0, 0, 0))
        paper.line(text, x=LEFT + 16)
    assert texts(read(paper, project), "list_item") == [
        "\u2022 tell distance from displacement",
        "\u2022 draw a graph of motion",
    ]
