"""Edges of experiments, skills and exercises."""

from __future__ import annotations

from typing import Any

from extract.claims import Claims


def _edges(claims: Claims, *kinds: str) -> list[tuple[str, str, str]]:
    return [(edge.source.name, edge.target.name, edge.rule) for edge in claims.edges if edge.type in kinds]


TERMS = "Here are **friction**, **inertia** and **momentum**."
OTHERS = [("section", f"1.{n}", "Other", [f"# 1.{n} Other", "Other text."]) for n in (2, 3, 4)]


def _claims(shelf: Any, *lines: str, title: str = "Forces") -> Claims:
    return shelf.claims([("section", "1.1", title, ["# 1.1 Title", TERMS, *lines]), *OTHERS])


def test_an_experiment_shows_what_its_title_and_conclusion_name(shelf: Any) -> None:
    lines = ["[] Snap Lab Feeling Friction", "> Rub your hands.", "> ### Conclusion", "> This shows inertia."]
    assert _edges(_claims(shelf, *lines), "verifies") == [
        ("Feeling Friction", "friction", "lab_title"),
        ("Feeling Friction", "inertia", "lab_conclusion"),
    ]


def test_the_label_of_a_lab_is_not_its_title(shelf: Any) -> None:
    claims = shelf.claims(
        [("section", "1.1", "S", ["# 1.1 S", "All of **physics**.", "[] Virtual Physics Orbits", "> Move planets."])]
    )
    assert _edges(claims, "verifies") == []


def test_an_instrument_is_not_what_an_experiment_shows(shelf: Any) -> None:
    lines = ["A **balance** weighs.", "[] Snap Lab Stones", "> Use the balance.", "> ### Materials", "> - • balance"]
    assert _edges(_claims(shelf, *lines), "verifies") == []


def test_what_a_lab_uses_is_learned_before(shelf: Any) -> None:
    lines = ["[] Snap Lab Feeling Friction", "> Rub your hands.", "> ### Procedure", "> - 1. Estimate the momentum."]
    claims = _claims(shelf, *lines)
    assert ("momentum", "Feeling Friction", "lab_names") in _edges(claims, "prerequisites_for")
    assert ("friction", "Feeling Friction", "lab_names") not in _edges(claims, "prerequisites_for")


def test_a_skill_takes_the_terms_of_its_name(shelf: Any) -> None:
    lines = ["[] Learning Objectives", "> - • Calculate the momentum of a body"]
    assert ("momentum", "Calculate the momentum of a body", "skill_names") in _edges(
        _claims(shelf, *lines), "prerequisites_for"
    )


def test_an_exercise_tests_what_its_stem_names_with_that_sentence(shelf: Any) -> None:
    claims = _claims(shelf, "## Check Your Understanding", "- 1. A cart rolls. What is its momentum?")
    edge = next(edge for edge in claims.edges if edge.type == "tests_concept")
    assert (edge.target.name, edge.rule, edge.evidence[0].quote) == ("momentum", "stem_names", "What is its momentum?")


def test_at_most_three_concepts_are_tested(shelf: Any) -> None:
    lines = [
        "Also **torque** and **impulse**.",
        "## Problems",
        "- 1. Are friction, inertia, momentum, torque and impulse one?",
    ]
    assert len(_edges(_claims(shelf, *lines), "tests_concept")) == 3


def test_where_the_stem_names_nothing_the_options_may(shelf: Any) -> None:
    lines = ["## Problems", "- 1. Why does it stop?", "- a. friction", "- b. magic"]
    assert [edge[1:] for edge in _edges(_claims(shelf, *lines), "tests_concept")] == [("friction", "options_name")]


def test_where_nothing_is_named_the_sections_title_decides(shelf: Any) -> None:
    claims = _claims(shelf, "## Problems", "- 1. Why does a puck glide?", title="Inertia and More")
    assert [edge[1:] for edge in _edges(claims, "tests_concept")] == [("inertia", "section_topic")]


def test_a_definition_in_the_same_words_decides_next(shelf: Any) -> None:
    lines = ["Friction is a rubbing of rough surfaces.", "## Problems", "- 1. What do rough surfaces do in rubbing?"]
    assert [edge[1:] for edge in _edges(_claims(shelf, *lines), "tests_concept")] == [("friction", "section_concept")]


def test_an_exercise_that_tests_nothing_known_is_dropped_with_a_reason(shelf: Any) -> None:
    parts = [
        ("section", "1.1", "S", ["# 1.1 S", TERMS]),
        ("exercises", "2", "E", ["# Exercises", "- 1. Who was Bach?"]),
    ]
    claims = shelf.claims(parts)
    assert [node for node in claims.nodes if node.label == "Exercise"] == []
    assert "Who was Bach?" in claims.dropped[0].what


def test_a_skill_of_the_section_is_tested_where_it_names_the_same(shelf: Any) -> None:
    lines = [
        "[] Learning Objectives",
        "> - • Calculate the momentum of a body",
        "## Problems",
        "- 1. What is the momentum?",
    ]
    assert _edges(_claims(shelf, *lines), "tests_skill") == [
        ("What is the momentum?", "Calculate the momentum of a body", "section_skill")
    ]


def test_an_answer_that_is_not_printed_is_said_to_be_missing(shelf: Any) -> None:
    claims = _claims(shelf, "## Problems", "- 1. What is inertia?")
    node = next(node for node in claims.nodes if node.label == "Exercise")
    assert (node.properties["answer"], node.properties["answer_printed"]) == ("not printed in the book", 0)
