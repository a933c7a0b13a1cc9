"""Names, and whether a text speaks of a node."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from derive.view import GraphView
from derive.words import Words
from kg.language import Language
from kg.schema import GraphSchema


@pytest.fixture
def english_words(maker: Any, schema: GraphSchema, english: Language) -> Words:
    made = maker()
    made.node("Concept", "force", "force", definition="a push or a pull", aliases=["Newton push"])
    made.node("Concept", "forces", "Forces (net force)")
    made.node("Concept", "work", "work", definition="what forces do along a way", examples=["lifting"])
    made.node("Exercise", "e1", "x", stem="Work out: 3 + 4")
    made.node("Exercise", "e2", "x", stem="Work out: 3 - 4")
    return Words(GraphView(made.graph(), schema), english)


def test_a_text_speaks_of_a_node_whatever_its_number_and_case(english_words: Words) -> None:
    assert english_words.speaks_of(english_words.keyed("Two FORCES act."), "force")
    assert english_words.speaks_of(english_words.said("work"), "force")


def test_a_name_inside_a_longer_word_does_not_count_where_words_are_spaced(english_words: Words) -> None:
    assert not english_words.speaks_of(english_words.keyed("He reinforced it."), "force")


def test_aliases_count_as_names(english_words: Words) -> None:
    assert english_words.speaks_of(english_words.keyed("a Newton push"), "force")


def test_nodes_that_share_a_name_are_twins(english_words: Words) -> None:
    assert english_words.twins["force"] == {"forces"}
    assert "work" not in english_words.twins


def test_exercises_are_told_apart_by_their_signs(english_words: Words) -> None:
    assert "e1" not in english_words.twins and english_words.names("e1") != english_words.names("e2")


def test_a_single_han_character_counts_inside_a_name_but_not_in_a_text(
    maker: Any, schema: GraphSchema, languages: Mapping[str, Language]
) -> None:
    made = maker()
    made.node("Concept", "line", "线")
    made.node("Concept", "ray", "射线")
    words = Words(GraphView(made.graph(), schema), languages["zh"])
    assert words.inside("line", "ray")
    assert not words.speaks_of(words.keyed("这是一条线"), "line")
    assert words.speaks_of(words.keyed("画一条射线。"), "ray")


def test_an_instruction_needs_enough_words_to_mean_anything(maker: Any, schema: GraphSchema, chinese: Language) -> None:
    made = maker()
    for key, stem in (("a", "解方程：x+7=26"), ("b", "解方程：3x=5"), ("c", "计算3×4")):
        made.node("Exercise", key, stem, stem=stem)
    words = Words(GraphView(made.graph(), schema), chinese)
    assert words.instruction("a") == words.instruction("b") == "解方程"
    assert words.instruction("c") == ""
