"""The last room of the main job: the accepted graph as files, and a page to look at.

In: `merge/nodes.jsonl`, `merge/edges.jsonl`, `validate/findings.jsonl`, the section indexes; for the page also
what earlier rooms noticed (`findings.jsonl`) and page labels and titles of `ingest/<book>/document.json`.
Out: `graph/nodes.json`, `graph/edges.json`, `index.html`.
"""

from __future__ import annotations

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from emit.accepted import Accepted, accepted
from emit.chapters import chapter_order
from emit.curriculum import curriculum
from emit.page import page_html
from emit.page_data import PageInput, page_data
from emit.prints import main_language, prints
from emit.product import edges_json, nodes_json
from emit.texts import page_texts
from kg.errors import Failure
from kg.graph import Edge, Finding, Node
from kg.project import Project
from kg.stage import Item, Result

NODES, EDGES, FINDINGS = "merge/nodes.jsonl", "merge/edges.jsonl", "validate/findings.jsonl"
EARLIER = ("merge/findings.jsonl", "segment/*/findings.jsonl", "extract/*/findings.jsonl")
SECTIONS, DOCUMENTS = "segment/*/sections_index.json", "ingest/*/document.json"


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Emit:
    """Makes the product out of what merging and checking left."""

    language: str = ""
    """Language pack of the page's own words; empty: the language of most books."""
    fallback: str = "en"
    """Language pack from which missing words are taken."""
    quotes: int = Field(default=6, ge=1)
    """Most quotations the page shows for a node or an edge."""

    @property
    def name(self) -> str:
        """Name of the room."""
        return "emit"

    @property
    def reads(self) -> tuple[str, ...]:
        """What must be there; the documents are used where they are."""
        return (NODES, EDGES, FINDINGS, SECTIONS)

    @property
    def writes(self) -> tuple[str, ...]:
        """The product and the page."""
        return ("graph/nodes.json", "graph/edges.json", "index.html")

    def plan(self, project: Project) -> list[Item]:
        """One item: the whole graph."""
        store = project.store
        names = [NODES, EDGES, *_finding_names(project), *store.names(SECTIONS), *store.names(DOCUMENTS)]
        books = {f"book {place}": book.model_dump_json(exclude={"file"}) for place, book in enumerate(project.books)}
        inputs = {name: store.digest(name) for name in names}
        return [Item(key=project.subject, payload=None, inputs={**inputs, **books, "title": project.title})]

    def setup(self, project: Project) -> Project:
        """Everything is read from the project's store."""
        return project

    def run(self, item: Item, context: Project) -> Result:
        """The files of the product. An edge without both ends is a failure and stays out."""
        store, schema = context.store, context.schema
        merged = tuple(store.read_rows(NODES, Node))
        findings = _findings(context)
        derived = schema.edge_types("sequence")
        graph = accepted(merged, (edge for edge in store.read_rows(EDGES, Edge) if edge.type not in derived), findings)
        order = curriculum(context, (edge for edge in graph.edges if edge.type in schema.edge_types("containment")))
        chapters = chapter_order(graph.edges, order, schema)
        known = {node.id for node in graph.nodes}
        links = tuple(edge for edge in chapters.edges if edge.source in known and edge.target in known)
        edges = tuple(sorted([*graph.edges, *links], key=Edge.key))
        books = prints(context)
        language = self.language or main_language(context, books)
        given = PageInput(
            title=context.title or context.subject,
            language=language,
            nodes=graph.nodes,
            edges=edges,
            findings=findings,
            against=chapters.against,
            merged=merged,
            curriculum=order,
            prints=books,
        )
        texts = page_texts(context.languages, language, self.fallback)
        files = {
            "graph/nodes.json": nodes_json(graph.nodes),
            "graph/edges.json": edges_json(edges),
            "index.html": page_html(page_data(given, schema, texts, self.quotes), texts),
        }
        counts = {"nodes": len(graph.nodes), "edges": len(edges), "chapter links": len(links)}
        return Result(files=files, failures=_loose(graph), counts=counts)

    def collect(self, project: Project) -> Result | None:
        """Nothing is left to do."""
        return None


def _finding_names(project: Project) -> list[str]:
    """The findings of the checks first, then what earlier rooms noticed, as far as they left any."""
    return [FINDINGS, *(name for pattern in EARLIER for name in project.store.names(pattern))]


def _findings(project: Project) -> tuple[Finding, ...]:
    """What checking and earlier rooms have found; the same finding once."""
    rows = [finding for name in _finding_names(project) for finding in project.store.read_rows(name, Finding)]
    return tuple({finding.to_json(): finding for finding in rows}.values())


def _loose(graph: Accepted) -> tuple[Failure, ...]:
    """One failure for all edges that lead nowhere, naming the first."""
    if not graph.loose:
        return ()
    first = graph.loose[0]
    what = f"{len(graph.loose)} edges have an end that is no node; left out, the first: {' '.join(first.key())}"
    return (Failure(stage="emit", item=first.source, what=what, remedy="run merge and validate again"),)
