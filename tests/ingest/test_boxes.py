"""Boxes: framed, labelled, over page breaks; and frames that are none."""

from __future__ import annotations

from kg.document import Block, Document
from kg.project import Project
from tests.ingest.paper import LEFT, RIGHT, SANS_BOLD, Paper, headings, prose, read


def inside(made: Document, title: Block) -> list[str]:
    return [block.text for block in made.blocks if block.parent == title.id]


def boxes(made: Document) -> list[Block]:
    return [block for block in made.blocks if "box" in block.flags and block.parent is None]


def framed(paper: Paper, *lines: str) -> Paper:
    """A tinted box with a bold first line."""
    top = paper.y - 14
    first, *rest = lines
    paper.line(first, 11, SANS_BOLD, LEFT + 10).gap(4)
    for text in rest:
        paper.paragraph(text, x=LEFT + 10, right=RIGHT - 10)
    return paper.tint(LEFT, top, RIGHT, paper.y - 6).gap(16)


def test_what_stands_in_a_frame_belongs_to_its_title(project: Project) -> None:
    paper = Paper().heading("1.1 Speed", 16).paragraph(prose(60))
    framed(paper, "Fast and Slow", prose(40), prose(40, 5)).paragraph(prose(50))
    made = read(paper, project)
    (title,) = boxes(made)
    assert title.text == "Fast and Slow" and title.level == 2
    assert inside(made, title) == [prose(40), prose(40, 5)]
    assert made.blocks[-1].parent is None


def test_a_frame_that_goes_on_over_the_page_keeps_its_title(project: Project) -> None:
    paper = Paper().heading("1.1 Speed", 16)
    for part in range(6):
        paper.paragraph(prose(80, part))
    paper.y = 580
    framed(paper, "Fast and Slow", prose(40)).turn()
    top = paper.y - 10
    paper.paragraph(prose(40, 9), x=LEFT + 10, right=RIGHT - 10).tint(LEFT, top, RIGHT, paper.y)
    made = read(paper.gap(20).paragraph(prose(70)), project)
    (title,) = boxes(made)
    assert inside(made, title) == [prose(40), prose(40, 9)]


def test_a_heading_inside_a_box_divides_the_box_and_not_the_book(project: Project) -> None:
    paper = Paper().heading("1.1 Speed", 16).paragraph(prose(60))
    top = paper.y - 14
    paper.line("WORKED EXAMPLE", 8.5, SANS_BOLD, LEFT + 10).line("A Train on Time", 11, SANS_BOLD, LEFT + 10).gap(4)
    paper.paragraph(prose(30), x=LEFT + 10, right=RIGHT - 10).line("Solution", 9.5, SANS_BOLD, LEFT + 10).gap(2)
    paper.paragraph(prose(30, 4), x=LEFT + 10, right=RIGHT - 10).tint(LEFT, top, RIGHT, paper.y)
    made = read(paper.gap(20).paragraph(prose(60)), project)
    (title,) = boxes(made)
    assert title.text == "WORKED EXAMPLE A Train on Time"
    solution = next(block for block in made.blocks if block.text == "Solution")
    assert solution.parent == title.id and "box" in solution.flags and solution.level == 3


def test_a_label_without_a_frame_opens_a_box_up_to_the_next_heading(project: Project) -> None:
    paper = Paper().heading("1.1 Speed", 16).paragraph(prose(60)).heading("Example 1.2: The Bus", 11)
    paper.paragraph(prose(40)).heading("Solution", 11).paragraph(prose(40, 6)).heading("1.2 Force", 16).paragraph(
        prose(70)
    )
    made = read(paper, project)
    (title,) = boxes(made)
    assert inside(made, title) == [prose(40), "Solution", prose(40, 6)]
    assert [text for _, text in headings(made) if text.startswith("1.")] == ["1.1 Speed", "1.2 Force"]
    assert made.blocks[-1].parent is None


def test_a_tinted_band_behind_a_section_title_is_no_box(project: Project) -> None:
    paper = Paper().heading("1.1 Speed", 16).paragraph(prose(60)).gap(10)
    top = paper.y - 16
    paper.line("1.2 Force", 16, SANS_BOLD).tint(LEFT, top, RIGHT, paper.y).gap(12).paragraph(prose(80))
    made = read(paper, project)
    assert boxes(made) == [] and headings(made) == [(1, "1.1 Speed"), (1, "1.2 Force")]


def test_a_white_box_with_lines_down_its_sides_is_a_box(project: Project) -> None:
    paper = Paper().heading("1.1 Speed", 16).paragraph(prose(60))
    top = paper.y - 14
    paper.line("Practice 1.1", 11, SANS_BOLD, LEFT + 10).gap(4).paragraph(prose(30), x=LEFT + 10, right=RIGHT - 10)
    paper.page.draw_rect((LEFT, top, RIGHT, paper.y), color=None, fill=(1, 1, 1), overlay=False)
    for x in (LEFT, RIGHT):
        paper.rule(x, top, x, paper.y)
    made = read(paper.gap(20).paragraph(prose(60)), project)
    (title,) = boxes(made)
    assert title.text == "Practice 1.1" and inside(made, title) == [prose(30)]


def test_a_box_in_a_box_belongs_to_it(project: Project) -> None:
    paper = Paper().heading("1.1 Speed", 16).paragraph(prose(60))
    outer = paper.y - 14
    paper.line("Lab at Home", 11, SANS_BOLD, LEFT + 10).gap(4).paragraph(prose(30), x=LEFT + 10, right=RIGHT - 30)
    inner = paper.y - 6
    paper.gap(10).line("Careful", 10.5, SANS_BOLD, LEFT + 20).gap(4).paragraph(prose(20), x=LEFT + 20, right=RIGHT - 30)
    paper.tint(LEFT + 10, inner, RIGHT - 10, paper.y)
    paper.page.draw_rect((LEFT, outer, RIGHT, paper.y + 10), color=None, fill=(1, 0.95, 0.8), overlay=False)
    made = read(paper.gap(30).paragraph(prose(60)), project)
    (title,) = boxes(made)
    careful = next(block for block in made.blocks if block.text == "Careful")
    assert title.text == "Lab at Home" and careful.parent == title.id
    assert inside(made, careful) == [prose(20)]
