"""Rows that weigh less: what many rows have in common is kept once.

In: rows that are nobody else's. Out: the same rows, equal to what they were. Pydantic gives every row a set of the
fields that were given; for quotations and claims these sets are half of what merging would keep in memory, and nothing
here reads them: `to_json` leaves out defaults whoever gave them. Claims recur from row to row, and what has been used
is let go while its successor is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, TypeVar

from kg.graph import Provenance
from kg.row import Row
from merge.rows import BookPart, Link, Said, Unit

R = TypeVar("R", bound=Row)


def light(row: R) -> R:
    """The row itself; all of its fields count as given."""
    object.__setattr__(row, "__pydantic_fields_set__", _fields(type(row)))
    return row


@cache
def _fields(kind: type[Row]) -> set[str]:
    return set(kind.model_fields)


def emptied(rows: list[Any]) -> Iterator[Any]:
    """Every row in order; the list lets go of each, so that what is made of it takes its room."""
    rows.reverse()
    while rows:
        yield rows.pop()


def light_part(part: BookPart) -> BookPart:
    """The part itself, with all rows in it."""
    claims: dict[Said, Said] = {}
    for unit in part.units:
        _told(unit, claims)
        for alias in unit.aliases:
            _quotes(alias.evidence)
    for link in part.links:
        _told(link, claims)
    for row in (*part.edges, *part.nodes):
        light(row)
    return part


def compared(part: BookPart) -> None:
    """The part has no more than what becomes nodes and edges: the words by which its units were compared are gone."""
    for unit in part.units:
        _share(unit, "words", ())
        _share(unit, "context", ())


def _told(told: Unit | Link, claims: dict[Said, Said]) -> None:
    _share(told, "said", tuple(claims.setdefault(row, row) for row in told.said))
    _quotes(told.evidence)


def _quotes(quotes: Iterable[Provenance]) -> None:
    for quote in quotes:
        light(quote)


def _share(row: Unit | Link, name: str, value: object) -> None:
    """An equal value takes the place of the row's own; past the row's guard, which forbids other values."""
    object.__setattr__(row, name, value)
