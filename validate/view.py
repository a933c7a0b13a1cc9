"""A graph laid out for checks: nodes by id, what is still in it, and where each node stands in the curriculum.

In: nodes and edges. Out: `View`, which every check reads and none changes, and `Sieve`, what has been set aside.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property

from kg.graph import Edge, Finding, Node
from kg.schema import EdgeRole, GraphSchema

Key = tuple[str, str, str]
"""Type, source, target of an edge."""
Position = tuple[int, int]
"""Rank of the book, rank of the section in it: where a node is first taught."""
LAST: Position = (1 << 30, 0)
"""Of nodes that are taught nowhere."""


class View:
    """One graph and its schema."""

    def __init__(
        self, nodes: Sequence[Node], edges: Sequence[Edge], schema: GraphSchema, books: Sequence[str] = ()
    ) -> None:
        """`books`: ids of the book nodes in curriculum order; books that are not named follow in the nodes' order."""
        self.nodes, self.edges, self.schema = nodes, edges, schema
        self._books = books

    @cached_property
    def by_id(self) -> dict[str, Node]:
        """Nodes by id; of two with one id the first."""
        found: dict[str, Node] = {}
        for node in self.nodes:
            found.setdefault(node.id, node)
        return found

    @cached_property
    def whole_of(self) -> dict[str, str]:
        """Part -> whole, the first that is stated."""
        kinds = self.schema.edge_types("containment")
        found: dict[str, str] = {}
        for edge in self.edges:
            if edge.type in kinds:
                found.setdefault(edge.source, edge.target)
        return found

    @cached_property
    def book_of_part(self) -> dict[str, str]:
        """The book each chapter and section belongs to."""
        found = {}
        for part in self.whole_of:
            seen = {part}
            at = part
            while at in self.whole_of and self.whole_of[at] not in seen:
                at = self.whole_of[at]
                seen.add(at)
            found[part] = at
        return found

    @cached_property
    def book_rank(self) -> dict[str, int]:
        """Place of each book in the curriculum."""
        label = self.schema.node_type("book")
        named = [*self._books, *(node.id for node in self.nodes if node.label == label)]
        return {book: at for at, book in enumerate(dict.fromkeys(named))}

    @cached_property
    def sections_of(self) -> dict[str, list[str]]:
        """Where each node is taught, in curriculum order."""
        kinds = self.schema.edge_types("location")
        found: dict[str, list[str]] = defaultdict(list)
        for edge in self.edges:
            if edge.type in kinds:
                found[edge.source].append(edge.target)
        return {node: sorted(sections, key=self.section_position) for node, sections in found.items()}

    @cached_property
    def _file_order(self) -> dict[str, int]:
        return {node.id: at for at, node in enumerate(self.nodes)}

    def section_position(self, section: str) -> Position:
        """Where a section stands: by its `order`, else by its place in the file."""
        node = self.by_id.get(section)
        if node is None:
            return LAST
        order = node.properties.get("order", self._file_order[section])
        book = self.book_rank.get(self.book_of_part.get(section, ""), len(self.book_rank))
        return (book, order if isinstance(order, int) else self._file_order[section])

    def position(self, node: str) -> Position:
        """Where a node is first taught; `LAST` if nowhere."""
        sections = self.sections_of.get(node)
        return self.section_position(sections[0]) if sections else LAST

    def name(self, node: str) -> str:
        """The node's name for messages, shortened; its id if there is no such node."""
        found = self.by_id.get(node)
        text = found.name if found else node
        return text if len(text) <= 60 else text[:57] + "…"

    def types(self, *roles: EdgeRole) -> frozenset[str]:
        """Edge types that play one of the roles."""
        return self.schema.edge_types(*roles)


class Sieve:
    """Findings so far, and what they keep out of the graph."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.findings: list[Finding] = []
        self.nodes: set[str] = set()
        self.edges: set[Key] = set()

    def add(self, findings: Iterable[Finding]) -> None:
        """Takes findings in; what they set aside is out from now on."""
        for finding in findings:
            self.findings.append(finding)
            if finding.action == "set_aside":
                if finding.edge is not None:
                    self.edges.add(finding.edge)
                else:
                    self.nodes.update(finding.nodes)

    def left(self) -> View:
        """The graph without what was set aside and without edges that lost an end."""
        nodes = [node for node in self.view.nodes if node.id not in self.nodes]
        ids = {node.id for node in nodes}
        edges = [
            edge
            for edge in self.view.edges
            if edge.key() not in self.edges and edge.source in ids and edge.target in ids
        ]
        return View(nodes, edges, self.view.schema, self.view._books)
