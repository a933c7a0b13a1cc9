"""Does the graph have the shape the schema asks for? Types, ends, fields, duplicates, loops.

In: a `View`. Out: findings; what breaks the shape is set aside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from jsonschema import Draft202012Validator

from kg.graph import Edge, Finding
from kg.schema import properties_schema
from validate.view import Key, View


def findings(view: View) -> Iterator[Finding]:
    """Everything that is out of shape, nodes first."""
    yield from _twice(view)
    yield from _fields(view)
    seen: Counter[Key] = Counter()
    for edge in view.edges:
        seen[edge.key()] += 1
        yield from _edge(edge, view, seen)


def _twice(view: View) -> Iterator[Finding]:
    for node, count in Counter(node.id for node in view.nodes).items():
        if count > 1:
            message = f"{count} nodes have the id {node}."
            yield Finding(check="duplicate_node", action="review", message=message, nodes=(node,))


def _fields(view: View) -> Iterator[Finding]:
    """Unknown types, missing and wrong fields."""
    validators = {label: Draft202012Validator(properties_schema(kind)) for label, kind in view.schema.nodes.items()}
    for node in view.nodes:
        validator = validators.get(node.label)
        if validator is None:
            message = f"“{view.name(node.id)}” is of a type the schema does not know: {node.label}."
            yield Finding(check="node_type", action="set_aside", message=message, nodes=(node.id,))
        elif not node.name.strip():
            yield Finding(check="fields", action="set_aside", message=f"{node.id} has no name.", nodes=(node.id,))
        elif not validator.is_valid(dict(node.properties)):
            problems = view.schema.problems(node.label, node.properties)
            message = f"{node.label} “{view.name(node.id)}” lacks what the schema asks for: {problems[0]}."
            details = {"problems": problems}
            yield Finding(check="fields", action="set_aside", message=message, nodes=(node.id,), details=details)


def _edge(edge: Edge, view: View, seen: Counter[Key]) -> Iterator[Finding]:
    """The first thing that is wrong with an edge."""
    ends = f"“{view.name(edge.source)}” → “{view.name(edge.target)}”"
    source, target = view.by_id.get(edge.source), view.by_id.get(edge.target)
    kind = view.schema.edges.get(edge.type)
    if source is None or target is None:
        missing = edge.source if source is None else edge.target
        yield _aside("dangling", f"{edge.type} {ends} leads to a node that is not there: {missing}.", edge)
    elif kind is None:
        yield _aside("edge_type", f"{ends} is of a type the schema does not know: {edge.type}.", edge)
    elif edge.source == edge.target:
        yield _aside("self_loop", f"{edge.type} leads from “{view.name(edge.source)}” to itself.", edge)
    elif not view.schema.allows(edge.type, source.label, target.label):
        message = f"{edge.type} may not lead from a {source.label} to a {target.label}: {ends}."
        yield _aside("ends", message, edge)
    elif seen[edge.key()] == 2:
        message = f"{edge.type} {ends} is there more than once."
        yield Finding(check="duplicate_edge", action="review", message=message, edge=edge.key())
    elif kind.symmetric and seen[(edge.type, edge.target, edge.source)]:
        yield _aside("symmetric_twice", f"{edge.type} {ends} is there in both directions, which say the same.", edge)


def _aside(check: str, message: str, edge: Edge) -> Finding:
    return Finding(check=check, action="set_aside", message=message, edge=edge.key())
