"""What of the material may be passed on: by the licences of the books, and with or without quotations.

In: `Material`, rules. Out: `Cleared`: the same material without what may not leave, and counts of what was withheld.
Only whole books are cleared; what several books say together keeps what the cleared ones say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from kg.errors import SettingsError
from kg.graph import Edge, Graph, Node, Provenance
from kg.item import Item
from kg.schema import Field, GraphSchema
from kg.text import squash
from release.material import Material, node_books

Quotes = Literal["full", "offsets"]
SHORTEST = 20
"""Letters from which on a withheld text is looked for in questions and training rows."""
PARTS = ("book", "chapter", "section")
"""Roles of the books' own parts."""


@dataclass(frozen=True)
class Cleared:
    """Material that may be passed on."""

    material: Material
    withheld: Mapping[str, int]
    """What was left out -> how often."""


def check_licenses(material: Material, unlicensed: bool) -> None:
    """Every book says under which licence it stands. Raises SettingsError naming the first that does not."""
    silent = [book.book for book in material.books if not book.license]
    if silent and not unlicensed:
        raise SettingsError(
            f"no licence known of {', '.join(silent)}; nothing can be released",
            where="subject.books",
            remedy="add `license:` with the book's SPDX id, or say release.unlicensed=true",
        )


def cleared(material: Material, licenses: tuple[str, ...], quotes: Quotes, facts: tuple[str, ...] = ()) -> Cleared:
    """The material without books whose licence is not listed (none listed: all books stay), and without the books'
    sentences where `quotes` is `offsets`; properties named in `facts` are none.

    Raises SettingsError if no book is left.
    """
    counts: Counter[str] = Counter()
    if licenses:
        material = _of_books(material, frozenset(licenses), counts)
    if quotes == "offsets":
        material = _without_sentences(material, frozenset(facts), counts)
    return Cleared(material, dict(sorted(counts.items())))


def _of_books(material: Material, licenses: frozenset[str], counts: Counter[str]) -> Material:
    kept = tuple(book for book in material.books if book.license in licenses)
    if not kept:
        have = ", ".join(sorted({book.license or "none" for book in material.books}))
        raise SettingsError("no book is under one of these licences", where="release.licenses", remedy=f"have: {have}")
    books = frozenset(book.book for book in kept)
    origins = node_books(material.graph, material.books, material.schema)
    nodes = [_node(node, origins[node.id], books, material.schema) for node in material.graph.nodes]
    left = tuple(node for node in nodes if node)
    ids = {node.id for node in left}
    sequence = material.schema.edge_types("sequence")
    quoted = [_edge(edge, books, ids, material.schema) for edge in material.graph.edges if edge.type not in sequence]
    edges = [edge for edge in quoted if edge]
    pairs = {(edge.source, edge.target) for edge in edges}
    links = [_link(edge, books, ids, pairs) for edge in material.graph.edges if edge.type in sequence]
    edges = sorted([*edges, *(link for link in links if link)], key=Edge.key)
    graph = Graph(nodes=left, edges=tuple(edges))
    found = _derived(replace(material, graph=graph, books=kept), books)
    _count(material, found, counts)
    return found


def _node(node: Node, origin: tuple[str, ...], books: frozenset[str], schema: GraphSchema) -> Node | None:
    """The node as the cleared books have it; none if nothing of it, or nothing it needs, is theirs."""
    if set(origin) <= books:
        return node if origin else None
    if not set(origin) & books:
        return None
    quotes = _of(node.provenance, books)
    said = squash(" ".join(quote.quote for quote in quotes))
    fields = schema.nodes[node.label].fields if node.label in schema.nodes else {}
    properties = {
        name: kept for name, value in node.properties.items() if (kept := _said(value, fields.get(name), said)) != ""
    }
    if schema.problems(node.label, properties):
        return None
    return node.model_copy(update={"properties": properties, "provenance": quotes})


def _said(value: Any, field: Field | None, said: str) -> Any:
    """The value as far as the quotations have it; numbers and choices are nobody's text. Empty: nothing is left."""
    if field is None or field.values or not isinstance(value, str | list):
        return "" if field is None and isinstance(value, list | dict) else value
    if isinstance(value, list):
        return [part for part in value if squash(str(part)) in said] or ""
    return value if squash(value) in said else ""


def _edge(edge: Edge, books: frozenset[str], ids: set[str], schema: GraphSchema) -> Edge | None:
    if edge.source not in ids or edge.target not in ids:
        return None
    quotes = _of(edge.provenance, books)
    if edge.provenance and not quotes:
        return None
    return edge.model_copy(update={"provenance": quotes})


def _link(edge: Edge, books: frozenset[str], ids: set[str], pairs: set[tuple[str, str]]) -> Edge | None:
    """A link of chapters rests on relations between what they teach; it goes when all of these are gone."""
    if edge.source not in ids or edge.target not in ids:
        return None
    properties = dict(edge.properties)
    for name, value in edge.properties.items():
        if isinstance(value, list) and value and all(isinstance(pair, list) and len(pair) == 2 for pair in value):
            properties[name] = [pair for pair in value if tuple(pair) in pairs]
            if not properties[name]:
                return None
    return edge.model_copy(update={"properties": properties, "provenance": _of(edge.provenance, books)})


def _of(quotes: Iterable[Provenance], books: frozenset[str]) -> tuple[Provenance, ...]:
    return tuple(quote for quote in quotes if quote.book in books)


def _derived(material: Material, books: frozenset[str]) -> Material:
    """Questions, rows and decisions that speak of what is still there only."""
    ids = {node.id for node in material.graph.nodes}
    keys = {edge.key() for edge in material.graph.edges}
    items = tuple(item for item in material.items if _item_stays(item, ids, keys, books))
    rows = tuple(row for row in material.rows if _row_stays(row, ids, books))
    decisions = tuple(
        row for row in material.decisions if all(part in ids for part in row.decision.about if ":" in part)
    )
    return replace(material, items=items, rows=rows, decisions=decisions)


def _item_stays(item: Item, ids: set[str], keys: set[tuple[str, str, str]], books: frozenset[str]) -> bool:
    named = {item.query, *(choice.id for choice in item.choices.values())} - {""}
    right = {step for choice in item.choices.values() if choice.right for step in choice.path}
    return named <= ids and right <= keys and all(quote.book in books for quote in item.provenance)


def _row_stays(row: Mapping[str, Any], ids: set[str], books: frozenset[str]) -> bool:
    return set(row.get("sources", ())) <= ids and all(quote["book"] in books for quote in row.get("provenance", ()))


def _without_sentences(material: Material, facts: frozenset[str], counts: Counter[str]) -> Material:
    """No quotation and no property in the books' sentences is left; nor is what repeats one of them."""
    texts = {squash(quote.quote) for node in material.graph.nodes for quote in node.provenance}
    texts |= {squash(quote.quote) for edge in material.graph.edges for quote in edge.provenance}
    nodes = []
    for node in material.graph.nodes:
        schema = material.schema
        plain = {key: value for key, value in node.properties.items() if _plain(node, key, value, schema, facts)}
        lost = [value for key, value in node.properties.items() if key not in plain]
        texts |= {squash(str(part)) for value in lost for part in (value if isinstance(value, list) else [value])}
        name = node.id if squash(node.name)[:SHORTEST] in {squash(str(value))[:SHORTEST] for value in lost} else ""
        update = {"properties": plain, "provenance": _places(node.provenance), **({"name": name} if name else {})}
        nodes.append(node.model_copy(update=update))
    edges = tuple(edge.model_copy(update={"provenance": _places(edge.provenance)}) for edge in material.graph.edges)
    long = {text for text in texts if len(text) >= SHORTEST}
    items = tuple(
        item.model_copy(update={"provenance": _places(item.provenance)})
        for item in material.items
        if not _repeats(" ".join([item.question, *item.options.values()]), long)
    )
    rows = tuple(
        {**row, "provenance": [{**quote, "quote": ""} for quote in row.get("provenance", ())]}
        for row in material.rows
        if not _repeats(f"{row['question']} {row['answer']}", long)
    )
    decisions = tuple(
        row.model_copy(update={"decision": row.decision.model_copy(update={"content": "", "comment": ""})})
        for row in material.decisions
    )
    graph = Graph(nodes=tuple(nodes), edges=edges)
    found = replace(material, graph=graph, items=items, rows=rows, decisions=decisions)
    _count(material, found, counts)
    return found


def _plain(node: Node, name: str, value: Any, schema: GraphSchema, facts: frozenset[str]) -> bool:
    """True for numbers, choices and facts, and for all that books say of their own parts; false for sentences."""
    kind = schema.nodes.get(node.label)
    if kind is None or kind.role in PARTS or isinstance(value, int | float) or name in facts:
        return kind is not None
    return name in kind.fields and bool(kind.fields[name].values)


def _places(quotes: Iterable[Provenance]) -> tuple[Provenance, ...]:
    return tuple(quote.model_copy(update={"quote": ""}) for quote in quotes)


def _repeats(text: str, withheld: set[str]) -> bool:
    squashed = squash(text)
    return any(sentence in squashed for sentence in withheld)


def _count(before: Material, after: Material, counts: Counter[str]) -> None:
    sizes = {
        "books": (before.books, after.books),
        "nodes": (before.graph.nodes, after.graph.nodes),
        "edges": (before.graph.edges, after.graph.edges),
        "decisions": (before.decisions, after.decisions),
        "bench items": (before.items, after.items),
        "training rows": (before.rows, after.rows),
    }
    counts.update({name: len(one) - len(other) for name, (one, other) in sizes.items() if len(one) > len(other)})
