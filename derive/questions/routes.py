"""Finds what can be asked in so many hops, and proves the answers.

In: a `GraphView`. Out: `Route`s: a node, a row of relations, and all nodes that the row leads to. A route of level d
has answers exactly d steps away, be the steps edges of the graph or chains of a relation that chains.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from derive.path import Path, Step, steps
from derive.view import GraphView
from kg.graph import Edge
from kg.schema import EdgeRole, NodeRole

ANCHORS: tuple[NodeRole, ...] = ("term", "procedure", "activity")
CHAINS: frozenset[EdgeRole] = frozenset({"taxonomy", "prerequisite"})
"""Relations of which a chain is the relation again."""
MOST_ANSWERS = 3


@dataclass(frozen=True, order=True)
class Hop:
    """One relation, followed along its edges or against them; always along where the two ends are alike."""

    role: EdgeRole
    forward: bool

    def __str__(self) -> str:
        return f"{self.role}{'>' if self.forward else '<'}"


Hops = tuple[Hop, ...]


@dataclass(frozen=True)
class Route:
    """What the relations lead to from the anchor: one path to each answer, sorted by answer."""

    anchor: str
    hops: Hops
    paths: tuple[Path, ...]

    @property
    def answers(self) -> tuple[str, ...]:
        """Ids, sorted."""
        return tuple(path.nodes[-1] for path in self.paths)

    @property
    def level(self) -> int:
        """Number of hops."""
        return len(self.hops)

    @property
    def code(self) -> str:
        """The relations, as a part of an id."""
        return "".join(map(str, self.hops))

    @property
    def mode(self) -> str:
        """`forward` if most edges are followed in their direction, `reverse` if most are not; by id if they balance.

        A path asked about from its other end has the other mode.
        """
        one_way = [hop.forward for path in self.paths[:1] for hop in path.steps if hop.role != "association"]
        balance = 2 * sum(one_way) - len(one_way) or (1 if self.anchor < self.answers[0] else -1)
        return "forward" if balance > 0 else "reverse"


class RouteFinder:
    """Walks from every anchor; nothing depends on the order of the graph's records."""

    def __init__(self, view: GraphView, roles: Sequence[EdgeRole], usable: Callable[[Edge], bool]) -> None:
        """Only edges that are `usable` make paths; all edges count when answers are proved."""
        self._view, self._roles, self._usable = view, tuple(roles), usable
        self._near: dict[str, frozenset[str]] = {}
        self.refused: Counter[str] = Counter()
        """Why rows of relations that lead somewhere were not kept."""

    def routes(self, most: int) -> list[Route]:
        """All routes of the levels up to `most`, sorted by anchor and relations."""
        return [route for anchor in self._view.with_role(*ANCHORS) for route in self._from(anchor, most)]

    def _from(self, anchor: str, most: int) -> list[Route]:
        rings = self.rings(anchor, most)
        found: list[Route] = []
        walked: dict[Hops, dict[str, Path]] = {(): {anchor: Path(())}}
        reached: dict[Hops, frozenset[str]] = {(): frozenset({anchor})}
        for level in range(1, most + 1):
            walked = self._extended(walked, rings)
            reached = {hops: self._image(reached[hops[:-1]], hops[-1]) for hops in walked}
            for hops, paths in sorted(walked.items()):
                if reason := self._why_not(reached[hops] - {anchor}, paths):
                    self.refused[f"level_{level}_{reason}"] += 1
                else:
                    ends = sorted(reached[hops] - {anchor})
                    found.append(Route(anchor, hops, tuple(paths[end] for end in ends)))
        return found

    def _extended(
        self, walked: Mapping[Hops, Mapping[str, Path]], rings: Mapping[str, int]
    ) -> dict[Hops, dict[str, Path]]:
        """One step on: relations -> end -> the first path by id. Only shortest ways are followed."""
        found: dict[Hops, dict[str, Path]] = {}
        for hops, paths in sorted(walked.items()):
            for end, path in sorted(paths.items()):
                start = path.nodes[0] if path.steps else end
                for step in steps(self._view, path.nodes[-1] if path.steps else start, self._roles):
                    hop = Hop(step.role, step.forward or self._symmetric(step))
                    if rings.get(step.end) != len(hops) + 1 or self._joins(hops, hop):
                        continue
                    if self._usable(step.edge(self._view)):
                        found.setdefault((*hops, hop), {}).setdefault(step.end, Path((*path.steps, step)))
        return found

    def _joins(self, hops: Hops, hop: Hop) -> bool:
        """True if the last two hops are one: what is a kind of a kind is a kind."""
        return bool(hops) and hops[-1] == hop and hop.role in CHAINS

    def _symmetric(self, step: Step) -> bool:
        return self._view.schema.edges[step.edge(self._view).type].symmetric

    def _why_not(self, answers: frozenset[str], paths: Mapping[str, Path]) -> str:
        if not answers <= paths.keys():
            # besides what was walked to there is an answer on another distance, or behind an edge without evidence
            return "more_answers_than_shown"
        return "" if len(answers) <= MOST_ANSWERS else "too_many_answers"

    def answers(self, anchor: str, hops: Iterable[Hop]) -> frozenset[str]:
        """Everything that the relations lead to from the anchor, itself left out; chains count as one hop."""
        found = frozenset({anchor})
        for hop in hops:
            found = self._image(found, hop)
        return found - {anchor}

    def loosely(self, anchor: str, hops: Iterable[Hop]) -> frozenset[str]:
        """What a reader might take for an answer: any hop either way, or left out."""
        found = frozenset({anchor})
        for hop in hops:
            found |= self._image(found, Hop(hop.role, True)) | self._image(found, Hop(hop.role, False))
        return found - {anchor}

    def _image(self, nodes: frozenset[str], hop: Hop) -> frozenset[str]:
        view = self._view
        if hop.role in CHAINS:
            return frozenset().union(*(view.closure(node, hop.role, hop.forward) for node in nodes))
        ends: set[str] = set()
        for node in nodes:
            if hop.role == "association":
                ends |= view.both_ways(node, hop.role)
            else:
                ends.update(view.after(node, hop.role) if hop.forward else view.before(node, hop.role))
        return frozenset(ends)

    def rings(self, anchor: str, most: int) -> dict[str, int]:
        """Node id -> fewest hops from the anchor, for all nodes up to `most` away; a chain counts as one hop."""
        found = {anchor: 0}
        frontier = [anchor]
        for distance in range(1, most + 1):
            new = {other for node in frontier for other in self._neighbours(node)} - found.keys()
            found.update(dict.fromkeys(new, distance))
            frontier = sorted(new)
        return found

    def _neighbours(self, node: str) -> frozenset[str]:
        if node not in self._near:
            ways = (True, False)
            one = frozenset({node})
            self._near[node] = frozenset().union(*(self._image(one, Hop(r, way)) for r in self._roles for way in ways))
        return self._near[node]
