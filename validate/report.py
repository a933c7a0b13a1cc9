"""The quality report of a graph: what is in it, how well it is connected and evidenced, per book and for the subject.

In: the checked graph and the findings. Out: JSON data, shares in [0, 1] with four digits.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from kg.graph import Edge, Finding, Node
from validate.cycles import Knot
from validate.redundancy import depths
from validate.view import View


def report(before: View, after: View, findings: Sequence[Finding], knots: Sequence[Knot]) -> dict[str, Any]:
    """`sound` says that nothing had to be set aside; the figures are of the graph that is left."""
    return {
        "sound": not any(finding.action == "set_aside" for finding in findings),
        "findings": _counted(findings),
        "set_aside": {
            "nodes": len(before.nodes) - len(after.nodes),
            "edges": len(before.edges) - len(after.edges),
        },
        "cycles": [
            {"type": knot.type, "nodes": knot.nodes, "edges": knot.edges, "cut": knot.cut, "optimal": knot.optimal}
            for knot in knots
        ],
        "subject": figures(after, after.nodes, after.edges),
        "books": {book: _book(after, book) for book in after.book_rank if book in after.by_id},
    }


def _counted(findings: Sequence[Finding]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for finding in findings:
        counts[finding.action][finding.check] += 1
    return {action: dict(sorted(checks.items())) for action, checks in sorted(counts.items())}


def _book(view: View, book: str) -> dict[str, Any]:
    """The figures of one book: its parts, what is taught in it, and questions quoted from it."""
    inside = {part for part, whole in view.book_of_part.items() if whole == book} | {book}
    inside |= {node for node, sections in view.sections_of.items() if any(at in inside for at in sections)}
    slug = book.rsplit(":", 1)[-1]
    inside |= {node.id for node in view.nodes if any(quote.book == slug for quote in node.provenance)}
    nodes = [node for node in view.nodes if node.id in inside]
    edges = [edge for edge in view.edges if edge.source in inside and edge.target in inside]
    return figures(view, nodes, edges)


def figures(view: View, nodes: Sequence[Node], edges: Sequence[Edge]) -> dict[str, Any]:
    """Counts, connection, depth and evidence of a part of the graph."""
    ideas = {node.id for node in nodes if view.schema.role(node.label) in ("term", "procedure")}
    needs = [edge for edge in edges if edge.type in view.types("prerequisite")]
    semantic = [edge for edge in edges if edge.type in view.types("taxonomy", "prerequisite", "association")]
    tested = {edge.target for edge in edges if edge.type in view.types("assessment")}
    located = [edge for edge in edges if edge.type in view.types("location")]
    sections = [node.id for node in nodes if view.schema.role(node.label) == "section"]
    quotable = [edge for edge in edges if view.schema.edges[edge.type].evidence]
    structural = ("book", "chapter", "section")
    content = [node for node in nodes if view.schema.role(node.label) not in structural]
    return {
        "nodes": dict(sorted(Counter(node.label for node in nodes).items())),
        "edges": dict(sorted(Counter(edge.type for edge in edges).items())),
        "components": _components(ideas, semantic),
        "isolated": len(ideas - {end for edge in semantic for end in (edge.source, edge.target)}),
        "depth": _depth(needs),
        "with_prerequisite": _share(len({edge.target for edge in needs} & ideas), len(ideas)),
        "tested": _share(len(tested & ideas), len(ideas)),
        "sections_with_ideas": _share(len({edge.target for edge in located} & set(sections)), len(sections)),
        "crossing_sections": _share(sum(_crosses(view, edge) for edge in semantic), len(semantic)),
        "nodes_with_evidence": _share(sum(bool(node.provenance) for node in content), len(content)),
        "edges_with_evidence": _share(sum(bool(edge.provenance) for edge in quotable), len(quotable)),
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _numbered(edges: Iterable[Edge]) -> tuple[dict[str, int], list[tuple[int, int]]]:
    numbers: dict[str, int] = {}
    arcs = []
    for edge in edges:
        source = numbers.setdefault(edge.source, len(numbers))
        arcs.append((source, numbers.setdefault(edge.target, len(numbers))))
    return numbers, arcs


def _components(ideas: set[str], edges: Sequence[Edge]) -> int:
    """Groups of ideas that semantic edges hold together, single ideas included."""
    numbers, arcs = _numbered(edges)
    lonely = len(ideas - set(numbers))
    if not arcs:
        return lonely
    # late: scipy takes half a second to load, and a run that finds all done needs none of it
    from scipy.sparse import coo_array  # type: ignore[import-untyped]
    from scipy.sparse.csgraph import connected_components  # type: ignore[import-untyped]

    table = np.array(arcs)
    matrix = coo_array((np.ones(len(arcs)), (table[:, 0], table[:, 1])), shape=(len(numbers), len(numbers)))
    return int(connected_components(matrix, directed=False)[0]) + lonely


def _depth(needs: Sequence[Edge]) -> int:
    """Ideas on the longest chain of prerequisites."""
    numbers, arcs = _numbered(needs)
    return max(depths(arcs, len(numbers)), default=-1) + 1


def _crosses(view: View, edge: Edge) -> bool:
    """The two ends are taught in no common section."""
    return not set(view.sections_of.get(edge.source, [])) & set(view.sections_of.get(edge.target, []))
