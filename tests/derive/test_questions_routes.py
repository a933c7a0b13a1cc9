"""Every route is as long as it says, its answers are all there are, and each hop can be quoted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.material import Material
from derive.questions.proof import Proof
from derive.questions.routes import Hop, Route, RouteFinder
from derive.view import GraphView
from kg.graph import Edge, Graph, Node, Provenance
from kg.graph_io import evidence
from kg.schema import EdgeRole, GraphSchema

ROLES: tuple[EdgeRole, ...] = ("taxonomy", "prerequisite", "association", "demonstration")
QUOTE = Provenance(book="b", section="s", page=0, quote="q", start=0, end=1, match="exact")
Known = Callable[[str], list[Route]]


def concept(name: str) -> Node:
    return Node(id=name, label="Concept", name=name, properties={"definition": name, "importance": "master"})


def graph_of(edges: str, quoted: bool = True) -> Graph:
    """`a<b` b is a kind of a, `a-b` belong together, `a>b` a comes before b."""
    kinds = {"<": "is_a", "-": "relates_to", ">": "prerequisites_for"}
    rows = []
    for word in edges.split():
        one, kind, other = word
        ends = (other, one) if kind == "<" else (one, other)
        where = (QUOTE,) if quoted else ()
        rows.append(Edge(source=ends[0], target=ends[1], type=kinds[kind], provenance=where))
    names = sorted({end for row in rows for end in (row.source, row.target)})
    unique = {row.key(): row for row in rows}
    return Graph(nodes=tuple(map(concept, names)), edges=tuple(unique.values()))


def finder(graph: Graph, schema: GraphSchema, evidenced: bool = True) -> RouteFinder:
    return RouteFinder(GraphView(graph, schema), ROLES, lambda edge: not evidenced or bool(evidence(edge)))


@pytest.fixture
def found(schema: GraphSchema) -> Known:
    return lambda edges: finder(graph_of(edges), schema).routes(3)


def asked(routes: list[Route]) -> dict[tuple[str, str], tuple[str, ...]]:
    return {(route.anchor, route.code): route.answers for route in routes}


def test_one_broader_class_is_asked_for_and_a_chain_of_two_is_not_one_answer(found: Known) -> None:
    assert asked(found("a<b"))["b", "taxonomy>"] == ("a",)
    # c is a kind of b and of a: the only nearest answer is not the only answer
    assert ("c", "taxonomy>") not in asked(found("a<b b<c"))


def test_two_hops_of_one_relation_are_one_hop(found: Known) -> None:
    assert all("prerequisite>prerequisite>" not in route.code for route in found("a>b b>c"))


def test_a_shorter_way_round_disqualifies_the_long_one(found: Known) -> None:
    assert ("x", "taxonomy>prerequisite>") in asked(found("a<x a>c"))
    assert ("x", "taxonomy>prerequisite>") not in asked(found("a<x a>c x-c"))


def test_several_answers_on_one_distance_are_kept_together_up_to_three(found: Known) -> None:
    assert asked(found("a<x a<y a<z"))["a", "taxonomy<"] == ("x", "y", "z")
    assert ("a", "taxonomy<") not in asked(found("a<w a<x a<y a<z"))


def test_a_path_and_its_way_back_have_opposite_modes(found: Known) -> None:
    routes = {(route.anchor, route.answers): route.mode for route in found("a<x a>c x-y")}
    for (anchor, answers), mode in routes.items():
        assert {mode, routes[answers[0], (anchor,)]} == {"forward", "reverse"}


def test_an_edge_without_evidence_makes_no_hop_but_counts_as_an_answer(schema: GraphSchema) -> None:
    bare = graph_of("a<x", quoted=False)
    assert finder(bare, schema).routes(2) == []
    assert finder(bare, schema, evidenced=False).routes(2)
    mixed = Graph(nodes=graph_of("a<x b<x").nodes, edges=(*graph_of("a<x").edges, *graph_of("b<x", False).edges))
    assert ("x", "taxonomy>") not in asked(finder(mixed, schema).routes(1))


def test_a_loose_reading_takes_every_hop_either_way_or_leaves_it_out(schema: GraphSchema) -> None:
    loose = finder(graph_of("a<x a>c d>a"), schema).loosely("x", (Hop("taxonomy", True), Hop("prerequisite", True)))
    assert loose == {"a", "c", "d"}


EDGES = st.lists(
    st.tuples(st.sampled_from("abcdefg"), st.sampled_from("<->"), st.sampled_from("abcdefg")), min_size=1, max_size=12
)


def closed(graph: Graph, schema: GraphSchema) -> Mapping[tuple[str, bool], Mapping[str, set[str]]]:
    """(role, along) -> node -> everything a hop leads to, by Warshall's rule: no code in common with the search."""
    names = [node.id for node in graph.nodes]
    table: dict[tuple[str, bool], dict[str, set[str]]] = defaultdict(lambda: {name: set() for name in names})
    for edge in graph.edges:
        kind = schema.edges[edge.type]
        if edge.source != edge.target:
            table[kind.role, True][edge.source].add(edge.target)
            table[kind.role, False][edge.target].add(edge.source)
            if kind.symmetric:
                table[kind.role, True][edge.target].add(edge.source)
    for (role, _), rows in table.items():
        if role in ("taxonomy", "prerequisite"):
            for middle, start in product(names, names):
                if middle in rows[start]:
                    rows[start] |= rows[middle]
    return table


@settings(max_examples=60, deadline=None)
@given(EDGES)
def test_brute_force_finds_no_second_answer_and_no_shorter_way(
    schema: GraphSchema, edges: list[tuple[str, str, str]]
) -> None:
    graph = graph_of(" ".join("".join(edge) for edge in edges))
    search = finder(graph, schema)
    proof, table = Proof(search._view, ROLES), closed(graph, schema)
    for route in search.routes(3):
        reached = {route.anchor}
        for hop in route.hops:
            reached = {end for node in reached for end in table[hop.role, hop.forward][node]}
        assert tuple(sorted(reached - {route.anchor})) == route.answers
        assert proof.answers(route.anchor, route.code) == set(route.answers)
        assert {proof.distance(route.anchor, answer, 4) for answer in route.answers} == {route.level}
        assert all(path.nodes[0] == route.anchor and path.evidenced(search._view) for path in route.paths)


@settings(max_examples=30, deadline=None)
@given(EDGES, st.randoms())
def test_the_order_of_the_records_changes_nothing(
    schema: GraphSchema, edges: list[tuple[str, str, str]], lot: Any
) -> None:
    graph = graph_of(" ".join("".join(edge) for edge in edges))
    nodes, rows = list(graph.nodes), list(graph.edges)
    lot.shuffle(nodes)
    lot.shuffle(rows)
    shuffled = finder(Graph(nodes=tuple(nodes), edges=tuple(rows)), schema)
    assert shuffled.routes(3) == finder(graph, schema).routes(3)


def test_the_made_up_curriculum_has_routes_of_every_level(english_material: Material) -> None:
    routes = RouteFinder(english_material.view, ROLES, lambda edge: bool(evidence(edge))).routes(3)
    assert {route.level for route in routes} == {1, 2, 3}
