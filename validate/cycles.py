"""Relations that must not go in circles: each circle is found, shown, and opened where it costs least.

In: a `View`. Out: one finding per edge to set aside, with the shortest circle it closes. What an edge is worth:
confidence of its rule × log(1 + sections that say so) × how well it is quoted × agreement with the curriculum's order.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kg.circles import Arc, followers, knots, way
from kg.cut import Cut, cheapest
from kg.graph import Edge, Finding
from validate.view import LAST, View

QUOTED = {"exact": 1.0, "normalised": 1.0, "fuzzy": 0.8}
"""Worth of an edge by its best quotation."""
UNQUOTED = 0.1
FORWARD, BACKWARD = 2.0, 0.5
"""Worth of an edge that follows the curriculum, or goes against it."""
UNSURE = 0.5
"""Confidence of an edge that states none."""
ACCEPTED = "accepted"
"""Property of edges that a person has confirmed: they are never cut."""
LONGEST_SHOWN = 12


@dataclass(frozen=True)
class Knot:
    """What was found in one component, for the report."""

    type: str
    nodes: int
    edges: int
    cut: int
    optimal: bool


def findings(view: View, seconds: float, report: list[Knot] | None = None) -> Iterator[Finding]:
    """Edges to set aside so that no acyclic type has a circle; `seconds` is the time limit per component."""
    for kind in sorted(name for name, edge in view.schema.edges.items() if edge.acyclic):
        edges = [edge for edge in view.edges if edge.type == kind]
        yield from _one_type(view, kind, edges, seconds, report if report is not None else [])


def _one_type(view: View, kind: str, edges: Sequence[Edge], seconds: float, report: list[Knot]) -> Iterator[Finding]:
    numbers: dict[str, int] = {}
    for edge in edges:
        numbers.setdefault(edge.source, len(numbers))
        numbers.setdefault(edge.target, len(numbers))
    names = list(numbers)
    sources = np.array([numbers[edge.source] for edge in edges], dtype=np.int32)
    targets = np.array([numbers[edge.target] for edge in edges], dtype=np.int32)

    def rank(node: int) -> float:
        book, section = view.position(names[node])
        return book * 1e6 + section

    for knot in knots(sources, targets, len(names)):
        members = [edges[at] for at in knot.tolist()]
        costs: dict[Arc, float] = {}
        for edge in members:
            arc = (numbers[edge.source], numbers[edge.target])
            costs[arc] = costs.get(arc, 0.0) + worth(view, edge)
        fixed = frozenset(
            (numbers[edge.source], numbers[edge.target]) for edge in members if edge.properties.get(ACCEPTED)
        )
        cut = cheapest(costs, fixed, rank, seconds)
        size = len({node for arc in costs for node in arc})
        report.append(Knot(kind, size, len(costs), len(cut.arcs), cut.optimal))
        yield from _told(view, kind, names, costs, cut)


def worth(view: View, edge: Edge) -> float:
    """What is lost with the edge; > 0."""
    sure = edge.properties.get("confidence", UNSURE)
    support = edge.properties.get("support", 1)
    quoted = max((QUOTED[quote.match] for quote in edge.provenance), default=UNQUOTED)
    return max(1e-3, float(sure)) * math.log1p(max(1, int(support))) * quoted * _order(view, edge)


def _order(view: View, edge: Edge) -> float:
    """A prerequisite is taught first; the kind of a thing is told after the thing."""
    first, second = view.position(edge.source), view.position(edge.target)
    if LAST in (first, second) or first == second:
        return 1.0
    backward = edge.type in view.types("taxonomy")
    return FORWARD if (first < second) != backward else BACKWARD


def _told(view: View, kind: str, names: Sequence[str], costs: dict[Arc, float], cut: Cut) -> Iterator[Finding]:
    """One finding per cut edge, with a shortest circle through it."""
    after = followers(costs)
    if cut.conflict:
        shown = _shown(view, names, [arc[0] for arc in cut.conflict])
        message = f"People accepted a circle of {kind}: {shown}. One of these must be taken back."
        yield Finding(check="cycle_accepted", action="review", message=message, details={"type": kind})
    for source, target in cut.arcs:
        circle = way(after, target, source)
        key = (kind, names[source], names[target])
        message = (
            f"{kind} goes in a circle: {_shown(view, names, circle)}. Least supported is "
            f"“{view.name(names[source])}” → “{view.name(names[target])}”; it waits for a person."
        )
        details = {
            "circle": [names[node] for node in circle],
            "component": len({node for arc in costs for node in arc}),
            "optimal": cut.optimal,
            "worth": round(costs[(source, target)], 4),
        }
        yield Finding(
            check="cycle",
            action="set_aside",
            message=message,
            nodes=(names[source], names[target]),
            edge=key,
            details=details,
        )


def _shown(view: View, names: Sequence[str], circle: Sequence[int]) -> str:
    """`“a” → “b” → “a”`, long circles shortened."""
    shown = [f"“{view.name(names[node])}”" for node in circle]
    if len(shown) > LONGEST_SHOWN:
        shown = [*shown[: LONGEST_SHOWN - 1], "…"]
    return " → ".join([*shown, shown[0]])
