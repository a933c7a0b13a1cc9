"""Tables with a grid, with rules only, and what only looks like one."""

from __future__ import annotations

from kg.project import Project
from tests.ingest.paper import LEFT, RIGHT, Paper, prose, read, texts

ROWS = [["Quantity", "Unit", "Value"], ["speed of light", "m/s", "2.99792458(74) × 10"], ["mass", "kg", "1.674927351"]]
EDGES = [60.0, 180.0, 260.0, 440.0]


def cells(paper: Paper, rows: list[list[str]], top: float) -> Paper:
    for number, row in enumerate(rows):
        for x, text in zip(EDGES, row, strict=False):
            if text:
                paper.at(x + 6, top + 14 + 20 * number, text)
    return paper


def grid(paper: Paper, rows: int, top: float) -> Paper:
    for x in EDGES:
        paper.rule(x, top, x, top + 20 * rows)
    for number in range(rows + 1):
        paper.rule(EDGES[0], top + 20 * number, EDGES[-1], top + 20 * number)
    return paper


def expected(rows: list[list[str]]) -> str:
    return "\n".join(" | ".join(row) for row in rows)


def test_a_ruled_table_keeps_its_cells_and_numbers_as_printed(project: Project) -> None:
    paper = Paper().paragraph(prose(60))
    top = paper.y
    grid(cells(paper, ROWS, top), 3, top)
    paper.y = top + 90
    made = read(paper.paragraph(prose(50)), project)
    (table,) = [block for block in made.blocks if block.label == "table"]
    assert table.text == expected(ROWS)
    assert table.html is not None and "<td>1.674927351</td>" in table.html
    assert [block.label for block in made.blocks] == ["text", "table", "text"]


def test_a_table_of_horizontal_rules_is_read_by_its_columns(project: Project) -> None:
    paper = Paper().paragraph(prose(60)).line("Table 1.1 Some quantities", 9)
    top = paper.y
    cells(paper, ROWS, top)
    for y in (top, top + 20, top + 60):
        paper.rule(LEFT, y, RIGHT, y)
    paper.y = top + 90
    made = read(paper.paragraph(prose(50)), project)
    assert texts(made, "table") == [expected(ROWS)] and texts(made, "caption") == ["Table 1.1 Some quantities"]


def test_cells_of_two_lines_are_joined(project: Project) -> None:
    paper = Paper().paragraph(prose(60))
    top = paper.y
    cells(paper, ROWS, top).at(EDGES[0] + 6, top + 66, "of a neutron")
    for y in (top, top + 20, top + 40, top + 74):
        paper.rule(LEFT, y, RIGHT, y)
    (table,) = texts(read(paper, project), "table")
    assert table.splitlines()[-1] == "mass of a neutron | kg | 1.674927351"


def test_a_bar_in_a_cell_does_not_make_two_cells(project: Project) -> None:
    rows = [["a|b", "c", "d"], ["e", "f", "g"]]
    paper = Paper().paragraph(prose(60))
    top = paper.y
    grid(cells(paper, rows, top), 2, top)
    (table,) = texts(read(paper, project), "table")
    assert [len(row.split(" | ")) for row in table.splitlines()] == [3, 3]


def test_paragraphs_between_rules_are_no_table(project: Project) -> None:
    paper = Paper()
    for part in range(3):
        paper.rule(LEFT, paper.y - 12, RIGHT, paper.y - 12).paragraph(prose(60, part)).gap()
    made = read(paper.rule(LEFT, paper.y - 12, RIGHT, paper.y - 12), project)
    assert {block.label for block in made.blocks} == {"text"}


def test_a_cell_in_the_middle_of_a_higher_row_is_of_that_row(project: Project) -> None:
    paper = Paper().paragraph(prose(60))
    top = paper.y
    for number, (name, unit) in enumerate((("Name", "Unit"), ("speed", "m/s"), ("", ""), ("force", "N"))):
        paper.at(66, top + 14 + 20 * number, name).at(260, top + 14 + 20 * number, unit)
    paper.at(66, top + 49, "work done on a body by").at(66, top + 59, "a steady force").at(260, top + 54, "J")
    for y in (0, 20, 40, 63, 80):
        paper.rule(LEFT, top + y, RIGHT, top + y)
    (table,) = texts(read(paper, project), "table")
    assert table.splitlines()[2] == "work done on a body by a steady force | J"


def test_raised_numbers_in_cells_are_such(project: Project) -> None:
    paper = Paper().paragraph(prose(60))
    top = paper.y
    grid(cells(paper, [["Unit", "Value", "Note"], ["m", "10", "far"]], top), 2, top)
    paper.at(EDGES[1] + 16, top + 30, "18", 6.5)
    (table,) = texts(read(paper, project), "table")
    assert table.splitlines()[1].replace(" ", "") == "m|10¹⁸|far"
