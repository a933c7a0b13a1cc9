"""The difference between two graphs and their benchmarks, by id: for machines as rows, for people as text.

In: two graphs, two sets of items. Out: `Difference`. Quotations count as one field, so that a moved sentence is one
change.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from kg.graph import Graph
from kg.item import Item
from kg.row import Row

What = Literal["node", "edge", "item"]
SHOWN = 200
"""Most changes of one kind that the text lists; the rows have all."""


class Change(Row):
    """One thing that is not as it was."""

    what: What
    change: Literal["added", "removed", "changed"]
    kind: str
    """Node label, edge type, or subtask."""
    id: str
    """Of an edge: type, source and target, divided by spaces."""
    name: str = ""
    fields: dict[str, tuple[Any, Any]] = {}
    """Of a changed thing: field -> (before, after); none where it was not there."""


@dataclass(frozen=True)
class Difference:
    """All changes, sorted, and the same in Markdown."""

    changes: tuple[Change, ...]
    text: str

    def lines(self) -> list[str]:
        """One line per kind of thing that has changed."""
        counted = Counter((row.what, row.kind, row.change) for row in self.changes)
        kinds = sorted({(what, kind) for what, kind, _ in counted})
        return [f"- {kind} ({what}): {_numbers(counted, what, kind)}" for what, kind in kinds]

    def removed(self) -> list[str]:
        """Ids of nodes that are gone."""
        return [row.id for row in self.changes if row.what == "node" and row.change == "removed"]


def _numbers(counted: Mapping[Any, int], what: str, kind: str) -> str:
    found = [(change, counted.get((what, kind, change), 0)) for change in ("added", "removed", "changed")]
    return ", ".join(f"{count:,} {change}" for change, count in found if count)


def compare(
    before: Graph, after: Graph, items: tuple[Sequence[Item], Sequence[Item]], names: tuple[str, str]
) -> Difference:
    """What differs. `names` are the versions, for the heading."""
    changes = [
        *_changes("node", _nodes(before), _nodes(after)),
        *_changes("edge", _edges(before), _edges(after)),
        *_changes("item", _items(items[0]), _items(items[1])),
    ]
    ordered = tuple(changes)
    plain = Difference(ordered, "")
    return Difference(ordered, _text(plain, names))


Things = Mapping[str, tuple[str, str, dict[str, Any]]]
"""Id -> (kind, name, fields)."""


def _nodes(graph: Graph) -> Things:
    return {
        node.id: (node.label, node.name, {"name": node.name, **node.properties, "provenance": _rows(node.provenance)})
        for node in graph.nodes
    }


def _edges(graph: Graph) -> Things:
    names = {node.id: node.name for node in graph.nodes}
    return {
        " ".join(edge.key()): (
            edge.type,
            f"{names.get(edge.source, edge.source)} → {names.get(edge.target, edge.target)}",
            {**edge.properties, "provenance": _rows(edge.provenance)},
        )
        for edge in graph.edges
    }


def _items(items: Iterable[Item]) -> Things:
    return {
        item.id: (item.task, item.question, {"question": item.question, "options": item.options, "answer": item.answer})
        for item in items
    }


def _rows(rows: Iterable[Row]) -> list[Any]:
    return [json.loads(row.to_json()) for row in rows]


def _changes(what: What, before: Things, after: Things) -> Iterator[Change]:
    for key in sorted(before.keys() | after.keys()):
        if key not in after:
            yield Change(what=what, change="removed", kind=before[key][0], id=key, name=before[key][1])
        elif key not in before:
            yield Change(what=what, change="added", kind=after[key][0], id=key, name=after[key][1])
        elif fields := _fields(before[key][2], after[key][2]):
            yield Change(what=what, change="changed", kind=after[key][0], id=key, name=after[key][1], fields=fields)


def _fields(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    names = sorted(before.keys() | after.keys())
    return {name: (before.get(name), after.get(name)) for name in names if before.get(name) != after.get(name)}


def _text(found: Difference, names: tuple[str, str]) -> str:
    lines = [f"# From {names[0]} to {names[1]}", ""]
    lines += found.lines() or ["Nothing has changed."]
    for change in ("added", "removed", "changed"):
        rows = [row for row in found.changes if row.change == change]
        if rows:
            lines += ["", f"## {change.capitalize()}", ""]
            lines += [f"- {row.kind} **{_plain(row.name)}** `{row.id}`{_said(row)}" for row in rows[:SHOWN]]
        if len(rows) > SHOWN:
            lines.append(f"- … and {len(rows) - SHOWN:,} more")
    return "\n".join(lines) + "\n"


def _said(row: Change) -> str:
    return f": {', '.join(row.fields)}" if row.fields else ""


def _plain(name: str) -> str:
    return name.replace("\n", " ").replace("*", "\\*").replace("<", "&lt;")
