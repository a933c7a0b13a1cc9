"""Paths between two nodes, or from a node to a value: along and against edges, each hop with its sentence.

In: a `Material`. Out: `Trail`s, all of at most so many hops, shortest first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from derive.material import Material
from derive.path import Step
from derive.paths.value import Values
from derive.view import GraphView
from kg.graph import Provenance
from kg.graph_io import evidence
from kg.row import Row
from kg.schema import EdgeRole, NodeRole
from kg.text import squash

QUANTITY = "quantity"
"""Stands among the properties for what the sentences about a node measure."""
KNOWLEDGE: tuple[NodeRole, ...] = ("term", "procedure", "activity")


@dataclass(frozen=True, order=True)
class Literal:
    """A value that a node has: its formula, its unit, an example …"""

    node: str
    property: str
    text: str


class Hop(Row):
    """One hop of a path as it is written, with the sentence it rests on."""

    type: str
    """Type of the edge; of a value, the property."""
    source: str
    target: str
    """Ids of the edge's ends; of a value, its text."""
    forward: bool
    """True if walked from source to target."""
    sentence: str = ""
    book: str = ""
    section: str = ""
    page: int | None = None
    """0-based; none where the graph knows no pages."""


@dataclass(frozen=True, order=True)
class Trail:
    """A path: steps along or against edges, and perhaps a value of the last node."""

    steps: tuple[Step, ...]
    value: Literal | None = None

    @property
    def hops(self) -> int:
        """Number of edges and values on it."""
        return len(self.steps) + (self.value is not None)

    @property
    def nodes(self) -> tuple[str, ...]:
        """Ids of the nodes on it, in order; a value is none."""
        return (self.steps[0].start, *(step.end for step in self.steps)) if self.steps else (self.end[0],)

    @property
    def end(self) -> tuple[str, str]:
        """Node and value it ends at; no value if it ends at the node."""
        if self.value:
            return self.value.node, self.value.text
        return self.steps[-1].end, ""


class Miner:
    """Finds every path once; the order of the graph's records does not matter."""

    def __init__(self, material: Material, roles: Sequence[EdgeRole], inner: Collection[NodeRole], both: bool) -> None:
        """Edges of `roles` are walked (against their direction only if `both`); `inner` roles are never passed."""
        self._view = material.view
        self._closed = {node for node in self._view.nodes if self._view.role(node) in inner}
        self._near: dict[str, dict[str, tuple[Step, ...]]] = {node: {} for node in self._view.nodes}
        self._into: dict[str, dict[str, tuple[Step, ...]]] = {node: {} for node in self._view.nodes}
        for role, start, end, forward in sorted(_walks(self._view, roles, both)):
            step = Step(role, start, end, forward)
            self._near[start][end] = (*self._near[start].get(end, ()), step)
            self._into[end][start] = self._near[start][end]

    def between(self, start: str, end: str, hops: int = 2, avoid: Collection[str] = ()) -> list[Trail]:
        """All paths of at most so many hops that pass no node twice and none to avoid; none from a node to itself."""
        if start == end or not self._near.get(start) or not self._into.get(end):
            return []
        found = [Trail((step,)) for step in self._near[start].get(end, ())]
        if hops >= 2:
            barred = {start, end, *avoid}
            found += self._over_one(start, end, barred)
            if hops >= 3:
                found += self._over_more(start, end, hops, barred)
        return found

    def _over_one(self, start: str, end: str, barred: Collection[str]) -> list[Trail]:
        firsts, lasts = self._near[start], self._into[end]
        shared = firsts.keys() & lasts.keys()
        if not shared:
            return []
        inner = sorted(node for node in shared if node not in barred and node not in self._closed)
        return [Trail((one, two)) for node in inner for one in firsts[node] for two in lasts[node]]

    def _over_more(self, start: str, end: str, hops: int, barred: Collection[str]) -> list[Trail]:
        found = []
        for node, firsts in sorted(self._near[start].items()):
            if node not in barred and node not in self._closed:
                rest = self.between(node, end, hops - 1, {*barred})
                found += [Trail((one, *more.steps)) for more in rest if len(more.steps) > 1 for one in firsts]
        return sorted(found, key=lambda trail: (trail.hops, trail))

    def to_value(self, start: str, value: Literal, hops: int = 2, avoid: Collection[str] = ()) -> list[Trail]:
        """All paths from the node to the value; the last hop is from the node that has it."""
        if start == value.node:
            return [Trail((), value)]
        ways = self.between(start, value.node, hops - 1, avoid) if hops > 1 else []
        return [Trail(trail.steps, value) for trail in ways if value.node not in self._closed]

    def degree(self, node: str) -> int:
        """Number of nodes one hop away."""
        return len(self._near.get(node, ()))

    def near(self, node: str) -> tuple[str, ...]:
        """The nodes one hop away, in a fixed order."""
        return tuple(self._near.get(node, ()))


def _walks(view: GraphView, roles: Collection[EdgeRole], both: bool) -> Iterator[tuple[EdgeRole, str, str, bool]]:
    for edge in view.edges():
        kind = view.schema.edges[edge.type]
        if kind.role in roles:
            yield kind.role, edge.source, edge.target, True
            if both or kind.symmetric:
                yield kind.role, edge.target, edge.source, False


class Sentences:
    """Finds for each hop the sentence it rests on."""

    def __init__(self, view: GraphView, properties: Sequence[str], values: Values) -> None:
        self._view, self._properties, self._values = view, properties, values

    @cached_property
    def literals(self) -> tuple[Literal, ...]:
        """Every value of those properties, sorted; lists item by item. `QUANTITY`: numbers with units in quotes."""
        found = set[Literal]()
        for node, record in self._view.nodes.items():
            for name in self._properties:
                value = record.properties.get(name)
                texts = value if isinstance(value, list) else [value]
                found |= {Literal(node, name, text.strip()) for text in texts if isinstance(text, str) and text.strip()}
            if QUANTITY in self._properties and self._view.role(node) in KNOWLEDGE:
                quoted = (one for quote in record.provenance for one in self._values.quantities(quote.quote))
                found |= {Literal(node, QUANTITY, one.text) for one in quoted if one.dimension}
        return tuple(sorted(found))

    @cached_property
    def by_node(self) -> Mapping[str, tuple[Literal, ...]]:
        """Node -> its values."""
        found: dict[str, list[Literal]] = defaultdict(list)
        for one in self.literals:
            found[one.node].append(one)
        return {node: tuple(some) for node, some in found.items()}

    def hops(self, trail: Trail) -> tuple[Hop, ...]:
        """The hops of a path; the sentence of a hop that rests on none is empty."""
        hops = [self._edge(step) for step in trail.steps]
        return (*hops, self._value(trail.value)) if trail.value else tuple(hops)

    def _edge(self, step: Step) -> Hop:
        edge = step.edge(self._view)
        quotes: Sequence[Provenance] = edge.provenance
        if not quotes and step.role == "location":
            # where a thing is taught rests on what that section says of it
            quotes = [quote for quote in self._view.nodes[edge.source].provenance if quote.section == edge.target]
        text = next(iter(evidence(edge)), "")
        return _hop(edge.type, (edge.source, edge.target), step.forward, quotes[:1], text)

    def _value(self, value: Literal) -> Hop:
        wanted, record = squash(value.text), self._view.nodes[value.node]
        quotes = [quote for quote in record.provenance if wanted in squash(quote.quote)]
        # a graph without places has no more to show than the record itself
        text = "" if record.provenance else value.text
        return _hop(value.property, (value.node, value.text), True, quotes[:1], text)


def _hop(kind: str, ends: tuple[str, str], forward: bool, quotes: Sequence[Provenance], text: str) -> Hop:
    hop = Hop(type=kind, source=ends[0], target=ends[1], forward=forward, sentence=text)
    if not quotes:
        return hop
    found = quotes[0]
    place = {"sentence": found.quote, "book": found.book, "section": found.section, "page": found.page}
    return hop.model_copy(update=place)
