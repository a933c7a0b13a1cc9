"""Tables without a rule: told by a caption or by their formulas, and nothing else is taken for one."""

from __future__ import annotations

from kg.project import Project
from tests.ingest.paper import LEFT, Paper, prose, read, texts

ROWS = [["Medium", "Speed", "State"], ["air", "340", "gas"], ["water", "1480", "liquid"], ["steel", "5900", "solid"]]
FORMULAS = [["average speed", "v = s / t"], ["weight on the ground", "W = m · g"], ["work", "W = F · s"]]
EDGES = (66.0, 200.0, 320.0)


def cells(paper: Paper, rows: list[list[str]], step: float = 16) -> Paper:
    for row in rows:
        for x, text in zip(EDGES, row, strict=False):
            if text:
                paper.at(x, paper.y, text)
        paper.y += step
    return paper.gap(14)


def expected(rows: list[list[str]]) -> str:
    return "\n".join(" | ".join(row) for row in rows)


def test_rows_under_the_caption_of_a_table_are_a_table(project: Project) -> None:
    paper = Paper().paragraph(prose(60)).line("Table 3.1 Speed of sound", 9).gap(4)
    made = read(cells(paper, ROWS).paragraph(prose(60)), project)
    (table,) = [block for block in made.blocks if block.label == "table"]
    assert table.text == expected(ROWS) and table.html is not None and "<td>1480</td>" in table.html
    assert [block.label for block in made.blocks] == ["text", "caption", "table", "text"]


def test_rows_over_the_caption_of_a_table_are_a_table(project: Project) -> None:
    paper = cells(Paper().paragraph(prose(60)).gap(30), ROWS)
    paper.y -= 10
    made = read(paper.line("Table 3.1 Speed of sound", 9).gap(30).paragraph(prose(60)), project)
    assert texts(made, "table") == [expected(ROWS)] and len(texts(made, "text")) == 2


def test_a_cell_that_wraps_is_one_cell(project: Project) -> None:
    rows = [ROWS[0], ["air", "340", "gas, as in"], ["", "", "the sky"], *ROWS[2:]]
    paper = Paper().paragraph(prose(60)).line("Table 3.1 Speed of sound", 9).gap(4)
    (table,) = texts(read(cells(paper, rows, 13), project), "table")
    assert "air | 340 | gas, as in the sky" in table.splitlines()


def test_a_list_of_named_formulas_is_a_table_without_a_caption(project: Project) -> None:
    made = read(cells(Paper().paragraph(prose(60)), FORMULAS).paragraph(prose(60)), project)
    assert texts(made, "table") == [expected(FORMULAS)] and len(texts(made, "text")) == 2


def test_text_below_a_caption_is_no_table(project: Project) -> None:
    made = read(Paper().paragraph(prose(60)).line("Table 3.1 Speed of sound", 9).paragraph(prose(80)), project)
    assert texts(made, "table") == [] and texts(made, "caption") == ["Table 3.1 Speed of sound"]


def test_words_side_by_side_without_a_caption_are_no_table(project: Project) -> None:
    assert texts(read(cells(Paper().paragraph(prose(60)), ROWS), project), "table") == []


def test_options_side_by_side_are_no_table(project: Project) -> None:
    options = [["a. v = 3 m/s", "b. v = 4 m/s"], ["c. v = 5 m/s", "d. v = 6 m/s"]]
    made = read(cells(Paper().paragraph(prose(60)), options), project)
    assert texts(made, "table") == [] and len(texts(made, "list_item")) == 4


def test_two_columns_of_text_are_no_table_though_a_caption_stands_over_one(project: Project) -> None:
    paper = Paper().line("Table 3.1 Speed of sound", 9).gap(4)
    top = paper.y
    for x in (LEFT, 260.0):
        paper.y = top
        for part in range(3):
            paper.paragraph(prose(40, part), x=x, right=x + 180)
    assert texts(read(paper, project), "table") == []
