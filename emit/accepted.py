"""What is left of the merged graph when everything that was set aside is taken out.

In: merged nodes and edges, findings. Out: the graph that is emitted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kg.graph import Edge, Finding, Node

SET_ASIDE = "set_aside"


@dataclass(frozen=True)
class Accepted:
    """A graph without loose ends."""

    nodes: tuple[Node, ...]
    """Sorted by id."""
    edges: tuple[Edge, ...]
    """Sorted by type, source, target; both ends are in `nodes`."""
    loose: tuple[Edge, ...]
    """Edges left out although no finding says so: an end of theirs is no node at all."""


def accepted(nodes: Iterable[Node], edges: Iterable[Edge], findings: Iterable[Finding]) -> Accepted:
    """Nodes and edges that no finding sets aside.

    A finding that names an edge sets that edge aside, and its nodes stay; one that names only nodes sets those aside
    with all their edges. Of two nodes with one id or two edges with one key the first stays.
    """
    without_nodes, without_edges = _set_aside(findings)
    known = {node.id: node for node in reversed(list(nodes))}
    kept = {key: node for key, node in known.items() if key not in without_nodes}
    once = {edge.key(): edge for edge in reversed(list(edges))}
    remaining = [edge for key, edge in once.items() if key not in without_edges]
    whole = [edge for edge in remaining if edge.source in kept and edge.target in kept]
    gone = set(known) | without_nodes
    loose = [edge for edge in remaining if edge.source not in gone or edge.target not in gone]
    return Accepted(
        tuple(kept[key] for key in sorted(kept)),
        tuple(sorted(whole, key=Edge.key)),
        tuple(sorted(loose, key=Edge.key)),
    )


def _set_aside(findings: Iterable[Finding]) -> tuple[set[str], set[tuple[str, str, str]]]:
    nodes: set[str] = set()
    edges: set[tuple[str, str, str]] = set()
    for finding in findings:
        if finding.action != SET_ASIDE:
            continue
        if finding.edge is not None:
            edges.add(finding.edge)
        else:
            nodes.update(finding.nodes)
    return nodes, edges
