"""Circles: all found, opened where it costs least, proved minimal against brute force."""

from __future__ import annotations

import time
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.circles import Arc, disjoint_circles, knots, way
from kg.cut import cheapest
from kg.graph import Finding
from tests.validate.conftest import Draft, edge
from validate import cycles
from validate.cycles import Knot

Arcs = dict[Arc, float]


def told(draft: Draft, seconds: float = 10) -> list[Finding]:
    """What the check says."""
    return list(cycles.findings(draft.view(), seconds))


def flat(_: int) -> float:
    return 0.0


def cut(costs: Arcs, fixed: frozenset[Arc] = frozenset()) -> tuple[Arc, ...]:
    """The exact cut."""
    done = cheapest(costs, fixed, flat, 10)
    assert done.optimal
    return done.arcs


@pytest.mark.parametrize("length", [2, 3, 10])
def test_a_planted_circle_loses_its_least_supported_edge(draft: Draft, length: int) -> None:
    names = [f"n{at}" for at in range(length)]
    draft.concepts(*names)
    for at in range(length):
        sure = 0.35 if at == length - 1 else 0.9
        draft.edges.append(edge("prerequisites_for", names[at], names[(at + 1) % length], sure))
    (finding,) = told(draft)
    assert finding.edge == ("prerequisites_for", names[-1], names[0])
    assert finding.action == "set_aside"
    assert len(finding.details["circle"]) == length
    assert finding.details["optimal"] is True


def test_more_sections_that_say_so_outweigh_one(draft: Draft) -> None:
    draft.edges += [edge("is_a", "a", "b", 0.8, support=1), edge("is_a", "b", "a", 0.8, support=4)]
    assert [finding.edge for finding in told(draft)] == [("is_a", "a", "b")]


def test_the_curriculum_decides_between_equals(draft: Draft) -> None:
    draft.prerequisites(("b", "a"))
    assert [finding.edge for finding in told(draft)] == [("prerequisites_for", "b", "a")], "a is taught before b"


def test_a_quoted_edge_outweighs_a_fuzzy_one_and_an_unquoted_one(draft: Draft) -> None:
    view = draft.view()
    good = edge("is_a", "a", "b")
    fuzzy = good.model_copy(
        update={"provenance": (good.provenance[0].model_copy(update={"match": "fuzzy", "score": 90.0}),)}
    )
    bare = good.model_copy(update={"provenance": ()})
    assert cycles.worth(view, good) > cycles.worth(view, fuzzy) > cycles.worth(view, bare) > 0


def test_nested_circles_are_opened_where_it_costs_least_in_all(draft: Draft) -> None:
    draft.prerequisites(("d", "a"), ("e", "a"))
    report: list[Knot] = []
    found = list(cycles.findings(draft.view(), 10, report))
    assert {finding.edge for finding in found} == {("prerequisites_for", "d", "a"), ("prerequisites_for", "e", "a")}
    assert report[0].nodes == 5
    assert report[0].optimal


def test_types_are_repaired_by_themselves(draft: Draft) -> None:
    draft.edges.append(edge("is_a", "b", "a"))
    assert told(draft) == [], "a prerequisite one way and a kind the other way are no circle"


def test_an_edge_people_accepted_is_never_cut(draft: Draft) -> None:
    accepted = edge("prerequisites_for", "b", "a", 0.31)
    draft.edges.append(accepted.model_copy(update={"properties": {**accepted.properties, "accepted": True}}))
    assert [finding.edge for finding in told(draft)] == [("prerequisites_for", "a", "b")]


def test_people_are_asked_about_every_edge_of_a_circle_they_accepted(draft: Draft) -> None:
    for source, target, sure in (("d", "e", 0.9), ("e", "f", 0.4), ("f", "d", 0.9)):
        made = edge("is_a", source, target, sure)
        draft.edges.append(made.model_copy(update={"properties": {**made.properties, "accepted": True}}))
    draft.edges.append(edge("is_a", "e", "d"))
    found = told(draft)
    assert {finding.edge: (finding.check, finding.action) for finding in found} == {
        ("is_a", "e", "f"): ("cycle_accepted", "set_aside"),
        ("is_a", "d", "e"): ("cycle_accepted", "review"),
        ("is_a", "f", "d"): ("cycle_accepted", "review"),
        ("is_a", "e", "d"): ("cycle", "set_aside"),
    }, "the weakest of the accepted ones waits, and so does what closes another circle"
    assert all(
        sorted(finding.details["circle"]) == ["d", "e", "f"] for finding in found if finding.edge[1:] != ("e", "d")
    )


def test_what_is_left_of_accepted_circles_has_no_circle_even_at_the_time_limit() -> None:
    costs = {(0, 1): 1.0, (1, 2): 1.0, (2, 0): 1.0, (1, 0): 1.0}
    for seconds in (10, 0):
        done = cheapest(costs, frozenset(costs), lambda node: float(node), seconds)
        assert nx.is_directed_acyclic_graph(nx.DiGraph([arc for arc in costs if arc not in done.arcs]))
        assert done.unavoidable == done.arcs


def test_at_the_time_limit_the_curriculum_decides_and_says_so(draft: Draft) -> None:
    draft.prerequisites(("d", "a"), ("e", "b"))
    found = told(draft, seconds=0)
    assert {finding.edge for finding in found} == {("prerequisites_for", "d", "a"), ("prerequisites_for", "e", "b")}
    assert not any(finding.details["optimal"] for finding in found)


def test_the_fallback_respects_accepted_edges_and_leaves_no_circle() -> None:
    costs = {(0, 1): 1.0, (1, 2): 1.0, (2, 0): 1.0, (1, 0): 1.0}
    done = cheapest(costs, frozenset({(2, 0)}), lambda node: float(node), 0)
    left = nx.DiGraph([arc for arc in costs if arc not in done.arcs])
    assert nx.is_directed_acyclic_graph(left)
    assert (2, 0) not in done.arcs
    assert not done.optimal


@st.composite
def tangles(draw: st.DrawFn) -> Arcs:
    """A small directed graph with costs."""
    count = draw(st.integers(2, 6))
    pairs = [(a, b) for a in range(count) for b in range(count) if a != b]
    arcs = draw(st.lists(st.sampled_from(pairs), min_size=2, max_size=11, unique=True))
    return {arc: draw(st.sampled_from([0.5, 1.0, 1.5, 2.0])) for arc in arcs}


def least(costs: Arcs) -> float:
    """The cheapest cut by trying all."""
    arcs = sorted(costs)
    best = sum(costs.values())
    for size in range(len(arcs) + 1):
        for chosen in combinations(arcs, size):
            price = sum(costs[arc] for arc in chosen)
            if price < best and nx.is_directed_acyclic_graph(nx.DiGraph([a for a in arcs if a not in chosen])):
                best = price
    return best


@settings(max_examples=60, deadline=None)
@given(tangles())
def test_the_cut_is_as_cheap_as_brute_force_finds(costs: Arcs) -> None:
    table = np.array(sorted(costs), dtype=np.int32)
    total = 0.0
    gone: set[Arc] = set()
    for inside in knots(table[:, 0], table[:, 1], 6):
        members = {(int(a), int(b)): costs[(int(a), int(b))] for a, b in table[inside]}
        chosen = cut(members)
        gone.update(chosen)
        total += sum(costs[arc] for arc in chosen)
    assert nx.is_directed_acyclic_graph(nx.DiGraph([arc for arc in costs if arc not in gone]))
    assert total == pytest.approx(least(costs))


@settings(max_examples=60, deadline=None)
@given(tangles())
def test_components_are_those_networkx_finds(costs: Arcs) -> None:
    table = np.array(sorted(costs), dtype=np.int32)
    ours = {frozenset(map(tuple, table[inside].tolist())) for inside in knots(table[:, 0], table[:, 1], 6)}
    graph = nx.DiGraph(list(costs))
    theirs = {
        frozenset(graph.subgraph(component).edges)
        for component in nx.strongly_connected_components(graph)
        if len(component) > 1
    }
    assert ours == theirs


def test_circles_that_are_shown_are_shortest_and_share_no_edge() -> None:
    arcs = [(0, 1), (1, 2), (2, 0), (1, 0)]
    circles = disjoint_circles(arcs)
    assert circles[0] == [(0, 1), (1, 0)]
    assert len({arc for circle in circles for arc in circle}) == sum(len(circle) for circle in circles)
    assert way({0: [1, 2], 1: [3], 2: [3]}, 0, 3) == [0, 1, 3]
    assert way({0: [1]}, 1, 0) == []


def test_a_layered_graph_with_exponentially_many_ways_takes_no_time() -> None:
    arcs = [(2 * layer + a, 2 * layer + 2 + b) for layer in range(22) for a in (0, 1) for b in (0, 1)]
    table = np.array(arcs, dtype=np.int32)
    began = time.perf_counter()
    assert knots(table[:, 0], table[:, 1], 46) == []
    assert time.perf_counter() - began < 0.1


def test_a_chain_of_a_hundred_thousand_nodes_needs_no_recursion() -> None:
    sources = np.arange(100_000, dtype=np.int32)
    assert knots(sources, sources + 1, 100_001) == []
    closed = knots(np.append(sources, 100_000).astype(np.int32), np.append(sources + 1, 0).astype(np.int32), 100_001)
    assert [len(inside) for inside in closed] == [100_001]
