"""JSON Schemas (draft 2020-12) of the tables and of the graph files, for whoever reads a release without our code.

In: tables, the graph schema. Out: file name -> bytes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from kg.graph import Edge, Node
from kg.schema import GraphSchema, properties_schema
from release.tables import Column, Table

DRAFT = "https://json-schema.org/draft/2020-12/schema"
SCHEMA = "schema/graph_schema.json"
"""The ontology itself: types, ends, fields, which must have no cycles."""

_QUOTE = {
    "type": "object",
    "properties": {
        "book": {"type": "string"},
        "section": {"type": "string"},
        "page": {"type": "integer", "minimum": 0},
        "quote": {"type": "string"},
        "start": {"type": "integer", "minimum": 0},
        "end": {"type": "integer", "minimum": 0},
        "match": {"enum": ["exact", "normalised", "fuzzy"]},
        "score": {"type": ["number", "null"]},
        "route": {"type": "string"},
    },
    "required": ["book", "section", "page", "quote", "start", "end", "match"],
}
_MESSAGE = {
    "type": "object",
    "properties": {"role": {"enum": ["user", "assistant"]}, "content": {"type": "string", "minLength": 1}},
    "required": ["role", "content"],
}
_KINDS: dict[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "list": {"type": "array", "items": {"type": "string"}},
    "quotes": {"type": "array", "items": _QUOTE},
    "messages": {"type": "array", "items": _MESSAGE, "minItems": 2},
}


def shapes(tables: Sequence[Table], schema: GraphSchema) -> dict[str, bytes]:
    """One schema per table, one per graph file, and the ontology."""
    made = {f"schema/{table.name}.json": row_schema(table.columns) for table in tables}
    made["schema/graph.nodes.json"] = {"$schema": DRAFT, **_whole(Node), "$comment": "one entry of nodes.json"}
    made["schema/graph.edges.json"] = {"$schema": DRAFT, **_whole(Edge), "$comment": "one entry of edges.json"}
    made["schema/properties.json"] = {label: properties_schema(kind) for label, kind in schema.nodes.items()}
    made[SCHEMA] = schema.model_dump(mode="json")
    return {name: as_json(value) for name, value in made.items()}


def row_schema(columns: Sequence[Column]) -> dict[str, Any]:
    """The schema of one row of a table."""
    return {
        "$schema": DRAFT,
        "type": "object",
        "properties": {column.name: {**_shape(column), "description": column.about} for column in columns},
        "required": [column.name for column in columns],
        "additionalProperties": False,
    }


def _shape(column: Column) -> dict[str, Any]:
    shape = _KINDS[column.kind]
    return {"anyOf": [shape, {"type": "null"}]} if column.nullable else shape


def _whole(row: type[Node] | type[Edge]) -> dict[str, Any]:
    return row.model_json_schema()


def as_json(value: Any) -> bytes:
    """JSON for reading, ending in a line break."""
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode("utf-8")
