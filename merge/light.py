"""Rows that weigh less: what pydantic remembers about each row is kept once for all rows of a kind.

In: rows. Out: the same rows. Pydantic gives every row a set of the fields that were given; at a million quotations and
claims these sets are half of what merging keeps in memory, and nothing here reads them: `to_json` leaves out defaults.
"""

from __future__ import annotations

from functools import cache
from typing import TypeVar

from kg.row import Row
from merge.rows import BookPart

R = TypeVar("R", bound=Row)


@cache
def _fields(kind: type[Row]) -> set[str]:
    return set(kind.model_fields)


def light(row: R) -> R:
    """The row itself; all of its fields count as given."""
    object.__setattr__(row, "__pydantic_fields_set__", _fields(type(row)))
    return row


def light_part(part: BookPart) -> BookPart:
    """The part itself, with all rows in it."""
    for unit in part.units:
        light(unit)
        for row in (*unit.evidence, *unit.said):
            light(row)
        for values in unit.values.values():
            for value in values:
                light(value)
        for alias in unit.aliases:
            light(alias)
            for quote in alias.evidence:
                light(quote)
    for link in part.links:
        light(link)
        for row in (*link.evidence, *link.said):
            light(row)
    for edge in part.edges:
        light(edge)
    return part
