"""The cheapest set of edges whose removal leaves no circle, exactly.

In: the edges of one strongly connected component with what it costs to lose each. Out: the edges to set aside, and
whether that is proved to be the cheapest choice. A 0/1 program whose circles are added when a solution misses them
(Baharev et al., "An exact method for the minimum feedback arc set problem", 2021), solved by HiGHS through scipy.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kg.circles import Arc, disjoint_circles, followers, knots, way

MOST_TRIES = 2000
"""Edges the fallback tries to put back."""


@dataclass(frozen=True)
class Cut:
    """Edges to set aside."""

    arcs: tuple[Arc, ...]
    optimal: bool
    """False where the time limit was reached and the curriculum's order decided instead."""
    unavoidable: tuple[Arc, ...] = ()
    """Those of `arcs` that should never be cut, but close a circle of nothing else."""


def cheapest(costs: Mapping[Arc, float], fixed: frozenset[Arc], rank: Callable[[int], float], seconds: float) -> Cut:
    """The cheapest cut of one component; `fixed` edges are cut only where they alone close a circle.

    `rank` gives a node's place in the curriculum; after `seconds` edges against that order are cut instead.
    """
    alone = _alone(costs, fixed, rank, seconds)
    rest = {arc: cost for arc, cost in costs.items() if arc not in alone.arcs}
    cut = _cheapest(rest, fixed - set(alone.arcs), rank, seconds)
    return Cut(tuple(sorted([*alone.arcs, *cut.arcs])), alone.optimal and cut.optimal, alone.arcs)


def _alone(costs: Mapping[Arc, float], fixed: frozenset[Arc], rank: Callable[[int], float], seconds: float) -> Cut:
    """The cheapest cut of the circles that consist of fixed edges only."""
    cuts = []
    for inside in _inside(sorted(fixed)):
        cuts.append(_cheapest({arc: costs[arc] for arc in inside}, frozenset(), rank, seconds))
    return Cut(tuple(sorted(arc for cut in cuts for arc in cut.arcs)), all(cut.optimal for cut in cuts))


def _cheapest(costs: Mapping[Arc, float], fixed: frozenset[Arc], rank: Callable[[int], float], seconds: float) -> Cut:
    """The same where fixed edges alone close no circle."""
    deadline = time.monotonic() + seconds
    arcs = sorted(costs)
    index = {arc: at for at, arc in enumerate(arcs)}
    free = np.array([arc not in fixed for arc in arcs], dtype=float)
    weights = np.array([costs[arc] for arc in arcs])
    weights = weights * (1 + 1e-6 * np.arange(len(arcs)) / len(arcs))  # equal costs: the same choice on every machine
    circles = [[index[arc] for arc in circle] for circle in disjoint_circles(arcs)]
    if not circles:
        return Cut((), True)
    while True:
        left = deadline - time.monotonic()
        solved = _solve(weights, free, circles, left) if left > 0 else None
        if solved is None:
            return Cut(_by_order(costs, fixed, rank), False)
        chosen = solved
        missed = _missed([arc for at, arc in enumerate(arcs) if at not in chosen])
        if not missed:
            return Cut(tuple(arcs[at] for at in sorted(chosen)), True)
        circles += [[index[arc] for arc in circle] for circle in missed]


def _solve(weights: np.ndarray, free: np.ndarray, circles: Sequence[Sequence[int]], seconds: float) -> set[int] | None:
    """The cheapest edges that open all these circles; none if it was not proved in time."""
    rows = np.repeat(np.arange(len(circles)), [len(circle) for circle in circles])
    columns = np.concatenate([np.array(circle) for circle in circles])
    # late: scipy takes half a second to load, and a run that finds all done needs none of it
    from scipy.optimize import Bounds, LinearConstraint, milp  # type: ignore[import-untyped]
    from scipy.sparse import csr_array  # type: ignore[import-untyped]

    matrix = csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(circles), len(weights)))
    result = milp(
        weights,
        constraints=LinearConstraint(matrix, lb=1),
        integrality=np.ones(len(weights)),
        bounds=Bounds(0, free),
        options={"time_limit": max(seconds, 0.01)},
    )
    if result.status != 0 or result.x is None:
        return None
    return set(np.flatnonzero(result.x > 0.5).tolist())


def _missed(arcs: Sequence[Arc]) -> list[list[Arc]]:
    """Circles that are still there."""
    return [circle for inside in _inside(arcs) for circle in disjoint_circles(inside)]


def _inside(arcs: Sequence[Arc]) -> list[list[Arc]]:
    """The edges of each strongly connected component."""
    if not arcs:
        return []
    table = np.array(arcs, dtype=np.int32)
    found = knots(table[:, 0], table[:, 1], int(table.max()) + 1)
    return [[arcs[at] for at in edges.tolist()] for edges in found]


def _by_order(costs: Mapping[Arc, float], fixed: frozenset[Arc], rank: Callable[[int], float]) -> tuple[Arc, ...]:
    """All edges against the curriculum's order, but for those that can be put back without closing a circle."""

    def place(node: int) -> tuple[float, int]:
        return (rank(node), node)

    against = {arc for arc in costs if place(arc[0]) >= place(arc[1]) and arc not in fixed}
    after = followers([arc for arc in costs if arc not in against])
    while circles := _missed([arc for arc in costs if arc not in against]):
        worst = min((arc for circle in circles[:1] for arc in circle if arc not in fixed), key=lambda arc: costs[arc])
        against.add(worst)
        after[worst[0]].remove(worst[1])
    for arc in sorted(against, key=lambda arc: (-costs[arc], arc))[:MOST_TRIES]:
        if not way(after, arc[1], arc[0]):
            against.discard(arc)
            after.setdefault(arc[0], []).append(arc[1])
    return tuple(sorted(against))
