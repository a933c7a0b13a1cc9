"""Which chapter must come before which, from the prerequisites that cross chapters.

In: edges, the chapter of each node, the place of each chapter in the curriculum. Out: edges between chapters.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from kg.graph import Edge, Provenance
from kg.schema import GraphSchema

MOST_PAIRS = 20
MOST_QUOTES = 5

Pair = tuple[str, str]


def chapter_edges(
    edges: Iterable[Edge], home: Mapping[str, str], place: Mapping[str, int], schema: GraphSchema
) -> list[Edge]:
    """The chapter edges of a graph, sorted, acyclic and transitively reduced.

    `home` is the chapter in which a node is introduced; prerequisites against the order of `place` do not count.
    `support` says how many prerequisites are behind an edge, `prerequisites` lists up to 20 of them, and the
    provenance is that of the first of them (up to 5 quotations).
    """
    behind: dict[Pair, list[Edge]] = defaultdict(list)
    needed = schema.edge_types("prerequisite")
    for edge in sorted(edges, key=Edge.key):
        first, then = home.get(edge.source), home.get(edge.target)
        if edge.type in needed and first and then and place[first] < place[then]:
            behind[first, then].append(edge)
    kind = schema.edge_type("sequence")
    return sorted((_edge(kind, pair, behind[pair]) for pair in reduced(behind)), key=Edge.key)


def reduced(pairs: Iterable[Pair]) -> list[Pair]:
    """The pairs without those that follow from a chain of others, sorted. The pairs must form no cycle."""
    import networkx as nx  # late: a quarter of a second that a run which finds all done does without

    graph: nx.DiGraph[str] = nx.DiGraph(sorted(pairs))
    return sorted(nx.transitive_reduction(graph).edges)


def _edge(kind: str, pair: Pair, behind: Sequence[Edge]) -> Edge:
    properties = {
        "support": len(behind),
        "prerequisites": [[edge.source, edge.target] for edge in behind[:MOST_PAIRS]],
    }
    quotes = dict.fromkeys(quote for edge in behind for quote in edge.provenance)
    first = sorted(list(quotes)[:MOST_QUOTES], key=Provenance.place)
    return Edge(source=pair[0], target=pair[1], type=kind, properties=properties, provenance=tuple(first))
