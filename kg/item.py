"""One record for every question that is made from a graph, and for every question set that is read in."""

from __future__ import annotations

from typing import Any

from pydantic import SerializerFunctionWrapHandler, model_serializer

from kg.graph import Provenance
from kg.row import Row

LETTERS = "ABCDEFGH"
EXTRA = frozenset({"level", "mode", "path", "accepted", "answer_type", "checks"})


class Choice(Row):
    """Where one option comes from."""

    id: str = ""
    """Node id; empty where the text is no node's name."""
    right: bool
    layer: str = ""
    """Of a distractor: the pool it was drawn from, near to far (`two_hop`, `sibling`, `section`, `chapter` …)."""
    path: tuple[tuple[str, str, str], ...] = ()
    """Of a right option: the edges (type, source, target) that make it right. Of a distractor: how it was reached."""


class Item(Row):
    """One multiple-choice question with one or more right options.

    The first four fields are those of the released K12-Bench; its files are read as items that have no more.
    """

    id: str
    question: str
    options: dict[str, str]
    """Letter -> text, letters in order from A."""
    answer: tuple[str, ...]
    """Letters of all right options, in order."""
    task: str = ""
    """Subtask: `ground_1`, `prereq_2` …"""
    family: str = ""
    subject: str = ""
    stage: str = ""
    """School stage or grade, where the graph has one."""
    language: str = ""
    query: str = ""
    """Id of the node that is asked about."""
    choices: dict[str, Choice] = {}
    """Letter -> origin of the option."""
    provenance: tuple[Provenance, ...] = ()
    """Evidence of the edges that make the right options right."""
    origin: dict[str, Any] = {}
    """What it was made from: graph hash, seed, template, versions."""
    level: int = 0
    """Edges between what is asked about and the answer; 0: not said."""
    mode: str = ""
    """How the question was made (`forward`, `reverse` …), or the arm of a comparison it belongs to."""
    path: tuple[tuple[str, str, str], ...] = ()
    """The edges (type, source, target) the answer follows from, from the query to the answer."""
    accepted: tuple[str, ...] = ()
    """Of an open question, which has no options: the texts that are right answers."""
    answer_type: str = ""
    """Of an open question: `entity`, `date`, `number`, `expression` or `choice`."""
    checks: dict[str, str] = {}
    """Criterion -> what a judge said of it."""

    @model_serializer(mode="wrap")
    def _without_what_is_not_said(self, serialise: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """The later fields are written only where they say something: most items have none of them."""
        written: dict[str, Any] = serialise(self)
        return {name: value for name, value in written.items() if value or name not in EXTRA}
