"""What the indexed view answers."""

from __future__ import annotations

import random
from typing import Any

import pytest

from derive.view import GraphView
from kg.graph import Edge, Graph
from kg.schema import GraphSchema


@pytest.fixture
def chain(maker: Any, schema: GraphSchema) -> GraphView:
    """a → b → c → d needed one for the next; b is a kind of e, f is a kind of e; c belongs with g."""
    made = maker()
    for key in "abcdefg":
        made.node("Concept", key, key)
    for source, target in ("ab", "bc", "cd"):
        made.edge("prerequisites_for", source, target)
    made.edge("is_a", "b", "e")
    made.edge("is_a", "f", "e")
    made.edge("relates_to", "c", "g")
    return GraphView(made.graph(), schema)


def test_neighbours_are_those_of_all_three_relations_in_both_directions(chain: GraphView) -> None:
    assert chain.near("b") == {"a", "c", "e"}
    assert chain.near("b", "c") == {"a", "d", "e", "g"}


def test_a_ring_holds_exactly_the_nodes_at_its_distance(chain: GraphView) -> None:
    assert chain.ring(["a"], 1) == {"b"}
    assert chain.ring(["a"], 2) == {"c", "e"}
    assert chain.ring(["a"], 3) == {"d", "f", "g"}
    assert chain.ring(["a"], 9) == frozenset()


def test_a_closure_follows_directed_edges_only(chain: GraphView) -> None:
    assert chain.closure("a", "prerequisite", True) == {"b", "c", "d"}
    assert chain.closure("d", "prerequisite", False) == {"a", "b", "c"}
    assert chain.closure("a", "prerequisite", False) == frozenset()


def test_siblings_share_a_kind_or_something_that_needs_them(chain: GraphView, maker: Any, schema: GraphSchema) -> None:
    assert chain.siblings("b") == {"f"}
    made = maker()
    for key in "abc":
        made.node("Concept", key, key)
    made.edge("prerequisites_for", "a", "c")
    made.edge("prerequisites_for", "b", "c")
    assert GraphView(made.graph(), schema).siblings("a") == {"b"}


def test_kin_are_kinds_and_what_they_are_kinds_of(chain: GraphView) -> None:
    assert chain.kin("e") == {"b", "f"}
    assert chain.kin("b") == {"e"}


def test_a_chain_names_the_edges_of_a_shortest_path(chain: GraphView) -> None:
    assert chain.chain("prerequisite", "a", "c") == (("prerequisites_for", "a", "b"), ("prerequisites_for", "b", "c"))
    assert chain.chain("prerequisite", "c", "a") == ()


def test_a_bridge_joins_two_nodes_over_at_most_one_other(chain: GraphView) -> None:
    assert chain.bridge("a", "b") == (("prerequisites_for", "a", "b"),)
    assert chain.bridge("b", "f") == (("is_a", "b", "e"), ("is_a", "f", "e"))
    assert chain.bridge("a", "g") == ()


def test_a_node_on_a_cycle_is_in_its_own_closure(maker: Any, schema: GraphSchema) -> None:
    made = maker()
    for key in "ab":
        made.node("Concept", key, key)
    made.edge("prerequisites_for", "a", "b")
    made.edge("prerequisites_for", "b", "a")
    assert GraphView(made.graph(), schema).closure("a", "prerequisite", True) == {"a", "b"}


def test_what_does_not_fit_the_schema_is_left_out_and_counted(maker: Any, schema: GraphSchema) -> None:
    made = maker()
    made.node("Concept", "a", "a")
    made.node("Skill", "s", "s")
    made.node("Dragon", "d", "d")
    made.edge("is_a", "a", "s")
    made.edge("is_a", "a", "nowhere")
    made.edge("eats", "a", "s")
    made.edge("relates_to", "a", "a")
    view = GraphView(made.graph(), schema)
    assert dict(view.problems) == {
        "node of an unknown type": 1,
        "edge with wrong ends": 1,
        "edge that leads nowhere": 1,
        "edge of an unknown type": 1,
        "edge from a node to itself": 1,
    }
    assert view.edges() == []


def test_a_question_may_be_located_as_in_the_released_graphs(maker: Any, schema: GraphSchema) -> None:
    made = maker()
    made.node("Exercise", "e", "e", stem="e")
    made.node("Section", "s", "s")
    made.edge("appears_in", "e", "s")
    assert GraphView(made.graph(), schema).after("e", "location") == ("s",)


def test_the_order_of_the_records_changes_nothing(make_graph: Any, schema: GraphSchema) -> None:
    graph = make_graph("en")
    nodes, edges = list(graph.nodes), list(graph.edges)
    random.Random(3).shuffle(nodes)
    random.Random(4).shuffle(edges)
    one, two = GraphView(graph, schema), GraphView(Graph(nodes=tuple(nodes), edges=tuple(edges)), schema)
    assert list(one.nodes) == list(two.nodes)
    assert all(one.after(node, "prerequisite") == two.after(node, "prerequisite") for node in one.nodes)
    assert one.degree == two.degree


def test_derived_edges_belong_to_the_view(chain: GraphView) -> None:
    before = len(chain.edges())
    chain.add([Edge(source="a", target="g", type="relates_to")])
    assert len(chain.edges()) == before + 1 and "g" in chain.near("a")
