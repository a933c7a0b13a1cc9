"""Questions test something, ideas are taught somewhere, parts form a tree.

In: a `View`. Out: findings; a question without a link and an idea without a place are set aside.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from kg.graph import Finding
from validate.view import View


def findings(view: View) -> Iterator[Finding]:
    """First what is taught nowhere, then questions that test nothing that is left, then the tree of parts."""
    homeless = set(_homeless(view))
    for node in sorted(homeless):
        message = f"“{view.name(node)}” is not said to be taught in any section."
        yield Finding(check="unanchored", action="set_aside", message=message, nodes=(node,))
    for node in sorted(_idle(view, homeless)):
        message = f"The exercise “{view.name(node)}” is not linked to anything it tests."
        yield Finding(check="unlinked", action="set_aside", message=message, nodes=(node,))
    yield from _tree(view)


def _homeless(view: View) -> Iterator[str]:
    """Nodes of types that must be located and are not."""
    located = {label for kind in view.types("location") for label in view.schema.edges[kind].source}
    for node in view.nodes:
        if node.label in located and node.id not in view.sections_of:
            yield node.id


def _idle(view: View, gone: set[str]) -> Iterator[str]:
    """Questions all of whose links lead to what is gone."""
    kinds = view.types("assessment")
    busy = {edge.source for edge in view.edges if edge.type in kinds and edge.target not in gone}
    for node in view.nodes:
        if view.schema.role(node.label) == "question" and node.id not in busy:
            yield node.id


def _tree(view: View) -> Iterator[Finding]:
    """Every chapter and section is part of exactly one whole, and the wholes end at books."""
    kinds = view.types("containment")
    parts = {label for kind in kinds for label in view.schema.edges[kind].source}
    wholes: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for edge in view.edges:
        if edge.type in kinds:
            wholes[edge.source].append(edge.key())
    for node in view.nodes:
        if node.label in parts and node.id not in wholes:
            message = f"{node.label} “{view.name(node.id)}” is not part of anything."
            yield Finding(check="tree", action="review", message=message, nodes=(node.id,))
    for part in sorted(wholes):
        for key in sorted(wholes[part], key=lambda key: (not _rooted(view, key[2]), key))[1:]:
            message = f"“{view.name(part)}” is part of two things; “{view.name(key[2])}” is left out."
            yield Finding(check="tree", action="set_aside", message=message, edge=key)
    for part, book in sorted(view.book_of_part.items()):
        if not _rooted(view, book):
            message = f"“{view.name(part)}” does not lead up to a book."
            yield Finding(check="tree", action="review", message=message, nodes=(part,))


def _rooted(view: View, part: str) -> bool:
    """True if the part is a book or leads up to one."""
    top = view.by_id.get(view.book_of_part.get(part, part))
    return top is not None and view.schema.role(top.label) == "book"
