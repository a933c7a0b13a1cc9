"""What a model is asked to fill in: JSON schemas and a description, both made from `conf/schema`.

In: the graph schema. Out: a schema in the dialect that all servers take (objects, arrays, strings, integers, enums;
every key required, nothing else allowed, null for what the text does not say), and Markdown for prompts.
One array per type: whatever a model writes is of a known type, and an edge has ends of the right types.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from kg.schema import EdgeType, Field, GraphSchema, NodeRole

ASKED: tuple[NodeRole, ...] = ("term", "procedure", "activity", "question")
"""What a model is asked for; books, chapters and sections are known without one."""
QUOTE = "quote"
NAME = "name"
SHORT_RANGE = 12
"""Numbers of a smaller range are listed one by one: not every server knows minimum and maximum."""
REJECTED = "not_a_term"
"""Key of the marked words that a model found to be no idea of their own."""


def asked_nodes(schema: GraphSchema, roles: Collection[NodeRole] = ASKED) -> list[str]:
    """Node types of these roles that a model is asked for, in the schema's order."""
    return [label for label, kind in schema.nodes.items() if kind.role in ASKED and kind.role in roles]


def asked_edges(schema: GraphSchema) -> list[str]:
    """Edge types a model is asked for: those that must carry a quotation."""
    return [name for name, kind in schema.edges.items() if kind.evidence]


def node_form(schema: GraphSchema, roles: Collection[NodeRole] = ASKED, *, rejected: bool = False) -> dict[str, Any]:
    """The form of a reply with nodes; with a list of words that are no terms if `rejected`."""
    lists = {label: _array(_node(schema, label)) for label in asked_nodes(schema, roles)}
    return _object({**lists, REJECTED: _array({"type": "string"})} if rejected else lists)


def edge_form(schema: GraphSchema, ends: Mapping[str, str]) -> dict[str, Any]:
    """The form of a reply with edges between these nodes (id -> type), of the types that some pair of them allows."""
    lists: dict[str, Any] = {}
    for name in asked_edges(schema):
        kind = schema.edges[name]
        source = [node for node, label in ends.items() if label in sources(kind)]
        target = [node for node, label in ends.items() if label in targets(kind)]
        if source and target:
            text = {"type": "string"}
            pair = {"source": {**text, "enum": source}, "target": {**text, "enum": target}}
            lists[name] = _array(_object({QUOTE: text, **pair}))
    return _object(lists)


def whole_form(schema: GraphSchema) -> dict[str, Any]:
    """The form of a reply with nodes and edges at once; nodes carry the ids that edges use."""
    text = {"type": "string"}
    nodes = {label: _array(_with_id(_node(schema, label))) for label in asked_nodes(schema)}
    edge = _object({QUOTE: text, "source": text, "target": text})
    edges = {name: _array(edge) for name in asked_edges(schema)}
    return _object({"nodes": _object(nodes), "edges": _object(edges)})


def sources(kind: EdgeType) -> set[str]:
    """Node types an edge may start at."""
    return {source for source, _ in kind.ends} or set(kind.source)


def targets(kind: EdgeType) -> set[str]:
    """Node types an edge may end at."""
    return {target for _, target in kind.ends} or set(kind.target)


def described(schema: GraphSchema, roles: Collection[NodeRole] = ()) -> str:
    """The types as Markdown, for a prompt: nodes of these roles, or nodes and edges where no roles are given."""
    lines = [] if roles else ["Nodes:"]
    for label in asked_nodes(schema, roles or ASKED):
        kind = schema.nodes[label]
        lines.append(f"- {label}: {kind.about}")
        lines += [f"  - {name}{_asks(field)}" for name, field in kind.fields.items()]
    if not roles:
        lines.append("Edges (source -> target):")
        lines += [_edge(name, schema.edges[name]) for name in asked_edges(schema)]
    return "\n".join(lines)


def edges_described(schema: GraphSchema, labels: Sequence[str]) -> str:
    """The edge types between nodes of these types, for a prompt."""
    kinds = [(name, schema.edges[name]) for name in asked_edges(schema)]
    fitting = [(name, kind) for name, kind in kinds if sources(kind) & set(labels) and targets(kind) & set(labels)]
    return "\n".join(_edge(name, kind) for name, kind in fitting)


def _edge(name: str, kind: EdgeType) -> str:
    return f"- {name} ({_ends(kind)}): {kind.about}"


def _ends(kind: EdgeType) -> str:
    pairs = kind.ends or tuple((source, target) for source in kind.source for target in kind.target)
    return ", ".join(f"{source} -> {target}" for source, target in pairs)


def _asks(field: Field) -> str:
    """What a prompt says of a field: its values or kind, what it holds, whether it may be missing."""
    facts = [
        " | ".join(str(value) for value in field.values)
        or {"text": "", "list": "list", "integer": "integer"}[field.type]
    ]
    if field.minimum is not None and field.maximum is not None:
        facts.append(f"{field.minimum} to {field.maximum}")
    facts.append(field.about)
    facts.append("" if field.required else "null if the text does not say")
    said = "; ".join(filter(None, facts))
    return f": {said}" if said else ""


def _node(schema: GraphSchema, label: str) -> dict[str, Any]:
    """The quotation first: what is quoted before it is named is rather there."""
    kind = schema.nodes[label]
    fields = {name: _field(field) for name, field in kind.fields.items()}
    text = {"type": "string"}
    named = {} if kind.key in kind.fields else {kind.key: text}
    return _object({QUOTE: text, **named, **fields})


def _with_id(form: dict[str, Any]) -> dict[str, Any]:
    return _object({"id": {"type": "string"}, **form["properties"]})


def _field(field: Field) -> dict[str, Any]:
    """A value in the servers' dialect; what may be missing may be null."""
    kinds = {"text": "string", "integer": "integer", "list": "array"}
    kind: Any = kinds[field.type] if field.required else [kinds[field.type], "null"]
    form: dict[str, Any] = {"type": kind}
    if field.type == "list":
        form["items"] = {"type": "string"}
    values: list[str | int] = list(field.values)
    if field.minimum is not None and field.maximum is not None and field.maximum - field.minimum < SHORT_RANGE:
        values = values or list(range(field.minimum, field.maximum + 1))
    if values:
        form["enum"] = [*values, *([] if field.required else [None])]
    return form


def _array(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
