"""The books as a tree: chapters, sections, and what is met in each section, in the order of the text.

In: the emitted graph and the curriculum. Out: nested lists of node numbers for the page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from emit.curriculum import Curriculum
from kg.graph import Edge, Node, Provenance
from kg.schema import GraphSchema

Anchors = Mapping[str, Sequence[str]]
"""Section id -> ids of what is met there, in the order of the text."""


def contents(
    nodes: Sequence[Node], edges: Sequence[Edge], curriculum: Curriculum, schema: GraphSchema
) -> list[dict[str, Any]]:
    """Books {node, parts}; their parts are chapters {node, parts, items}, whose parts are sections {node, items}.

    `node` counts in `nodes` (-1: none). An item is [node, 1 if it is met there for the first time, else 0]; those of
    a chapter stand in sections that are no nodes.
    """
    number = {node.id: place for place, node in enumerate(nodes)}
    parent = curriculum.parents
    located = [edge for edge in edges if edge.type in schema.edge_types("location")]
    met = _met(nodes, located, curriculum, schema)
    firsts = curriculum.homes(located)
    for section in curriculum.place:
        for item in met.get(section, ()):
            firsts.setdefault(item, section)
    tree: list[dict[str, Any]] = []
    for _, rows in curriculum.books:
        book: dict[str, dict[str, Any]] = {}
        for row in rows:
            items = [[number[item], int(firsts[item] == row.id)] for item in met.get(row.id, ())]
            chapter = parent.get(row.id, row.chapter)
            if row.id not in number and not (items and chapter in number):
                continue
            top = parent.get(chapter, "")
            entry = book.setdefault(top, {"node": number.get(top, -1), "parts": {}})
            part = entry["parts"].setdefault(chapter, {"node": number.get(chapter, -1), "parts": [], "items": []})
            if row.id in number:
                part["parts"].append({"node": number[row.id], "items": items})
            else:
                part["items"].extend(items)
        tree.extend({"node": entry["node"], "parts": list(entry["parts"].values())} for entry in book.values())
    return tree


def _met(nodes: Sequence[Node], located: Sequence[Edge], curriculum: Curriculum, schema: GraphSchema) -> Anchors:
    """What the graph places in a section, and, for nodes it places nowhere, where their own quotations stand."""
    spots: dict[str, dict[str, tuple[int, int]]] = defaultdict(dict)
    own = {
        node.id: {quote.section: _spot(quote) for quote in sorted(node.provenance, reverse=True, key=_spot)}
        for node in nodes
    }
    end = (10**9, 0)
    for edge in located:
        quotes = sorted(_spot(quote) for quote in edge.provenance if quote.section == edge.target)
        spots[edge.target][edge.source] = quotes[0] if quotes else own.get(edge.source, {}).get(edge.target, end)
    placed = {edge.source for edge in located}
    structural = {"book", "chapter", "section"}
    for node in nodes:
        if node.id not in placed and schema.role(node.label) not in structural:
            for section, spot in own[node.id].items():
                spots[section][node.id] = spot
    return {
        section: sorted(found, key=lambda node: (found[node], node))
        for section, found in spots.items()
        if section in curriculum.place
    }


def _spot(quote: Provenance) -> tuple[int, int]:
    return (quote.page, quote.start)
