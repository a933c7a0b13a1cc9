"""Edges between terms, each with the sentence that says so."""

from __future__ import annotations

from typing import Any

import pytest

from kg.graph import EdgeClaim


def _edges(shelf: Any, kind: str, text: list[str], listed: list[str] = [], code: str = "en") -> list[EdgeClaim]:  # noqa: B006
    parts = [("section", "1.1", "Section", ["# 1.1 Title", *text])]
    if listed:
        parts.append(("key_terms", "1", "Key Terms", ["# Key Terms", *listed]))
    return [edge for edge in shelf.claims(parts, code).edges if edge.type == kind]


def _pairs(edges: list[EdgeClaim]) -> list[tuple[str, str, str]]:
    return sorted((edge.source.name, edge.target.name, edge.rule) for edge in edges)


BOLD = ["Here are **speed**, **average speed**, **force**, **friction** and **mass**."]


def test_what_a_definition_names_comes_before_the_term(shelf: Any) -> None:
    edges = _edges(shelf, "prerequisites_for", BOLD, ["**force** cause that changes the speed of a mass"])
    assert _pairs(edges) == [("mass", "force", "definition_names"), ("speed", "force", "definition_names")]
    assert edges[0].evidence[0].quote == "force cause that changes the speed of a mass"


def test_of_two_definitions_that_name_each_other_the_later_terms_counts(shelf: Any) -> None:
    listed = ["**speed** how a force acts on it in time", "**force** what changes the speed of a body"]
    edges = _edges(shelf, "prerequisites_for", ["The **speed** grows.", "A **force** acts."], listed)
    assert _pairs(edges) == [("speed", "force", "definition_names")]


def test_a_term_introduced_in_a_later_section_is_doubtful(shelf: Any) -> None:
    parts = [
        ("section", "1.1", "One", ["# 1.1 One", "A **force** is a push."]),
        ("section", "1.2", "Two", ["# 1.2 Two", "A **mass** is an amount."]),
        ("key_terms", "1", "Key Terms", ["# Key Terms", "**force** what moves a mass quickly along"]),
    ]
    edges = [edge for edge in shelf.claims(parts).edges if edge.type == "prerequisites_for"]
    assert _pairs(edges) == [("mass", "force", "definition_names_later")]
    assert edges[0].confidence < 0.5


def test_a_word_used_everywhere_before_it_is_introduced_is_less_sure(shelf: Any) -> None:
    early = [("section", f"1.{n}", "S", [f"# 1.{n} S", "A force acts."]) for n in range(1, 5)]
    last = ("section", "1.5", "S", ["# 1.5 S", "A **force** is a push; **friction** is there too."])
    listed = ("key_terms", "1", "K", ["# Key Terms", "**friction** the force between rough surfaces"])
    edges = [edge for edge in shelf.claims([*early, last, listed]).edges if edge.type == "prerequisites_for"]
    assert _pairs(edges) == [("force", "friction", "definition_names_everyday")]


@pytest.mark.parametrize(
    ("definition", "rule"),
    [
        ("**friction** a force that slows a body down", "definition_kind"),
        ("**friction** a kind of force between surfaces", "definition_kind"),
        ("**average speed** the whole path over the time, a sort of overall speed", "head_noun_defined"),
        ("**average speed** distance over time of a whole trip", "head_noun"),
    ],
)
def test_a_definition_or_a_name_says_what_kind_a_term_is(shelf: Any, definition: str, rule: str) -> None:
    edges = _edges(shelf, "is_a", BOLD, [definition])
    assert [edge.rule for edge in edges if edge.source.name == definition.split("**")[1]] == [rule]


@pytest.mark.parametrize(
    "definition",
    [
        "**friction** the amount of force that is lost along the way",
        "**friction** adding forces along a path",
        "**friction** the force, F, on a body is what slows it",
        "**friction** what changes the direction of a force",
    ],
)
def test_a_definition_that_only_uses_a_term_makes_it_no_kind(shelf: Any, definition: str) -> None:
    assert _edges(shelf, "is_a", ["Here are **force** and **friction**."], [definition]) == []


def test_a_defining_sentence_says_the_kind_as_a_glossary_does(shelf: Any) -> None:
    text = ["A **force** is a push on a body or a pull.", "A **friction** is a force that slows a body down."]
    edges = _edges(shelf, "is_a", text)
    assert _pairs(edges) == [("friction", "force", "definition_kind")]
    assert edges[0].evidence[0].quote == text[1].replace("*", "")


@pytest.mark.parametrize(
    ("sentence", "rule"),
    [
        ("The force is directly proportional to the mass of the cart.", "proportional"),
        ("Do not confuse force and mass, please.", "contrast"),
        ("Force is not the same as mass at all.", "contrast"),
        ("There is a relationship between force and mass here.", "related"),
    ],
)
def test_a_sentence_relates_two_terms(shelf: Any, sentence: str, rule: str) -> None:
    edges = _edges(shelf, "relates_to", ["A **force** is a push. A **mass** is an amount.", sentence])
    assert [(edge.rule, edge.evidence[0].quote) for edge in edges] == [(rule, sentence)]


def test_terms_side_by_side_are_not_related_by_that(shelf: Any) -> None:
    assert (
        _edges(shelf, "relates_to", ["A **force** is a push. A **mass** is an amount.", "Force and mass count."]) == []
    )


def test_a_pair_that_is_ordered_is_not_also_related(shelf: Any) -> None:
    text = ["A **mass** is an amount.", "A **force** is what moves a mass.", "Force is proportional to mass."]
    assert _edges(shelf, "relates_to", text) == []


def test_chinese_definitions_make_edges(shelf: Any) -> None:
    listed = [
        "**声波** 声音在介质中传播时形成的波",
        "**超声波** 频率高于 20 000 Hz 的声波",
        "**介质** 能够传播声音的物质",
    ]
    text = ["**介质**、**声波**、**超声波**都很重要。"]
    assert ("介质", "声波", "definition_names") in _pairs(_edges(shelf, "prerequisites_for", text, listed, "zh"))
    assert _pairs(_edges(shelf, "is_a", text, listed, "zh")) == [("超声波", "声波", "definition_kind")]


def test_only_what_the_sentence_is_about_is_proportional(shelf: Any) -> None:
    terms = "Here are **temperature**, **conductor**, **current** and **voltage**."
    law = "At constant temperature the current through a conductor is proportional to the voltage across it."
    assert _pairs(_edges(shelf, "relates_to", [terms, law])) == [("current", "voltage", "proportional")]


@pytest.mark.parametrize(
    "sentence",
    [
        "Second, the size of a body is proportional to the force.",
        "Weight is a force and is proportional to mass.",
        "The pressure variation is proportional to the amplitude.",
        "Speed is related to the wave’s frequency.",
    ],
)
def test_a_word_of_another_clause_or_name_is_not_related(shelf: Any, sentence: str) -> None:
    terms = "Here are **second**, **force**, **mass**, **pressure**, **amplitude**, **wave** and **speed**."
    assert _edges(shelf, "relates_to", [terms, sentence]) == []


def test_chinese_conditions_are_not_proportional(shelf: Any) -> None:
    text = ["本节有**温度**、**电流**和**电压**。", "在温度不变时电流跟电压成正比。"]
    assert _pairs(_edges(shelf, "relates_to", text, code="zh")) == [("电流", "电压", "proportional")]


@pytest.mark.parametrize(
    "definition",
    [
        "**force** a push or pull; also known as speed",
        "**force** a push or pull; the SI unit of force is the mass",
        "**force** a push or pull, such as friction",
    ],
)
def test_second_names_units_and_examples_are_not_needed_before(shelf: Any, definition: str) -> None:
    assert _edges(shelf, "prerequisites_for", BOLD, [definition]) == []


def test_what_stands_behind_is_called_explains_nothing(shelf: Any) -> None:
    text = [
        "The **speed** is a rate.",
        "A push on a body with some speed is called **force**, and its twin is **mass**.",
    ]
    assert _pairs(_edges(shelf, "prerequisites_for", text)) == [("speed", "force", "sentence_names")]


def test_an_aside_in_commas_gives_no_prerequisite(shelf: Any) -> None:
    text = ["The **speed** is a rate.", "The link between speed and **force**, a, is of use to all of us here."]
    assert _edges(shelf, "prerequisites_for", text) == []


def test_an_adjective_is_not_the_term_of_its_spelling(shelf: Any) -> None:
    text = ["Here are **constant**, **inertia** and **spring**."]
    listed = ["**inertia** what keeps a body at a constant speed", "**spring** body with a force constant of its own"]
    assert _edges(shelf, "prerequisites_for", text, listed) == []


def test_a_definition_that_names_the_head_otherwise_makes_no_kind(shelf: Any) -> None:
    text = ["Here are **heat** and **specific heat**."]
    assert _edges(shelf, "is_a", text, ["**specific heat** amount of heat that warms a body"]) == []
