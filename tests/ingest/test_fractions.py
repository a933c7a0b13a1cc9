"""A stacked fraction says on one line what it said on two; a rule that is no bar changes nothing."""

from __future__ import annotations

import pytest

from kg.project import Project
from tests.ingest.paper import BOLD, HAN, ITALIC, LEFT, ROMAN, Paper, prose, read, texts, width

Y = 300.0


def over(paper: Paper, x: float, upper: str, lower: str, y: float = Y, font: str = ROMAN) -> float:
    """A fraction whose bar stands on the axis of a line with its baseline at `y`. Returns its right edge."""
    wide = max(width(upper, 10, font), width(lower, 10, font)) + 2
    for text, base in ((upper, y - 7), (lower, y + 7)):
        paper.at(x + (wide - width(text, 10, font)) / 2, base, text, font=font)
    paper.rule(x, y - 2.7, x + wide, y - 2.7)
    return x + wide


def formula(project: Project, paper: Paper) -> str:
    (found,) = texts(read(paper, project), "formula")
    return found


def page() -> Paper:
    paper = Paper().paragraph(prose(60))
    paper.y = 340
    return paper.paragraph(prose(60))


@pytest.mark.parametrize(
    ("upper", "lower", "font", "expected"),
    [
        ("distance", "time", ROMAN, "distance/time"),
        ("v - u", "t", ITALIC, "(v - u)/t"),
        ("10 km", "20 min", ROMAN, "(10 km)/(20 min)"),
        ("W", "mg", ITALIC, "W/(mg)"),
        ("2d", "t", ITALIC, "2d/t"),
        ("-b", "c", ITALIC, "-b/c"),
        ("(a + b)", "(c + d)", ITALIC, "(a + b)/(c + d)"),
        ("x", "2(y + z)", ITALIC, "x/(2(y + z))"),
    ],
)
def test_brackets_keep_the_meaning(project: Project, upper: str, lower: str, font: str, expected: str) -> None:
    paper = page().at(220, Y, "a =", font=ITALIC)
    over(paper, 240, upper, lower, font=font)
    assert formula(project, paper) == f"a = {expected}"


def test_what_is_multiplied_with_a_fraction_multiplies_all_of_it(project: Project) -> None:
    paper = page().at(220, Y, "d =", font=ITALIC)
    right = over(paper, 240, "1", "2")
    paper.at(right + 1, Y, "at", font=ITALIC)
    assert formula(project, paper) == "d = (1/2)at"


def test_a_unit_stays_apart_from_its_number(project: Project) -> None:
    paper = page().at(220, Y, "v = 25", font=ROMAN)
    over(paper, 220 + width("v = 25") + 1, "m", "s")
    assert formula(project, paper) == "v = 25 m/s"


def test_fractions_side_by_side_and_in_each_other_are_all_read(project: Project) -> None:
    paper = page().at(200, Y, "x =", font=ITALIC)
    right = over(paper, 220, "a", "b", font=ITALIC)
    paper.at(right + 4, Y, "=", font=ITALIC)
    over(paper, right + 16, "c", "d", font=ITALIC)
    assert formula(project, paper) == "x = a/b = c/d"
    paper = page().at(200, Y, "x =", font=ITALIC)
    over(paper, 232, "c", "d", y=Y - 14, font=ITALIC)
    paper.rule(222, Y - 2.7, 250, Y - 2.7).at(233, Y + 7, "e", font=ITALIC)
    assert formula(project, paper) == "x = (c/d)/e"


def test_a_root_ends_where_its_bar_ends(project: Project) -> None:
    paper = page().at(200, Y, "c =", font=ITALIC).at(220, Y, "√", font=HAN)
    end = 230 + width("a + b")
    paper.at(230, Y, "a + b", font=ITALIC).rule(230, Y - 9, end + 1, Y - 9).at(end + 6, Y, "+ d", font=ITALIC)
    assert formula(project, paper) == "c = √(a + b) + d"


def test_underlined_words_are_no_numerator(project: Project) -> None:
    paper = Paper().paragraph(prose(60))
    before = [block.text for block in read(paper, project).blocks]
    underlined = Paper().paragraph(prose(60))
    x = LEFT + width("The long ")
    underlined.rule(x, 72, x + width("road"), 72)
    assert [block.text for block in read(underlined, project).blocks] == before


def test_a_rule_under_a_tables_head_is_no_bar(project: Project) -> None:
    paper = Paper().paragraph(prose(60))
    y = paper.y + 20
    for x, head, cell in ((100, "mass", "12"), (200, "force", "120")):
        paper.at(x, y, head, font=BOLD).rule(x - 2, y + 3, x + 32, y + 3).at(x, y + 14, cell)
    paper.y = y + 40
    made = read(paper.paragraph(prose(60)), project)
    assert not any("/" in block.text for block in made.blocks)


def test_pieces_without_a_bar_stay_apart(project: Project) -> None:
    paper = page().at(220, Y, "a =", font=ITALIC).at(242, Y - 7, "uv", font=ITALIC).at(242, Y + 7, "wt", font=ITALIC)
    found = " ".join(block.text for block in read(paper, project).blocks)
    assert "uvwt" not in found and "uv" in found and "wt" in found
