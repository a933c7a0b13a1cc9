"""The base of every record that is written to disk: frozen, and without room for unknown fields."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Row(BaseModel):
    """One record. Unknown fields and wrong types are refused; `to_json` is canonical."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def to_json(self) -> str:
        """One line of JSON in field order; fields that still have their default value are left out."""
        return self.model_dump_json(exclude_defaults=True)
