"""Transitive reduction and depth."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from validate.redundancy import depths, redundant, topological

PAIRS = [(a, b) for a in range(8) for b in range(a + 1, 8)]


@given(st.lists(st.sampled_from(PAIRS), unique=True, max_size=20))
def test_the_reduction_is_the_one_networkx_makes(arcs: list[tuple[int, int]]) -> None:
    kept = {arc for at, arc in enumerate(arcs) if at not in redundant(arcs, 8)}
    graph = nx.DiGraph(arcs)
    graph.add_nodes_from(range(8))
    assert kept == set(nx.transitive_reduction(graph).edges)


@given(st.lists(st.sampled_from(PAIRS), unique=True, max_size=20))
def test_the_depth_is_the_longest_way(arcs: list[tuple[int, int]]) -> None:
    graph = nx.DiGraph(arcs)
    graph.add_nodes_from(range(8))
    assert max(depths(arcs, 8)) == nx.dag_longest_path_length(graph)


def test_a_circle_has_no_reduction_and_no_order() -> None:
    arcs = [(0, 1), (1, 0), (1, 2)]
    assert redundant(arcs, 3) == []
    assert topological(arcs, 3) == []
