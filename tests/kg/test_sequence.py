"""Edges between chapters."""

from __future__ import annotations

from kg.graph import Edge
from kg.schema import GraphSchema
from kg.sequence import chapter_edges

HOME = {"a": "c1", "b": "c2", "c": "c3", "d": "c1"}
PLACE = {"c1": 0, "c2": 1, "c3": 2}


def needs(*pairs: str) -> list[Edge]:
    return [Edge(source=one, target=two, type="prerequisites_for") for one, two in pairs]


def test_what_follows_from_a_chain_is_left_out(schema: GraphSchema) -> None:
    edges = chapter_edges(needs("ab", "bc", "ac"), HOME, PLACE, schema)
    assert [(edge.type, edge.source, edge.target) for edge in edges] == [
        ("leads_to", "c1", "c2"),
        ("leads_to", "c2", "c3"),
    ]


def test_an_edge_counts_the_prerequisites_behind_it(schema: GraphSchema) -> None:
    (edge,) = chapter_edges(needs("ab", "db"), HOME, PLACE, schema)
    assert edge.properties == {"support": 2, "prerequisites": [["a", "b"], ["d", "b"]]}


def test_what_goes_against_the_order_or_stays_in_a_chapter_does_not_count(schema: GraphSchema) -> None:
    assert chapter_edges(needs("ba", "ad", "zx"), HOME, PLACE, schema) == []
    assert chapter_edges([Edge(source="a", target="b", type="relates_to")], HOME, PLACE, schema) == []
