"""The things of the graph by name, for people who lead a relation elsewhere.

In: nodes. Out: the one a name or id means, or names that look like it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from kg.graph import Node
from kg.text import squash

NEAR, MOST = 60, 5
"""Likeness in [0, 100] of names that are offered instead, and how many."""


@dataclass(frozen=True)
class Thing:
    """A node as far as a relation needs it."""

    id: str
    label: str
    name: str


class Things:
    """All nodes that can be named."""

    def __init__(self, nodes: Iterable[Node] = ()) -> None:
        self.fill(nodes)

    def fill(self, nodes: Iterable[Node]) -> None:
        """It holds these nodes afterwards, and no others."""
        by_id = {node.id: Thing(node.id, node.label, node.name) for node in nodes}
        by_name: dict[str, list[Thing]] = defaultdict(list)
        for thing in by_id.values():
            by_name[squash(thing.name)].append(thing)
        self._by_id, self._by_name = by_id, dict(by_name)

    def called(self, text: str) -> list[Thing]:
        """Those with this id, else with this name, case and punctuation apart."""
        wanted = text.strip()
        return [self._by_id[wanted]] if wanted in self._by_id else self._by_name.get(squash(wanted), [])

    def near(self, text: str) -> list[str]:
        """Names that look like it, the most alike first."""
        keys = list(self._by_name)
        found = process.extract(squash(text), keys, scorer=fuzz.ratio, limit=MOST, score_cutoff=NEAR)
        return [self._by_name[key][0].name for key, _, _ in found]
