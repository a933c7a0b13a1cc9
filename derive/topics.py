"""What training data can be about, before a word is written: nodes, relations, exercises, what they test (paper §4.2).

In: `Material` and rules. Out: `Topic`s, each with no more of the graph than its question may use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from derive.material import Material
from kg.graph import Edge, Node, Provenance
from kg.graph_io import evidence
from kg.schema import EdgeRole, NodeRole

Path = Literal["exercise", "assessment", "node", "relation"]
PATHS: tuple[Path, ...] = ("exercise", "assessment", "node", "relation")
RELATIONS: tuple[EdgeRole, ...] = ("taxonomy", "prerequisite", "association", "demonstration")
KNOWLEDGE: tuple[NodeRole, ...] = ("term", "procedure", "activity")
QUOTES = 2


@dataclass(frozen=True)
class Thing:
    """A node with the properties a question about it may use; the first one says what it is."""

    id: str
    label: str
    role: str
    name: str
    properties: Mapping[str, Any]

    @property
    def core(self) -> str:
        """What it is, in a sentence; empty where the graph does not say."""
        return shown(next(iter(self.properties.values()), ""))


@dataclass(frozen=True)
class Topic:
    """One row of training data to be."""

    path: Path
    kind: str
    """Role of the node or relation."""
    things: tuple[Thing, ...]
    """The node; or source and target; or the exercise and what it tests."""
    chapter: str
    about: str = ""
    """What the schema says about the relation."""
    type: str = ""
    """Node or edge type."""
    quotes: tuple[str, ...] = ()
    provenance: tuple[Provenance, ...] = field(default=())

    @property
    def key(self) -> str:
        """Identity, on every run."""
        return "::".join((self.path, self.kind, *(thing.id for thing in self.things[:2])))


def shown(value: object) -> str:
    """A property value as text; lists joined."""
    if isinstance(value, list | tuple):
        return "; ".join(shown(item) for item in value)
    return str(value).strip() if value is not None else ""


class TopicFinder:
    """`crop` names the properties that count, per role; `skip` the property values that rule a node out."""

    def __init__(
        self, material: Material, crop: Mapping[str, Sequence[str]], skip: Mapping[str, Mapping[str, Any]]
    ) -> None:
        self._m, self._crop, self._skip = material, crop, skip

    def topics(self) -> dict[Path, list[Topic]]:
        """All topics by path, sorted by key."""
        found: dict[Path, list[Topic]] = {
            "exercise": list(self._exercises()),
            "assessment": list(self._assessments()),
            "node": list(self._nodes()),
            "relation": list(self._relations()),
        }
        return {path: sorted(topics, key=lambda topic: topic.key) for path, topics in found.items()}

    def _nodes(self) -> Iterator[Topic]:
        for node in self._m.view.with_role(*KNOWLEDGE):
            thing = self._thing(node)
            if thing.core:
                yield self._topic("node", thing.role, (thing,), self._m.view.nodes[node])

    def _relations(self) -> Iterator[Topic]:
        view = self._m.view
        for edge in view.edges():
            role = view.schema.edges[edge.type].role
            if role in RELATIONS:
                ends = (self._thing(edge.source), self._thing(edge.target))
                if all(end.core for end in ends):
                    yield self._topic("relation", role, ends, edge)

    def _exercises(self) -> Iterator[Topic]:
        """Exercises that stand alone and whose answer is known, with what they test."""
        for node in self._m.view.with_role("question"):
            record = self._m.view.nodes[node]
            if self._usable(record) and record.properties.get("answer"):
                yield self._topic("exercise", "question", (self._thing(node), *self._tested(node)), record)

    def _assessments(self) -> Iterator[Topic]:
        """Exercises that stand alone, with what they test; terms and procedures apart."""
        for node in self._m.view.with_role("question"):
            if not self._readable(node):
                continue
            tested = self._tested(node)
            for role in ("term", "procedure"):
                own = tuple(thing for thing in tested if thing.role == role)
                edges = [self._m.view.edge("assessment", node, thing.id) for thing in own]
                if first := next((edge for edge in edges if edge), None):
                    yield self._topic("assessment", role, (self._thing(node), *own), first)

    def _usable(self, record: Node) -> bool:
        role = self._m.view.schema.role(record.label) or ""
        barred = self._skip.get(role, {})
        return self._readable(record.id) and all(record.properties.get(name) != value for name, value in barred.items())

    def _readable(self, node: str) -> bool:
        return not self._m.pack.needs_more.search(self._m.speak.plain(node))

    def _tested(self, node: str) -> tuple[Thing, ...]:
        return tuple(self._thing(target) for target in self._m.view.after(node, "assessment"))

    def _thing(self, node: str) -> Thing:
        record = self._m.view.nodes[node]
        role = self._m.view.role(node) or ""
        kept = {name: record.properties.get(name) for name in self._crop.get(role, ())}
        filled = {name: value for name, value in kept.items() if shown(value)}
        return Thing(node, record.label, role, self._m.speak.plain(node), filled)

    def _topic(self, path: Path, kind: str, things: tuple[Thing, ...], record: Node | Edge) -> Topic:
        schema = self._m.view.schema
        home = self._m.places.home(things[0].id)
        found = record.provenance[:QUOTES]
        return Topic(
            path=path,
            kind=kind,
            things=things,
            chapter=self._m.places.scope(home, "chapter") if home else "",
            about=schema.edges[record.type].about if isinstance(record, Edge) else "",
            type=record.type if isinstance(record, Edge) else record.label,
            quotes=tuple(evidence(record)[:QUOTES]) if isinstance(record, Edge) else (),
            provenance=tuple(found),
        )
