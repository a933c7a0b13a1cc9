"""Which chapter must come before which, from the prerequisites that cross chapters.

In: the accepted graph and the curriculum. Out: one edge per pair of chapters that no chain of other pairs implies.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import networkx as nx

from emit.curriculum import Curriculum
from kg.graph import Edge, Provenance
from kg.schema import GraphSchema

MOST_PAIRS = 20
MOST_QUOTES = 5

Pair = tuple[str, str]


@dataclass(frozen=True)
class ChapterOrder:
    """Edges between chapters, and the prerequisites that speak against the order of the books."""

    edges: tuple[Edge, ...]
    """Sorted; acyclic, since every one leads from an earlier chapter to a later one."""
    against: tuple[Edge, ...]
    """Prerequisites whose source is introduced in a later chapter than their target."""


def chapter_order(edges: Iterable[Edge], curriculum: Curriculum, schema: GraphSchema) -> ChapterOrder:
    """The chapter edges of a graph, transitively reduced.

    A node belongs to the chapter in which it is introduced. `support` counts the prerequisites behind an edge,
    `prerequisites` lists up to 20 of them, and the provenance is that of the first of them (up to 5 quotations).
    """
    every = sorted(edges, key=Edge.key)
    located, needed = schema.edge_types("location"), schema.edge_types("prerequisite")
    homes = curriculum.homes(edge for edge in every if edge.type in located)
    behind: dict[Pair, list[Edge]] = defaultdict(list)
    against: list[Edge] = []
    for edge in every:
        if edge.type not in needed or edge.source not in homes or edge.target not in homes:
            continue
        first, then = (curriculum.chapter_of[homes[end]] for end in (edge.source, edge.target))
        if curriculum.chapters[first] < curriculum.chapters[then]:
            behind[first, then].append(edge)
        elif first != then:
            against.append(edge)
    kind = schema.edge_type("sequence")
    found = [_edge(kind, pair, behind[pair]) for pair in reduced(behind)]
    return ChapterOrder(tuple(sorted(found, key=Edge.key)), tuple(against))


def reduced(pairs: Iterable[Pair]) -> list[Pair]:
    """The pairs without those that follow from a chain of others, sorted. The pairs must form no cycle."""
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
