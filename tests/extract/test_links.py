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
        "- 1. A car of 900 kg goes at 10 m/s. What is its momentum?",
        "- 2. What is the momentum of a body?",
    ]
    assert _edges(_claims(shelf, *lines), "tests_skill") == [
        ("A car of 900 kg goes at 10 m/s. What is its momentum?", "Calculate the momentum of a body", "section_skill")
    ]


def test_an_answer_that_is_not_printed_is_said_to_be_missing(shelf: Any) -> None:
    claims = _claims(shelf, "## Problems", "- 1. What is inertia?")
    node = next(node for node in claims.nodes if node.label == "Exercise")
    assert (node.properties["answer"], node.properties["answer_printed"]) == ("not printed in the book", 0)


def test_questions_inside_a_lab_say_nothing_about_what_it_takes(shelf: Any) -> None:
    lines = ["[] Snap Lab Feeling Friction", "> Rub your hands.", "> ### Grasp Check", "> Does momentum change?"]
    assert ("momentum", "Feeling Friction", "lab_names") not in _edges(_claims(shelf, *lines), "prerequisites_for")


def test_a_conclusion_counts_before_observations(shelf: Any) -> None:
    lines = ["[] Snap Lab Carts", "> Push.", "> ### Observations", "> Friction is small.", "> ### Conclusion"]
    assert _edges(_claims(shelf, *lines, "> This shows inertia."), "verifies") == [
        ("Carts", "inertia", "lab_conclusion")
    ]


def test_a_circumstance_in_a_title_is_not_what_a_lab_shows(shelf: Any) -> None:
    lines = ["A **slope** is steep.", "[] Snap Lab Momentum of a Cart on a Slope", "> Push it."]
    assert _edges(_claims(shelf, *lines), "verifies") == [("Momentum of a Cart on a Slope", "momentum", "lab_title")]


def test_only_a_sentence_of_aims_says_what_a_lab_is_about(shelf: Any) -> None:
    lines = ["[] Snap Lab Carts", "> Mark the momentum box. In this activity you will study inertia."]
    assert _edges(_claims(shelf, *lines), "verifies") == [("Carts", "inertia", "lab_purpose")]


def test_an_option_counts_where_half_of_them_or_the_right_one_name_it(shelf: Any) -> None:
    one = ["## Problems", "- 1. What stops it?", "- a. friction", "- b. a wall", "- c. luck"]
    assert ("What stops it?", "friction", "options_name") not in _edges(_claims(shelf, *one), "tests_concept")
    two = [*one[:-1], "- c. much friction"]
    assert ("What stops it?", "friction", "options_name") in _edges(_claims(shelf, *two), "tests_concept")
    right = [*one, "**Answer:** a"]
    assert ("What stops it?", "friction", "options_name") in _edges(_claims(shelf, *right), "tests_concept")


def test_of_a_title_the_governed_term_is_the_topic(shelf: Any) -> None:
    claims = _claims(shelf, "## Problems", "- 1. What is going on?", title="The Momentum of Inertia")
    assert _edges(claims, "tests_concept") == [("What is going on?", "inertia", "section_topic")]


def test_a_unit_from_another_chapter_is_not_what_an_exercise_tests(shelf: Any) -> None:
    first = ("section", "1.1", "Units", ["# 1.1 Units", "A **joule** is used."])
    listed = ("key_terms", "1", "K", ["# Key Terms", "**joule** unit of energy"])
    lines = ["# 2.1 Work", "**Work** is done.", "## Problems", "- 1. How many joules of work are done?"]
    claims = shelf.claims([first, listed, *OTHERS, ("section", "2.1", "Work", lines)])
    assert [target for _, target, _ in _edges(claims, "tests_concept")] == ["work"]
