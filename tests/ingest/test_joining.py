"""Words over line ends, paragraphs over columns and pages."""

from __future__ import annotations

from collections import Counter

import pytest

from ingest.joining import assemble
from ingest.lines import Line
from kg.document import Span
from kg.project import Project
from tests.ingest.paper import LEFT, RIGHT, Paper, prose, read, texts, wrapped


def a_line(text: str, spans: tuple[Span, ...] = ()) -> Line:
    return Line(0, text, (0, 0, 100, 10), 10, "Times", False, False, False, 8, list(spans))


@pytest.mark.parametrize(
    ("first", "second", "joined"),
    [
        ("the dis-", "placement is", "the displacement is"),
        ("along the x-", "axis of", "along the x-axis of"),
        ("the dis\u00ad", "tance is", "the distance is"),
        ("a battery-", "driven car", "a battery-driven car"),
        ("one word", "another", "one word another"),
        ("km/", "h is", "km/h is"),
        ("物体的运", "动", "物体的运动"),
        ("他说：", "“好", "他说：“好"),
    ],
)
def test_a_hyphen_goes_only_if_the_book_has_the_word_without_it(first: str, second: str, joined: str) -> None:
    words = Counter({"displacement": 3, "battery-driven": 2, "batterydriven": 1})
    made = assemble([a_line(first), a_line(second)], "", words, " ")
    assert made.text == joined
    assert made.text[made.starts[1] :] == second


def test_a_bold_word_divided_at_a_line_end_is_one_span() -> None:
    bold = (Span(start=4, end=8, style="bold"),), (Span(start=0, end=9, style="bold"),)
    made = assemble([a_line("the dis-", bold[0]), a_line("placement is", bold[1])], "", {"displacement": 1}, " ")
    (span,) = made.spans
    assert made.text[span.start : span.end] == "displacement"


def test_a_paragraph_goes_on_over_a_page_break_with_two_places(project: Project) -> None:
    lines = wrapped(prose(120))
    paper = Paper().paragraph(prose(30))
    paper.y = 600
    for line in lines[:4]:
        paper.line(line)
    paper.turn()
    for line in lines[4:]:
        paper.line(line)
    made = read(paper, project)
    assert texts(made, "text") == [prose(30), prose(120)]
    block = made.blocks[-1]
    assert [prov.page for prov in block.prov] == [0, 1] and "continued" in block.flags
    assert block.text[block.prov[1].start :].startswith(lines[4])


def test_a_finished_paragraph_does_not_join_the_next_page(project: Project) -> None:
    made = read(Paper().paragraph(prose(60)).turn().paragraph(prose(60, 7)), project)
    assert texts(made, "text") == [prose(60), prose(60, 7)]


def test_two_columns_are_read_one_after_the_other(project: Project) -> None:
    middle, text = 250.0, prose(150)
    paper = Paper().heading("A Heading over Both Columns")
    top = paper.y
    lines = wrapped(text, middle - 10 - LEFT)
    half = len(lines) // 2
    for line in lines[:half]:
        paper.line(line)
    paper.y = top
    for line in lines[half:]:
        paper.line(line, x=middle + 10)
    made = read(paper, project)
    assert texts(made, "text") == [text]
    left, right = made.blocks[-1].prov
    assert left.bbox[2] < middle < right.bbox[0] < RIGHT
