"""Printed contents: an entry a block, leaders shortened, page numbers kept."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ingest.contents import shortened
from kg.project import Project
from tests.ingest.paper import HAN, LEFT, RIGHT, Paper, headings, prose, read, texts, width

ENTRIES = [("Preface", "ii", 0), ("Chapter 1 Motion", "1", 0), ("1.1 Distance", "2", 15), ("1.2 Speed", "12", 15)]


def listed(paper: Paper, entries: list[tuple[str, str, int]], leader: str) -> Paper:
    for title, page, indent in entries:
        end = RIGHT - width(page)
        paper.at(LEFT + indent, paper.y, title).at(end, paper.y, page)
        start = LEFT + indent + width(title) + 4
        if leader:
            paper.at(start, paper.y, leader * int((end - start - 4) / width(leader)))
        paper.y += 14
    return paper


def test_each_entry_is_a_block_with_a_short_leader(project: Project) -> None:
    made = read(listed(Paper().heading("Contents", 18), ENTRIES, ". "), project)
    assert texts(made, "document_index") == [f"{title} … {page}" for title, page, _ in ENTRIES]
    assert headings(made) == [(1, "Contents")]


def test_contents_without_leaders_are_known_by_their_title_and_numbers(project: Project) -> None:
    made = read(listed(Paper().heading("Table of Contents", 18), ENTRIES[1:], ""), project)
    assert texts(made, "document_index") == [f"{title} … {page}" for title, page, _ in ENTRIES[1:]]


def test_an_entry_of_two_lines_is_one_block(project: Project) -> None:
    paper = Paper().heading("Contents", 18)
    paper.line("1.3 The Language of Physics, the Quantities of Nature, and the Units That We Use")
    rest = [("to Measure Them in", "16", 0), *ENTRIES[1:]]
    made = read(listed(paper, rest, ". "), project)
    first = texts(made, "document_index")[0]
    assert first.startswith("1.3 The Language") and first.endswith("to Measure Them in … 16")


def test_chinese_contents_are_read(project: Project) -> None:
    paper = Paper().line("目录", 18, HAN).gap()
    for title, page in (("第一章 机械运动", "1"), ("第1节 长度", "2"), ("第2节 运动", "5"), ("习题", "9")):
        paper.at(LEFT, paper.y, f"{title} {'.' * 24} {page}", font=HAN)
        paper.y += 15
    made = read(paper, project, language="zh")
    assert texts(made, "document_index") == ["第一章 机械运动 … 1", "第1节 长度 … 2", "第2节 运动 … 5", "习题 … 9"]


def test_a_page_of_text_with_numbers_at_line_ends_is_no_contents(project: Project) -> None:
    paper = Paper()
    for part in range(4):
        paper.paragraph(f"{prose(20, part)} It was in the year 19{part}4")
    assert texts(read(paper, project), "document_index") == []


@given(st.text(alphabet="abc XYZ", min_size=1, max_size=20).filter(str.strip), st.integers(1, 999))
def test_a_shortened_entry_stays_as_it_is(title: str, page: int) -> None:
    once = shortened(f"{title.strip()} . . . . . . . {page}")
    assert once == f"{title.strip()} … {page}"
    assert shortened(once) == once
