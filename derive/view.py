"""An indexed, read-only view of a graph: who is linked to whom by which role, closures, rings and siblings.

In: a graph and its schema. Out: `GraphView`. What does not fit the schema is left out and counted, so that
everything made from the view rests on sound edges.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cached_property

from kg.graph import Edge, Graph, Node
from kg.schema import EdgeRole, GraphSchema, NodeRole

Key = tuple[str, str, str]
"""(type, source, target) of an edge."""
NEAR: tuple[EdgeRole, ...] = ("taxonomy", "prerequisite", "association")
"""Roles whose undirected union defines distance between nodes (paper, appendix 8.1)."""
NONE: tuple[str, ...] = ()
NO_ONE: frozenset[str] = frozenset()


class GraphView:
    """All answers are sorted or sets; nothing depends on the order of the graph's records."""

    def __init__(self, graph: Graph, schema: GraphSchema) -> None:
        self.schema = schema
        self.problems: Counter[str] = Counter()
        """What was left out, by reason."""
        self.nodes: dict[str, Node] = {}
        for node in sorted(graph.nodes, key=lambda node: node.id):
            if schema.role(node.label) is None:
                self.problems["node of an unknown type"] += 1
            else:
                self.nodes[node.id] = node
        self._out: dict[EdgeRole, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._in: dict[EdgeRole, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._edges: dict[tuple[EdgeRole, str, str], Edge] = {}
        self._closures: dict[tuple[str, EdgeRole, bool], frozenset[str]] = {}
        for edge in sorted(graph.edges, key=Edge.key):
            self._add(edge)

    def _add(self, edge: Edge) -> None:
        problem = self._problem(edge)
        if problem:
            self.problems[problem] += 1
            return
        role = self.schema.edges[edge.type].role
        self._out[role][edge.source].append(edge.target)
        self._in[role][edge.target].append(edge.source)
        self._edges[role, edge.source, edge.target] = edge

    def _problem(self, edge: Edge) -> str:
        """Why the edge cannot be used; empty if it can."""
        if edge.type not in self.schema.edges:
            return "edge of an unknown type"
        if edge.source not in self.nodes or edge.target not in self.nodes:
            return "edge that leads nowhere"
        if edge.source == edge.target:
            return "edge from a node to itself"
        kind = self.schema.edges[edge.type]
        source, target = self.nodes[edge.source].label, self.nodes[edge.target].label
        # where a thing appears is sound for every kind of thing: the released graphs locate questions too
        if kind.role == "location" and target in kind.target:
            return ""
        return "" if self.schema.allows(edge.type, source, target) else "edge with wrong ends"

    def edges(self) -> list[Edge]:
        """All sound edges, sorted."""
        return sorted(self._edges.values(), key=Edge.key)

    def add(self, edges: Iterable[Edge]) -> None:
        """Derived edges belong to the view from now on."""
        for edge in edges:
            self._add(edge)

    def role(self, node: str) -> NodeRole | None:
        """The role the node's type plays."""
        return self.schema.role(self.nodes[node].label)

    def with_role(self, *roles: NodeRole) -> list[str]:
        """Ids of all nodes that play one of the roles, sorted."""
        return [node for node in self.nodes if self.role(node) in roles]

    def after(self, node: str, role: EdgeRole) -> tuple[str, ...]:
        """Where edges of this role lead from the node."""
        return tuple(self._out[role].get(node, NONE))

    def before(self, node: str, role: EdgeRole) -> tuple[str, ...]:
        """Where edges of this role that end at the node come from."""
        return tuple(self._in[role].get(node, NONE))

    def linked(self, role: EdgeRole) -> bool:
        """True if there is an edge of this role."""
        return bool(self._out[role])

    def edge(self, role: EdgeRole, source: str, target: str) -> Edge | None:
        """The edge of this role between the two, in this direction."""
        return self._edges.get((role, source, target))

    def both_ways(self, node: str, role: EdgeRole) -> frozenset[str]:
        """All nodes at the other end of an edge of this role."""
        return frozenset((*self.after(node, role), *self.before(node, role)))

    @cached_property
    def degree(self) -> Counter[str]:
        """Node id -> number of edges of any type."""
        return Counter(end for edge in self._edges.values() for end in (edge.source, edge.target))

    def near(self, *nodes: str) -> frozenset[str]:
        """All nodes one step from one of the nodes, without these; see `NEAR`."""
        found = {other for node in nodes for role in NEAR for other in self.both_ways(node, role)}
        return frozenset(found.difference(nodes))

    def ring(self, nodes: Iterable[str], distance: int) -> frozenset[str]:
        """All nodes exactly `distance` steps from the nearest of the nodes; see `NEAR`."""
        seen = frontier = frozenset(nodes)
        for _ in range(distance):
            frontier = self.near(*sorted(frontier)) - seen
            seen |= frontier
        return frontier

    def closure(self, node: str, role: EdgeRole, forward: bool) -> frozenset[str]:
        """All nodes that a chain of edges of this role leads to (`forward`) or from; the node itself on a cycle."""
        key = (node, role, forward)
        if key not in self._closures:
            step = self.after if forward else self.before
            seen: set[str] = set()
            frontier = [node]
            while frontier:
                new = {other for here in frontier for other in step(here, role)} - seen
                seen |= new
                frontier = sorted(new)
            self._closures[key] = frozenset(seen)
        return self._closures[key]

    def kin(self, *nodes: str) -> frozenset[str]:
        """All kinds of the nodes and all that they are kinds of, however remote."""
        ways = (True, False)
        return frozenset().union(*(self.closure(node, "taxonomy", way) for node in nodes for way in ways))

    def siblings(self, *nodes: str) -> frozenset[str]:
        """Nodes that share a taxonomic parent, or a target that needs them, with one of the nodes."""
        found: set[str] = set()
        for node in nodes:
            for role in ("taxonomy", "prerequisite"):
                for parent in self.after(node, role):
                    found.update(self.before(parent, role))
        return frozenset(found.difference(nodes))

    def chain(self, role: EdgeRole, source: str, target: str) -> tuple[Key, ...]:
        """The edges of a shortest directed path, the first by id among equals; empty if there is none."""
        back: dict[str, str] = {source: ""}
        frontier = [source]
        while frontier and target not in back:
            new: dict[str, str] = {}
            for here in frontier:
                new.update({other: here for other in self.after(here, role) if other not in back and other not in new})
            back.update(new)
            frontier = sorted(new)
        if target not in back:
            return ()
        path: list[Key] = []
        while back[target]:
            path.append(self._edges[role, back[target], target].key())
            target = back[target]
        return tuple(reversed(path))

    def bridge(self, one: str, other: str) -> tuple[Key, ...]:
        """The edges of a connection of one or two undirected steps; see `NEAR`. Empty if there is none."""
        if step := self._step(one, other):
            return (step,)
        for middle in sorted(self.near(one) & self.near(other)):
            first, second = self._step(one, middle), self._step(middle, other)
            if first and second:
                return (first, second)
        return ()

    def _step(self, one: str, other: str) -> Key | None:
        for role in NEAR:
            for source, target in ((one, other), (other, one)):
                if found := self.edge(role, source, target):
                    return found.key()
        return None
