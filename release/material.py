"""What a release is made of, read from a finished run.

In: a project's store. Out: `Material`: graph, books, decisions, benchmark items, training rows, and facts for the
manifest. Nothing is judged or left out here.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kg.decisions import Outcome
from kg.document import Document
from kg.graph import Edge, Graph, Node
from kg.graph_io import read_graph
from kg.ids import book_id
from kg.item import Item
from kg.project import Project
from kg.row import Row
from kg.schema import GraphSchema

GRAPH = ("graph/nodes.json", "graph/edges.json")
BENCH, TRAIN = "bench/*.jsonl", "train/*.jsonl"
DROPPED = "bench/dropped.jsonl"
DECIDED, MERGES, REPORT = "merge/decided.jsonl", "merge/merges.jsonl", "validate/report.json"
AGREEMENT = "review/agreement.json"
DOCUMENTS, CLAIMS = "ingest/*/document.json", "extract/*/claims.jsonl"


class BookFacts(Row):
    """A source book, as far as whoever loads a release must know it."""

    book: str
    """Its slug, as in every provenance."""
    node: str
    """Id of its node."""
    title: str
    language: str
    grade: str
    license: str
    sha256: str
    """Of the file that was read; empty if it was not read."""
    pages: int
    engine: str


@dataclass(frozen=True)
class Material:
    """Everything a release may hold, before rights are asked."""

    subject: str
    title: str
    schema: GraphSchema
    graph: Graph
    books: tuple[BookFacts, ...]
    """In curriculum order; only books that have a node in the graph."""
    decisions: tuple[Outcome, ...]
    items: tuple[Item, ...]
    """Benchmark items, sorted by id."""
    rows: tuple[Mapping[str, Any], ...]
    """Training rows as written by the derive stage, sorted by id."""
    joined: Mapping[str, str]
    """Id that something had alone -> id under which it went on after merging."""
    facts: Mapping[str, Any]
    """For the manifest: extractors, report of the checks, agreement of annotators."""

    def languages(self) -> list[str]:
        """Language codes of the books, sorted."""
        return sorted({book.language for book in self.books if book.language})


def sources(project: Project) -> list[str]:
    """Names of all artefacts that a release depends on."""
    patterns = (*GRAPH, BENCH, TRAIN, DECIDED, MERGES, REPORT, AGREEMENT, DOCUMENTS, CLAIMS)
    return sorted({name for pattern in patterns for name in project.store.names(pattern)})


def material_of(project: Project) -> Material:
    """The material of a finished run. Raises InputError if there is no graph."""
    store = project.store
    graph = read_graph(store.path("graph")).graph
    named = {node.id for node in graph.nodes}
    books = tuple(facts for facts in _books(project) if facts.node in named)
    items = [item for name in store.names(BENCH) if name != DROPPED for item in store.read_rows(name, Item)]
    decisions = tuple(store.read_rows(DECIDED, Outcome)) if store.exists(DECIDED) else ()
    return Material(
        subject=project.subject,
        title=project.title or project.subject,
        schema=project.schema,
        graph=graph,
        books=books,
        decisions=decisions,
        items=tuple(sorted(items, key=lambda item: item.id)),
        rows=tuple(sorted(_training(project), key=lambda row: str(row["id"]))),
        joined=_joined(project),
        facts={"extractors": _extractors(project), "checks": _report(project), "agreement": _agreement(project)},
    )


def _books(project: Project) -> list[BookFacts]:
    label = project.schema.node_type("book")
    found = []
    for book in project.books:
        name = f"ingest/{book.slug}/document.json"
        document = project.store.read_row(name, Document) if project.store.exists(name) else None
        facts = BookFacts(
            book=book.slug,
            node=book_id(project.subject, label, book.slug),
            title=book.title or (document.title if document else "") or book.slug,
            language=book.language or (document.language if document else ""),
            grade=book.grade,
            license=book.license,
            sha256=document.sha256 if document else "",
            pages=len(document.pages) if document else 0,
            engine=document.engine if document else "",
        )
        found.append(facts)
    return found


def _lines(project: Project, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in project.store.read_text(name).split("\n") if line]


def _training(project: Project) -> list[dict[str, Any]]:
    """Rows of the paths; the same rows in the forms of trainers (`train.alpaca.jsonl`) have no id."""
    return [row for name in project.store.names(TRAIN) for row in _lines(project, name) if "id" in row]


def _joined(project: Project) -> dict[str, str]:
    if not project.store.exists(MERGES):
        return {}
    rows = _lines(project, MERGES)
    return {row["alone"]: row["id"] for row in rows if row.get("alone") and row["alone"] != row.get("id")}


def _extractors(project: Project) -> dict[str, dict[str, int]]:
    """Extractor -> rule, or fingerprint of the prompt -> claims."""
    counts: Counter[tuple[str, str]] = Counter()
    for name in project.store.names(CLAIMS):
        counts.update((row["extractor"], row["rule"]) for row in _lines(project, name))
    made: dict[str, dict[str, int]] = {}
    for (extractor, rule), count in sorted(counts.items()):
        made.setdefault(extractor, {})[rule] = count
    return made


def _report(project: Project) -> dict[str, Any]:
    if not project.store.exists(REPORT):
        return {}
    report = project.store.read_json(REPORT)
    return {name: report[name] for name in ("findings", "set_aside", "subject") if name in report}


def _agreement(project: Project) -> list[dict[str, Any]]:
    """How far annotators agreed, by subject and type; none if nobody has counted."""
    return list(project.store.read_json(AGREEMENT)) if project.store.exists(AGREEMENT) else []


def edge_books(edge: Edge, of_node: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Slugs of the books an edge comes from: those it quotes, or else those of its source."""
    own = tuple(sorted({found.book for found in edge.provenance}))
    return own or of_node.get(edge.source, ())


def node_books(graph: Graph, books: tuple[BookFacts, ...], schema: GraphSchema) -> dict[str, tuple[str, ...]]:
    """Node id -> slugs of the books it comes from: those it quotes; of the books' own parts the book they belong to."""
    found = {node.id: tuple(sorted({quote.book for quote in node.provenance})) for node in graph.nodes}
    found |= {book.node: (book.book,) for book in books}
    containment = schema.edge_types("containment")
    parents = {edge.source: edge.target for edge in graph.edges if edge.type in containment}
    roles = ("book", "chapter", "section")
    for node in graph.nodes:
        if schema.role(node.label) in roles:
            found[node.id] = found.get(_top(node, parents), ())
    return found


def _top(node: Node, parents: Mapping[str, str]) -> str:
    """The outermost thing the node is part of."""
    at, seen = node.id, {node.id}
    while at in parents and parents[at] not in seen:
        at = parents[at]
        seen.add(at)
    return at
