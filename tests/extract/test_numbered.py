"""Numbered items with lettered parts."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from extract.numbered import Numbered, read


def _read(shelf: Any, lines: list[str], code: str = "en") -> list[Numbered]:
    view = shelf.view(lines, "exercises", code)
    return read(view, range(len(view.blocks)))


def _shape(items: list[Numbered]) -> list[tuple[str, str, list[str]]]:
    return [(item.number, item.text(), [item.text(option.pieces) for option in item.options]) for item in items]


def test_numbers_open_items_and_letters_open_options(shelf: Any) -> None:
    lines = ["# Exercises", "- 1. What is speed?", "- (a) a rate", "- (b) a mass", "- 2. What is mass?"]
    assert _shape(_read(shelf, lines)) == [("1", "What is speed?", ["a rate", "a mass"]), ("2", "What is mass?", [])]


def test_a_numbered_list_inside_an_option_opens_no_items(shelf: Any) -> None:
    lines = ["# Exercises", "- 6. Which list?", "- a.", "-  1. slow", "-  2. light", "- b.", "-  1. fast", "- 7. Why?"]
    assert _shape(_read(shelf, lines)) == [("6", "Which list?", ["1. slow\n2. light", "1. fast"]), ("7", "Why?", [])]


def test_a_nested_number_that_continues_the_count_is_told_by_its_indentation(shelf: Any) -> None:
    lines = ["# Exercises", "- 1. Do this:", "-  2. heat it", "-  3. cool it", "- 2. Why?"]
    assert _shape(_read(shelf, lines)) == [("1", "Do this:\n2. heat it\n3. cool it", []), ("2", "Why?", [])]


def test_a_lost_number_does_not_swallow_what_follows(shelf: Any) -> None:
    assert [item.number for item in _read(shelf, ["# Exercises", "- 1. Why?", "- 3. How?"])] == ["1", "3"]


def test_text_goes_on_in_the_next_block(shelf: Any) -> None:
    lines = ["# Exercises", "- 1. A car is", "= v = 3 m/s", "fast. Why?", "- A. first", "and more"]
    assert _shape(_read(shelf, lines)) == [("1", "A car is\nv = 3 m/s fast. Why?", ["first and more"])]


def test_numbers_start_again_under_a_new_heading(shelf: Any) -> None:
    items = _read(shelf, ["# Exercises", "## Concepts", "- 1. Why?", "## Problems", "- 1. How far?"])
    assert [(item.number, item.headings) for item in items] == [
        ("1", ("Exercises", "Concepts")),
        ("1", ("Exercises", "Problems")),
    ]


def test_a_question_without_number_stands_alone(shelf: Any) -> None:
    lines = [
        "# Grasp Check",
        "How do these change it?",
        "- 1. more force",
        "- 2. less mass",
        "- a. faster",
        "- b. slower",
    ]
    assert _shape(_read(shelf, lines)) == [
        ("", "How do these change it?\n1. more force\n2. less mass", ["faster", "slower"])
    ]


def test_bulleted_questions_are_items_of_their_own(shelf: Any) -> None:
    items = _read(shelf, ["# Questions", "- • What is speed?", "- • What is mass?"])
    assert [item.text() for item in items] == ["• What is speed?", "• What is mass?"]


def test_materials_and_steps_belong_to_the_task_before(shelf: Any) -> None:
    lines = [
        "# Exercises",
        "- 1. Design a ramp.",
        "## Materials",
        "- • a ball",
        "## Procedure",
        "- 1. Roll it.",
        "- 2. Stop.",
    ]
    assert [item.number for item in _read(shelf, lines)] == ["1"]


def test_an_answer_behind_the_question_is_kept_apart(shelf: Any) -> None:
    item = _read(shelf, ["# Exercises", "- 1. What is 2 + 2?", "Answer: 4", "- 2. Why?"])[0]
    assert (item.text(), item.text(item.answer)) == ("What is 2 + 2?", "4")


def test_a_chinese_item_has_options_behind_capital_letters(shelf: Any) -> None:
    lines = ["# 习题", "- 1. 下列哪个是力的单位？", "- A. 米", "- B. 牛顿", "- 2. 为什么？"]
    assert _shape(_read(shelf, lines, "zh")) == [("1", "下列哪个是力的单位？", ["米", "牛顿"]), ("2", "为什么？", [])]


@given(st.lists(st.sampled_from(["What is it?", "Find the speed.", "Explain."]), min_size=1, max_size=8))
def test_no_character_of_an_item_is_lost_or_told_twice(shelf: Any, stems: list[str]) -> None:
    lines = ["# Exercises", *[f"- {number}. {stem}" for number, stem in enumerate(stems, 1)]]
    items = _read(shelf, lines)
    assert [(item.number, item.text()) for item in items] == [(str(n), stem) for n, stem in enumerate(stems, 1)]
