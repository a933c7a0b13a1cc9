"""Graphs from files: ours (a folder with nodes.json and edges.json) and those released with K12-KGraph.

In: a path. Out: `Node`s and `Edge`s. A released file has fan-out edges, its own words for some values and no order
of chapters and sections; `conf/validate/released.yaml` says how they are read.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from kg.errors import InputError, first_problem
from kg.graph import Edge, Node
from kg.row import Row
from kg.schema import GraphSchema
from kg.stage import ROOT

ORDER = "order"
"""Property that the place in the file stands in for."""


class Dialect(Row):
    """How a released graph says what our schema says."""

    fan_out: str = "target_name_to_ids"
    """Edge field with several targets."""
    fields: Mapping[str, str] = {}
    """Their field name -> ours."""
    values: Mapping[str, Mapping[str, str]] = {}
    """Our field name -> their value -> ours."""


def dialect() -> Dialect:
    """The dialect of K12-KGraph's released files."""
    path = ROOT / "conf" / "validate" / "released.yaml"
    return Dialect.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))


def read(path: Path, schema: GraphSchema) -> tuple[list[Node], list[Edge]]:
    """The graph of a folder or file. Raises InputError saying what is wrong with it."""
    try:
        if path.is_dir():
            rows = [json.loads((path / f"{name}.json").read_text(encoding="utf-8")) for name in ("nodes", "edges")]
            return [Node.model_validate(row) for row in rows[0]], [Edge.model_validate(row) for row in rows[1]]
        data = json.loads(path.read_text(encoding="utf-8"))
        how = dialect()
        return list(_nodes(data["nodes"], how, schema)), [edge for row in data["edges"] for edge in _edges(row, how)]
    except FileNotFoundError as error:
        raise InputError(f"no such file: {error.filename}", where="graph", remedy="name a folder or file") from None
    except ValidationError as error:
        raise InputError(first_problem(error), where=str(path)) from None
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"not a graph: {error}", where=str(path), remedy="expected nodes and edges") from None


def _nodes(rows: Any, how: Dialect, schema: GraphSchema) -> Iterator[Node]:
    seen: Counter[str] = Counter()
    for row in rows:
        label = row["label"]
        seen[label] += 1
        properties = dict(_translated(row.get("properties") or {}, how))
        kind = schema.nodes.get(label)
        if kind is not None and ORDER in kind.fields:
            properties.setdefault(ORDER, seen[label])
        yield Node(id=row["id"], label=label, name=row["name"], properties=properties)


def _translated(properties: Mapping[str, Any], how: Dialect) -> Iterator[tuple[str, Any]]:
    for name, value in properties.items():
        ours = how.fields.get(name, name)
        words = how.values.get(ours, {})
        yield ours, words.get(value, value) if isinstance(value, str) else value


def _edges(row: Mapping[str, Any], how: Dialect) -> Iterator[Edge]:
    targets = [end["target"] for end in row[how.fan_out]] if how.fan_out in row else [row["target"]]
    for target in targets:
        yield Edge(source=row["source"], target=target, type=row["type"], properties=row.get("properties") or {})
