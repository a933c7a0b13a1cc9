"""The last room of the graph: what was accepted, as the two files of the product.

In: `merge/nodes.jsonl`, `merge/edges.jsonl`, `validate/findings.jsonl`, the section indexes.
Out: `graph/nodes.json`, `graph/edges.json`.
"""

from __future__ import annotations

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from emit.accepted import Accepted, accepted
from emit.chapters import chapter_order
from emit.curriculum import SECTIONS, curriculum
from emit.findings import FINDINGS, finding_names, findings_of
from emit.product import edges_json, nodes_json
from kg.errors import Failure
from kg.graph import Edge, Node
from kg.project import Project
from kg.stage import Item, Result

NODES, EDGES = "merge/nodes.jsonl", "merge/edges.jsonl"


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Emit:
    """Makes the product out of what merging and checking left."""

    @property
    def name(self) -> str:
        """Name of the room."""
        return "emit"

    @property
    def reads(self) -> tuple[str, ...]:
        """What must be there."""
        return (NODES, EDGES, FINDINGS, SECTIONS)

    @property
    def writes(self) -> tuple[str, ...]:
        """The product."""
        return ("graph/nodes.json", "graph/edges.json")

    def plan(self, project: Project) -> list[Item]:
        """One item: the whole graph."""
        store = project.store
        names = [NODES, EDGES, *finding_names(store), *store.names(SECTIONS)]
        books = {f"book {place}": book.slug for place, book in enumerate(project.books)}
        return [Item(project.subject, None, {**{name: store.digest(name) for name in names}, **books})]

    def setup(self, project: Project) -> Project:
        """Everything is read from the project's store."""
        return project

    def run(self, item: Item, context: Project) -> Result:
        """The files of the product. An edge without both ends is a failure and stays out."""
        store, schema = context.store, context.schema
        derived = schema.edge_types("sequence")
        stated = (edge for edge in store.read_rows(EDGES, Edge) if edge.type not in derived)
        graph = accepted(store.read_rows(NODES, Node), stated, findings_of(store))
        order = curriculum(context, (edge for edge in graph.edges if edge.type in schema.edge_types("containment")))
        known = {node.id for node in graph.nodes}
        chapters = chapter_order(graph.edges, order, schema).edges
        links = [edge for edge in chapters if edge.source in known and edge.target in known]
        edges = sorted([*graph.edges, *links], key=Edge.key)
        files = {"graph/nodes.json": nodes_json(graph.nodes), "graph/edges.json": edges_json(edges)}
        counts = {"nodes": len(graph.nodes), "edges": len(edges), "chapter links": len(links)}
        return Result(files=files, failures=_loose(graph), counts=counts)

    def collect(self, project: Project) -> Result | None:
        """Nothing is left to do."""
        return None


def _loose(graph: Accepted) -> tuple[Failure, ...]:
    """One failure for all edges that lead nowhere, naming the first."""
    if not graph.loose:
        return ()
    first = graph.loose[0]
    what = f"{len(graph.loose)} edges have an end that is no node; left out, the first: {' '.join(first.key())}"
    return (Failure(stage="emit", item=first.source, what=what, remedy="run merge and validate again"),)
