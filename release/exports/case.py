"""The graph as a framework package of 1EdTech CASE 1.1 (Competencies and Academic Standards Exchange).

In: the material, a date. Out: bytes of one CFPackage. Books' own parts, ideas and procedures become items; relations
become associations. Exercises stay out: CASE describes what is to be learned, not how it is asked.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from typing import Any

from kg.graph import Edge, Node
from kg.schema import EdgeRole, NodeRole
from release.exports.rdf import address
from release.material import Material

ROLES: frozenset[NodeRole] = frozenset({"book", "chapter", "section", "term", "procedure", "activity"})
KINDS: Mapping[EdgeRole, str] = {
    "taxonomy": "isChildOf",
    "containment": "isChildOf",
    "location": "isPartOf",
    "prerequisite": "precedes",
    "sequence": "precedes",
    "association": "isRelatedTo",
    "demonstration": "exemplar",
}
SPACE = uuid.uuid5(uuid.NAMESPACE_URL, "https://textbook-kg.example/case")
UNDATED = "1970-01-01"


def case(material: Material, version: str, date: str) -> bytes:
    """The package. Identifiers are made from our ids: the same in every release."""
    changed = f"{date or UNDATED}T00:00:00+00:00"
    nodes = {node.id: node for node in material.graph.nodes if material.schema.role(node.label) in ROLES}
    document = {
        "identifier": _identifier(f"document:{material.subject}"),
        "uri": f"urn:uuid:{_identifier(f'document:{material.subject}')}",
        "creator": "textbook-kg",
        "title": material.title,
        "version": version,
        "lastChangeDateTime": changed,
        "subject": [material.subject],
        **({"language": material.languages()[0]} if len(material.languages()) == 1 else {}),
    }
    whole = {
        "CFDocument": document,
        "CFItems": [_item(node, material, document, changed) for node in nodes.values()],
        "CFAssociations": [
            _association(edge, nodes, KINDS[role], document, changed)
            for edge in material.graph.edges
            if edge.source in nodes and edge.target in nodes and (role := _role(edge, material)) in KINDS
        ],
    }
    return (json.dumps(whole, ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def _role(edge: Edge, material: Material) -> EdgeRole:
    return material.schema.edges[edge.type].role


def _identifier(text: str) -> str:
    return str(uuid.uuid5(SPACE, text))


def _link(title: str, identifier: str) -> dict[str, str]:
    return {"title": title, "identifier": identifier, "uri": f"urn:uuid:{identifier}"}


def _item(node: Node, material: Material, document: Mapping[str, Any], changed: str) -> dict[str, Any]:
    identifier = _identifier(node.id)
    kind = material.schema.nodes[node.label]
    said = next((node.properties.get(name, "") for name, field in kind.fields.items() if field.required), "")
    number = node.properties.get("number")
    return {
        "identifier": identifier,
        "uri": f"urn:uuid:{identifier}",
        "fullStatement": f"{node.name}: {said}" if kind.role in ("term", "procedure") and said else node.name,
        "abbreviatedStatement": node.name,
        "CFItemType": node.label,
        **({"humanCodingScheme": str(number)} if number else {}),
        "notes": address(node.id),
        "lastChangeDateTime": changed,
        "CFDocumentURI": _link(str(document["title"]), str(document["identifier"])),
    }


def _association(
    edge: Edge, nodes: Mapping[str, Node], kind: str, document: Mapping[str, Any], changed: str
) -> dict[str, Any]:
    identifier = _identifier(" ".join(edge.key()))
    return {
        "identifier": identifier,
        "uri": f"urn:uuid:{identifier}",
        "associationType": kind,
        "originNodeURI": _link(nodes[edge.source].name, _identifier(edge.source)),
        "destinationNodeURI": _link(nodes[edge.target].name, _identifier(edge.target)),
        "lastChangeDateTime": changed,
        "CFDocumentURI": _link(str(document["title"]), str(document["identifier"])),
    }
