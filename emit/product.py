"""The two files of the product, in the form of the released K12-KGraph with provenance added.

In: nodes and edges. Out: the bytes of `graph/nodes.json` and `graph/edges.json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from kg.graph import Edge, Node, Provenance


def nodes_json(nodes: Iterable[Node]) -> bytes:
    """A list of {id, label, name, properties, provenance}, in the given order."""
    return _lines(
        {
            "id": node.id,
            "label": node.label,
            "name": node.name,
            "properties": node.properties,
            "provenance": [_quote(quote) for quote in node.provenance],
        }
        for node in nodes
    )


def edges_json(edges: Iterable[Edge]) -> bytes:
    """A list of {source, target, type, properties, provenance}, in the given order."""
    return _lines(
        {
            "source": edge.source,
            "target": edge.target,
            "type": edge.type,
            "properties": edge.properties,
            "provenance": [_quote(quote) for quote in edge.provenance],
        }
        for edge in edges
    )


def _quote(quote: Provenance) -> dict[str, Any]:
    """Place, words and match; score and route only where they say something."""
    whole = quote.model_dump(mode="json")
    return {key: value for key, value in whole.items() if key not in ("score", "route") or value}


def _lines(rows: Iterable[dict[str, Any]]) -> bytes:
    return (json.dumps(list(rows), ensure_ascii=False, indent=1) + "\n").encode("utf-8")
