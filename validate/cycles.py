"""Relations that must not go in circles: each circle is found, shown, and opened where it costs least.

In: a `View`. Out: one finding per edge to set aside, with the shortest circle it closes. What an edge is worth:
confidence of its rule × log(1 + sections that say so) × how well it is quoted × agreement with the curriculum's order.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

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
"""Property of edges that a person has confirmed: they are cut only where they alone go in a circle."""
ALL_ACCEPTED = "cycle_accepted"
"""Check of circles in which there is nothing but what people accepted."""
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
        yield from _told(Circles(view, kind, names, costs, fixed, cut))


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


@dataclass(frozen=True)
class Circles:
    """One component of circles, for telling people about it."""

    view: View
    kind: str
    names: Sequence[str]
    """Ids by number."""
    costs: Mapping[Arc, float]
    fixed: Collection[Arc]
    """Edges that people accepted."""
    cut: Cut

    def finding(self, check: str, action: Literal["review", "set_aside"], arc: Arc, circle: Sequence[int]) -> Finding:
        """One edge of a circle."""
        ends = self.names[arc[0]], self.names[arc[1]]
        shown = _shown(self.view, self.names, circle)
        least = " → ".join(f"“{self.view.name(end)}”" for end in ends)
        message = f"{self.kind} goes in a circle: {shown}. Least supported is {least}; it waits for a person."
        if check == ALL_ACCEPTED:
            message = f"People accepted a circle of {self.kind}: {shown}. One of these must be taken back."
        details = {
            "circle": [self.names[node] for node in circle],
            "component": len({node for other in self.costs for node in other}),
            "optimal": self.cut.optimal,
            "worth": round(self.costs[arc], 4),
        }
        key = (self.kind, *ends)
        return Finding(check=check, action=action, message=message, nodes=ends, edge=key, details=details)


def _told(circles: Circles) -> Iterator[Finding]:
    """One finding per cut edge, with a shortest circle through it.

    Where people accepted a whole circle, its least supported edge is set aside, and they are asked about all of them.
    """
    after, accepted = followers(circles.costs), followers(circles.fixed)
    for source, target in circles.cut.arcs:
        if (source, target) in circles.cut.unavoidable:
            circle = way(accepted, target, source)
            yield circles.finding(ALL_ACCEPTED, "set_aside", (source, target), circle)
            for arc in pairwise(circle):
                yield circles.finding(ALL_ACCEPTED, "review", arc, circle)
        else:
            yield circles.finding("cycle", "set_aside", (source, target), way(after, target, source))


def _shown(view: View, names: Sequence[str], circle: Sequence[int]) -> str:
    """`“a” → “b” → “a”`, long circles shortened."""
    shown = [f"“{view.name(names[node])}”" for node in circle]
    if len(shown) > LONGEST_SHOWN:
        shown = [*shown[: LONGEST_SHOWN - 1], "…"]
    return " → ".join([*shown, shown[0]])
