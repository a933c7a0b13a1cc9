"""A release on disk, opened for reading.

In: a folder. Out: `Folder`: manifest, tables, graph, items. Nothing is checked here beyond being readable.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from kg.errors import InputError
from kg.graph import Edge, Graph, Node
from kg.item import Item
from kg.schema import GraphSchema, schema_of
from release import pyarrow
from release.shapes import SCHEMA

MANIFEST, SUMS = "manifest.json", "SHA256SUMS"
GRAPH, ITEMS = "exports/textbook_kg", "exports/bench.jsonl"
FORWARDING, ERRATA = "forwarding.jsonl", "bench/errata.jsonl"


class Folder:
    """One release; what is read is kept."""

    def __init__(self, root: Path) -> None:
        """Raises InputError if this is no release."""
        self.root = root
        if not (root / MANIFEST).is_file():
            raise InputError(f"no {MANIFEST} here", where=str(root), remedy="name the folder of a release")

    @cached_property
    def manifest(self) -> Mapping[str, Any]:
        """The manifest. Raises InputError if it is not readable."""
        data = self._json(MANIFEST)
        if not isinstance(data, Mapping):
            raise InputError("not an object", where=str(self.root / MANIFEST))
        return data

    @property
    def version(self) -> str:
        """Version of the data."""
        return str(self.manifest.get("version", ""))

    @property
    def title(self) -> str:
        """Name and version, as of the folder."""
        return f"{self.manifest.get('name', '')} {self.version}".strip()

    @cached_property
    def schema(self) -> GraphSchema:
        """The ontology this release was made with."""
        return schema_of(self._json(SCHEMA), str(self.root / SCHEMA))

    @cached_property
    def graph(self) -> Graph:
        """The graph with all provenance, as listed (nothing is sorted or dropped)."""
        try:
            nodes = tuple(Node.model_validate(row) for row in self._json(f"{GRAPH}/nodes.json"))
            edges = tuple(Edge.model_validate(row) for row in self._json(f"{GRAPH}/edges.json"))
        except (ValidationError, TypeError) as error:
            raise InputError(f"not a graph: {str(error).splitlines()[0]}", where=str(self.root / GRAPH)) from None
        return Graph(nodes=nodes, edges=edges)

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The benchmark."""
        try:
            return tuple(Item.model_validate(row) for row in self.lines(ITEMS))
        except ValidationError as error:
            raise InputError(f"not an item: {str(error).splitlines()[0]}", where=str(self.root / ITEMS)) from None

    def rows(self, file: str) -> list[dict[str, Any]]:
        """The rows of a table. Raises InputError if it is no Parquet."""
        return pyarrow.read(self.root / file)

    def lines(self, name: str) -> list[dict[str, Any]]:
        """The objects of a JSON-lines file; none if it is not there."""
        path = self.root / name
        if not path.is_file():
            return []
        try:
            return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
        except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise InputError(f"not readable as JSON lines: {error}", where=str(path)) from None

    def _json(self, name: str) -> Any:
        try:
            return json.loads((self.root / name).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise InputError(f"not readable as JSON: {error}", where=str(self.root / name)) from None
