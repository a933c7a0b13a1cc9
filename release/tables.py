"""The tables of a release: their columns, and their rows made from the material.

In: `Material`. Out: `Table`s. Every table has the same columns whatever the data holds, so that releases can be
compared and all readers see one type.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from kg.graph import Edge, Node, Provenance
from kg.item import Item
from kg.schema import GraphSchema
from kg.store import canonical, sha256
from release.material import Material, edge_books, node_books

Kind = Literal["text", "list", "integer", "number", "quotes", "messages"]
NAMES = ("nodes", "edges", "books", "decisions", "bench", "train")
HELD_OUT = "validation"
"""Split of the training rows that are not to be trained on."""


@dataclass(frozen=True)
class Column:
    """One column."""

    name: str
    kind: Kind
    about: str
    nullable: bool = True


@dataclass(frozen=True)
class Table:
    """Rows are plain dictionaries with a value for every column."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Any], ...]
    split: str = "train"
    """Data that is not divided is called `train`, as is the habit on Hugging Face."""

    @property
    def file(self) -> str:
        """Where it lies in the release."""
        if self.name in ("bench", "train"):
            return f"{self.name}/{self.split}.parquet"
        return f"data/{self.name}.parquet"


def tables(material: Material) -> list[Table]:
    """All tables, the graph first."""
    nodes = node_columns(material.schema)
    origins = node_books(material.graph, material.books, material.schema)
    license_of = {book.book: book.license for book in material.books}
    rights = _Rights(origins, license_of)
    return [
        Table("nodes", nodes, tuple(node_row(node, nodes, rights) for node in material.graph.nodes)),
        Table("edges", EDGES, tuple(edge_row(edge, rights) for edge in material.graph.edges)),
        Table("books", BOOKS, tuple(book.model_dump() for book in material.books)),
        Table("decisions", DECISIONS, tuple(_decision_rows(material))),
        Table("bench", BENCH, tuple(item_row(item, rights) for item in material.items), "test"),
        *_training_tables([training_row(row, rights) for row in material.rows]),
    ]


def _training_tables(rows: Sequence[Mapping[str, Any]]) -> list[Table]:
    """One table per split; the held-out rows have a table only if there are some."""
    held = tuple(row for row in rows if row["split"] == HELD_OUT)
    own = Table("train", TRAIN, tuple(row for row in rows if row["split"] != HELD_OUT))
    return [own, Table("train", TRAIN, held, HELD_OUT)] if held else [own]


@dataclass(frozen=True)
class _Rights:
    """Which books, and so which licences, a row comes from."""

    origins: Mapping[str, tuple[str, ...]]
    license_of: Mapping[str, str]

    def of(self, books: Sequence[str]) -> dict[str, list[str]]:
        named = sorted(set(books))
        return {"books": named, "licenses": sorted({self.license_of.get(book, "") for book in named} - {""})}

    def of_nodes(self, ids: Sequence[str]) -> list[str]:
        return [book for node in ids for book in self.origins.get(node, ())]


RIGHTS = (
    Column("books", "list", "slugs of the books it comes from (table books)", nullable=False),
    Column("licenses", "list", "SPDX ids of these books' licences", nullable=False),
)
QUOTES = Column("provenance", "quotes", "where it was found: book, section, 0-based page, the quoted sentence, offsets")
MADE = (
    Column("confidence", "number", "probability in [0, 1] that a reader agrees"),
    Column("support", "integer", "sections that say so"),
    Column("rules", "list", "what found it"),
    Column("extra", "text", "further properties as one JSON object"),
)
FIRST = (
    Column("id", "text", "stable id", nullable=False),
    Column("label", "text", "node type", nullable=False),
    Column("name", "text", "the name it goes by", nullable=False),
)
EDGES = (
    Column("source", "text", "id of the source node", nullable=False),
    Column("target", "text", "id of the target node", nullable=False),
    Column("type", "text", "edge type", nullable=False),
    *MADE,
    QUOTES,
    *RIGHTS,
)
BOOKS = (
    Column("book", "text", "slug, as in every provenance", nullable=False),
    Column("node", "text", "id of the book's node", nullable=False),
    Column("title", "text", "title"),
    Column("language", "text", "language code"),
    Column("grade", "text", "grade"),
    Column("license", "text", "SPDX id"),
    Column("sha256", "text", "of the file that was read"),
    Column("pages", "integer", "physical pages"),
    Column("engine", "text", "what read it"),
)
DECISIONS = (
    Column("kind", "text", "node, edge, pair or use of a name", nullable=False),
    Column("about", "list", "ids of what was decided", nullable=False),
    Column("verdict", "text", "keep, change, remove, merge, apart", nullable=False),
    Column("content", "text", "what people saw"),
    Column("change", "text", "the new values as a JSON object"),
    Column("people", "integer", "how many decided together; their names are not passed on"),
    Column("outcome", "text", "what became of it in this release", nullable=False),
    Column("why", "text", "why it was not applied"),
)
BENCH = (
    Column("id", "text", "stable id", nullable=False),
    Column("task", "text", "subtask", nullable=False),
    Column("family", "text", "task family"),
    Column("subject", "text", "subject"),
    Column("stage", "text", "school stage or grade"),
    Column("language", "text", "language code"),
    Column("question", "text", "the question", nullable=False),
    Column("letters", "list", "letters of the options", nullable=False),
    Column("options", "list", "texts of the options, in the order of the letters", nullable=False),
    Column("answer", "list", "letters of all right options", nullable=False),
    Column("query", "text", "id of the node that is asked about"),
    Column("option_ids", "list", "node id of every option; empty where an option is no node", nullable=False),
    QUOTES,
    *RIGHTS,
)
TRAIN = (
    Column("id", "text", "stable id", nullable=False),
    Column("path", "text", "node, relation, exercise or assessment", nullable=False),
    Column("kind", "text", "what kind of it"),
    Column("split", "text", "train or validation"),
    Column("language", "text", "language code"),
    Column("origin", "text", "template, or the model that wrote it"),
    Column("messages", "messages", "one question of a user and one answer of an assistant", nullable=False),
    Column("sources", "list", "ids of the nodes it is about", nullable=False),
    QUOTES,
    *RIGHTS,
)


def node_columns(schema: GraphSchema) -> tuple[Column, ...]:
    """The common columns with one column per property of the schema. A property with two types becomes a text."""
    taken = {column.name for column in (*FIRST, *MADE, QUOTES, *RIGHTS)}
    kinds: dict[str, Kind] = {}
    about: dict[str, list[str]] = {}
    for label, kind in schema.nodes.items():
        for name, field in kind.fields.items():
            if name not in taken:
                kinds[name] = field.type if kinds.get(name, field.type) == field.type else "text"
                about.setdefault(name, []).append(f"{label}: {field.about or name}")
    own = [Column(name, kind, "; ".join(about[name])) for name, kind in kinds.items()]
    return (*FIRST, *own, *MADE, QUOTES, *RIGHTS)


def node_row(node: Node, columns: Sequence[Column], rights: _Rights) -> dict[str, Any]:
    """A node with a value or none in every column; what has no column, or does not fit it, is in `extra`."""
    row: dict[str, Any] = dict.fromkeys(column.name for column in columns)
    rest = dict(node.properties)
    for column in columns:
        if column.name in rest and column.name not in ("extra", *(base.name for base in (*FIRST, QUOTES, *RIGHTS))):
            row[column.name] = fitted(rest[column.name], column.kind)
            if row[column.name] is not None:
                del rest[column.name]
    row |= {"id": node.id, "label": node.label, "name": node.name, "extra": canonical(rest) if rest else None}
    return row | {"provenance": quote_rows(node.provenance)} | rights.of(rights.origins.get(node.id, ()))


def edge_row(edge: Edge, rights: _Rights) -> dict[str, Any]:
    """An edge in the columns of `EDGES`."""
    rest = dict(edge.properties)
    made = {name: fitted(rest.get(name), kind) for name, kind in (("confidence", "number"), ("support", "integer"))}
    made["rules"] = fitted(rest.get("rules"), "list")
    for name, value in made.items():
        if value is not None:
            del rest[name]
    row = {"source": edge.source, "target": edge.target, "type": edge.type, **made}
    row |= {"extra": canonical(rest) if rest else None, "provenance": quote_rows(edge.provenance)}
    return row | rights.of(edge_books(edge, rights.origins))


def fitted(value: Any, kind: str) -> Any:
    """The value if a column of this kind can hold it; none otherwise."""
    fits = {
        "text": isinstance(value, str),
        "integer": isinstance(value, int) and not isinstance(value, bool),
        "number": isinstance(value, int | float) and not isinstance(value, bool),
        "list": isinstance(value, list) and all(isinstance(part, str) for part in value),
    }
    if not fits.get(kind, False):
        return None
    return float(value) if kind == "number" else value


def quote_rows(quotes: Sequence[Provenance]) -> list[dict[str, Any]]:
    """Quotations as records."""
    return [quote_row(json.loads(quote.model_dump_json())) for quote in quotes]


def quote_row(quote: Mapping[str, Any]) -> dict[str, Any]:
    """One quotation."""
    names = ("book", "section", "page", "quote", "start", "end", "match")
    row = {name: quote.get(name) for name in names}
    score = quote.get("score")
    return row | {"score": float(score) if score is not None else None, "route": quote.get("route") or ""}


def _decision_rows(material: Material) -> list[dict[str, Any]]:
    return [
        {
            "kind": row.decision.kind,
            "about": list(row.decision.about),
            "verdict": row.decision.verdict,
            "content": row.decision.content or None,
            "change": canonical(row.decision.change) if row.decision.change else None,
            "people": len(row.decision.by),
            "outcome": row.outcome,
            "why": row.why or None,
        }
        for row in material.decisions
    ]


def item_row(item: Item, rights: _Rights) -> dict[str, Any]:
    """A question in the columns of `BENCH`."""
    ids = [item.choices[letter].id if letter in item.choices else "" for letter in item.options]
    named = [quote.book for quote in item.provenance] or rights.of_nodes([item.query, *ids])
    facts = {name: getattr(item, name) for name in ("id", "task", "family", "subject", "stage", "language", "question")}
    return {
        **facts,
        "letters": list(item.options),
        "options": list(item.options.values()),
        "answer": list(item.answer),
        "query": item.query,
        "option_ids": ids,
        "provenance": quote_rows(item.provenance),
        **rights.of([*named, *rights.of_nodes(ids)]),
    }


def training_row(row: Mapping[str, Any], rights: _Rights) -> dict[str, Any]:
    """A question and its answer in the columns of `TRAIN`."""
    turns = [{"role": "user", "content": row["question"]}, {"role": "assistant", "content": row["answer"]}]
    facts = {name: row.get(name) or "" for name in ("id", "path", "kind", "split", "language", "origin")}
    quotes = [quote_row(quote) for quote in row.get("provenance", ())]
    books = [quote["book"] for quote in quotes] + rights.of_nodes(row.get("sources", ()))
    sources = list(row.get("sources", ()))
    return {**facts, "messages": turns, "sources": sources, "provenance": quotes, **rights.of(books)}


def rows_digest(table: Table) -> str:
    """SHA-256 over the rows, whatever file format they lie in."""
    return sha256("\n".join(canonical(row) for row in table.rows))
