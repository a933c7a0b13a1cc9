"""The graph schema as data: node and edge types of `conf/schema/*.yaml`, and the questions rooms ask of it.

Code never names a type; it asks for the type that plays a role (`term`, `prerequisite`, …), so that another
ontology is another YAML file.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import yaml
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from kg.errors import SettingsError, first_problem
from kg.row import Row

NodeRole = Literal["book", "chapter", "section", "term", "procedure", "activity", "question"]
EdgeRole = Literal[
    "taxonomy",
    "prerequisite",
    "association",
    "demonstration",
    "assessment",
    "location",
    "sequence",
    "containment",
]
Merge = Literal["first", "longest", "union", "max"]


class Field(Row):
    """One property of a node type."""

    type: Literal["text", "list", "integer"] = "text"
    required: bool = False
    values: tuple[str | int, ...] = ()
    """Allowed values in ascending order; empty: any."""
    minimum: int | None = None
    maximum: int | None = None
    merge: Merge = "first"
    """How the values of several claims become one: the first in curriculum order, the union, the greatest."""
    about: str = ""
    """What it holds, for prompts and documentation."""

    def json_schema(self) -> dict[str, Any]:
        """JSON Schema (draft 2020-12) of a value; required texts and lists must not be empty."""
        kinds: dict[str, dict[str, Any]] = {
            "text": {"type": "string", **({"minLength": 1} if self.required else {})},
            "list": {"type": "array", "items": {"type": "string"}, **({"minItems": 1} if self.required else {})},
            "integer": {"type": "integer"},
        }
        schema = dict(kinds[self.type])
        if self.values:
            schema["enum"] = list(self.values)
        if self.minimum is not None:
            schema["minimum"] = self.minimum
        if self.maximum is not None:
            schema["maximum"] = self.maximum
        return schema


class NodeType(Row):
    """One kind of node."""

    role: NodeRole
    key: str = "name"
    """The field that identifies a node of this type inside a subject."""
    fields: Mapping[str, Field] = {}
    about: str = ""


class EdgeType(Row):
    """One kind of edge."""

    role: EdgeRole
    source: tuple[str, ...]
    target: tuple[str, ...]
    ends: tuple[tuple[str, str], ...] = ()
    """Allowed (source, target) pairs; empty: every combination of `source` and `target`."""
    acyclic: bool = False
    symmetric: bool = False
    """The two ends are interchangeable; stored once, with the smaller id as source."""
    evidence: bool = False
    """Must carry a quotation."""
    about: str = ""


class GraphSchema(Row):
    """All node and edge types."""

    name: str
    version: str
    nodes: Mapping[str, NodeType]
    edges: Mapping[str, EdgeType]

    def node_type(self, role: NodeRole) -> str:
        """The node type that plays `role`. Raises SettingsError if none does."""
        for name, kind in self.nodes.items():
            if kind.role == role:
                return name
        raise SettingsError(f"no node type has the role {role}", where=f"schema {self.name}")

    def edge_type(self, role: EdgeRole, target: str = "") -> str:
        """The edge type that plays `role`, where several do the one that may end at `target`."""
        for name, kind in self.edges.items():
            if kind.role == role and (not target or target in kind.target):
                return name
        raise SettingsError(f"no edge type has the role {role}", where=f"schema {self.name}")

    def edge_types(self, *roles: EdgeRole) -> frozenset[str]:
        """All edge types that play one of the roles."""
        return frozenset(name for name, kind in self.edges.items() if kind.role in roles)

    def allows(self, edge_type: str, source: str, target: str) -> bool:
        """True if an edge of this type may lead from a `source` to a `target` node."""
        kind = self.edges.get(edge_type)
        if kind is None:
            return False
        if kind.ends:
            return (source, target) in kind.ends
        return source in kind.source and target in kind.target

    def role(self, label: str) -> NodeRole | None:
        """The role a node type plays; none for an unknown type."""
        kind = self.nodes.get(label)
        return kind.role if kind else None

    def problems(self, label: str, properties: Mapping[str, Any]) -> list[str]:
        """What is wrong with a node's properties, one line each; empty if nothing is."""
        kind = self.nodes.get(label)
        if kind is None:
            return [f"unknown node type {label}"]
        validator = Draft202012Validator(properties_schema(kind))
        return [
            f"{'.'.join(str(part) for part in error.absolute_path) or label}: {error.message[:200]}"
            for error in sorted(validator.iter_errors(dict(properties)), key=str)
        ]


def described_by(kind: NodeType) -> str:
    """The field that says what a node of this type is: its first required free text; empty if it has none."""
    fields = kind.fields.items()
    texts = (name for name, field in fields if field.required and field.type == "text" and not field.values)
    return next((name for name in texts if name != kind.key), "")


def properties_schema(kind: NodeType) -> dict[str, Any]:
    """JSON Schema of the properties of a node type; properties it does not list are allowed."""
    return {
        "type": "object",
        "properties": {name: field.json_schema() for name, field in kind.fields.items()},
        "required": [name for name, field in kind.fields.items() if field.required],
    }


def schema_of(data: Any, where: str) -> GraphSchema:
    """The schema in plain data. Raises SettingsError naming `where` and the field that is wrong."""
    try:
        schema = GraphSchema.model_validate(data)
    except ValidationError as error:
        raise SettingsError(first_problem(error), where=where) from None
    known = set(schema.nodes)
    for name, kind in schema.edges.items():
        ends = [*kind.source, *kind.target, *(end for pair in kind.ends for end in pair)]
        if unknown := [end for end in ends if end not in known]:
            raise SettingsError(f"edge {name}: unknown node type {unknown[0]}", where=where)
    return schema


def load(path: Path) -> GraphSchema:
    """The schema of a YAML file. Raises SettingsError naming file and field."""
    return schema_of(yaml.safe_load(path.read_text(encoding="utf-8")), str(path))
