"""Names in texts."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from extract.mentions import Names
from extract.view import tokens

WORDS = st.sampled_from(["speed", "average", "of", "mass", "centre", "velocities", "the", "wave"])


def _found(shelf: Any, names: list[str], text: str, code: str = "en") -> list[str]:
    language = shelf.languages[code]
    finder = Names([(name, name) for name in names], language)
    return [text[mention.start : mention.end] for mention in finder.find(tokens(text, language), text)]


def test_the_longest_name_at_a_place_counts(shelf: Any) -> None:
    text = "The average speed is not the speed."
    assert _found(shelf, ["speed", "average speed"], text) == ["average speed", "speed"]


def test_case_plural_and_possessive_do_not_hide_a_name(shelf: Any) -> None:
    text = "Velocities differ; Newton’s Laws hold."
    assert _found(shelf, ["velocity", "Newton's law"], text) == ["Velocities", "Newton’s Laws"]


def test_a_name_does_not_run_over_a_full_stop_or_a_paragraph(shelf: Any) -> None:
    assert _found(shelf, ["average speed"], "It is an average. Speed matters.") == []
    assert _found(shelf, ["average speed"], "average\n\nspeed") == []


def test_a_name_inside_a_longer_word_is_no_mention(shelf: Any) -> None:
    assert _found(shelf, ["mass"], "a massive body, biomass") == []


def test_an_abbreviation_is_not_a_word_of_the_same_letters(shelf: Any) -> None:
    assert _found(shelf, ["IT"], "it moves; IT moves") == ["IT"]


def test_han_names_are_found_without_spaces(shelf: Any) -> None:
    assert _found(shelf, ["速度", "平均速度"], "平均速度和速度不同", "zh") == ["平均速度", "速度"]


@given(text=st.lists(WORDS, max_size=12), names=st.lists(st.lists(WORDS, min_size=1, max_size=3), max_size=4))
def test_mentions_are_in_order_apart_and_spelt_like_a_name(shelf: Any, text: list[str], names: list[list[str]]) -> None:
    language = shelf.languages["en"]
    line = " ".join(text)
    spelt = [" ".join(name) for name in names]
    found = Names([(name, name) for name in spelt], language).find(tokens(line, language), line)
    ends = [0, *(mention.end for mention in found)]
    assert all(mention.start >= end for mention, end in zip(found, ends, strict=False))
    assert all(len(line[m.start : m.end].split()) <= len(m.key.split()) for m in found)
