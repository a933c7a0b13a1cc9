"""What people decided about a graph: JSON lines that are only ever added to, replayed on every run.

In: a file beside the configuration of the corpus. Out: `Decision`s in the order in which they were made, and what of
the file is none. A decision names its subject by ids and says in words what people saw, so that it is found again
when an id is replaced, and is not applied to something they never saw.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError, model_validator

from kg.errors import Failure, InputError, first_problem
from kg.graph import Edge, Node
from kg.row import Row
from kg.schema import GraphSchema
from kg.text import one_line, squash

About = Literal["node", "edge", "pair", "use"]
Verdict = Literal["keep", "change", "remove", "merge", "apart", "withdraw"]

VERDICTS: Mapping[About, tuple[Verdict, ...]] = {
    "node": ("keep", "change", "remove"),
    "edge": ("keep", "change", "remove"),
    "pair": ("merge", "apart"),
    "use": ("merge", "apart"),
}
"""What can be said about each kind of subject; `withdraw` can be said about all."""
IDS: Mapping[About, int] = {"node": 1, "edge": 3, "pair": 2, "use": 3}
ACCEPTED = "accepted"
"""Property, true on nodes and edges that people confirmed."""


class Decision(Row):
    """One line of the file."""

    kind: About
    about: tuple[str, ...]
    """A node: its id. An edge: type, source, target. A pair: two node ids, the smaller first. A use of a name: node id,
    id of the chapter, and the name as printed there."""
    verdict: Verdict
    content: str = ""
    """What people saw, in words (see `node_content`); empty: applied whatever the subject says by now."""
    change: dict[str, Any] = {}
    """Of a node: new values of properties, and `name`. Of an edge: new `type`, `source`, `target`."""
    by: tuple[str, ...] = ()
    date: str = ""
    comment: str = ""

    @model_validator(mode="after")
    def _fits(self) -> Decision:
        if len(self.about) != IDS[self.kind]:
            raise ValueError(f"about: a decision on a {self.kind} names {IDS[self.kind]} ids")
        if self.verdict != "withdraw" and self.verdict not in VERDICTS[self.kind]:
            raise ValueError(f"verdict: {self.verdict} cannot be said about a {self.kind}")
        if bool(self.change) != (self.verdict == "change"):
            raise ValueError("change: says what is changed, where the verdict is change")
        return self

    def subject(self) -> tuple[str, ...]:
        """What it is about: decisions with one subject replace each other."""
        return (self.kind, *self.about)

    def saw(self, content: str) -> bool:
        """True if people saw this content, spacing and punctuation apart."""
        return not self.content or squash(self.content) == squash(content)


class Outcome(Row):
    """What became of a decision in this run."""

    decision: Decision
    outcome: Literal["applied", "moved", "changed", "vanished", "superseded"]
    """`moved`: applied to the same content under another id. `changed`: people saw something else; not applied.
    `vanished`: its subject is nowhere; not applied. `superseded`: a later decision replaces it."""
    why: str = ""
    about: tuple[str, ...] = ()
    """Ids of what it was applied to, where it has moved."""

    def subject(self) -> tuple[str, ...]:
        """What it was applied to."""
        return (self.decision.kind, *(self.about or self.decision.about))


def read(path: Path) -> tuple[list[Decision], list[Failure]]:
    """The decisions of a file, none if it is not there; a line that is no decision is a failure.

    Raises InputError if the file is no text.
    """
    if not path.is_file():
        return [], []
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"decisions cannot be read: {error}", where=str(path)) from None
    decisions: list[Decision] = []
    failures: list[Failure] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            decisions.append(Decision.model_validate(json.loads(line)))
        except (ValidationError, json.JSONDecodeError) as error:
            what = first_problem(error) if isinstance(error, ValidationError) else f"not JSON: {error}"
            where = f"{path.name}, line {number}"
            failures.append(Failure(stage="decisions", item=where, what=what, remedy="correct or delete the line"))
    return decisions, failures


def node_content(node: Node, schema: GraphSchema) -> str:
    """`Concept “friction”: a force that opposes sliding`: what a decision on the node rests on."""
    kind = schema.nodes.get(node.label)
    fields = kind.fields.items() if kind else ()
    texts = [name for name, field in fields if field.required and field.type == "text" and not field.values]
    said = next((str(node.properties.get(name, "")) for name in texts if kind and name != kind.key), "")
    return one_line(f"{node.label} “{node.name}”: {said}" if said else f"{node.label} “{node.name}”")


def edge_content(edge: Edge, names: Mapping[str, str]) -> str:
    """`“friction” is_a “force”`: what a decision on the edge rests on. `names`: node id -> name."""
    source, target = names.get(edge.source, edge.source), names.get(edge.target, edge.target)
    return one_line(f"“{source}” {edge.type} “{target}”")


def pair_content(one: Node, other: Node, schema: GraphSchema) -> str:
    """Both contents, the one of the smaller id first."""
    first, second = sorted((one, other), key=lambda node: node.id)
    return f"{node_content(first, schema)} | {node_content(second, schema)}"


def use_content(name: str, quote: str) -> str:
    """What a decision on one chapter's use of a name rests on: the name, and the first quotation from there."""
    return one_line(f"“{name}”: {quote}")
