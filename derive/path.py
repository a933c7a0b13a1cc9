"""Paths through a graph: steps along edges, each in the edge's direction or against it.

In: a `GraphView`. Out: `Step`s from a node, and `Path`s made of them, for every recipe that walks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from derive.view import GraphView, Key
from kg.graph import Edge
from kg.schema import EdgeRole


@dataclass(frozen=True, order=True)
class Step:
    """One edge, walked from `start` to `end`."""

    role: EdgeRole
    start: str
    end: str
    forward: bool
    """True if the edge leads from `start` to `end`; an edge of a symmetric type may be walked either way."""

    def edge(self, view: GraphView) -> Edge:
        """The edge that is walked."""
        ends = (self.start, self.end) if self.forward else (self.end, self.start)
        found = view.edge(self.role, *ends)
        if found is None:
            raise KeyError(f"no {self.role} edge {ends[0]} → {ends[1]}")
        return found


@dataclass(frozen=True, order=True)
class Path:
    """Steps, each of which starts where the one before ends."""

    steps: tuple[Step, ...]

    @cached_property
    def nodes(self) -> tuple[str, ...]:
        """All nodes on it, from the start to the end."""
        return (self.steps[0].start, *(step.end for step in self.steps)) if self.steps else ()

    def keys(self, view: GraphView) -> tuple[Key, ...]:
        """Its edges as (type, source, target)."""
        return tuple(step.edge(view).key() for step in self.steps)

    def evidenced(self, view: GraphView) -> bool:
        """True if every edge quotes a book."""
        return all(step.edge(view).provenance for step in self.steps)


def steps(view: GraphView, node: str, roles: Iterable[EdgeRole]) -> Iterator[Step]:
    """All steps from the node along edges of these roles, both ways, in a fixed order."""
    for role in roles:
        for other in view.after(node, role):
            yield Step(role, node, other, forward=True)
        for other in view.before(node, role):
            yield Step(role, node, other, forward=False)
