"""Bold and italic terms in running text."""

from __future__ import annotations

from typing import Any

import pytest

from extract.marks import marks
from extract.naming import is_name


def _bold(shelf: Any, lines: list[str], code: str = "en") -> list[str]:
    book = shelf.book([("section", "1.1", "Section", lines)], code)
    return [mark.name for mark in marks(book) if mark.style == "bold"]


def test_bold_words_in_running_text_are_marked(shelf: Any) -> None:
    lines = ["# 1.1 Motion", "The **average speed** is not the **velocity**."]
    assert _bold(shelf, lines) == ["average speed", "velocity"]


@pytest.mark.parametrize(
    "text", ["v", "F", "3.5 m/s", "not", "Figure 2.1", "Step 2", "see Chapter 3", "of the", "x = 3"]
)
def test_symbols_numbers_labels_and_emphasis_name_nothing(shelf: Any, text: str) -> None:
    assert not is_name(text, shelf.view(["# 1.1 Motion"]))


@pytest.mark.parametrize(("text", "code"), [("AC", "en"), ("pH scale", "en"), ("力", "zh"), ("匀速直线运动", "zh")])
def test_abbreviations_and_short_han_words_are_names(shelf: Any, text: str, code: str) -> None:
    assert is_name(text, shelf.view(["# 1.1"], code=code))


def test_a_label_that_opens_paragraphs_again_and_again_is_no_term(shelf: Any) -> None:
    parts = [("section", f"1.{n}", "Section", [f"# 1.{n} Title", "**Watch out.** Hot water burns."]) for n in (1, 2, 3)]
    assert [mark.name for mark in marks(shelf.book(parts))] == []


def test_a_term_that_opens_a_paragraph_once_is_a_term(shelf: Any) -> None:
    assert _bold(shelf, ["# 1.1 Motion", "**Speed** is the rate at which a body moves."]) == ["Speed"]


def test_the_name_of_a_role_is_a_term_inside_a_sentence_and_a_label_in_front_of_one(shelf: Any) -> None:
    lines = ["# 1.1 Science", "An **experiment** tests an idea.", "**Observation:** The water boils."]
    assert _bold(shelf, lines) == ["experiment"]


def test_the_label_of_a_box_is_no_term_where_the_text_refers_to_it(shelf: Any) -> None:
    lines = ["# 1.1 Motion", "[] Snap Lab A Ball", "> Roll it.", "Look at the **Snap Lab** again."]
    assert _bold(shelf, lines) == []


def test_a_symbol_behind_the_name_is_cut_off(shelf: Any) -> None:
    assert _bold(shelf, ["# 1.1 Motion", "This is called **torque τ**, and **momentum p =** mv."]) == [
        "torque",
        "momentum",
    ]


def test_a_letter_that_belongs_to_the_name_stays(shelf: Any) -> None:
    lines = ["# 1.1 Food", "An orange has **vitamin C**; vitamin C is an acid."]
    assert _bold(shelf, lines) == ["vitamin C"]


def test_bold_in_exercises_objectives_and_captions_is_left_out(shelf: Any) -> None:
    lines = [
        "# 1.1 Motion",
        "[] Section Learning Objectives",
        "> - Describe **velocity**",
        "## Check Your Understanding",
        "- 1. What is **speed**?",
        "## Text",
        "Figure 1.2 A **parabola** in the air.",
    ]
    assert _bold(shelf, lines) == []


def test_the_name_of_a_step_of_a_lab_is_no_term(shelf: Any) -> None:
    lines = ["# 1.1 Cells", "[] Lab 1 Onions", "> **Purpose** To observe **chloroplasts** in a leaf."]
    assert _bold(shelf, lines) == ["chloroplasts"]


def test_a_chinese_label_with_a_space_behind_it_is_no_term(shelf: Any) -> None:
    lines = ["# 1.1 反应", "[] 实验1-1 石灰石", "> **现象** 产生**二氧化碳**气体。"]
    assert _bold(shelf, lines, "zh") == ["二氧化碳"]
    assert _bold(shelf, ["# 1.1 反应", "**例题1** 求车的平均速度。"], "zh") == []
    assert _bold(shelf, ["# 1.1 反应", "**催化剂**能改变反应速率。"], "zh") == ["催化剂"]
