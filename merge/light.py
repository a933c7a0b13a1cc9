"""Rows that weigh less: what many rows have in common is kept once.

In: rows that are nobody else's. Out: the same rows, equal to what they were. Pydantic gives every row a set of the
fields that were given; for quotations and claims these sets are half of what merging would keep in memory, and nothing
here reads them: `to_json` leaves out defaults whoever gave them. Words, section ids and claims recur from row to row.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from sys import intern
from typing import TypeVar

from kg.graph import Provenance
from kg.row import Row
from merge.rows import BookPart, Said, Unit

R = TypeVar("R", bound=Row)


def light(row: R) -> R:
    """The row itself; all of its fields count as given."""
    object.__setattr__(row, "__pydantic_fields_set__", _fields(type(row)))
    return row


@cache
def _fields(kind: type[Row]) -> set[str]:
    return set(kind.model_fields)


def light_part(part: BookPart) -> BookPart:
    """The part itself, with all rows in it."""
    claims: dict[Said, Said] = {}
    for unit in part.units:
        _unit(unit, claims)
    for link in part.links:
        light(link)
        _share(link, "section", intern(link.section))
        _share(link, "said", _claims(link.said, claims))
        _quotes(link.evidence)
    for row in (*part.edges, *part.nodes):
        light(row)
    return part


def _unit(unit: Unit, claims: dict[Said, Said]) -> None:
    light(unit)
    for name in ("sections", "words", "context"):
        _share(unit, name, tuple(map(intern, getattr(unit, name))))
    _share(unit, "said", _claims(unit.said, claims))
    _quotes(unit.evidence)
    for values in unit.values.values():
        for value in values:
            light(value)
            _share(value, "section", intern(value.section))
    for alias in unit.aliases:
        light(alias)
        _quotes(alias.evidence)


def _claims(said: Iterable[Said], claims: dict[Said, Said]) -> tuple[Said, ...]:
    return tuple(claims.setdefault(row, light(row)) for row in said)


def _quotes(quotes: Iterable[Provenance]) -> None:
    for quote in quotes:
        light(quote)
        _share(quote, "book", intern(quote.book))
        _share(quote, "section", intern(quote.section))


def _share(row: Row, name: str, value: object) -> None:
    """An equal value takes the place of the row's own; past the row's guard, which forbids other values."""
    row.__dict__[name] = value
