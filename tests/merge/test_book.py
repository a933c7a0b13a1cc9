"""The book level: structure, units and the ends of edges."""

from __future__ import annotations

import random

from kg.graph import Ref
from kg.schema import GraphSchema
from merge.structure import reading_order, structure
from tests.merge.conftest import Part
from tests.merge.shelf import ABook, mechanics


def test_book_chapters_and_sections_form_a_tree_in_reading_order(schema: GraphSchema) -> None:
    book = mechanics()
    rows = book.rows()
    random.Random(3).shuffle(rows)
    nodes, edges = structure(book.book, ("physics", "Physics"), reading_order(rows), set(), schema)
    assert [node.name for node in nodes if node.label == "Chapter"] == ["Motion", "Forces", "Light"]
    assert [node.properties["order"] for node in nodes if node.label == "Section"] == [1, 2, 3, 4]
    assert nodes[0].id == "physics:book:physics-8"
    assert nodes[0].properties["subject"] == "Physics"
    assert len(edges) == len(nodes) - 1
    assert len({edge.source for edge in edges}) == len(edges), "every part has one whole"


def test_a_row_without_a_chapter_gets_one_of_its_own(schema: GraphSchema) -> None:
    book = mechanics()
    rows = [row.model_copy(update={"chapter": "", "chapter_title": ""}) for row in book.rows()]
    nodes, _ = structure(book.book, ("physics", "Physics"), rows, set(), schema)
    assert [node.name for node in nodes if node.label == "Chapter"] == ["Physics-8"], "no chapters: the book's title"
    rows = [book.rows()[0], *rows[1:2]]
    nodes, _ = structure(book.book, ("physics", "Physics"), rows, set(), schema)
    assert [node.name for node in nodes if node.label == "Chapter"] == ["Motion", "Momentary speed"]


def test_only_taught_sections_and_anchors_become_nodes(schema: GraphSchema) -> None:
    book = mechanics()
    rows = [row.model_copy(update={"kind": "glossary"}) for row in book.rows()]
    nodes, _ = structure(book.book, ("physics", "Physics"), rows, {rows[1].id}, schema)
    assert [node.id for node in nodes if node.label == "Section"] == [rows[1].id]
    assert sum(node.label == "Chapter" for node in nodes) == 3, "chapters are there even without sections"


def test_claims_of_one_name_in_one_chapter_are_one_unit(part: Part) -> None:
    book = mechanics()
    book.term("Speeds", "A car covers 90 km in one hour. What is its speed?", rule="bold", confidence=0.9)
    units = [unit for unit in part(book).units if unit.key == "speed"]
    assert len(units) == 1
    assert units[0].names == (("Speeds", 1), ("speed", 1)) or units[0].names == (("speed", 1), ("Speeds", 1))
    assert len(units[0].values["definition"]) == 2


def test_ends_prefer_the_same_chapter_over_another_sense(part: Part) -> None:
    lines = ["A cell is a living unit.", "A cell turns chemicals into current.", "Current flows from a cell."]
    book = ABook("b", {"Life": {"Cells": lines[:1]}, "Electricity": {"Circuits": lines[1:]}})
    book.term("cell", lines[0])
    book.term("cell", lines[1])
    book.term("current", lines[2])
    book.edge("prerequisites_for", "cell", "current", lines[2])
    made = part(book)
    (link,) = made.links
    assert isinstance(link.source, int)
    assert made.units[link.source].chapter_title == "Electricity"


def test_an_alias_finds_its_unit_and_an_ambiguous_one_stays_a_name(part: Part) -> None:
    lines = ["Electromotive force, or EMF, drives current.", "Eddy flow, or EF, spins."]
    book = ABook("b", {"One": {"First": lines}})
    book.term("electromotive force", lines[0], aliases=["EMF", "EF"])
    book.term("eddy flow", lines[1], aliases=["EF"])
    book.edge("relates_to", "EMF", "EF", lines[1])
    made = part(book)
    assert isinstance(made.links[0].source, int)
    assert made.units[made.links[0].source].key == "electromotive force"
    assert made.links[0].target == Ref(label="Concept", name="EF")


def test_a_claim_of_an_unknown_section_is_told(part: Part) -> None:
    book = mechanics()
    book.claims[0] = book.claims[0].model_copy(update={"section": "physics:section:nowhere"})
    (finding,) = part(book).findings
    assert finding.details["section"] == "physics:section:nowhere"
