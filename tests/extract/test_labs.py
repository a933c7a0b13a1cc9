"""Experiments and skills."""

from __future__ import annotations

from typing import Any

from extract.labs import Lab, labs
from extract.skills import skills


def _labs(shelf: Any, *lines: str, code: str = "en") -> list[Lab]:
    return list(labs(shelf.book([("section", "1.1", "Section", ["# 1.1 Motion", *lines])], code)))


def test_a_lab_box_gives_materials_steps_and_conclusion(shelf: Any) -> None:
    lab = _labs(
        shelf,
        "[] SNAP LAB",
        "> ### Rolling Marbles",
        "> In this activity you will measure a speed.",
        "> ### Materials",
        "> - • 1 marble",
        "> - • 1 ruler",
        "> ### Procedure",
        "> - 1. Roll it.",
        "> - 2. Time it.",
        "> ### Observations",
        "> It slows down.",
        "> ### Conclusion",
        "> Friction acts.",
    )[0]
    assert (lab.name, lab.student, lab.instruments) == ("Rolling Marbles", 1, ["1 marble", "1 ruler"])
    assert (lab.process, lab.phenomena, lab.conclusion) == (
        "1. Roll it.\n2. Time it.",
        "It slows down.",
        "Friction acts.",
    )
    assert [quote.quote for quote in lab.evidence][1] == "1 marble • 1 ruler"


def test_materials_in_one_paragraph_are_taken_apart(shelf: Any) -> None:
    lab = _labs(
        shelf, "## Lab 1.1 Heat (Student Lab)", "**Materials:** beaker, burner and water", "**Procedure:** Heat it."
    )[0]
    assert (lab.name, lab.student, lab.instruments) == ("Heat", 1, ["beaker", "burner", "water"])
    assert lab.process == "Heat it."


def test_numbered_items_under_materials_are_steps(shelf: Any) -> None:
    lab = _labs(shelf, "[] Snap Lab Coin", "> ### Materials", "> - • 1 coin", "> - 1. Put it flat.", "> - 2. Tilt.")[0]
    assert (lab.instruments, lab.process) == (["1 coin"], "1. Put it flat.\n2. Tilt.")


def test_a_demonstration_and_a_simulation_are_not_done_by_students(shelf: Any) -> None:
    found = _labs(
        shelf,
        "[] Virtual Physics Orbits",
        "> In this simulation you will move planets.",
        "[] Lab 2 The Bell (Teacher Demonstration)",
        "> The bell rings.",
        "[] Experiment: Falling",
        "> Your teacher will show how a feather falls.",
    )
    assert [(lab.name, lab.student) for lab in found] == [("Orbits", 0), ("The Bell", 0), ("Falling", 0)]
    assert found[0].instruments == ["simulation"]


def test_a_heading_with_materials_and_method_is_a_lab_without_a_label(shelf: Any) -> None:
    found = _labs(shelf, "## The Pendulum", "Swing it.", "### Apparatus", "- • string", "### Method", "- 1. Swing.")
    assert [(lab.name, lab.instruments) for lab in found] == [("The Pendulum", ["string"])]


def test_a_heading_over_a_table_of_materials_is_no_lab(shelf: Any) -> None:
    assert _labs(shelf, "## How Much Heat?", "Water takes much heat.", "**Material**", "| lead | 130") == []


def test_a_heading_about_an_experiment_is_none(shelf: Any) -> None:
    assert _labs(shelf, "## The Michelson–Morley Experiment", "In 1887 two men measured light.") == []


def test_a_lab_without_title_is_named_by_its_first_sentence(shelf: Any) -> None:
    assert [lab.name for lab in _labs(shelf, "[] Snap Lab", "> Roll a ball down a ramp. Time it.")] == [
        "Roll a ball down a ramp"
    ]


def test_an_empty_lab_is_none(shelf: Any) -> None:
    assert _labs(shelf, "[] Snap Lab", "Text.") == []


def test_a_chinese_lab_is_read(shelf: Any) -> None:
    lab = _labs(
        shelf,
        "## 实验 1.1 测量平均速度（学生实验）",
        "**器材：** 斜面、小车、刻度尺",
        "**步骤：**",
        "- 1. 让小车滑下。 **现象：** 小车越来越快。",
        "**结论：** 小车做变速运动。",
        code="zh",
    )[0]
    assert (lab.name, lab.student, lab.instruments) == ("测量平均速度", 1, ["斜面", "小车", "刻度尺"])
    assert (lab.process, lab.phenomena, lab.conclusion) == ("1. 让小车滑下。", "小车越来越快。", "小车做变速运动。")


def test_a_strategy_box_is_a_skill_with_its_steps(shelf: Any) -> None:
    lines = ["# 1.1 Forces", "[] Problem-Solving Strategy: Applying Newton’s Laws", "> - 1. Draw.", "> - 2. Solve."]
    found = list(skills(shelf.book([("section", "1.1", "S", lines)])))
    assert [(skill.name, skill.description, skill.rule) for skill in found] == [
        ("Applying Newton’s Laws", "1. Draw.\n2. Solve.", "strategy_box")
    ]


def test_a_strategy_box_without_title_is_named_after_its_section(shelf: Any) -> None:
    lines = ["# 1.1 Forces", "[] Problem-Solving Steps", "> - 1. Draw."]
    found = list(skills(shelf.book([("section", "1.1", "Forces", lines)])))
    assert [skill.name for skill in found] == ["Forces: problem-solving steps"]


def test_a_strategy_box_without_title_is_named_by_what_its_first_lines_announce(shelf: Any) -> None:
    lead = "> **Given two points, determine the slope of the line through them.**"
    lines = ["# 1.1 Lines", "[] How To", lead, "> - 1. Subtract.", "> - 2. Divide."]
    found = list(skills(shelf.book([("section", "1.1", "Lines", lines)])))
    assert [skill.name for skill in found] == ["Determine the slope of the line through them"]


def test_objectives_of_doing_are_skills_and_those_of_knowing_are_not(shelf: Any) -> None:
    lines = ["# 1.1 Speed", "[] Learning Objectives", "> - • Describe speed and calculate the average speed of a body"]
    lines += ["> - • Solve problems", "> - • Explain inertia"]
    found = list(skills(shelf.book([("section", "1.1", "S", lines)])))
    assert [(skill.name, skill.description) for skill in found] == [
        ("Calculate the average speed of a body", "Describe speed and calculate the average speed of a body")
    ]


def test_chinese_objectives_of_doing_are_skills(shelf: Any) -> None:
    lines = ["# 1.1 速度", "## 学习目标", "- • 会用刻度尺测量长度，知道误差", "- • 了解速度"]
    found = list(skills(shelf.book([("section", "1.1", "速度", lines)], "zh")))
    assert [skill.name for skill in found] == ["用刻度尺测量长度"]


def test_bullets_before_the_first_step_are_the_materials(shelf: Any) -> None:
    lab = _labs(
        shelf, "[] Snap Lab Weights", "> You will weigh.", "> - • 1 scale", "> - • 1 table", "> - 1. Weigh it."
    )[0]
    assert (lab.instruments, lab.process) == (["1 scale", "1 table"], "1. Weigh it.")


def test_a_label_never_stands_for_instruments(shelf: Any) -> None:
    assert _labs(shelf, "[] Snap Lab Hands", "> Rub them.")[0].instruments == ["not listed in the book"]


def test_a_title_loses_its_second_label(shelf: Any) -> None:
    found = _labs(shelf, "[] Snap Lab", "[] Take-Home Experiment: Falling Objects", "> Drop a ball.")
    assert [lab.name for lab in found] == ["Falling Objects"]


def test_a_strategy_for_a_part_of_an_example_is_no_skill(shelf: Any) -> None:
    lines = [
        "# 1.1 Heat",
        "[] Worked Example",
        "> How much?",
        "> ### Strategy for (a)",
        "> Use it.",
        "> ### Solution",
        "> 3 J",
    ]
    assert list(skills(shelf.book([("section", "1.1", "Heat", lines)]))) == []


def test_a_method_in_the_sections_title_names_its_box(shelf: Any) -> None:
    lines = ["# 1.1 Drawing Forces", "[] Problem-Solving Steps", "> - 1. Draw."]
    found = list(skills(shelf.book([("section", "1.1", "Drawing Forces", lines)])))
    assert [skill.name for skill in found] == ["Drawing Forces"]
