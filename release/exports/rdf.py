"""The graph as RDF: Turtle and JSON-LD with the words of SKOS, Dublin Core and schema.org beside our own.

In: a graph, its schema, its books. Out: bytes. Every edge is one triple with our own predicate; where SKOS or
schema.org has a word for its role, there is a second one. W3C SKOS Reference; schema.org.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from kg.graph import Edge, Node
from kg.schema import EdgeRole, GraphSchema, NodeRole
from release.material import Material

BASE = "urn:textbook-kg:"
OWN = "https://textbook-kg.example/schema#"
PREFIXES = {
    "kg": OWN,
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "dcterms": "http://purl.org/dc/terms/",
    "schema": "https://schema.org/",
}
CLASSES: Mapping[NodeRole, str] = {
    "book": "schema:Book",
    "chapter": "schema:Chapter",
    "section": "schema:CreativeWork",
    "term": "skos:Concept",
    "procedure": "schema:DefinedTerm",
    "activity": "schema:LearningResource",
    "question": "schema:Question",
}
LINKS: Mapping[EdgeRole, str] = {
    "taxonomy": "skos:broader",
    "association": "skos:related",
    "containment": "schema:isPartOf",
    "assessment": "schema:assesses",
    "demonstration": "schema:teaches",
    "location": "schema:subjectOf",
}


@dataclass(frozen=True)
class Literal:
    """A text with its language."""

    text: str
    language: str = ""


Triple = tuple[str, str, "str | Literal"]
"""Subject (an id), predicate (a prefixed name), object (a full address, a prefixed name, or a text)."""


def triples(material: Material) -> Iterator[Triple]:
    """Everything that is said, node by node, then edge by edge."""
    language = (material.languages() or [""])[0] if len(material.languages()) == 1 else ""
    licenses = {book.node: book.license for book in material.books if book.license}
    for node in material.graph.nodes:
        yield from _node(node, material.schema, language)
        if node.id in licenses:
            yield address(node.id), "dcterms:license", f"https://spdx.org/licenses/{licenses[node.id]}"
    for edge in material.graph.edges:
        yield from _edge(edge, material.schema)


def address(node: str) -> str:
    """The address of a node."""
    return BASE + quote(node, safe=":-._~")


def _node(node: Node, schema: GraphSchema, language: str) -> Iterator[Triple]:
    subject, kind = address(node.id), schema.nodes.get(node.label)
    yield subject, "rdf:type", f"kg:{node.label}"
    if kind is None:
        return
    yield subject, "rdf:type", CLASSES[kind.role]
    yield subject, "skos:prefLabel" if kind.role == "term" else "schema:name", Literal(node.name, language)
    yield subject, "dcterms:identifier", Literal(node.id)
    for name, field in kind.fields.items():
        for value in _values(node.properties.get(name)):
            plain = field.type == "integer" or bool(field.values)
            yield subject, f"kg:{name}", Literal(value, "" if plain else language)
    for quotation in node.provenance[:1]:
        if quotation.quote:
            word = "skos:scopeNote" if kind.role == "term" else "schema:text"
            yield subject, word, Literal(quotation.quote, language)


def _values(value: Any) -> list[str]:
    if value is None:
        return []
    return [str(part) for part in value] if isinstance(value, list) else [str(value)]


def _edge(edge: Edge, schema: GraphSchema) -> Iterator[Triple]:
    yield address(edge.source), f"kg:{edge.type}", address(edge.target)
    kind = schema.edges.get(edge.type)
    if kind and kind.role in LINKS:
        yield address(edge.source), LINKS[kind.role], address(edge.target)


def turtle(rows: Sequence[Triple]) -> bytes:
    """Turtle 1.1, one triple a line."""
    heads = [f"@prefix {name}: <{place}> ." for name, place in PREFIXES.items()]
    heads.append("@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .")
    lines = [f"<{subject}> {predicate} {_object(thing)} ." for subject, predicate, thing in rows]
    return ("\n".join([*heads, "", *lines]) + "\n").encode("utf-8")


def _object(thing: str | Literal) -> str:
    if isinstance(thing, Literal):
        return json.dumps(thing.text, ensure_ascii=False).replace("\u2028", "\\u2028") + (
            f"@{thing.language}" if thing.language else ""
        )
    return thing if thing.partition(":")[0] in PREFIXES else f"<{thing}>"


def jsonld(rows: Sequence[Triple]) -> bytes:
    """JSON-LD 1.1: one object per node."""
    things: dict[str, dict[str, Any]] = {}
    for subject, predicate, thing in rows:
        own = things.setdefault(subject, {"@id": subject})
        if predicate == "rdf:type":
            own.setdefault("@type", []).append(thing)
        else:
            own.setdefault(predicate, []).append(_value(thing))
    whole = {"@context": PREFIXES, "@graph": list(things.values())}
    return (json.dumps(whole, ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def _value(thing: str | Literal) -> dict[str, str]:
    if isinstance(thing, Literal):
        return {"@value": thing.text, **({"@language": thing.language} if thing.language else {})}
    return {"@id": thing}
