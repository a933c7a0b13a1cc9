"""Statements that cannot both be true, or should not stand side by side unseen.

In: a `View`. Out: findings for people; nothing is set aside here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from kg.graph import Edge, Finding
from validate.view import View

MOST_KINDS = 3
"""Things one term may be a kind of before people are asked."""


def findings(view: View) -> Iterator[Finding]:
    """Kinds against prerequisites, terms that are kinds of too many things, needs that only a later book meets."""
    taxonomy, prerequisite = view.types("taxonomy"), view.types("prerequisite")
    kinds = [edge for edge in view.edges if edge.type in taxonomy]
    needs = {(edge.source, edge.target): edge for edge in view.edges if edge.type in prerequisite}
    for edge in kinds:
        if opposed := needs.get((edge.source, edge.target)):
            yield _opposed(view, edge, opposed)
    parents: dict[str, list[str]] = defaultdict(list)
    for edge in kinds:
        parents[edge.source].append(edge.target)
    for child, above in sorted(parents.items()):
        if len(above) > MOST_KINDS:
            names = ", ".join(f"“{view.name(node)}”" for node in sorted(above))
            message = f"“{view.name(child)}” is said to be a kind of {len(above)} things: {names}."
            yield Finding(check="many_kinds", action="review", message=message, nodes=(child, *sorted(above)))
    for (source, target), edge in sorted(needs.items()):
        if view.position(source)[0] > view.position(target)[0] and source in view.sections_of:
            message = f"“{view.name(target)}” is said to need “{view.name(source)}”, which only a later book teaches."
            yield Finding(check="against_order", action="review", message=message, edge=edge.key())


def _opposed(view: View, kind: Edge, need: Edge) -> Finding:
    """A kind of something is said to come before it: the general idea would need its own special case."""
    child, parent = view.name(kind.source), view.name(kind.target)
    message = f"“{child}” is said to be a kind of “{parent}” and also to be needed before it."
    return Finding(
        check="contradiction",
        action="review",
        message=message,
        nodes=(kind.source, kind.target),
        edge=need.key(),
        details={"kind": kind.type, "prerequisite": need.type},
    )
