"""A question before it has options: who is asked about, what is right, where to look for what is wrong.

In: what a task found in the graph. Out: `Draft`, the same for all tasks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from derive.view import Key


@dataclass(frozen=True)
class Gold:
    """A right answer and the edges that make it right."""

    id: str
    path: tuple[Key, ...]


@dataclass(frozen=True)
class Layer:
    """A pool of possible distractors."""

    name: str
    ids: frozenset[str]


@dataclass(frozen=True)
class Draft:
    """One question to be."""

    task: str
    template: str
    query: str
    golds: tuple[Gold, ...]
    layers: tuple[Layer, ...]
    """From near to far; the curriculum's scopes around the golds follow by themselves."""
    refused: Mapping[str, Iterable[str]] = field(default_factory=dict)
    """Reason -> ids that some looser reading of the question would accept."""
    surely_wrong: frozenset[str] = frozenset()
    """Ids that the graph itself rules out as answers, for example what comes after the thing asked about."""
    texts: str = ""
    """Keyed text; who is spoken of in it may be right."""
    silent: bool = False
    """Options whose own record speaks of the query may be right."""
    sections: bool = False
    """Options are places: only sections of the golds' kind count, and earlier ones must not speak of the query."""

    @property
    def key(self) -> str:
        """Identity of the item to be, on every run: task, query, and the template where a task has several."""
        suffix = self.template.removeprefix(self.task).strip("_")
        return "::".join(part for part in (self.task, self.query, suffix) if part)
