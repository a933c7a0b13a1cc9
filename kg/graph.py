"""Claims, nodes, edges and findings, each with where it was found.

A claim is what one section says; a node or edge is what all claims together say.
"""

from __future__ import annotations

from typing import Any, Literal

from kg.row import Row

Match = Literal["exact", "normalised", "fuzzy"]


class Provenance(Row):
    """A quotation and its place: characters `start <= i < end` of the section's text, on that page."""

    book: str
    section: str
    page: int
    """0-based physical page of the quote's first character."""
    quote: str
    """The section's own characters at `start:end`, white space runs shown as one space."""
    start: int
    end: int
    match: Match
    score: float | None = None
    """Similarity in [0, 100] of a fuzzy match; none otherwise."""
    route: str = ""
    """`ocr` or `existing_ocr` where the page was not a plain text layer."""

    def place(self) -> tuple[str, int, int, int, str]:
        """Sort key: book, page, start, end, section."""
        return (self.book, self.page, self.start, self.end, self.section)


class Ref(Row):
    """One end of a claimed edge: a node by its type and a name it goes by."""

    label: str
    name: str
    """Name or alias; of an exercise its stem."""


class NodeClaim(Row):
    """A section says that this thing exists, with these properties."""

    kind: Literal["node"] = "node"
    label: str
    name: str
    properties: dict[str, Any] = {}
    evidence: tuple[Provenance, ...]
    section: str
    """Id of the section the node is to be anchored in."""
    extractor: str
    """`rules`, or the model's name."""
    rule: str
    """The rule, or the prompt's fingerprint."""
    confidence: float
    """Prior probability in [0, 1] that a reader would agree: a rule's measured precision."""


class EdgeClaim(Row):
    """A section says that two things stand in this relation."""

    kind: Literal["edge"] = "edge"
    type: str
    source: Ref
    target: Ref
    properties: dict[str, Any] = {}
    evidence: tuple[Provenance, ...]
    section: str
    extractor: str
    rule: str
    confidence: float


class Node(Row):
    """A node of the graph; `properties` follow `conf/schema`."""

    id: str
    label: str
    name: str
    properties: dict[str, Any] = {}
    provenance: tuple[Provenance, ...] = ()


class Edge(Row):
    """An edge of the graph, one target each; identified by (source, type, target)."""

    source: str
    target: str
    type: str
    properties: dict[str, Any] = {}
    provenance: tuple[Provenance, ...] = ()

    def key(self) -> tuple[str, str, str]:
        """Identity and sort key: type, source, target."""
        return (self.type, self.source, self.target)


class Graph(Row):
    """Nodes sorted by id, edges by (type, source, target)."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


class Finding(Row):
    """Something a check saw. A thing set aside stays out of the emitted graph and waits for a person."""

    check: str
    """Code of the check, for example `cycle`, `evidence`, `ends`."""
    action: Literal["note", "review", "set_aside"]
    message: str
    """One sentence a teacher understands."""
    nodes: tuple[str, ...] = ()
    edge: tuple[str, str, str] | None = None
    """(type, source, target) of the edge concerned."""
    details: dict[str, Any] = {}
