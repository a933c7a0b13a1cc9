"""Graphs on disk: our two files, and the one-file form of the released K12-KGraph, read and written.

In: a folder with `nodes.json` and `edges.json` (or a run's folder, which has them in `graph/`), or one JSON file
`{nodes: […], edges: […]}` in the words of a `Dialect`, whose edges may fan out to several targets. Out: `ReadGraph`,
sorted and each thing once, or `Rows` as they stand in the files.
Nothing is judged here: an edge of an unknown type, or one that leads nowhere, is read like any other.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import ValidationError

from kg.errors import Failure, InputError, SettingsError, first_problem
from kg.graph import Edge, Graph, Node
from kg.row import Row
from kg.schema import GraphSchema
from kg.stage import ROOT
from kg.store import canonical, sha256

R = TypeVar("R", bound=Row)

NODES, EDGES = "nodes.json", "edges.json"
REMEDY = "name a run's folder or a JSON file"
EVIDENCE = "evidence"
"""Property under which the released form keeps quotations that have no place."""


class Dialect(Row):
    """How one-file graphs say what our schema says."""

    fan_out: str
    """Edge field with several targets."""
    fields: Mapping[str, str] = {}
    """Their property -> ours."""
    values: Mapping[str, Mapping[str, str]] = {}
    """Our property -> their value -> ours."""
    numbered: Mapping[str, str] = {}
    """Node type -> property that the place among the file's nodes of that type (from 1) stands in for."""


@cache
def released() -> Dialect:
    """The dialect of K12-KGraph's released files. Raises SettingsError if `conf/dialect/released.yaml` is wrong."""
    path = ROOT / "conf" / "dialect" / "released.yaml"
    try:
        return Dialect.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (ValidationError, yaml.YAMLError) as error:
        what = first_problem(error) if isinstance(error, ValidationError) else str(error)
        raise SettingsError(what, where=str(path)) from None


@dataclass(frozen=True)
class Rows:
    """What a graph's files hold, in their order; the same id or edge may occur more than once."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    failures: tuple[Failure, ...]
    """One per record that is no node or edge."""


@dataclass(frozen=True)
class ReadGraph:
    """A graph and what of its files could not be read as nodes and edges."""

    graph: Graph
    failures: tuple[Failure, ...]
    """One per record that was left out."""

    def digest(self) -> str:
        """SHA-256 of the graph, whatever the order of the records was."""
        return graph_digest(self.graph)


def graph_digest(graph: Graph) -> str:
    """SHA-256 over all nodes and edges, sorted."""
    nodes = sorted(node.to_json() for node in graph.nodes)
    edges = sorted(edge.to_json() for edge in graph.edges)
    return sha256("\n".join([*nodes, *edges]))


def read_graph(path: Path) -> ReadGraph:
    """The graph at `path`, nodes sorted by id and edges by type and ends. Records that fit no row are failures.

    Of several nodes with one id, or edges with the same type and ends, the first in sorted order is kept and the
    others are failures. Raises InputError if there is no graph at `path`.
    """
    rows = read_rows(path)
    failures = list(rows.failures)
    graph = Graph(
        nodes=tuple(_once(rows.nodes, lambda node: node.id, failures, path)),
        edges=tuple(_once(rows.edges, lambda edge: " → ".join(edge.key()), failures, path)),
    )
    return ReadGraph(graph, tuple(failures))


def read_rows(path: Path) -> Rows:
    """The nodes and edges at `path` as they stand there; a fan-out edge is one edge per target.

    One-file graphs are translated from the released dialect. Raises InputError if there is no graph at `path`.
    """
    nodes, edges = _records(path)
    reader = _Reader(path, released(), translate=not path.is_dir())
    read_nodes, read_edges = reader.rows(nodes, reader.node, "node"), reader.rows(edges, reader.edges, "edge")
    return Rows(tuple(read_nodes), tuple(read_edges), tuple(reader.failures))


def _records(path: Path) -> tuple[Sequence[Any], Sequence[Any]]:
    if path.is_dir():
        folder = next((place for place in (path, path / "graph") if (place / NODES).is_file()), None)
        if folder is None or not (folder / EDGES).is_file():
            raise InputError(f"no {NODES} and {EDGES} here", where=str(path), remedy=REMEDY)
        return _list(_json(folder / NODES), folder / NODES), _list(_json(folder / EDGES), folder / EDGES)
    if not path.is_file():
        raise InputError("no such file or folder", where=str(path), remedy=REMEDY)
    whole = _json(path)
    if not isinstance(whole, Mapping) or "nodes" not in whole or "edges" not in whole:
        raise InputError("not a graph: `nodes` and `edges` are missing", where=str(path))
    return _list(whole["nodes"], path), _list(whole["edges"], path)


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise InputError(f"not readable as JSON: {error}", where=str(path)) from None


def _list(value: Any, path: Path) -> Sequence[Any]:
    if not isinstance(value, list):
        raise InputError("expected a list of records", where=str(path))
    return value


class _Reader:
    """Turns records into rows, one after the other."""

    def __init__(self, path: Path, dialect: Dialect, translate: bool) -> None:
        self.path, self.dialect, self.translate = path, dialect, translate
        self.failures: list[Failure] = []
        self.seen: Counter[str] = Counter()

    def rows(self, records: Sequence[Any], read: Callable[[Mapping[str, Any]], Iterable[R]], kind: str) -> list[R]:
        """The rows of the records that can be read; the others are failures."""
        found: list[R] = []
        for number, record in enumerate(records, 1):
            try:
                if not isinstance(record, Mapping):
                    raise TypeError("not an object")
                found.extend(read(record))
            except (ValidationError, TypeError, KeyError, ValueError) as error:
                what = first_problem(error) if isinstance(error, ValidationError) else _words(error)
                self.failures.append(Failure(stage="graph", item=f"{self.path.name}, {kind} {number}", what=what))
        return found

    def node(self, record: Mapping[str, Any]) -> Iterator[Node]:
        """One node; without a name it goes by its stem or id."""
        properties = dict(record.get("properties") or {})
        name = record.get("name") or properties.get("name") or properties.get("stem") or record["id"]
        known = {key: record[key] for key in ("id", "label", "provenance") if key in record}
        if self.translate:
            properties = self._translated(record["label"], properties)
        yield Node.model_validate({**known, "name": name, "properties": properties})

    def edges(self, record: Mapping[str, Any]) -> Iterator[Edge]:
        """One edge per target."""
        rest = {key: record[key] for key in ("source", "type", "provenance") if record.get(key)}
        properties, fan = dict(record.get("properties") or {}), record.get(self.dialect.fan_out)
        for target in [end["target"] for end in fan] if fan else [record["target"]]:
            yield Edge.model_validate({**rest, "target": target, "properties": properties})

    def _translated(self, label: str, properties: Mapping[str, Any]) -> dict[str, Any]:
        how, found = self.dialect, {}
        for name, value in properties.items():
            ours = how.fields.get(name, name)
            found[ours] = how.values.get(ours, {}).get(value, value) if isinstance(value, str) else value
        if label in how.numbered:
            self.seen[label] += 1
            found.setdefault(how.numbered[label], self.seen[label])
        return found


def _words(error: Exception) -> str:
    return f"without {error.args[0]!r}" if isinstance(error, KeyError) else str(error)


def _once(rows: Iterable[R], identity: Callable[[R], str], failures: list[Failure], path: Path) -> Iterator[R]:
    """The rows sorted, each identity once."""
    last = None
    for row in sorted(rows, key=lambda row: (identity(row), row.to_json())):
        if identity(row) == last:
            failures.append(Failure(stage="graph", item=f"{path.name}, {last}", what="occurs twice"))
        else:
            yield row
        last = identity(row)


def evidence(edge: Edge) -> list[str]:
    """What the edge rests on, quoted: its provenance, or the quotation without a place that a released file has."""
    if edge.provenance:
        return [found.quote for found in edge.provenance]
    value = edge.properties.get(EVIDENCE)
    values = value if isinstance(value, list) else [value]
    texts = [item.get("text") if isinstance(item, Mapping) else item for item in values]
    return [text for text in texts if isinstance(text, str) and text]


def released_json(graph: Graph, schema: GraphSchema) -> bytes:
    """The graph as one file of the released form: names beside ids, assessment edges fanned out, no places."""
    names = {node.id: node.name for node in graph.nodes}
    nodes = [
        {"id": node.id, "label": node.label, "name": node.name, "properties": node.properties} for node in graph.nodes
    ]
    fanned = schema.edge_types("assessment")
    singles = [_single(edge, names) for edge in graph.edges if edge.type not in fanned]
    fans = _fans((edge for edge in graph.edges if edge.type in fanned), names)
    return (json.dumps({"nodes": nodes, "edges": [*singles, *fans]}, ensure_ascii=False, indent=1) + "\n").encode()


def _single(edge: Edge, names: Mapping[str, str]) -> dict[str, Any]:
    ends = {"source": edge.source, "source_name": names.get(edge.source, edge.source)}
    target = {"target": edge.target, "target_name": names.get(edge.target, edge.target)}
    return {**ends, **target, "type": edge.type, **_properties(edge)}


def _fans(edges: Iterable[Edge], names: Mapping[str, str]) -> list[dict[str, Any]]:
    """One record per source, type and properties."""
    fan_out = released().fan_out
    fans: dict[tuple[str, str, str], dict[str, Any]] = {}
    for edge in edges:
        properties = _properties(edge)
        key = (edge.source, edge.type, canonical(properties))
        ends = {"source": edge.source, "source_stem": names.get(edge.source, edge.source), "type": edge.type}
        fan = fans.setdefault(key, {**ends, fan_out: [], **properties})
        fan[fan_out].append({"target": edge.target, "target_name": names.get(edge.target, edge.target)})
    return list(fans.values())


def _properties(edge: Edge) -> dict[str, Any]:
    quotes = evidence(edge)
    properties = {**edge.properties, **({EVIDENCE: quotes[0] if len(quotes) == 1 else quotes} if quotes else {})}
    return {"properties": properties} if properties else {}
