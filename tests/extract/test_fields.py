"""The fields of a term, in the book's words."""

from __future__ import annotations

from typing import Any

import pytest

from extract.rules import Rules
from kg.graph import NodeClaim
from kg.section import section


def _concept(shelf: Any, lines: list[str], name: str, extra: list[tuple[Any, ...]] = [], code: str = "en") -> NodeClaim:  # noqa: B006
    found = shelf.claims([("section", "1.1", "Section", lines), *extra], code).nodes
    return next(node for node in found if node.name == name and node.label == "Concept")


def test_the_glossary_defines_before_the_text_does(shelf: Any) -> None:
    glossary = ("key_terms", "1", "Key Terms", ["# Key Terms", "**speed** distance per unit of time"])
    node = _concept(shelf, ["# 1.1 Motion", "**Speed** is the rate of motion of a body."], "speed", [glossary])
    assert node.properties["definition"] == "distance per unit of time"
    assert node.rule == "listed_definition"
    assert [quote.quote for quote in node.evidence] == [
        "speed distance per unit of time",
        "Speed is the rate of motion of a body.",
    ]


def test_the_defining_sentence_comes_before_the_marked_one(shelf: Any) -> None:
    lines = ["# 1.1 Motion", "Here **speed** matters.", "Speed is the rate at which a body moves along its path."]
    assert _concept(shelf, lines, "speed").properties["definition"] == lines[2]


def test_a_summary_defines_what_the_section_only_uses(shelf: Any) -> None:
    said = "Speed is the rate at which a body moves along its path."
    summary = ("summary", "1", "Summary", ["# Summary", f"• {said}"])
    weak = "Any **speed** is shown in the figure above."
    assert _concept(shelf, ["# 1.1 Motion", weak], "speed").properties["definition"] == weak.replace("*", "")
    assert _concept(shelf, ["# 1.1 Motion", weak], "speed", [summary]).properties["definition"] == said
    better = "A **speed** is the distance a body moves per second."
    assert _concept(shelf, ["# 1.1 Motion", better], "speed", [summary]).properties["definition"] == (
        better.replace("*", "")
    )


def test_without_a_defining_sentence_the_marked_one_counts(shelf: Any) -> None:
    assert _concept(shelf, ["# 1.1 Motion", "Here **speed** matters."], "speed").properties["definition"] == (
        "Here speed matters."
    )


def test_a_word_that_only_stands_before_others_is_no_term(shelf: Any) -> None:
    lines = ["# 1.1 Motion", "A **graphical** method adds arrows.", "Use graphical methods. An **arrow** is drawn."]
    lines.append("The graphical way needs a ruler.")
    assert {node.name for node in shelf.claims([("section", "1.1", "Section", lines)]).nodes} == {"arrow"}
    lines.append("Some ways are graphical.")
    names = {node.name for node in shelf.claims([("section", "1.1", "Section", lines)]).nodes}
    assert names == {"graphical", "arrow"}


def test_importance_grows_with_marks_headings_and_objectives(shelf: Any) -> None:
    objective = ["# 1.1 Motion", "[] Learning Objectives", "> - Describe speed"]
    text = "Any **speed** is a rate and any **mass** is an amount."
    assert _concept(shelf, [*objective, text], "speed").properties["importance"] == "important"
    assert _concept(shelf, [*objective, text], "mass").properties["importance"] == "master"
    plain = ["# 1.1 Motion", "The time for one swing is called the period."]
    assert _concept(shelf, plain, "period").properties["importance"] == "understand"


def test_second_names_and_units_are_read(shelf: Any) -> None:
    lines = ["# 1.1 Motion", "A **uniform motion**, also called steady motion, is motion at constant speed."]
    lines += ["The **speed** is measured in meters per second (m/s)."]
    assert _concept(shelf, lines, "uniform motion").properties["aliases"] == ["steady motion"]
    assert _concept(shelf, lines, "speed").properties["unit"] == "meter per second (m/s)"


def test_an_alias_that_is_a_term_of_its_own_is_left_out(shelf: Any) -> None:
    lines = [
        "# 1.1 Motion",
        "A **uniform motion**, also called steady motion, is calm.",
        "A **steady motion** is calm.",
    ]
    assert "aliases" not in _concept(shelf, lines, "uniform motion").properties


def test_chinese_second_names_and_units_are_read(shelf: Any) -> None:
    lines = ["# 1.1 力", "由于地球的吸引而使物体受到的力叫作**重力**，单位是牛顿，符号是N。"]
    lines += ["国际上通用的一套单位叫做**国际单位制**，简称 SI。"]
    assert _concept(shelf, lines, "重力", code="zh").properties["unit"] == "牛顿"
    assert _concept(shelf, lines, "国际单位制", code="zh").properties["aliases"] == ["SI"]


def test_a_key_equation_gives_its_formula_to_the_term_it_names(shelf: Any) -> None:
    equations = ("key_equations", "1", "Key Equations", ["# Key Equations", "equation for speed", "= v = d/t (1.1)"])
    node = _concept(shelf, ["# 1.1 Motion", "The **speed** is a rate."], "speed", [equations])
    assert node.properties["formula"].startswith("v = d/t")
    assert node.evidence[-1].quote == "equation for speed v = d/t (1.1)"


def test_a_formula_behind_its_announcement_belongs_to_the_term(shelf: Any) -> None:
    lines = [
        "# 1.1 Motion",
        "The **average speed** is the whole distance divided by the time.",
        "Average speed is given by",
        "= v = d/t",
    ]
    assert _concept(shelf, lines, "average speed").properties["formula"] == "v = d/t"


def test_a_tall_formula_without_fraction_sign_is_not_trusted(shelf: Any) -> None:
    lines = ["# 1.1 Motion", "The **power** is the rate of doing work on a body.", "Power is given by", "= P = Wt"]
    document, rows = shelf.document([("section", "1.1", "Section", lines)])
    for size, known in ((9.0, True), (4.0, False)):
        blocks = tuple(block.model_copy(update={"font_size": size}) for block in document.blocks)
        body = section(document, blocks, rows[0])
        nodes = Rules(priors=shelf.priors).claims([body], shelf.schema, shelf.languages["en"]).nodes
        assert ("formula" in nodes[0].properties) is known


def test_a_formula_whose_name_says_more_than_the_term_stays_away(shelf: Any) -> None:
    equations = (
        "key_equations",
        "1",
        "Key Equations",
        ["# Key Equations", "| speed of light in glass | c = 2\\nx | y = 1"],
    )
    assert (
        "formula" not in _concept(shelf, ["# 1.1 Motion", "The **speed** is a rate."], "speed", [equations]).properties
    )


@pytest.mark.parametrize(
    "sentence",
    ["The speed is expressed in scientific notation.", "The unit of speed is the same.", "A speed is measured in N."],
)
def test_what_is_no_unit_is_not_taken_for_one(shelf: Any, sentence: str) -> None:
    assert "unit" not in _concept(shelf, ["# 1.1 Motion", "The **speed** is a rate.", sentence], "speed").properties


def test_a_unit_has_no_unit_but_keeps_its_symbol(shelf: Any) -> None:
    listed = (
        "key_terms",
        "1",
        "K",
        ["# Key Terms", "**kilogram (kg)** SI unit of mass", "**perihelion (rp)** a distance"],
    )
    lines = ["# 1.1 Units", "A kilogram is measured in pounds. The perihelion is near."]
    node = _concept(shelf, lines, "kilogram", [listed])
    assert node.properties["aliases"] == ["kg"]
    assert "unit" not in node.properties
    assert "aliases" not in _concept(shelf, lines, "perihelion", [listed]).properties


@pytest.mark.parametrize(
    ("lead", "formula"),
    [
        ("Speed is given by", "T = 2π√m/k"),
        ("Speed is given by", "v = mv2"),
        ("Speed is given by", "v = (1.0 kg)(9.8 m/s)"),
        ("Speed is given by", "v + w = a"),
        ("The angular speed is given by", "ω = θ/t"),
        ("The height of a speed is given by", "h = v/g"),
        ("Speed is given by", "mass = d/t"),
    ],
)
def test_a_formula_that_is_spoilt_or_of_something_else_stays_away(shelf: Any, lead: str, formula: str) -> None:
    lines = [
        "# 1.1 Motion",
        "The **speed** is a rate, the **mass** another, **magnitude** a third.",
        lead,
        f"= {formula}",
    ]
    for name in ("speed", "magnitude"):
        assert "formula" not in _concept(shelf, lines, name).properties


def test_the_printed_number_is_no_part_of_a_formula(shelf: Any) -> None:
    lines = ["# 1.1 Motion", "The **speed** is a rate.", "Speed is given by", "= v = d/t 1.4"]
    assert _concept(shelf, lines, "speed").properties["formula"] == "v = d/t"


def test_an_english_name_in_brackets_behind_a_chinese_one_is_its_alias(shelf: Any) -> None:
    lines = ["# 1.1 种群", "同种生物的所有个体形成一个整体，叫作**种群**（population）。"]
    assert _concept(shelf, lines, "种群", code="zh").properties["aliases"] == ["population"]
