"""How the tests of merging call it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import pytest

from kg.graph import Edge, Finding, Node
from kg.project import Project
from merge.book import book_part
from merge.rows import BookPart, Join
from merge.senses import Limits
from merge.subject import Choices, merged
from tests.merge.shelf import ABook

CHOICES = Choices(("listed_definition",), 85.0, Limits(), 0.75)


@dataclass
class Graph:
    """A merged graph with ways to look into it."""

    nodes: list[Node]
    edges: list[Edge]
    joins: list[Join]
    findings: list[Finding]

    def node(self, name: str, label: str = "Concept") -> Node:
        """The one node of that name."""
        found = [node for node in self.nodes if node.name == name and node.label == label]
        assert len(found) == 1, f"{len(found)} nodes called {name}"
        return found[0]

    def named(self, name: str) -> list[Node]:
        """All nodes of that name."""
        return [node for node in self.nodes if node.name == name]

    def edge(self, kind: str, source: str, target: str) -> Edge | None:
        """The edge between the ids."""
        return next((edge for edge in self.edges if edge.key() == (kind, source, target)), None)

    def of_type(self, kind: str) -> set[tuple[str, str]]:
        """Ends of all edges of a type."""
        return {(edge.source, edge.target) for edge in self.edges if edge.type == kind}

    def asked(self, check: str) -> list[Finding]:
        """The findings of one check."""
        return [finding for finding in self.findings if finding.check == check]

    def lines(self) -> list[str]:
        """Everything as it is written."""
        return [row.to_json() for rows in (self.nodes, self.edges, self.joins, self.findings) for row in rows]


Part = Callable[[ABook], BookPart]
Merging = Callable[..., Graph]


@pytest.fixture
def part(project: Project) -> Part:
    """One book as the book level leaves it."""

    def make(book: ABook) -> BookPart:
        language = project.languages[book.language]
        subject = (project.subject, project.title)
        return book_part(book.book, subject, language, project.schema, book.rows(), book.claims)

    return make


@pytest.fixture
def merging(project: Project, part: Part) -> Merging:
    """Books in, graph out."""

    def make(*books: ABook, choices: Choices = CHOICES) -> Graph:
        parts: Iterable[BookPart] = [part(book) for book in books]
        done = merged(project, parts, choices)
        return Graph(done.nodes, done.edges, done.joins, done.findings)

    return make
