"""Prerequisites that follow from others: marked, never deleted.

In: the edges of an acyclic relation as arrays of node numbers. Out: which of them the rest already implies. Transitive
reduction with one big integer per node: bit k says that the node reaches the one k places further in topological order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kg.graph import Finding
from validate.view import View


def findings(view: View) -> Iterator[Finding]:
    """A note per redundant prerequisite."""
    kinds = view.types("prerequisite")
    for kind in sorted(kinds):
        edges = [edge for edge in view.edges if edge.type == kind]
        numbers: dict[str, int] = {}
        for edge in edges:
            numbers.setdefault(edge.source, len(numbers))
            numbers.setdefault(edge.target, len(numbers))
        arcs = [(numbers[edge.source], numbers[edge.target]) for edge in edges]
        for at in redundant(arcs, len(numbers)):
            edge = edges[at]
            message = (
                f"“{view.name(edge.target)}” needs “{view.name(edge.source)}” already through other prerequisites."
            )
            yield Finding(check="redundant", action="note", message=message, edge=edge.key())


def redundant(arcs: Sequence[tuple[int, int]], count: int) -> list[int]:
    """Indices of edges that another way replaces, ascending. Empty if the edges hold a circle."""
    order = topological(arcs, count)
    if len(order) < count:
        return []
    place = [0] * count
    for at, node in enumerate(order):
        place[node] = at
    leaving: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for index, (source, target) in enumerate(arcs):
        leaving[source].append((place[target], index))
    reach = [0] * count
    found: list[int] = []
    for at in range(count - 1, -1, -1):
        bits = 1
        for goal, index in sorted(leaving[order[at]]):
            if bits >> (goal - at) & 1:
                found.append(index)
            else:
                bits |= reach[goal] << (goal - at)
        reach[at] = bits
    return sorted(found)


def topological(arcs: Sequence[tuple[int, int]], count: int) -> list[int]:
    """Nodes so that every edge leads forward; those on or behind a circle are missing."""
    after: list[list[int]] = [[] for _ in range(count)]
    waiting = [0] * count
    for source, target in arcs:
        after[source].append(target)
        waiting[target] += 1
    order = [node for node in range(count) if not waiting[node]]
    for node in order:
        for step in after[node]:
            waiting[step] -= 1
            if not waiting[step]:
                order.append(step)
    return order


def depths(arcs: Sequence[tuple[int, int]], count: int) -> list[int]:
    """Edges on the longest way that ends at each node; 0 for nodes on or behind a circle."""
    longest = [0] * count
    after: list[list[int]] = [[] for _ in range(count)]
    for source, target in arcs:
        after[source].append(target)
    for node in topological(arcs, count):
        for step in after[node]:
            longest[step] = max(longest[step], longest[node] + 1)
    return longest
