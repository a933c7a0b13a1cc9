"""Blocks in the making: lines that belong together, with what is known about them so far.

In: lines. Out: `Draft`, which the steps from paragraphs to levels fill in and `build.py` turns into a `Block`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ingest.lines import Line
from ingest.page import union
from ingest.tables import Table
from kg.document import Box, Label

NO_FLAGS: frozenset[str] = frozenset()


@dataclass(slots=True)
class Draft:
    """A paragraph, heading, list item, table …"""

    label: Label
    lines: list[Line]
    page: int
    """0-based page of its first line."""
    place: Box
    """On its first page, in upright space."""
    number: str | None = None
    level: int | None = None
    votes: Sequence[tuple[str, int]] = ()
    """Witnesses and the levels they say."""
    frame: int = -1
    parent: Draft | None = None
    table: Table | None = None
    flags: frozenset[str] = NO_FLAGS
    breaks: str = ""
    """What stands between its lines, where that is not what the language joins lines with."""

    def mark(self, flag: str) -> None:
        """The draft has this flag afterwards."""
        self.flags = self.flags | {flag}

    def unmark(self, flag: str) -> None:
        """The draft does not have this flag afterwards."""
        self.flags = (self.flags - {flag}) or NO_FLAGS

    @property
    def text(self) -> str:
        """Its lines with a space between, hyphenation as printed: for looking at, not for the document."""
        return self.table.text if self.table else " ".join(" ".join([line.text for line in self.lines]).split())

    @property
    def size(self) -> float:
        """Type size of its first line."""
        return self.lines[0].size if self.lines else (self.table.size if self.table else 0.0)

    @property
    def bold(self) -> bool:
        """All of it is bold."""
        return bool(self.lines) and all(line.bold for line in self.lines)

    @property
    def column(self) -> int:
        """Of its first line."""
        return self.lines[0].column if self.lines else -1


def draft(label: Label, lines: list[Line]) -> Draft:
    """A draft of these lines, which stand on one page."""
    return Draft(label, lines, lines[0].page, union([line.box for line in lines]), frame=lines[0].frame)
