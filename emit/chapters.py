"""Which chapter must come before which, and which prerequisites speak against the order of the books.

In: the accepted graph and the curriculum. Out: chapter edges, as `kg.sequence` derives them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from emit.curriculum import Curriculum
from kg.graph import Edge
from kg.schema import GraphSchema
from kg.sequence import chapter_edges


@dataclass(frozen=True)
class ChapterOrder:
    """Edges between chapters, and the prerequisites that speak against the order of the books."""

    edges: tuple[Edge, ...]
    """Sorted; acyclic, since every one leads from an earlier chapter to a later one."""
    against: tuple[Edge, ...]
    """Prerequisites whose source is introduced in a later chapter than their target."""


def chapter_order(edges: Iterable[Edge], curriculum: Curriculum, schema: GraphSchema) -> ChapterOrder:
    """The chapter edges of a graph, transitively reduced; a node belongs to the chapter in which it is introduced."""
    every = sorted(edges, key=Edge.key)
    located, needed = schema.edge_types("location"), schema.edge_types("prerequisite")
    homes = curriculum.homes(edge for edge in every if edge.type in located)
    home = {node: curriculum.chapter_of[section] for node, section in homes.items()}
    place = curriculum.chapters
    against = [
        edge
        for edge in every
        if edge.type in needed
        and edge.source in home
        and edge.target in home
        and place[home[edge.source]] > place[home[edge.target]]
    ]
    return ChapterOrder(tuple(chapter_edges(every, home, place, schema)), tuple(against))
