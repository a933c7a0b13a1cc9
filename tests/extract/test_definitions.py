"""Sentences that define."""

from __future__ import annotations

from typing import Any

import pytest

from extract.definitions import definition_at, introduced


def _definition(shelf: Any, text: str, term: str, code: str = "en") -> str | None:
    view = shelf.view(["# 1.1 Title", text], code=code)
    start = view.text.index(term, 6)
    found = definition_at(view, start, start + len(term))
    return found.text if found else None


@pytest.mark.parametrize(
    "sentence",
    [
        "Speed is the rate at which a body moves along its path.",
        "The rate at which a body moves along its path is called speed.",
        "Speed is defined as distance divided by the time taken.",
        "We define speed as distance divided by the time taken.",
        "Speed refers to how fast a body moves along its path.",
        "Speed is then simply distance divided by the time taken.",
        "Generally, speed is the rate at which a body moves along its path.",
        "Speed is a scalar quantity that describes how fast a body moves.",
        "The SI unit for a rate of change is the speed (s) of the body.",
        "The base unit for time, the speed, is an odd one in this test.",
        "Both letters mean the same because the speed is the ratio of distance to time.",
    ],
)
def test_english_defining_sentences_are_seen(shelf: Any, sentence: str) -> None:
    term = "speed" if "speed" in sentence else "Speed"
    assert _definition(shelf, sentence, term) == sentence


@pytest.mark.parametrize(
    "sentence",
    [
        "物体位置随时间的变化叫作机械运动。",
        "机械运动是指物体位置随时间的变化。",
        "物体位置随时间的变化，我们把它称为机械运动。",
    ],
)
def test_chinese_defining_sentences_are_seen(shelf: Any, sentence: str) -> None:
    assert _definition(shelf, sentence, "机械运动", "zh") == sentence


@pytest.mark.parametrize(
    "sentence",
    [
        "The car loses speed on the wet road near the bridge.",
        "We measured the speed, the mass and the time.",
        "The race was lost because the speed was low.",
    ],
)
def test_a_sentence_that_only_uses_the_word_defines_nothing(shelf: Any, sentence: str) -> None:
    assert _definition(shelf, sentence, "speed") is None


def test_a_sentence_that_points_back_takes_the_one_before_with_it(shelf: Any) -> None:
    text = "A body may change its place as time goes by. This is called motion."
    assert _definition(shelf, text, "motion") == text


def test_a_definition_that_ends_in_a_colon_goes_on(shelf: Any) -> None:
    view = shelf.view(["# 1.1 Title", "The first law of motion states the following:", "A body at rest stays at rest."])
    start = view.text.index("first law")
    found = definition_at(view, start, start + len("first law of motion"))
    assert found is not None
    assert found.text.endswith("following: A body at rest stays at rest.")


@pytest.mark.parametrize(
    "lines", [["states the following: 1. A body at rest stays."], ["states the following:", "1. A body at rest stays."]]
)
def test_a_colon_is_followed_past_the_number_of_a_list(shelf: Any, lines: list[str]) -> None:
    view = shelf.view(["# 1.1 Title", f"The first law of motion {lines[0]}", *lines[1:]])
    start = view.text.index("first law")
    found = definition_at(view, start, start + len("first law of motion"))
    assert found is not None and found.text.endswith("following: 1. A body at rest stays.")


def test_a_bullet_is_no_part_of_the_sentence(shelf: Any) -> None:
    assert _definition(shelf, "• Speed is the rate at which a body moves along its path.", "Speed") == (
        "Speed is the rate at which a body moves along its path."
    )


def test_names_that_sentences_introduce_are_found_without_marks(shelf: Any) -> None:
    view = shelf.view(["# 1.1 Title", "The time for one swing is called the period of the pendulum."])
    assert [mark.name for mark in introduced(view)] == ["period"]
    zh = shelf.view(["# 1.1 题", "物体位置随时间的变化叫作机械运动。"], code="zh")
    assert [mark.name for mark in introduced(zh)] == ["机械运动"]
