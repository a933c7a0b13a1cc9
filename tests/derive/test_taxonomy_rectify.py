"""Any web becomes one tree, the same in any order, and nothing the web said is lost."""

from __future__ import annotations

import random
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.taxonomy.rectify import EXACT, ROOT, Fate, Rectified, naive_cuts, untangle

Pairs = list[tuple[int, int]]
"""(child, parent)"""


def rectified(count: int, pairs: Pairs) -> Rectified:
    return _untangled(count, pairs).tree()


def _untangled(count: int, pairs: Pairs, worth: list[float] | None = None):  # type: ignore[no-untyped-def]
    table = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    costs = None if worth is None else np.array(worth)
    return untangle(count, table[:, 0].copy(), table[:, 1].copy(), costs)


def fates(count: int, pairs: Pairs) -> dict[tuple[int, int], Fate]:
    return dict(zip(pairs, map(Fate, rectified(count, pairs).fate.tolist()), strict=True))


webs = st.integers(1, 9).flatmap(
    lambda count: st.tuples(
        st.just(count),
        st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), unique=True, max_size=24),
    )
)


@given(webs)
@settings(max_examples=60, deadline=None)
def test_every_web_becomes_one_tree_and_every_edge_is_accounted_for(web: tuple[int, Pairs]) -> None:
    count, pairs = web
    found = rectified(count, pairs)
    tree = nx.DiGraph([(int(found.above[node]), node) for node in range(count)])
    assert nx.is_arborescence(tree)
    assert set(tree) == {ROOT, *range(count)}
    kept = {pair for pair, fate in zip(pairs, found.fate.tolist(), strict=True) if fate == Fate.TREE}
    assert kept == {(node, int(above)) for node, above in enumerate(found.above) if above != ROOT}
    depth = nx.single_source_shortest_path_length(tree, ROOT)
    assert [depth[node] for node in range(count)] == found.level.tolist()


@given(webs, st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_the_order_of_the_edges_changes_nothing(web: tuple[int, Pairs], chance: random.Random) -> None:
    count, pairs = web
    shuffled = chance.sample(pairs, len(pairs))
    assert fates(count, sorted(pairs)) == fates(count, sorted(shuffled))
    # the callers sort; the tree alone does not even need that outside of loops
    if not any(fate == Fate.LOOP for fate in fates(count, pairs).values()):
        assert fates(count, pairs) == fates(count, shuffled)


@given(webs)
@settings(max_examples=60, deadline=None)
def test_no_smaller_cut_opens_all_loops(web: tuple[int, Pairs]) -> None:
    count, pairs = web
    arcs = [pair for pair in pairs if pair[0] != pair[1]]
    cut = sum(fate == Fate.LOOP for fate in fates(count, pairs).values())
    for fewer in combinations(arcs, cut - 1) if 0 < cut <= 3 else ():
        assert not nx.is_directed_acyclic_graph(nx.DiGraph([arc for arc in arcs if arc not in fewer]))


@given(webs)
@settings(max_examples=60, deadline=None)
def test_a_parent_is_the_deepest_of_all_that_are_left(web: tuple[int, Pairs]) -> None:
    count, pairs = web
    found = rectified(count, pairs)
    left = nx.DiGraph(
        [(parent, child) for (child, parent), fate in zip(pairs, found.fate, strict=True) if fate not in (1, 2)]
    )
    left.add_nodes_from(range(count))
    left.add_edges_from((ROOT, node) for node in range(count) if left.in_degree(node) == 0)
    for node in range(count):
        longest = max(len(path) - 1 for path in nx.all_simple_paths(left, ROOT, node))
        assert found.level[node] == longest


def test_a_planted_cycle_loses_one_edge_and_the_one_that_leads_up() -> None:
    # 0 is the top, 1 under it, 2 under 1; 1 claims 2 as a parent, too
    assert fates(3, [(1, 0), (1, 2), (2, 1)])[(1, 2)] == Fate.LOOP


def test_two_loops_through_one_edge_cost_one_edge() -> None:
    pairs = [(0, 1), (1, 2), (2, 0), (1, 3), (3, 0)]
    assert [pair for pair, fate in fates(4, pairs).items() if fate == Fate.LOOP] == [(0, 1)]


def test_what_is_worth_more_is_kept() -> None:
    assert _untangled(2, [(0, 1), (1, 0)], [5.0, 1.0]).fate.tolist() == [Fate.TREE, Fate.LOOP]
    assert _untangled(2, [(0, 1), (1, 0)], [1.0, 5.0]).fate.tolist() == [Fate.LOOP, Fate.TREE]


def test_a_grandparent_is_redundant_and_of_a_diamond_one_side_stays() -> None:
    assert fates(3, [(1, 0), (2, 0), (2, 1)])[(2, 0)] == Fate.REDUNDANT
    diamond = fates(4, [(1, 0), (2, 0), (3, 1), (3, 2)])
    assert (diamond[(3, 1)], diamond[(3, 2)]) == (Fate.TREE, Fate.TIE)


def test_the_deepest_parent_wins_whatever_its_number() -> None:
    # 4 has the parents 1 (level 2) and 3 (level 3)
    found = fates(5, [(1, 0), (2, 0), (3, 2), (4, 1), (4, 3)])
    assert (found[(4, 3)], found[(4, 1)]) == (Fate.TREE, Fate.SHALLOWER)


def test_among_ties_the_rank_decides() -> None:
    untangled = _untangled(4, [(1, 0), (2, 0), (3, 1), (3, 2)])
    assert untangled.ties().tolist() == [2, 3]
    assert untangled.tree(np.array([0.0, 0.0, 9.0, 1.0])).above.tolist() == [ROOT, 0, 0, 2]


def test_a_node_that_is_its_own_parent_hangs_from_the_root() -> None:
    found = rectified(1, [(0, 0)])
    assert (found.above.tolist(), found.fate.tolist()) == ([ROOT], [Fate.SELF])


@pytest.mark.parametrize("count", [0, 3])
def test_a_web_without_edges_is_a_root_with_leaves(count: int) -> None:
    found = rectified(count, [])
    assert found.above.tolist() == [ROOT] * count
    assert found.level.tolist() == [1] * count


def test_a_loop_component_too_large_for_proof_is_cut_all_the_same() -> None:
    size = EXACT + 50
    chance = random.Random(4)
    pairs = sorted(
        {(chance.randrange(size), chance.randrange(size)) for _ in range(2 * size)}
        | {(at, (at + 1) % size) for at in range(size)}
    )
    found = rectified(size, pairs)
    assert found.loops.components == 1
    assert found.loops.exact == 0
    assert found.loops.cut > 0
    assert found.level.min() >= 1


def test_a_depth_first_search_cuts_by_the_order_it_goes_in() -> None:
    pairs = [(0, 1), (1, 2), (2, 0), (1, 3), (3, 0)]
    table = np.array(pairs, dtype=np.int32)
    cuts = {naive_cuts(table[:, 0], table[:, 1], order) for order in ([0, 1, 2, 3], [1, 0, 2, 3])}
    assert cuts == {1, 2}
