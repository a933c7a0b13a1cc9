"""The graph as Neo4j's bulk import reads it: two CSV files and a load script.

In: node and edge rows. Out: file name -> bytes. Texts keep their line breaks; quotes are doubled (RFC 4180).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from release.tables import Column, Table

NODES, EDGES = "nodes.csv", "relationships.csv"
BETWEEN = ";"
_TYPES = {"integer": ":long", "number": ":double", "list": ":string[]"}

SCRIPT = """#!/bin/sh
# Loads the graph into a new database: sh load.sh [DATABASE], in this folder, with the server stopped.
set -e
cd "$(dirname "$0")"
neo4j-admin database import full "${1:-neo4j}" --overwrite-destination=true --multiline-fields=true \\
  --nodes=nodes.csv --relationships=relationships.csv
"""
CYPHER = """// Loads the graph into a running database (5.x); put both files into its import folder first.
CREATE CONSTRAINT node_id IF NOT EXISTS FOR (n:Node) REQUIRE n.id IS UNIQUE;
LOAD CSV WITH HEADERS FROM 'file:///nodes.csv' AS row
CALL (row) { MERGE (n:Node {id: row['id:ID']}) SET n:$(row[':LABEL']), n.name = row['name'] } IN TRANSACTIONS;
LOAD CSV WITH HEADERS FROM 'file:///relationships.csv' AS row
CALL (row) { MATCH (a:Node {id: row[':START_ID']}), (b:Node {id: row[':END_ID']})
  CREATE (a)-[:$(row[':TYPE']) {quote: row['quote']}]->(b) } IN TRANSACTIONS;
"""


def files(nodes: Table, edges: Table) -> dict[str, bytes]:
    """Both tables and both ways of loading them."""
    return {
        NODES: _csv(_plain(nodes.columns), nodes.rows, {"id": "id:ID", "label": ":LABEL"}),
        EDGES: _csv(_plain(edges.columns), edges.rows, {"source": ":START_ID", "target": ":END_ID", "type": ":TYPE"}),
        "load.sh": SCRIPT.encode("utf-8"),
        "load.cypher": CYPHER.encode("utf-8"),
    }


def _plain(columns: Sequence[Column]) -> list[Column]:
    return [column for column in columns if column.kind != "quotes"]


def _csv(columns: Sequence[Column], rows: Sequence[Mapping[str, Any]], special: Mapping[str, str]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    heads = [special.get(column.name, column.name + _TYPES.get(column.kind, "")) for column in columns]
    writer.writerow([*heads, "book", "page:long", "quote"])
    for row in rows:
        first: Mapping[str, Any] = next(iter(row["provenance"]), {})
        place = [first.get("book", ""), first.get("page", ""), first.get("quote", "")]
        writer.writerow([*(_cell(row[column.name]) for column in columns), *place])
    return out.getvalue().encode("utf-8")


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        return BETWEEN.join(part.replace(BETWEEN, ",") for part in value)
    return "" if value is None else value
