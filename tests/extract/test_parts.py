"""Boxes, labs, worked examples and groups inside a section."""

from __future__ import annotations

from typing import Any

import pytest

from extract.pack import Pack, pack_of
from extract.parts import role_of
from extract.view import SectionView


def _parts(view: SectionView) -> list[tuple[str | None, str, int, int]]:
    return [(part.role, part.title, part.first, part.last) for part in view.outline.parts]


@pytest.mark.parametrize(
    ("heading", "role", "title"),
    [
        ("Snap Lab Looking at Motion", "lab", "Looking at Motion"),
        ("LAB 2.1: The Pendulum", "lab", "The Pendulum"),
        ("Virtual Physics", "lab", ""),
        ("Experiment 3 – Heating Water", "lab", "Heating Water"),
        ("WORKED EXAMPLE Calculating Speed", "example", "Calculating Speed"),
        ("Example 2.3 A Car", "example", "A Car"),
        ("Problem-Solving Strategy: Forces", "skill", "Forces"),
        ("Check Your Understanding", "exercises", ""),
        ("Practice 1.1", "exercises", ""),
        ("Section Key Terms", "key_terms", ""),
        ("By the end of this section, you will be able to:", "objectives", "you will be able to:"),
        ("Apparatus:", "materials", ""),
        ("Solution", "solution", ""),
    ],
)
def test_an_english_heading_has_a_role(shelf: Any, heading: str, role: str, title: str) -> None:
    found = role_of(heading, pack_of(shelf.languages["en"]))
    assert found is not None
    assert (found[0].role, found[2]) == (role, title)


@pytest.mark.parametrize(
    ("heading", "role", "title"),
    [
        ("实验 1.1 测量小车的平均速度", "lab", "测量小车的平均速度"),
        ("演示", "lab", ""),
        ("例题 1 列车通过大桥", "example", "列车通过大桥"),
        ("解题方法：速度的计算", "skill", "速度的计算"),
        ("练习 1", "exercises", ""),
        ("学习目标", "objectives", ""),
        ("器材：", "materials", ""),
    ],
)
def test_a_chinese_heading_has_a_role(shelf: Any, heading: str, role: str, title: str) -> None:
    found = role_of(heading, pack_of(shelf.languages["zh"]))
    assert found is not None
    assert (found[0].role, found[2]) == (role, title)


@pytest.mark.parametrize(
    "heading",
    ["Labour and Capital", "The Michelson–Morley Experiment", "Solutions of Salt in Water", "Static Friction"],
)
def test_a_heading_about_the_subject_has_none(shelf: Any, heading: str) -> None:
    assert role_of(heading, pack_of(shelf.languages["en"])) is None


def test_a_box_ends_where_its_last_block_ends(shelf: Any) -> None:
    view = shelf.view(["# 1.1 Motion", "[] Snap Lab A Ball", "> Roll it.", "The text goes on."])
    assert _parts(view)[1] == ("lab", "A Ball", 2, 3)
    assert view.outline.roles(3) == set()


def test_a_label_over_a_title_is_one_part(shelf: Any) -> None:
    view = shelf.view(["# 1.1 Motion", "[] WORKED EXAMPLE", "> ### A Long Way Home", "> How far is it?"])
    assert [part[:2] for part in _parts(view)] == [(None, "1.1 Motion"), ("example", "A Long Way Home")]


def test_strategy_and_solution_belong_to_the_example_whatever_their_level(shelf: Any) -> None:
    view = shelf.view(
        ["# 1.1 Motion", "### Example 1.1 Home", "How far?", "### Strategy", "Think.", "### Solution", "5 m"]
    )
    example = next(at for at, part in enumerate(view.outline.parts) if part.role == "example")
    assert [view.outline.parts[child].role for child in view.outline.parts[example].children] == [
        "strategy",
        "solution",
    ]


def test_a_heading_of_the_same_level_ends_a_part(shelf: Any) -> None:
    view = shelf.view(["# 1.1 Motion", "## Check Your Understanding", "1. Why?", "## Rest", "Bodies rest."])
    assert view.outline.roles(2) == {"exercises"}
    assert view.outline.roles(4) == set()


def test_a_label_may_open_a_paragraph(shelf: Any) -> None:
    view = shelf.view(
        ["# 1.1 运动", "例1 一辆汽车行驶 100 m。", "解：速度是 20 m/s。", "## 下一节", "正文。"], code="zh"
    )
    assert [part.role for part in view.outline.parts] == [None, "example", "solution", None]
    assert "example" in view.outline.roles(2)
    assert view.outline.roles(4) == set()


def test_a_part_opened_in_a_paragraph_does_not_swallow_the_section(shelf: Any) -> None:
    view = shelf.view(["# 1.1 运动", "例1 一辆汽车行驶 100 m。", *["正文。"] * 20], code="zh")
    assert view.outline.roles(21) == set()


def test_a_language_without_rules_has_no_roles() -> None:
    assert role_of("Snap Lab", Pack()) is None


def test_a_label_in_a_paragraph_needs_something_it_belongs_to(shelf: Any) -> None:
    view = shelf.view(["# 1.1 Heat", "**Material:** Lead is heavy.", "So is gold."])
    assert view.outline.roles(1) == set()


def test_the_text_after_a_list_of_objectives_is_no_objective(shelf: Any) -> None:
    lines = ["## 1.1 Cells", "#### What you will learn", "- Name the parts of a cell", "A **cell** is a unit of life."]
    view = shelf.view(lines)
    assert view.outline.roles(2) == {"objectives"} and view.outline.roles(3) == set()
