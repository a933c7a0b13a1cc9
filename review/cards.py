"""Nodes and relations as people see them.

In: the merged graph. Out: `Card`s and `Line`s.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from kg.graph import Edge, Node
from kg.schema import GraphSchema
from review.passages import Shelf
from review.task import Card, Line

MOST_LINES = 12
"""Relations shown of one node."""
LONGEST = 600
"""Characters shown of one property."""
Key = tuple[str, str, str]


class Cards:
    """The cards of one graph."""

    def __init__(self, nodes: Mapping[str, Node], edges: Iterable[Edge], schema: GraphSchema, shelf: Shelf) -> None:
        self.nodes, self.schema, self.shelf = nodes, schema, shelf
        self.edges: dict[Key, Edge] = {}
        self.around: dict[str, list[Edge]] = defaultdict(list)
        for edge in edges:
            self.edges[edge.key()] = edge
            self.around[edge.source].append(edge)
            self.around[edge.target].append(edge)

    def card(self, node: str, quotes: int = 0) -> Card:
        """The node with its properties, quotations and relations."""
        found = self.nodes[node]
        kind = self.schema.nodes.get(found.label)
        names = [name for name in kind.fields if name in found.properties] if kind else []
        return Card(
            id=found.id,
            type=found.label,
            name=found.name,
            fields=tuple((name, shown(found.properties[name])) for name in names),
            passages=self.shelf.passages(found.provenance, quotes),
            lines=tuple(self.line(edge) for edge in self.around[node][:MOST_LINES]),
        )

    def line(self, edge: Edge, asked: bool = False) -> Line:
        """The relation in words."""
        quote = edge.provenance[0].quote if edge.provenance else ""
        ends = (self._name(edge.source), self._name(edge.target))
        return Line(source=ends[0], type=edge.type, target=ends[1], quote=quote[:LONGEST], asked=asked)

    def circle(self, kind: str, nodes: Sequence[str], asked: Key) -> tuple[Line, ...]:
        """The relations from each node to the next and from the last to the first, as far as they are in the graph."""
        keys = [(kind, one, other) for one, other in zip(nodes, [*nodes[1:], *nodes[:1]], strict=True)]
        return tuple(self.line(self.edges[key], key == asked) for key in keys if key in self.edges)

    def correctable(self, node: Node) -> dict[str, str]:
        """Name and properties that people may correct: texts and numbers, lists one entry a line."""
        kind = self.schema.nodes.get(node.label)
        fields = {name: node.properties.get(name, "") for name in kind.fields} if kind else {}
        return {"name": node.name, **{name: as_text(value) for name, value in fields.items() if name != "name"}}

    def _name(self, node: str) -> str:
        return self.nodes[node].name[:LONGEST] if node in self.nodes else node


def as_text(value: object) -> str:
    """A value as it stands in a form: a list has one line per entry."""
    return "\n".join(str(entry) for entry in value) if isinstance(value, list) else str(value)


def shown(value: object) -> str:
    """A value as it stands on a card, long ones shortened."""
    text = "; ".join(str(entry) for entry in value) if isinstance(value, list) else str(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
