"""The graph as GraphML, for networkx, Gephi, yEd and Cytoscape.

In: node and edge rows. Out: bytes. Lists become one text; the first quotation stands on node or edge.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import networkx as nx

from release.tables import Table

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, not even escaped."""


def graphml(nodes: Table, edges: Table) -> bytes:
    """Nodes and edges in the given order."""
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for row in nodes.rows:
        graph.add_node(_text(row["id"]), **_attributes(row, ("id",)))
    for row in edges.rows:
        ends = (_text(row["source"]), _text(row["target"]))
        graph.add_edge(*ends, key=row["type"], **_attributes(row, ("source", "target")))
    return ("\n".join(nx.generate_graphml(graph, named_key_ids=True)) + "\n").encode("utf-8")


def _attributes(row: Mapping[str, Any], besides: tuple[str, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in row.items():
        if name in besides or value is None or value == []:
            continue
        if name == "provenance":
            found |= {"book": value[0]["book"], "page": value[0]["page"], "quote": _text(value[0]["quote"])}
        elif isinstance(value, list):
            found[name] = _text("; ".join(value))
        else:
            found[name] = _text(value) if isinstance(value, str) else value
    return found


def _text(value: str) -> str:
    return _FORBIDDEN.sub("\ufffd", value)
