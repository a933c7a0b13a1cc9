"""Names are found by words, the longest first."""

from __future__ import annotations

from kg.language import Language
from merge.mentions import Reader


def test_the_longest_name_at_each_place_counts_once(english: Language) -> None:
    names = {"wave", "sound wave", "energy"}
    text = "Sound waves carry energy. A wave is no sound; sound waves are."
    assert Reader(english).named(text, names) == ["sound wave", "energy", "wave"]


def test_a_part_of_a_word_is_no_name(english: Language) -> None:
    assert Reader(english).named("A microwave oven heats food.", {"wave", "oven heat"}) == ["oven heat"]


def test_han_text_needs_no_spaces(chinese: Language) -> None:
    assert Reader(chinese).named("平均速度等于路程除以时间。", {"速度", "平均速度", "路程"}) == ["平均速度", "路程"]
