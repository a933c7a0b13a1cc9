"""What belongs together stays together, and what does not is told apart."""

from __future__ import annotations

import pytest

from kg.project import Project
from tests.ingest.paper import (
    BOLD,
    HAN,
    ITALIC,
    LEFT,
    MONO,
    RIGHT,
    ROMAN,
    SANS_BOLD,
    Paper,
    prose,
    read,
    texts,
    wrapped,
)


def test_a_paragraph_is_one_block_and_its_boxes_hold_it(project: Project) -> None:
    made = read(Paper().paragraph(prose(90)).paragraph(prose(50, 3)), project)
    assert texts(made, "text") == [prose(90), prose(50, 3)]
    (prov,) = made.blocks[0].prov
    assert prov.bbox[0] == pytest.approx(LEFT, abs=1) and prov.bbox[2] <= RIGHT + 1
    assert (prov.start, prov.end) == (0, len(prose(90)))


def test_paragraphs_without_a_gap_are_told_apart_by_a_line_that_ended_early(project: Project) -> None:
    paper = Paper()
    for text in (prose(64), prose(70, 9)):
        for line in wrapped(text):
            paper.line(line)
    assert texts(read(paper, project), "text") == [prose(64), prose(70, 9)]


def test_paragraphs_are_told_apart_by_their_indent(project: Project) -> None:
    paper = Paper()
    for text in (prose(64), prose(70, 9)):
        first, *rest = wrapped(text, RIGHT - LEFT - 15)
        paper.line(first, x=LEFT + 15)
        for line in wrapped(" ".join(rest)):
            paper.line(line)
    assert texts(read(paper, project), "text") == [prose(64), prose(70, 9)]


def test_a_list_has_one_block_an_item_with_its_marker(project: Project) -> None:
    paper = Paper().paragraph(prose(40))
    for marker in ("1.", "2.", "(a)", "(b)", "A."):
        first, *rest = wrapped(prose(30), RIGHT - LEFT - 20)
        paper.line(f"{marker} {first}")
        for line in rest:
            paper.line(line, x=LEFT + 14)
    paper.gap().line("\u2022 a point without a number")
    items = [block for block in read(paper, project).blocks if block.label == "list_item"]
    assert [item.number for item in items] == ["1.", "2.", "(a)", "(b)", "A.", None]
    assert items[1].text == f"2. {prose(30)}"


def test_a_number_that_starts_a_line_of_a_sentence_is_no_marker(project: Project) -> None:
    paper = Paper().line("When the two boats had met in the middle of the harbour they turned at about 65")
    paper.line("m. from the pier and went back to the place where they had been on the evening be-")
    paper.line("fore the storm.")
    made = read(paper, project)
    assert [block.label for block in made.blocks] == ["text"]


def test_a_paragraph_after_a_list_does_not_join_its_last_item(project: Project) -> None:
    paper = Paper().paragraph(prose(60)).line("1. First the bell rings.").line("2. Then the air is let out of the jar.")
    paper.mixed(("Observation:", BOLD), (" The bell is heard no more, though its hammer still strikes it.", ROMAN))
    assert texts(read(paper, project), "list_item") == [
        "1. First the bell rings.",
        "2. Then the air is let out of the jar.",
    ]


def test_bold_labels_that_run_in_start_their_own_paragraphs(project: Project) -> None:
    paper = Paper()
    for label in ("Problem.", "Strategy.", "Solution."):
        text = prose(13)
        paper.mixed((label, BOLD), (f" {text}", ROMAN))
    assert len(texts(read(paper, project), "text")) == 3


def test_entries_of_a_glossary_with_hanging_lines_are_one_block_each(project: Project) -> None:
    paper = Paper()
    entries = {
        "average speed": prose(25),
        "crest": prose(6),
        "echo": prose(24, 5),
        "motion": prose(18),
        "wave": prose(5),
    }
    for term, meaning in entries.items():
        first, *rest = wrapped(f"{term} {meaning}", 200)
        paper.mixed((term, BOLD), (first[len(term) :], ROMAN))
        for line in rest:
            paper.line(line, x=LEFT + 10)
    made = read(paper, project)
    assert texts(made, "text") == [f"{term} {meaning}" for term, meaning in entries.items()]


def test_entries_of_an_index_are_one_block_each(project: Project) -> None:
    paper = Paper().paragraph(prose(60))
    for entry in ("amplitude, 19", "angle of incidence, 25", "average speed, 3, 12-14"):
        paper.line(entry)
    assert texts(read(paper, project), "text")[1:] == [
        "amplitude, 19",
        "angle of incidence, 25",
        "average speed, 3, 12-14",
    ]


def test_lines_of_code_keep_their_breaks(project: Project) -> None:
    paper = Paper().paragraph(prose(60)).line("x <- c(1, 2)", font=MONO).line("mean(x)", font=MONO)
    assert texts(read(paper, project), "code") == ["x <- c(1, 2)\nmean(x)"]


def test_styles_inside_a_line_are_spans_with_exact_offsets(project: Project) -> None:
    paper = Paper().mixed(("The ", ROMAN), ("average speed", BOLD), (" is ", ROMAN), ("v", ITALIC), (" here.", ROMAN))
    (block,) = read(paper, project).blocks
    assert [(block.text[s.start : s.end], s.style) for s in block.spans] == [("average speed", "bold"), ("v", "italic")]


def test_a_bold_term_that_runs_over_a_line_break_is_one_span(project: Project) -> None:
    paper = Paper().mixed(
        ("In the long run the only thing that counts for a body that moves is its ", ROMAN), ("average", BOLD)
    )
    paper.mixed(("speed", BOLD), (" over the whole of its way from the start to the end.", ROMAN))
    (block,) = read(paper, project).blocks
    (span,) = block.spans
    assert block.text[span.start : span.end] == "average speed"


def test_small_raised_and_lowered_characters_are_scripts(project: Project) -> None:
    paper = Paper().paragraph(prose(40))
    x, y = LEFT, paper.y
    for text, size, rise in (("about 9.8 m/s", 10, 0), ("2", 6.5, 4), (" and v", 10, 0), ("0", 6.5, -2)):
        paper.at(x, y - rise, text, size)
        x += len(text) * size * 0.42 if size == 10 else 4
    block = read(paper, project).blocks[-1]
    assert {(block.text[s.start : s.end], s.style) for s in block.spans} == {("²", "superscript"), ("₀", "subscript")}


def test_chinese_lines_are_joined_without_a_space_and_with_one_before_latin(project: Project) -> None:
    lines = [
        "物体在单位时间内通过的路程叫做速度，用时 2 s 通过 20 m 的物体比用时",
        "4 s 的快。物体运动时，它的位置随着时间的推移而发生变化，这样的一种变",
        "化叫做机械运动。",
    ]
    paper = Paper()
    for line in lines:
        paper.line(line, font=HAN)
    made = read(paper, project, language="zh")
    assert [block.text for block in made.blocks] == [f"{lines[0]} {lines[1]}{lines[2]}"]


def test_columns_in_a_small_part_of_a_page_keep_their_paragraphs(project: Project) -> None:
    middle, left, right = 250.0, prose(45), prose(40, 7)
    paper = Paper()
    top = paper.y
    for line in wrapped(left, middle - 40 - LEFT):
        paper.line(line)
    paper.y = top - 7
    for line in wrapped(right, RIGHT - middle - 40):
        paper.line(line, x=middle + 10)
    paper.y += 60
    for start in range(9):
        paper.paragraph(prose(60, start)).gap()
    made = read(paper, project)
    assert texts(made, "text")[:2] == [left, right]


def test_a_bold_last_line_in_another_face_ends_its_sentence(project: Project) -> None:
    lines = wrapped(f"{prose(60)} This flow of water through a thin wall is what many people call")
    paper = Paper()
    for line in lines:
        paper.line(line)
    made = read(paper.line("osmosis.", font=SANS_BOLD).gap(12).paragraph(prose(60)), project)
    assert texts(made, "text")[0].endswith("call osmosis.")


def test_a_sentence_goes_on_below_a_full_line_however_wide_the_only_gap_is(project: Project) -> None:
    first, second = wrapped(prose(26))[:2]
    paper = Paper().line(first)
    paper.y += 5
    made = read(paper.line(f"{second}."), project)
    assert texts(made, "text") == [f"{first} {second}."]
