from __future__ import annotations

import pytest

from ingest.formulas import is_mathematics, number_of
from ingest.lines import Line
from kg.project import Project
from tests.ingest.paper import ITALIC, LEFT, RIGHT, Paper, prose, read


def a_line(text: str) -> Line:
    return Line(0, text, (200, 100, 300, 110), 10, "Times", False, False, False, 108)


@pytest.mark.parametrize("text", ["v = s / t", "F = ma", "E = mc2 + K", "× 103 m", "a ≤ b"])
def test_signs_and_few_words_are_mathematics(text: str) -> None:
    assert is_mathematics(a_line(text))


@pytest.mark.parametrize("text", ["the speed is 12 m/s here", "state-of-the-art methods", "v", "物体的速度 v = 3 很大"])
def test_words_are_not_mathematics(text: str) -> None:
    assert not is_mathematics(a_line(text))


def test_the_printed_number_is_read_in_its_brackets() -> None:
    assert number_of("v = s / t (1.1)") == "(1.1)"
    assert number_of("f(x) = 2") is None
    assert number_of("E = mc2 （3）") == "（3）"


def test_a_displayed_formula_is_a_block_with_its_number_and_no_latex(project: Project) -> None:
    paper = Paper().paragraph(prose(60)).gap(4)
    paper.at(220, paper.y, "v = s / t", font=ITALIC).at(RIGHT - 20, paper.y, "(1.1)")
    paper.y += 24
    made = read(paper.paragraph(prose(60)), project)
    formula = made.blocks[1]
    assert [block.label for block in made.blocks] == ["text", "formula", "text"]
    assert formula.text == "v = s / t (1.1)" and formula.number == "(1.1)" and formula.latex is None


def test_a_number_at_the_right_edge_is_the_formulas_number_without_brackets(project: Project) -> None:
    paper = Paper().paragraph(prose(60)).gap(4)
    paper.at(220, paper.y, "v = s / t", font=ITALIC).at(RIGHT - 14, paper.y, "11.1")
    paper.y += 24
    assert read(paper.paragraph(prose(60)), project).blocks[1].number == "11.1"


def test_a_fraction_is_one_formula(project: Project) -> None:
    paper = Paper().paragraph(prose(60)).gap(10)
    y = paper.y
    paper.at(200, y, "a =", font=ITALIC).at(225, y - 7, "v2").rule(222, y - 3, 240, y - 3).at(228, y + 6, "r")
    paper.y += 34
    made = read(paper.paragraph(prose(60)), project)
    assert [block.label for block in made.blocks] == ["text", "formula", "text"]
    assert made.blocks[1].text == "a = v2/r"


def test_an_equation_in_the_last_line_of_a_list_item_stays_in_it(project: Project) -> None:
    paper = Paper().paragraph(prose(60)).line("a. The size of the first force must be greater than that of the second")
    paper.line("force, so a > b.", x=LEFT + 12)
    made = read(paper, project)
    assert made.blocks[-1].label == "list_item" and made.blocks[-1].text.endswith("force, so a > b.")
