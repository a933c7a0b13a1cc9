"""What the page knows, as one JSON value: nodes, edges, places, quotations and findings, each said once.

In: the emitted graph, findings, the curriculum and how the books print their pages. Out: plain data;
`emit/page/data.js` reads it back by the positions written here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from emit.contents import contents
from emit.curriculum import Curriculum
from emit.prints import Print
from emit.texts import PageTexts
from kg.graph import Edge, Finding, Node, Provenance
from kg.schema import GraphSchema, NodeType
from kg.text import squash


@dataclass(frozen=True)
class PageInput:
    """Everything the page shows."""

    title: str
    language: str
    nodes: Sequence[Node]
    edges: Sequence[Edge]
    findings: Sequence[Finding]
    against: Sequence[Edge]
    """Prerequisites that contradict the order of the chapters."""
    merged: Sequence[Node]
    """All nodes there were, those set aside included: findings name them."""
    curriculum: Curriculum
    prints: Mapping[str, Print]
    """By the book's slug, in curriculum order."""


@dataclass
class _Places:
    """Sections and quotations by number, so that each is written once."""

    books: Mapping[str, int]
    most: int
    rows: dict[str, list[Any]] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    words: dict[str, int] = field(default_factory=dict)

    def add(self, book: str, section: str, title: str) -> int:
        if section not in self.numbers:
            self.numbers[section] = len(self.rows)
            self.rows[section] = [self.books.get(book, -1), section, title]
        return self.numbers[section]

    def quotes(self, provenance: Sequence[Provenance]) -> list[list[Any]]:
        """[section, page, words, match, score, route] of the first ones, in the order given."""
        return [
            [
                self.add(quote.book, quote.section, ""),
                quote.page,
                self.words.setdefault(quote.quote, len(self.words)),
                quote.match,
                *([quote.score, quote.route] if quote.score is not None or quote.route else []),
            ]
            for quote in provenance[: self.most]
        ]


def page_data(given: PageInput, schema: GraphSchema, texts: PageTexts, most_quotes: int) -> dict[str, Any]:
    """The page's data; the same for the same input, down to the order of every list.

    At most `most_quotes` quotations are kept for each node and edge, with the number of all of them.
    """
    places = _Places({slug: number for number, slug in enumerate(given.prints)}, most_quotes)
    for slug, rows in given.curriculum.books:
        for row in rows:
            title = row.section_title or texts.kinds.get(row.kind, row.kind)
            places.add(slug, row.id, f"{row.section_number} {title}".strip())
    number = {node.id: place for place, node in enumerate(given.nodes)}
    labels, types = list(schema.nodes), list(schema.edges)
    return {
        "title": given.title,
        "language": given.language,
        "types": _node_types(schema, texts),
        "relations": [[kind.role, int(kind.symmetric), name] for name, kind in schema.edges.items()],
        "books": [[slug, book.title, book.language, list(book.labels)] for slug, book in given.prints.items()],
        "nodes": [_node(node, labels, _lead(schema.nodes.get(node.label)), places) for node in given.nodes],
        "edges": [_edge(edge, number, types, places) for edge in given.edges],
        "contents": contents(given.nodes, given.edges, given.curriculum, schema),
        "findings": _findings(given, number, types),
        "aside": _aside(given, number, schema, places),
        "against": [[number[edge.source], number[edge.target]] for edge in given.against],
        "sections": list(places.rows.values()),
        "quotes": list(places.words),
        "texts": texts.model_dump(),
    }


def _node_types(schema: GraphSchema, texts: PageTexts) -> list[dict[str, Any]]:
    """Role, names and fields of each node type; types that share a role go by their own name."""
    shared = Counter(kind.role for kind in schema.nodes.values())
    found = []
    for name, kind in schema.nodes.items():
        alone = shared[kind.role] == 1
        found.append(
            {
                "name": name,
                "role": kind.role,
                "one": texts.one.get(kind.role, name) if alone else name,
                "many": texts.many.get(kind.role, name) if alone else name,
                "key": kind.key,
                "lead": _lead(kind),
                "fields": {key: [fact.minimum, fact.maximum, fact.type] for key, fact in kind.fields.items()},
            }
        )
    return found


def _lead(kind: NodeType | None) -> str:
    """The field that explains a node of this type: the first required free text."""
    fields = kind.fields.items() if kind else ()
    return next((key for key, fact in fields if fact.required and fact.type == "text" and not fact.values), "")


def _node(node: Node, labels: Sequence[str], lead: str, places: _Places) -> list[Any]:
    """[id, type, name, properties, quotations, how many there are]; the type is -1 if the schema has none such.

    Quotations that hold the text which explains the node come first.
    """
    place = labels.index(node.label) if node.label in labels else -1
    wanted = squash(str(node.properties.get(lead, "")))
    quotes = sorted(node.provenance, key=lambda quote: wanted not in squash(quote.quote))
    return [node.id, place, node.name, node.properties, places.quotes(quotes), len(node.provenance)]


def _edge(edge: Edge, number: Mapping[str, int], types: Sequence[str], places: _Places) -> list[Any]:
    """[source, target, type, properties, quotations, how many there are]."""
    place = types.index(edge.type) if edge.type in types else -1
    quotes = places.quotes(edge.provenance)
    return [number[edge.source], number[edge.target], place, edge.properties, quotes, len(edge.provenance)]


def _aside(
    given: PageInput, number: Mapping[str, int], schema: GraphSchema, places: _Places
) -> list[tuple[str, list[Any]]]:
    """Questions that were set aside, as (name, quotations): nothing that the books teach is known to be in them."""
    asked = [node for node in given.merged if node.id not in number and schema.role(node.label) == "question"]
    asked.sort(
        key=lambda node: [(given.curriculum.place.get(quote.section, -1), quote.start) for quote in node.provenance]
    )
    return [(node.name, places.quotes(node.provenance[:1])) for node in asked]


def _findings(given: PageInput, number: Mapping[str, int], types: Sequence[str]) -> list[list[Any]]:
    """[check, action, message, nodes, edge]; a node is its number, or its name if it is not in the graph."""
    names = {node.id: node.name for node in given.merged}

    def shown(node: str) -> int | str:
        return number[node] if node in number else names.get(node, node)

    rows: list[list[Any]] = []
    for finding in given.findings:
        edge: list[Any] | None = None
        if finding.edge is not None:
            kind, source, target = finding.edge
            edge = [types.index(kind) if kind in types else -1, shown(source), shown(target)]
        ends = set(finding.edge[1:]) if finding.edge else set()
        others = [shown(node) for node in finding.nodes if node not in ends]
        rows.append([finding.check, finding.action, finding.message, others, edge])
    return rows
