"""A tree from any web of categories: loops cut, redundant parents dropped, one parent kept, the others as links.

In: edges from child to parent between numbered nodes. Out: `Untangled`, then `Rectified`, which says of every edge what
became of it. The answer depends on the numbers of the nodes and on nothing else; outside of loops time and memory are
linear in the edges.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array  # type: ignore[import-untyped]

from kg.circles import Arc, knots
from kg.cut import cheapest

Numbers = NDArray[np.int32]
Marks = NDArray[np.int8]
EXACT = 200
"""Edges of the largest loop component that is cut exactly. In a larger one those edges are cut that a search from the
top finds to lead back, but for what can be put back. Counted in edges, not in seconds: the same on every machine."""
ROOT = -1


class Fate(IntEnum):
    """What became of an edge."""

    TREE = 0
    """The child hangs from this parent."""
    SELF = 1
    """It led from a node to itself."""
    LOOP = 2
    """It closed a loop and was cut."""
    REDUNDANT = 3
    """Its parent is also a parent of another parent of the child."""
    SHALLOWER = 4
    """Another parent lies deeper."""
    TIE = 5
    """Another parent, as deep as this one, was preferred."""


@dataclass(frozen=True)
class Loops:
    """What was found of loops."""

    components: int
    nodes: int
    """Nodes in them."""
    cut: int
    exact: int
    """Components whose cut is proved to be the smallest."""


@dataclass(frozen=True)
class Untangled:
    """The web without loops, and the level of every node: its greatest distance from the root."""

    child: Numbers
    parent: Numbers
    fate: Marks
    """Per edge; TREE where the edge leads to a parent of the deepest level, of which one is to be chosen."""
    level: Numbers
    """Per node; the root, which is no node, has level 0."""
    loops: Loops

    def ties(self) -> NDArray[np.int64]:
        """Edges of children that have more than one deepest parent, in the order of the children."""
        open_edges = np.flatnonzero(self.fate == Fate.TREE)
        many = np.bincount(self.child[open_edges], minlength=len(self.level)) > 1
        tied = open_edges[many[self.child[open_edges]]]
        return tied[np.argsort(self.child[tied], kind="stable")]

    def tree(self, rank: NDArray[np.float64] | None = None) -> Rectified:
        """One parent per node: of the deepest the one with the smallest `rank` (per edge), then the smallest number."""
        open_edges = np.flatnonzero(self.fate == Fate.TREE)
        ranks = np.zeros(len(open_edges)) if rank is None else rank[open_edges]
        order = open_edges[np.lexsort((self.parent[open_edges], ranks, self.child[open_edges]))]
        first = np.ones(len(order), dtype=bool)
        first[1:] = self.child[order[1:]] != self.child[order[:-1]]
        fate = self.fate.copy()
        fate[order[~first]] = Fate.TIE
        above = np.full(len(self.level), ROOT, dtype=np.int32)
        above[self.child[order[first]]] = self.parent[order[first]]
        return Rectified(above, self.level, fate, self.loops)


@dataclass(frozen=True)
class Rectified:
    """A tree over all nodes; together with the edges that are not `TREE`, everything the web said."""

    above: Numbers
    """Per node its parent; `ROOT` where the root is."""
    level: Numbers
    fate: Marks
    loops: Loops


def untangle(count: int, child: Numbers, parent: Numbers, worth: NDArray[np.float64] | None = None) -> Untangled:
    """The web of `count` nodes without loops. No edge may occur twice.

    `worth`: what it costs to cut each edge; without it as few edges as possible are cut.
    """
    fate = np.zeros(len(child), dtype=np.int8)
    fate[child == parent] = Fate.SELF
    loops = _cut(count, child, parent, np.ones(len(child)) if worth is None else worth, fate)
    kept = np.flatnonzero(fate == Fate.TREE)
    fate[kept[_redundant(count, child[kept], parent[kept])]] = Fate.REDUNDANT
    kept = np.flatnonzero(fate == Fate.TREE)
    level = _levels(count, child[kept], parent[kept])
    fate[kept[level[parent[kept]] < level[child[kept]] - 1]] = Fate.SHALLOWER
    return Untangled(child, parent, fate, level, loops)


def _cut(count: int, child: Numbers, parent: Numbers, worth: NDArray[np.float64], fate: Marks) -> Loops:
    """Marks the cut edges."""
    found = knots(child, parent, count)
    if not found:
        return Loops(0, 0, 0, 0)
    depth = _depth(count, child, parent)
    inside, exact = 0, 0
    for edges in found:
        cut, nodes, proved = _cheapest(edges, child, parent, worth, depth)
        fate[cut] = Fate.LOOP
        inside, exact = inside + nodes, exact + proved
    return Loops(len(found), inside, int((fate == Fate.LOOP).sum()), exact)


def _cheapest(
    edges: NDArray[np.int64], child: Numbers, parent: Numbers, worth: NDArray[np.float64], depth: Numbers
) -> tuple[list[int], int, bool]:
    """Edges to cut in one component, its nodes, and whether there is proof that no choice is cheaper."""
    ends, flat = np.unique(np.concatenate([child[edges], parent[edges]]), return_inverse=True)
    below, above = flat.reshape(2, -1).astype(np.int32)
    arcs: list[Arc] = list(zip(below.tolist(), above.tolist(), strict=True))
    # of equally cheap choices the one that cuts edges which lead up from a node no deeper than its parent
    downward = depth[child[edges]] > depth[parent[edges]]
    costs = worth[edges] * (1 + 0.5 * downward / len(edges))
    seconds, last = math.inf, dict[int, int]()
    if len(edges) > EXACT:
        order = np.lexsort((np.arange(len(ends)), depth[ends])).tolist()
        seconds, last = 0.0, _finished(below, above, order)
    done = cheapest(dict(zip(arcs, costs.tolist(), strict=True)), frozenset(), lambda node: last.get(node, 0), seconds)
    at = dict(zip(arcs, edges.tolist(), strict=True))
    return [at[arc] for arc in done.arcs], len(ends), done.optimal


def _depth(count: int, child: Numbers, parent: Numbers) -> Numbers:
    """Per node the least distance from a node without parents; nodes that none of these leads to lie deepest."""
    down = _Down(count, child, parent)
    has_parent = np.zeros(count, dtype=bool)
    has_parent[child[child != parent]] = True
    depth = np.where(has_parent, -1, 0).astype(np.int32)
    frontier: NDArray[Any] = np.flatnonzero(~has_parent)
    far = 1
    while len(frontier):
        below = np.unique(down.of(frontier))
        frontier = below[depth[below] < 0]
        depth[frontier] = far
        far += 1
    depth[depth < 0] = far
    return depth


def _redundant(count: int, child: Numbers, parent: Numbers) -> NDArray[np.bool_]:
    """Edges to a parent that another parent of the child has for a parent.

    Parents further above need no search: they lie less deep than what leads to them, and lose by that.
    """
    if not len(child):
        return np.zeros(0, dtype=bool)
    ones = np.ones(len(child), dtype=np.int8)
    up = csr_array((ones, (child, parent)), shape=(count, count))
    several = np.bincount(child, minlength=count) > 1
    rows = np.flatnonzero(several)
    if not len(rows):
        return np.zeros(len(child), dtype=bool)
    some = up[rows]
    both = (some.astype(bool) @ up.astype(bool)).multiply(some.astype(bool)).tocoo()
    known = rows[both.row].astype(np.int64) * count + both.col
    return np.isin(child.astype(np.int64) * count + parent, known)


def _levels(count: int, child: Numbers, parent: Numbers) -> Numbers:
    """Per node its greatest distance from the root, which stands above all nodes without parents. No loops."""
    down = _Down(count, child, parent)
    left = np.bincount(child, minlength=count)
    level = np.zeros(count, dtype=np.int32)
    frontier: NDArray[Any] = np.flatnonzero(left == 0)
    depth = 1
    while len(frontier):
        level[frontier] = depth
        below, times = np.unique(down.of(frontier), return_counts=True)
        left[below] -= times
        frontier, depth = below[left[below] == 0], depth + 1
    return level


class _Down:
    """The children of nodes."""

    def __init__(self, count: int, child: Numbers, parent: Numbers) -> None:
        self._child = child[np.argsort(parent, kind="stable")]
        self._start = np.concatenate([[0], np.cumsum(np.bincount(parent, minlength=count))])

    def of(self, nodes: NDArray[Any]) -> Numbers:
        """All children of all these nodes, one after the other."""
        start, many = self._start[nodes], self._start[nodes + 1] - self._start[nodes]
        offset = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
        return np.asarray(self._child[np.repeat(start, many) + offset])


def naive_cuts(child: Numbers, parent: Numbers, order: Sequence[int]) -> int:
    """How many edges a depth-first search cuts that starts from the nodes in this order: the paper's way."""
    last = _finished(child, parent, order)
    return sum(last[one] > last[other] for one, other in zip(child.tolist(), parent.tolist(), strict=True))


def _finished(child: Numbers, parent: Numbers, order: Sequence[int]) -> dict[int, int]:
    """Node -> when a search down from parents to children was done with it; only back edges end at an earlier one."""
    place = {node: at for at, node in enumerate(order)}
    after: dict[int, list[int]] = {node: [] for node in order}
    for above, below in zip(parent.tolist(), child.tolist(), strict=True):
        after[above].append(below)
    last: dict[int, int] = {}
    seen: set[int] = set()
    for start in order:
        stack = [] if start in seen else [start]
        while stack:
            node = stack[-1]
            if node not in seen:
                seen.add(node)
                # the stack is emptied from its end
                stack += sorted((step for step in after[node] if step not in seen), key=place.__getitem__, reverse=True)
            else:
                stack.pop()
                last.setdefault(node, len(last))
    return last
