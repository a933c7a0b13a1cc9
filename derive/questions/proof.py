"""Looks up again, by brute force over the plain edges, that answers are right, alone, and as far away as claimed.

In: a `GraphView`, items. Out: counts of faults, all zero if all is well. Shares no code with the search.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from derive.questions.routes import CHAINS
from derive.view import GraphView
from kg.item import Item
from kg.schema import EdgeRole

_HOP = re.compile(r"(\w+?)([<>])")


class Proof:
    """Adjacency of the plain edges of some relations."""

    def __init__(self, view: GraphView, roles: Sequence[EdgeRole]) -> None:
        self._next: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        self._beside: dict[str, set[str]] = defaultdict(set)
        for edge in view.edges():
            kind = view.schema.edges[edge.type]
            if kind.role not in roles:
                continue
            ends = [(edge.source, edge.target), (edge.target, edge.source)]
            for (start, end), way in zip(ends, "><", strict=True):
                self._beside[start].add(end)
                for sign in "><" if kind.symmetric else way:
                    self._next[kind.role, sign][start].add(end)

    def distance(self, one: str, other: str, most: int) -> int:
        """Edges of the shortest way between the two, in any direction; `most` + 1 if it is longer."""
        seen, frontier = {one}, {one}
        for steps in range(most + 1):
            if other in frontier:
                return steps
            frontier = {end for node in frontier for end in self._beside[node]} - seen
            seen |= frontier
        return most + 1

    def answers(self, anchor: str, relations: str) -> set[str]:
        """Everything that the relations (`prerequisite>taxonomy<`) lead to from the anchor, itself left out."""
        found = {anchor}
        for role, way in _HOP.findall(relations):
            found = self._after(found, role, way)
        return found - {anchor}

    def _after(self, nodes: Iterable[str], role: str, way: str) -> set[str]:
        follow = self._next[role, way]
        found = {end for node in nodes for end in follow[node]}
        frontier = found if role in CHAINS else set()
        while frontier := {end for node in frontier for end in follow[node]} - found:
            found = found | frontier
        return found


def proved(items: Sequence[Item], view: GraphView, roles: Sequence[EdgeRole], evidence: bool) -> dict[str, int]:
    """Fault -> items that have it."""
    proof = Proof(view, roles)
    faults = dict.fromkeys(("shorter_route", "second_right_answer", "wrong_answer", "hop_without_sentence"), 0)
    for item in items:
        right = {choice.id for choice in item.choices.values() if choice.right}
        wrong = {choice.id for choice in item.choices.values() if not choice.right}
        accepted = proof.answers(item.query, str(item.origin["relations"]))
        distances = {proof.distance(item.query, node, item.level) for node in right}
        faults["shorter_route"] += distances != {item.level}
        faults["second_right_answer"] += bool(accepted & wrong) or len(accepted) > len(right)
        faults["wrong_answer"] += not right <= accepted
        faults["hop_without_sentence"] += evidence and not all(hop["quote"] for hop in item.origin["hops"])
    return faults
