"""How good the graph is, in numbers that were measured elsewhere or can be counted.

In: the report of the checks and the agreement of annotators, where they are there; the graph. Out: plain data for the
page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from kg.graph import Graph
from kg.store import Store

REPORT, AGREEMENT = "validate/report.json", "review/agreement.json"


def quality(store: Store, graph: Graph) -> dict[str, Any]:
    """`matches`: how many quotations were found in which way. `measures`: [whose, {name: [value, 1 if it is a share]}]
    of the subject (whose is empty) and of each book. `agreement`: rows as the annotators' desk writes them.
    """
    report = store.read_json(REPORT) if store.exists(REPORT) else {}
    quotes = [quote for node in graph.nodes for quote in node.provenance]
    quotes += [quote for edge in graph.edges for quote in edge.provenance]
    measured = {"": report.get("subject"), **report.get("books", {})}
    return {
        "matches": dict(sorted(Counter(quote.match for quote in quotes).items())),
        "measures": [[whose, _numbers(found)] for whose, found in measured.items() if found],
        "agreement": store.read_json(AGREEMENT) if store.exists(AGREEMENT) else [],
    }


def _numbers(found: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Without the counts per type, which the page knows itself."""
    return {
        name: [value, int(isinstance(value, float))] for name, value in found.items() if not isinstance(value, Mapping)
    }
