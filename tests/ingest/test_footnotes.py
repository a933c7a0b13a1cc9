from __future__ import annotations

from kg.project import Project
from tests.ingest.paper import LEFT, Paper, prose, read, texts


def test_small_marked_lines_at_the_foot_are_footnotes(project: Project) -> None:
    paper = Paper().paragraph(prose(90))
    paper.y = 600
    paper.paragraph("* Measured at sea level.", 8)
    made = read(paper, project)
    assert texts(made, "footnote") == ["* Measured at sea level."] and made.blocks[-1].number == "*"


def test_a_raised_number_marks_a_footnote_and_a_paragraph_goes_on_past_it(project: Project) -> None:
    paper = Paper().paragraph(prose(40))
    paper.y = 560
    for line in (
        "The road that leads over the hills was built long ago by people who had come from",
        "the islands and",
    ):
        paper.line(line)
    paper.at(LEFT, 617, "2", 5).at(LEFT + 4, 620, "A note in small type about the road.", 8)
    paper.turn().line("were tired of the sea.").gap().paragraph(prose(60))
    made = read(paper, project)
    assert texts(made, "footnote") == ["² A note in small type about the road."]
    assert any(text.endswith("the islands and were tired of the sea.") for text in texts(made, "text"))


def test_small_type_without_a_mark_is_text(project: Project) -> None:
    paper = Paper().paragraph(prose(90))
    paper.y = 600
    assert texts(read(paper.paragraph("Set in small type.", 8), project), "footnote") == []
