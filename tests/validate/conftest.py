"""A small sound graph, and ways to plant faults in it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kg.graph import Edge, Finding, Node, Provenance
from kg.schema import GraphSchema
from validate.view import View

QUOTE = Provenance(book="book", section="s1", page=0, quote="q", start=0, end=1, match="exact")
SECTIONS = ("s1", "s2", "s3", "s4", "s5")


def concept(name: str) -> Node:
    """A complete concept; its id is its name."""
    return Node(id=name, label="Concept", name=name, properties={"definition": "d", "importance": "master"})


def edge(kind: str, source: str, target: str, confidence: float = 0.8, support: int = 1) -> Edge:
    """An edge with evidence."""
    trust = {"confidence": confidence, "support": support}
    return Edge(source=source, target=target, type=kind, properties=trust, provenance=(QUOTE,))


def structure() -> tuple[list[Node], list[Edge]]:
    """A book with one chapter and five sections."""
    nodes = [
        Node(id="book", label="Book", name="B", properties={"subject": "physics"}),
        Node(id="chapter", label="Chapter", name="C", properties={"order": 1}),
        *(Node(id=s, label="Section", name=s, properties={"order": at + 1}) for at, s in enumerate(SECTIONS)),
    ]
    edges = [Edge(source="chapter", target="book", type="is_part_of")]
    edges += [Edge(source=section, target="chapter", type="is_part_of") for section in SECTIONS]
    return nodes, edges


class Draft:
    """A graph to plant faults in."""

    def __init__(self, schema: GraphSchema) -> None:
        self.schema = schema
        self.nodes, self.edges = structure()

    def concepts(self, *names: str) -> Draft:
        """Adds concepts, each taught in the next of the five sections."""
        for at, name in enumerate(names):
            self.nodes.append(concept(name))
            self.edges.append(Edge(source=name, target=SECTIONS[at % 5], type="appears_in"))
        return self

    def prerequisites(self, *pairs: tuple[str, str]) -> Draft:
        """Adds prerequisites."""
        self.edges += [edge("prerequisites_for", source, target) for source, target in pairs]
        return self

    def view(self) -> View:
        """The graph as checks see it."""
        return View(self.nodes, self.edges, self.schema)


@pytest.fixture
def draft(schema: GraphSchema) -> Draft:
    """A sound graph of five concepts a → b → c, d, e."""
    made = Draft(schema).concepts("a", "b", "c", "d", "e")
    return made.prerequisites(("a", "b"), ("b", "c"), ("c", "d"), ("c", "e"))


def checks(findings: Sequence[Finding], action: str = "") -> list[str]:
    """The codes of findings, of one action if it is named."""
    return sorted(finding.check for finding in findings if not action or finding.action == action)
