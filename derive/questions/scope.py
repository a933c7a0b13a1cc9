"""What a topic covers: all of a book, chapter or section, or a node with its kinds and what is near it.

In: the topic as a person writes it. Out: `Scope`. Raises SettingsError naming the nearest names where nothing fits.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from derive.linker import Linker
from derive.material import Material
from derive.view import GraphView
from kg.errors import SettingsError
from kg.schema import NodeRole
from kg.similarity import Similarity

PARTS: tuple[NodeRole, ...] = ("book", "chapter", "section")
THINGS: tuple[NodeRole, ...] = ("term", "procedure", "activity")
SHOWN = 3


@dataclass(frozen=True)
class Scope:
    """The whole graph, or a part of it."""

    name: str = ""
    node: str = ""
    members: frozenset[str] = frozenset()
    whole: bool = True
    part: bool = False
    """True of a book, chapter or section."""

    def covers(self, anchor: str, answers: Iterable[str]) -> bool:
        """True if everything named is in the part; about a node, if what is asked about is near it."""
        named = (anchor, *answers) if self.part else (anchor,)
        return self.whole or self.members.issuperset(named)


def scope_of(material: Material, topic: str, similarity: Similarity) -> Scope:
    """The scope of a topic: a node's id or name, a chapter's name or number with name; empty is everything."""
    if not topic.strip():
        return Scope()
    view = material.view
    node = topic if topic in view.nodes else _named(material, topic, similarity)
    role = view.role(node)
    name = view.nodes[node].name
    if role in PARTS:
        return Scope(name, node, frozenset(_inside(material, node, str(role))), whole=False, part=True)
    return Scope(name, node, _around(view, node), whole=False)


def _named(material: Material, topic: str, similarity: Similarity) -> str:
    for roles in (PARTS, THINGS):
        linker = Linker(material, similarity, roles)
        if found := linker.resolve(topic):
            return found.node
    guesses = Linker(material, similarity, (*PARTS, *THINGS)).candidates(topic, SHOWN)
    names = "; ".join(material.view.nodes[one.node].name for one in guesses)
    remedy = f"nearest: {names}" if names else "leave it empty for the whole graph"
    raise SettingsError(f"nothing is called {topic!r}", where="questions.topic", remedy=remedy)


def _inside(material: Material, part: str, role: str) -> list[str]:
    """Everything taught in the part, wherever it is taught first."""
    places, view = material.places, material.view
    sections = [s for s in (*places.sections, *places.chapters) if part in (s, places.chapter(s), places.book(s))]
    sections = [part] if role == "section" else [part, *sections]
    return [node for section in sections for node in view.before(section, "location")]


def _around(view: GraphView, node: str) -> frozenset[str]:
    """The node, all its kinds, and what is one step from these."""
    kinds = {node, *view.closure(node, "taxonomy", False)}
    verified = {other for kind in kinds for other in view.both_ways(kind, "demonstration")}
    return frozenset(kinds | verified | view.near(*sorted(kinds)))
