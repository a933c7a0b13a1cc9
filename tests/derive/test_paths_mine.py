"""Mining finds every path and no other; what a hop rests on is quoted."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.material import Material
from derive.path import Step
from derive.paths.mine import Literal, Miner, Sentences, Trail
from derive.paths.stage import EDGES
from kg.graph import Graph
from tests.derive.test_paths_value import EN

NODES = "abcdef"
Edges = list[tuple[str, str, str]]
TYPES = ("is_a", "prerequisites_for", "relates_to")


def graph_of(maker: Any, edges: Edges) -> Graph:
    made = maker()
    for name in NODES:
        made.node("Concept", name, f"thing {name}", 0, definition="d", importance="master", formula=f"{name} = 1")
    for kind, one, other in sorted(set(edges)):
        made.edge(kind, one, other, 0)
    graph: Graph = made.graph()
    return graph


@st.composite
def some_edges(draw: st.DrawFn) -> Edges:
    kinds, ends = st.sampled_from(TYPES), st.sampled_from(NODES)
    edges = draw(st.lists(st.tuples(kinds, ends, ends), max_size=14))
    return [(kind, *(sorted((a, b)) if kind == "relates_to" else (a, b))) for kind, a, b in edges if a != b]  # type: ignore[misc]


def brute(edges: Edges, start: str, end: str, hops: int, both: bool) -> set[tuple[tuple[str, str, str, bool], ...]]:
    """Every walk without a repeated node, by trying all orders of nodes."""
    walks = {(kind, a, b, True) for kind, a, b in edges}
    walks |= {(kind, b, a, False) for kind, a, b in edges if both or kind == "relates_to"}
    found = set()
    for inner in range(hops):
        for middle in permutations([name for name in NODES if name not in (start, end)], inner):
            rows: list[tuple[tuple[str, str, str, bool], ...]] = [()]
            for a, b in zip((start, *middle), (*middle, end), strict=True):
                rows = [(*row, walk) for row in rows for walk in sorted(walks) if walk[1:3] == (a, b)]
            found |= set(rows)
    return found


@given(some_edges(), st.integers(1, 3), st.booleans())
@settings(max_examples=40, deadline=None)
def test_every_path_is_found_once(schema: Any, languages: Any, maker: Any, edges: Edges, hops: int, both: bool) -> None:
    from derive.material import material_of

    material = material_of(graph_of(maker, edges), schema, languages["en"])
    miner = Miner(material, EDGES, (), both)
    role = {kind: schema.edges[kind].role for kind in TYPES}
    for start, end in (("a", "b"), ("c", "a")):
        trails = miner.between(start, end, hops)
        got = [tuple((step.role, step.start, step.end, step.forward) for step in trail.steps) for trail in trails]
        wanted = {
            tuple((role[kind], a, b, way) for kind, a, b, way in row)
            for row in brute(sorted(set(edges)), start, end, hops, both)
        }
        assert len(got) == len(set(got)) and set(got) == wanted
        assert [trail.hops for trail in trails] == sorted(trail.hops for trail in trails)


@pytest.fixture
def small(maker: Any, make_material: Any) -> Material:
    edges = [("is_a", "a", "b"), ("prerequisites_for", "b", "c"), ("relates_to", "a", "d"), ("is_a", "d", "c")]
    material: Material = make_material(graph_of(maker, edges), "en")
    return material


def test_a_path_goes_along_and_against_edges_and_around_what_is_to_be_avoided(small: Material) -> None:
    miner = Miner(small, EDGES, (), True)
    assert [trail.nodes for trail in miner.between("a", "c")] == [("a", "b", "c"), ("a", "d", "c")]
    assert [trail.nodes for trail in miner.between("c", "a", avoid={"d"})] == [("c", "b", "a")]
    assert Miner(small, EDGES, (), False).between("c", "a") == []
    assert miner.between("a", "a") == [] == miner.between("a", "nowhere")
    assert Miner(small, EDGES, ("term",), True).between("a", "c") == []


def test_a_path_may_end_at_a_value_of_its_last_node(small: Material) -> None:
    miner, value = Miner(small, EDGES, (), True), Literal("b", "formula", "b = 1")
    assert miner.to_value("b", value) == [Trail((), value)]
    (trail,) = miner.to_value("a", value)
    assert (trail.hops, trail.end, trail.nodes) == (2, ("b", "b = 1"), ("a", "b"))
    assert trail.steps == (Step("taxonomy", "a", "b", True),)
    assert miner.to_value("a", value, hops=1) == []


def test_each_hop_quotes_its_edge_and_a_value_the_sentence_it_stands_in(maker: Any, make_material: Any) -> None:
    made = maker()
    made.node("Concept", "a", "work", 0, definition="d", importance="master", formula="W = F d", unit="J")
    made.node("Concept", "b", "force of 3 N", 1, definition="d", importance="master")
    made.node("Section", "s00", "First", order=1, kind="section")
    made.edge("is_a", "a", "b", 1)
    made.edge("appears_in", "a", "s00")
    material = make_material(made.graph(), "en")
    found = Sentences(material.view, ("formula", "unit", "quantity"), EN)
    assert [(one.node, one.text) for one in found.literals] == [("a", "W = F d"), ("a", "J"), ("b", "3 N")]
    (hop,) = found.hops(Trail((Step("taxonomy", "b", "a", False),)))
    assert (hop.sentence, hop.page, hop.source, hop.forward) == ("a / b", 1, "a", False)
    (hop,) = found.hops(Trail((Step("location", "a", "s00", True),)))
    assert (hop.sentence, hop.section) == ("work", "s00")
    quantity, formula = found.hops(Trail((), found.literals[2])), found.hops(Trail((), found.literals[0]))
    assert quantity[0].sentence == "force of 3 N" and formula[0].sentence == ""


def test_a_graph_without_places_gives_sentences_without_pages(maker: Any, make_material: Any) -> None:
    made = maker()
    for name in "ab":
        made.node("Concept", name, name, definition="d", importance="master", formula="x = 1")
    graph = made.graph()
    edge = {"source": "a", "target": "b", "type": "is_a", "properties": {"evidence": "a is b"}}
    graph = Graph.model_validate({**graph.model_dump(), "edges": [edge]})
    found = Sentences(make_material(graph, "en").view, ("formula",), EN)
    (hop,) = found.hops(Trail((Step("taxonomy", "a", "b", True),)))
    assert (hop.sentence, hop.page) == ("a is b", None)
    assert found.hops(Trail((), found.literals[0]))[0].sentence == "x = 1"
