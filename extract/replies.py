"""What a model said, item by item: every node and edge it proposed, and everything that could not be one.

In: a reply's text and the graph schema. Out: `Reply`: `NodeSaid`s, `EdgeSaid`s and `Fault`s. Models that are not held
to a form write in many ways: grouped by type or in one list, fields beside the name or under `properties`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from extract.forms import NAME, QUOTE, REJECTED, asked_edges, asked_nodes
from extract.lenient import read
from kg.schema import Field, GraphSchema
from kg.store import canonical
from kg.text import one_line

NODES, EDGES = "nodes", "edges"
LABELS = ("label", "type", "node_type", "edge_type", "relation", "relation_type", "kind")
QUOTES = (QUOTE, "evidence", "source_text", "original_text", "text")
SOURCES = ("source", "from", "head", "source_id", "subject")
TARGETS = ("target", "to", "tail", "target_id", "object", "targets")
BESIDE = ("properties", "attributes")
"""Keys under which models keep an item's fields."""
UNSAID = ("", "null")
"""Texts that say that there is nothing to say."""
RAW = 300
"""Characters of a faulty item that are kept for whoever looks for the reason."""


@dataclass(frozen=True)
class Fault:
    """Something that was left out, and why."""

    code: str
    what: str
    raw: str = ""


@dataclass(frozen=True)
class NodeSaid:
    """A node as a model proposed it; types and fields fit the schema, nothing else is known yet."""

    label: str
    name: str
    quotes: tuple[str, ...]
    properties: Mapping[str, Any]
    id: str = ""
    """By which the same reply's edges call it."""


@dataclass(frozen=True)
class EdgeSaid:
    """An edge as a model proposed it."""

    type: str
    source: str
    """Id or name."""
    target: str
    quotes: tuple[str, ...]


@dataclass
class Said:
    """One reply, read."""

    nodes: list[NodeSaid] = field(default_factory=list)
    edges: list[EdgeSaid] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)
    """Marked words that are no terms, says the model."""
    faults: list[Fault] = field(default_factory=list)
    mended: tuple[str, ...] = ()
    truncated: bool = False
    readable: bool = True
    """False if there was nothing in it that could be a reply; asking again may help."""


def said(text: str, finish: str, schema: GraphSchema) -> Said:
    """Everything in the reply; `finish` is what the server says about its end."""
    written = read(text)
    reader = _Reader(schema)
    for value in written.values:
        reader.value(value)
    result = reader.said
    result.truncated = written.truncated or finish == "length"
    result.mended = tuple(sorted(written.mended))
    result.readable = reader.recognised
    if result.truncated and not result.readable:
        result.faults.append(Fault("truncated", "the reply broke off before its first item", text[:RAW]))
    elif not result.readable:
        what = "no JSON in the reply" if not written.values else "JSON without nodes or edges"
        result.faults.append(Fault("unreadable", what, text[:RAW]))
    return result


class _Reader:
    def __init__(self, schema: GraphSchema) -> None:
        self.schema, self.said = schema, Said()
        self.recognised = False
        """Something had the shape of a reply, if an empty one."""
        self._nodes = {label.casefold(): label for label in asked_nodes(schema)}
        self._edges = {name.casefold(): name for name in asked_edges(schema)}
        self._own = {name.casefold() for name in [*schema.nodes, *schema.edges]} - {*self._nodes, *self._edges}

    def value(self, value: Any) -> None:
        """An object or array at the top of a reply."""
        if isinstance(value, list):
            self.recognised = True
            self._list(value, "")
        elif any(str(key).casefold() in {NODES, EDGES, REJECTED, *self._nodes, *self._edges} for key in value):
            self.recognised = True
            self._groups(value)
        elif len(value) == 1 and isinstance(inner := next(iter(value.values())), dict | list):
            self.value(inner)
        elif _first(value, SOURCES) or value.get(NAME):
            self.recognised = True
            self._item(value, "")
        else:
            self._fault("not_a_reply", "an object without nodes or edges", value)

    def _groups(self, value: Mapping[str, Any]) -> None:
        for key, items in value.items():
            name = str(key).casefold()
            if name == REJECTED:
                self.said.rejected += [str(item) for item in items] if isinstance(items, list) else []
            elif name in (NODES, EDGES) and isinstance(items, dict):
                self._groups(items)
            elif name in (NODES, EDGES):
                self._list(items, "")
            elif name in self._nodes or name in self._edges:
                self._list(items, self._nodes.get(name) or self._edges[name])
            elif items:
                self._fault("unknown_type", f"{key!r} is no type that was asked for", items)

    def _list(self, items: Any, label: str) -> None:
        if items is None:
            return
        for item in items if isinstance(items, list) else [items]:
            if isinstance(item, dict):
                self._item(item, label)
            elif item not in UNSAID:
                self._fault("not_an_item", "not an object", item)

    def _item(self, item: Mapping[str, Any], label: str) -> None:
        flat = dict(item)
        for key in BESIDE:
            if isinstance(flat.get(key), dict):
                flat.update({name: value for name, value in flat.pop(key).items() if name not in flat})
        named = label or str(_first(flat, LABELS) or "")
        if named.casefold() in self._edges or (_first(flat, SOURCES) and _first(flat, TARGETS)):
            self._edge(flat, named)
        elif named.casefold() in self._nodes:
            self._node(flat, self._nodes[named.casefold()], label)
        else:
            self._unasked(named, item)

    def _edge(self, item: Mapping[str, Any], named: str) -> None:
        kind = self._edges.get(named.casefold())
        if kind is None:
            self._unasked(named, item)
            return
        source, targets = _first(item, SOURCES), _first(item, TARGETS)
        ends = targets if isinstance(targets, list) else [targets]
        if not isinstance(source, str | int) or not all(isinstance(end, str | int) for end in ends) or not ends:
            self._fault("no_ends", "an edge without two ends", item)
            return
        quotes = tuple(_quotes(_first(item, QUOTES)))
        self.said.edges += [EdgeSaid(kind, str(source).strip(), str(end).strip(), quotes) for end in ends]

    def _node(self, item: Mapping[str, Any], label: str, grouped: str) -> None:
        kind = self.schema.nodes[label]
        properties: dict[str, Any] = {}
        ignored = {NAME, "id", *QUOTES, *(() if grouped else LABELS)}
        for key, value in item.items():
            spec = kind.fields.get(key)
            if not grouped and key in LABELS and str(value).casefold() == label.casefold():
                continue
            if spec is None:
                if key not in ignored and value not in (None, "", []):
                    self._fault("unknown_field", f"{label} has no field {key!r}", item)
            elif not _unsaid(value):
                found = _value(value, spec)
                if found is None:
                    self._fault("bad_value", f"{label}.{key} cannot be {str(value)[:60]!r}", item)
                else:
                    properties[key] = found
        name = item.get(NAME) if kind.key == NAME else properties.get(kind.key)
        if not isinstance(name, str) or not one_line(name):
            self._fault("no_name", f"a {label} without {kind.key}", item)
            return
        quotes = tuple(_quotes(_first(item, QUOTES)))
        self.said.nodes.append(NodeSaid(label, one_line(name), quotes, properties, str(item.get("id") or "").strip()))

    def _unasked(self, named: str, item: Any) -> None:
        if named.casefold() in self._own:
            self._fault("not_asked", f"every {named} is known without a model", item)
        else:
            self._fault("unknown_type", f"no type {named!r} was asked for", item)

    def _fault(self, code: str, what: str, raw: Any) -> None:
        self.said.faults.append(Fault(code, what, canonical(raw)[:RAW]))


def _first(item: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    return next((item[key] for key in keys if not _unsaid(item.get(key))), None)


def _unsaid(value: Any) -> bool:
    return value is None or value == [] or (isinstance(value, str) and value.strip().casefold() in UNSAID)


def _quotes(value: Any) -> Iterator[str]:
    """Quotations, however they were given: a text, several, or objects that hold one."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _quotes(item)
    elif isinstance(value, dict):
        yield from _quotes(_first(value, QUOTES))


def _value(value: Any, spec: Field) -> Any:
    """The value in the field's type; none if it cannot be that, or is outside of what is allowed."""
    found: Any = None
    if spec.type == "list":
        found = _texts(value)
    elif spec.type == "integer":
        found = _integer(value)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        found = str(value).strip()
    elif isinstance(value, list) and all(isinstance(item, str) for item in value):
        found = "\n".join(value)
    if found is None or not spec.values:
        return found if _within(found, spec) else None
    same = {str(allowed).casefold(): allowed for allowed in spec.values}
    return same.get(str(found).casefold())


def _within(found: Any, spec: Field) -> bool:
    if not isinstance(found, int):
        return found is not None
    return (spec.minimum is None or found >= spec.minimum) and (spec.maximum is None or found <= spec.maximum)


def _texts(value: Any) -> list[str] | None:
    items = value if isinstance(value, list) else [value]
    texts = [str(item).strip() for item in items if isinstance(item, str | int | float) and not _unsaid(item)]
    return texts or None


def _integer(value: Any) -> int | None:
    if isinstance(value, str):
        value = value.strip().casefold()
        value = {"true": 1, "false": 0}.get(value, value)
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return int(number) if number.is_integer() else None
