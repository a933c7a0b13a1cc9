"""Is every quotation really where it is said to be?

In: nodes and edges with provenance, the sections of each book. Out: findings for quotes that are not at `start:end` of
their section or not on their page, and for edges that need evidence and have none. Linear in the length of all quotes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Literal

from kg.graph import Edge, Finding, Node, Provenance
from kg.section import Section
from kg.text import one_line
from validate.cycles import ACCEPTED
from validate.view import View

Action = Literal["note", "review", "set_aside"]
Library = Callable[[str, str], Section | None]
"""Book and section id -> the section; none if there is no such section."""
STATED = "evidence"
"""Property of edges of released K12 graphs that holds a quotation without a place."""


def findings(view: View, library: Library | None) -> Iterator[Finding]:
    """Edges without evidence, and, if there are texts to look in, quotes that are not there.

    A graph without a single place (released K12 graphs) cannot prove anything: its edges are only noted. So is what
    people accepted: they have seen what stands on the page, and vouch for it.
    """
    placeless = not any(edge.provenance for edge in view.edges)
    for edge in view.edges:
        kind = view.schema.edges.get(edge.type)
        if kind is not None and kind.evidence and not edge.provenance and not edge.properties.get(STATED):
            ends = f"“{view.name(edge.source)}” → “{view.name(edge.target)}”"
            message = f"Nothing in the books is quoted for {edge.type} {ends}."
            action: Action = "review" if placeless and library is None else "set_aside"
            yield Finding(check="no_evidence", action=_vouched(edge, action), message=message, edge=edge.key())
    if library is not None:
        yield from _places(view, library)


def _places(view: View, library: Library) -> Iterator[Finding]:
    problem = _Checker(library).problem
    for edge in view.edges:
        if wrong := _wrong(edge, problem):
            message = f"{edge.type} “{view.name(edge.source)}” → “{view.name(edge.target)}”: {wrong[0]}."
            details = {"problems": wrong}
            action = _vouched(edge, "set_aside")
            yield Finding(check="quote", action=action, message=message, edge=edge.key(), details=details)
    for node in view.nodes:
        if wrong := _wrong(node, problem):
            action = _vouched(node, "set_aside" if len(wrong) == len(node.provenance) else "review")
            message = f"{node.label} “{view.name(node.id)}”: {wrong[0]}."
            details = {"problems": wrong}
            yield Finding(check="quote", action=action, message=message, nodes=(node.id,), details=details)


def _vouched(thing: Node | Edge, action: Action) -> Action:
    """What people accepted stays."""
    return "note" if thing.properties.get(ACCEPTED) else action


def _wrong(thing: Node | Edge, problem: Callable[[Provenance], str]) -> list[str]:
    return [found for quote in thing.provenance if (found := problem(quote))]


class _Checker:
    """Checks each place once, however many nodes and edges quote it."""

    def __init__(self, library: Library) -> None:
        self.section = lru_cache(maxsize=None)(library)
        self.problem = lru_cache(maxsize=None)(self._problem)

    def _problem(self, quote: Provenance) -> str:
        """What is wrong with a quotation; empty if it stands where it says."""
        section = self.section(quote.book, quote.section)
        if section is None:
            return f"there is no section {quote.section} in {quote.book}"
        if not 0 <= quote.start < quote.end <= len(section.text):
            return f"characters {quote.start}:{quote.end} are outside of {quote.section}"
        if one_line(section.text[quote.start : quote.end]) != one_line(quote.quote):
            return f"“{quote.quote[:60]}” is not at {quote.start}:{quote.end} of {quote.section}"
        if section.page_at(quote.start) != quote.page:
            return f"“{quote.quote[:60]}” is not on page {quote.page + 1} but on {section.page_at(quote.start) + 1}"
        return ""


def share_with_evidence(nodes: Sequence[Node], edges: Sequence[Edge]) -> dict[str, float | None]:
    """Shares of nodes and edges that carry a quotation, in [0, 1]; none where there are none."""
    return {
        "nodes": round(sum(bool(node.provenance) for node in nodes) / len(nodes), 4) if nodes else None,
        "edges": round(sum(bool(edge.provenance) for edge in edges) / len(edges), 4) if edges else None,
    }
