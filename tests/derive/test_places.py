"""Where things stand in the curriculum."""

from __future__ import annotations

from typing import Any

from derive.material import Material
from derive.places import Places
from derive.view import GraphView
from kg.schema import GraphSchema


def test_sections_follow_book_after_book_and_chapter_after_chapter(english_material: Material) -> None:
    places = english_material.places
    assert places.books == ["b1", "b2"]
    assert places.chapters == [f"c{number}" for number in range(6)]
    assert places.sections == [f"s{number:02}" for number in range(18)]


def test_parts_without_an_order_follow_the_numbers_of_their_ids(maker: Any, schema: GraphSchema) -> None:
    made = maker()
    for key in ("b_bx1", "b_8a", "b_10a"):
        made.node("Book", key, key)
    for key in ("b_8a_ch10", "b_8a_ch2"):
        made.node("Chapter", key, key)
        made.edge("is_part_of", key, "b_8a")
    places = Places(GraphView(made.graph(), schema))
    assert places.books == ["b_8a", "b_10a", "b_bx1"]
    assert places.chapters == ["b_8a_ch2", "b_8a_ch10"]


def test_the_home_of_a_node_is_the_first_section_it_appears_in(maker: Any, schema: GraphSchema) -> None:
    made = maker()
    made.node("Book", "b", "b")
    for key in ("s1", "s2"):
        made.node("Section", key, key, order=int(key[1]))
        made.edge("is_part_of", key, "c")
    made.node("Chapter", "c", "c")
    made.edge("is_part_of", "c", "b")
    made.node("Concept", "k", "k")
    made.edge("appears_in", "k", "s2")
    made.edge("appears_in", "k", "s1")
    made.node("Exercise", "e", "e", stem="e")
    made.edge("tests_concept", "e", "k")
    places = Places(GraphView(made.graph(), schema))
    assert places.where("k") == ["s1", "s2"]
    assert places.home("k") == places.home("e") == "s1"
    assert places.home("b") == "b"


def test_scopes_name_where_a_node_belongs(english_material: Material) -> None:
    places = english_material.places
    assert [places.scope("k040", scope) for scope in ("section", "chapter", "book")] == ["s04", "c1", "b1"]
    assert places.scope("k040", "subject") == "engineering"
    assert places.scope("k040", "stage") == ""
    assert "k043" in places.members("section", "s04") and "k050" not in places.members("section", "s04")
    assert places.members("section", "") == ()


def test_stages_come_from_the_patterns_of_the_language(english_material: Material, maker: Any) -> None:
    places = Places(english_material.view, (("8", "middle"), ("9", "high")))
    assert places.stage("b1") == "middle" and places.stage("b2") == "high" and places.stage("") == ""
    assert places.scope("k000", "stage") == "engineering/middle"


def test_around_gives_the_neighbours_of_a_part(english_material: Material) -> None:
    places = english_material.places
    assert places.around("s01", 2, 1) == ["s00", "s02"]
    assert places.around("c2", 1, 0) == ["c1"]
    assert places.around("nothing", 3, 3) == []
