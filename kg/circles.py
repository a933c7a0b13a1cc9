"""Circles in a directed graph, found in linear time and shown one at a time.

In: edges as two arrays of node numbers. Out: the strongly connected components of more than one node, and shortest
circles inside them. Circles are never enumerated: there can be exponentially many.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int32]
Arc = tuple[int, int]


def knots(sources: Numbers, targets: Numbers, count: int) -> list[NDArray[np.int64]]:
    """For each strongly connected component of more than one node the indices of the edges inside it.

    `count` is the number of nodes. Components come in the order of their first edge. No components: no circles,
    apart from edges that lead from a node to itself.
    """
    if not len(sources):
        return []
    # late: scipy takes half a second to load, and a run that finds all done needs none of it
    from scipy.sparse import coo_array  # type: ignore[import-untyped]
    from scipy.sparse.csgraph import connected_components  # type: ignore[import-untyped]

    ones = np.ones(len(sources), dtype=np.int8)
    matrix = coo_array((ones, (sources, targets)), shape=(count, count))
    _, label = connected_components(matrix, directed=True, connection="strong")
    inside = np.flatnonzero((label[sources] == label[targets]) & (sources != targets))
    if not len(inside):
        return []
    of_edge = label[sources[inside]]
    order = np.argsort(of_edge, kind="stable")
    cuts = np.flatnonzero(np.diff(of_edge[order])) + 1
    return sorted(np.split(inside[order], cuts), key=lambda edges: int(edges[0]))


def followers(arcs: Collection[Arc]) -> dict[int, list[int]]:
    """Node -> its successors, ascending."""
    found: dict[int, list[int]] = {}
    for source, target in sorted(arcs):
        found.setdefault(source, []).append(target)
    return found


def way(after: Mapping[int, Sequence[int]], start: int, goal: int) -> list[int]:
    """Nodes of a shortest way from `start` to `goal`, both included; empty if there is none."""
    before = {start: start}
    queue = deque([start])
    while queue:
        at = queue.popleft()
        if at == goal:
            path = [at]
            while path[-1] != start:
                path.append(before[path[-1]])
            return path[::-1]
        for step in after.get(at, ()):
            if step not in before:
                before[step] = at
                queue.append(step)
    return []


def disjoint_circles(arcs: Collection[Arc]) -> list[list[Arc]]:
    """Short circles that share no edge, so many that the edges outside of them hold none.

    `arcs` must lie in strongly connected components. Empty if there is no circle.
    """
    after = followers(arcs)
    free = set(arcs)
    found: list[list[Arc]] = []
    for source, target in sorted(arcs):
        if (source, target) not in free:
            continue
        path = way(after, target, source)
        if not path:
            continue
        circle = [(source, target), *pairwise(path)]
        found.append(circle)
        for arc in circle:
            free.discard(arc)
            after[arc[0]].remove(arc[1])
    return found
