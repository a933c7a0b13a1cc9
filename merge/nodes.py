"""An entity becomes a node: properties of all books united by the schema's rules, nothing lost.

In: entities in curriculum order. Out: `Node`s. The canonical description is the one from the best kind of source
(`preferred` rules first, then the surest rule), the earliest of those; other wordings stay beside it with their places.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kg.graph import Node
from kg.schema import Field, GraphSchema, NodeType
from kg.text import squash
from merge.desk import united
from merge.entities import Entity
from merge.light import light
from merge.rows import Unit, Value
from merge.units import ALIASES

SUREST = 0.99
"""Confidence no number of claims goes beyond: only people are sure."""


@dataclass(frozen=True)
class Worded:
    """A value and the book it comes from."""

    book: str
    value: Value


@dataclass(frozen=True)
class Press:
    """Makes nodes."""

    schema: GraphSchema
    preferred: tuple[str, ...]
    """Rules whose descriptions come first, best first."""

    def node(self, entity: Entity) -> Node:
        """The node of everything that is said about the entity."""
        kind = self.schema.nodes.get(entity.label) or NodeType(role="term")
        units = entity.units()
        worded: dict[str, list[Worded]] = {}
        for member in entity.members:
            for name, values in member.unit.values.items():
                worded.setdefault(name, []).extend(Worded(member.book, value) for value in values)
        properties: dict[str, Any] = {}
        wordings: dict[str, Any] = {}
        variants: dict[str, Any] = {}
        for name in [*(name for name in kind.fields if name in worded), *sorted(set(worded) - set(kind.fields))]:
            field = kind.fields.get(name) or Field(type="list" if _are_lists(worded[name]) else "text", merge="union")
            properties[name], rest = self._one(name, field, worded[name], kind)
            if rest and name == described_by(kind):
                wordings[f"{name}s"] = rest
            elif rest:
                variants[name] = rest
        if aliases := _aliases(entity):
            properties[ALIASES] = aliases
        return light(
            Node(
                id=entity.id,
                label=entity.label,
                name=name_of(entity),
                properties={**properties, **wordings, **({"variants": variants} if variants else {}), **_trust(units)},
                provenance=united(quote for unit in units for quote in unit.evidence),
            )
        )

    def _one(self, name: str, field: Field, worded: Sequence[Worded], kind: NodeType) -> tuple[Any, list[Any]]:
        """The property's value, and all wordings where it had to be chosen among several."""
        if field.merge == "union" and field.type == "list":
            return _union(worded), []
        if len(worded) == 1:
            return worded[0].value.value, []
        if field.merge == "max":
            return max(worded, key=lambda item: _height(item.value.value, field)).value.value, []
        if field.merge == "longest":
            chosen = max(worded, key=lambda item: len(str(item.value.value)))
        elif name == described_by(kind):
            chosen = min(worded, key=lambda item: self._rank(item.value))
        else:
            chosen = worded[0]
        wordings = _wordings(worded)
        return chosen.value.value, wordings if len(wordings) > 1 else []

    def _rank(self, value: Value) -> tuple[int, float]:
        """Preferred rules in their order, then the surest; `min` takes the earliest of equals."""
        place = self.preferred.index(value.rule) if value.rule in self.preferred else len(self.preferred)
        return (place, -value.confidence)


def described_by(kind: NodeType) -> str:
    """The field that says what a node of this type is: its first required free text; empty if it has none."""
    fields = kind.fields.items()
    texts = (name for name, field in fields if field.required and field.type == "text" and not field.values)
    return next((name for name in texts if name != kind.key), "")


def name_of(entity: Entity) -> str:
    """The spelling that the first book uses most; the earliest of equals."""
    first = entity.members[0]
    key = first.unit.key
    counts: dict[str, int] = {}
    for member in entity.members:
        if member.book == first.book and member.unit.key == key:
            for name, count in member.unit.names:
                counts[name] = counts.get(name, 0) + count
    return max(counts, key=lambda name: counts[name])


def confidence(said: Iterable[tuple[object, float]]) -> float:
    """How sure several claims make us: sections speak independently (noisy-or), claims of one section do not."""
    surest: dict[object, float] = {}
    for place, value in said:
        surest[place] = max(surest.get(place, 0.0), value)
    doubt = 1.0
    for place in sorted(surest, key=str):
        doubt *= 1.0 - surest[place]
    return round(min(SUREST, 1.0 - doubt), 4)


def _trust(units: Sequence[Unit]) -> dict[str, Any]:
    said = [row for unit in units for row in unit.said]
    return {
        "rules": sorted({row.rule for row in said}),
        "confidence": confidence((row.section, row.confidence) for row in said),
        "support": len({row.section for row in said}),
    }


def _are_lists(worded: Sequence[Worded]) -> bool:
    return all(isinstance(item.value.value, list) for item in worded)


def _union(worded: Sequence[Worded]) -> list[Any]:
    found: dict[str, Any] = {}
    for item in worded:
        for entry in item.value.value if isinstance(item.value.value, list) else [item.value.value]:
            found.setdefault(squash(str(entry)) or str(entry), entry)
    return list(found.values())


def _height(value: Any, field: Field) -> tuple[int, float]:
    """Place among the allowed values, or the number itself; what is neither comes below everything."""
    if field.values:
        return (1, field.values.index(value)) if value in field.values else (0, 0.0)
    return (1, float(value)) if isinstance(value, int | float) else (0, 0.0)


def _wordings(worded: Sequence[Worded]) -> list[dict[str, Any]]:
    """All distinct wordings with their places, in curriculum order."""
    found: dict[str, dict[str, Any]] = {}
    for item in worded:
        text = item.value.value
        row = {"text": text, "book": item.book, "section": item.value.section}
        found.setdefault(squash(str(text)) or str(text), row)
    return list(found.values())


def _aliases(entity: Entity) -> list[str]:
    """Every other name, by key, in the order in which the books give them."""
    own = entity.members[0].unit.key
    found: dict[str, str] = {}
    for unit in entity.units():
        for name, key in [(unit.names[0][0], unit.key), *((alias.name, alias.key) for alias in unit.aliases)]:
            if key != own:
                found.setdefault(key, name)
    return list(found.values())
