"""The manifest: what a release is, what it was made from and with, and how sure it is, in numbers.

In: cleared material, settings, the finished files. Out: plain data for `manifest.json`. No paths, no times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from kg.decisions import ACCEPTED
from kg.graph import Graph
from kg.schema import GraphSchema
from kg.stage import ROOT, code_digest
from kg.store import canonical, sha256
from release import pyarrow
from release.rights import Cleared
from release.shapes import DRAFT
from release.tables import Table

FORMAT = "1.0"
"""Of the release itself: folders, columns, manifest."""


def counts(graph: Graph) -> dict[str, dict[str, int]]:
    """Nodes per label and edges per type."""
    return {
        "nodes": dict(sorted(Counter(node.label for node in graph.nodes).items())),
        "edges": dict(sorted(Counter(edge.type for edge in graph.edges).items())),
    }


def evidence(graph: Graph, schema: GraphSchema) -> dict[str, Any]:
    """How much of the graph rests on a quotation, and how the quotations were found in the text."""
    needing = [edge for edge in graph.edges if edge.type in schema.edges and schema.edges[edge.type].evidence]
    quotes = [quote for node in graph.nodes for quote in node.provenance]
    quotes += [quote for edge in graph.edges for quote in edge.provenance]
    return {
        "edges_needing": len(needing),
        "edges_quoted": sum(bool(edge.provenance) for edge in needing),
        "quotations": len(quotes),
        "matches": dict(sorted(Counter(quote.match for quote in quotes).items())),
    }


def review(cleared: Cleared) -> dict[str, int]:
    """What people had a say in."""
    material = cleared.material
    return {
        "decisions": len(material.decisions),
        "applied": sum(row.outcome in ("applied", "moved") for row in material.decisions),
        "nodes_accepted": sum(node.properties.get(ACCEPTED) is True for node in material.graph.nodes),
        "edges_accepted": sum(edge.properties.get(ACCEPTED) is True for edge in material.graph.edges),
    }


def manifest(settings: Mapping[str, Any], cleared: Cleared, tables: Sequence[Table]) -> dict[str, Any]:
    """Everything but the list of files, which `filed` adds."""
    material = cleared.material
    return {
        "format": FORMAT,
        **settings,
        "subject": material.subject,
        "languages": material.languages(),
        "books": [book.model_dump() for book in material.books],
        "schema": {
            "name": material.schema.name,
            "version": material.schema.version,
            "sha256": sha256(canonical(material.schema.model_dump(mode="json"))),
            "draft": DRAFT,
        },
        "counts": counts(material.graph),
        "rows": {table.file: len(table.rows) for table in tables},
        "withheld": dict(cleared.withheld),
        "evidence": evidence(material.graph, material.schema),
        "review": review(cleared),
        "agreement": material.facts.get("agreement", []),
        "checks": material.facts.get("checks", {}),
        "extractors": material.facts.get("extractors", {}),
        "writers": dict(sorted(Counter(str(row.get("origin", "")) for row in material.rows).items())),
        "made_with": {
            "pyarrow": pyarrow.version(),
            "code": {room: code_digest(room) for room in _rooms()},
        },
    }


def _rooms() -> list[str]:
    return sorted(path.parent.name for path in ROOT.glob("*/__init__.py"))


def filed(made: Mapping[str, Any], files: Mapping[str, bytes]) -> dict[str, Any]:
    """The manifest with size and hash of every other file."""
    listed = {name: {"bytes": len(data), "sha256": sha256(data)} for name, data in sorted(files.items())}
    return {**made, "files": listed}
