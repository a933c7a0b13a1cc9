"""Review: what people have to look at becomes a queue; what they decided before is accounted for."""

from __future__ import annotations

from collections import Counter

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from kg.decisions import Outcome
from kg.graph import Edge, Finding, Node
from kg.project import Project
from kg.stage import Item, Result
from kg.store import jsonl
from review.disputed import DISAGREEMENTS, PROPOSED, disagreements, heard, proposals
from review.passages import Shelf
from review.queue import Choices, Queue

NODES, EDGES, FINDINGS = "merge/nodes.jsonl", "merge/edges.jsonl", "validate/findings.jsonl"
DECIDED = "merge/decided.jsonl"
QUEUE = "review/queue.jsonl"
TEXTS = "segment/*/sections_index.json"


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Review:
    """Questions to people, most urgent first."""

    first: tuple[str, ...] = ()
    """Checks, most urgent first; others follow by name."""
    pairs: tuple[str, ...] = ()
    """Checks whose nodes may be one thing."""
    uses: tuple[str, ...] = ()
    """Checks that doubt one chapter's use of a name."""
    again: tuple[str, ...] = ()
    """Checks that ask about what people have decided already."""
    lacking: tuple[str, ...] = ()
    """Checks of what cannot stay as it is: people may correct or remove it."""
    unasked: tuple[str, ...] = ()
    """Checks of what no answer here could mend."""
    everything: bool = False
    """Also asks about every content node and every relation that rests on a quotation."""
    around: int = Field(default=400, ge=0)
    """Characters of text shown before and after a quotation."""
    quotes: int = Field(default=3, ge=1)
    """Most quotations shown for one thing."""
    decisions: str = ""
    """File to which `python -m review` adds what people decide."""

    @property
    def name(self) -> str:
        """Name of the room."""
        return "review"

    @property
    def reads(self) -> tuple[str, ...]:
        """Glob patterns of the artefacts it needs."""
        return (NODES, EDGES, FINDINGS, DECIDED, TEXTS)

    @property
    def writes(self) -> tuple[str, ...]:
        """Glob patterns of the artefacts it makes."""
        return (QUEUE,)

    def plan(self, project: Project) -> list[Item]:
        """One item: the graph's questions as a whole."""
        store = project.store
        names = [*self.reads[:4], *store.names(TEXTS), *store.names("segment/*/sections/*.md"), *store.names(PROPOSED)]
        names += [DISAGREEMENTS] if store.exists(DISAGREEMENTS) else []
        return [Item("queue", None, {name: store.digest(name) for name in names})]

    def setup(self, project: Project) -> Project:
        """The project itself."""
        return project

    def run(self, item: Item, context: Project) -> Result:
        """The queue."""
        store = context.store
        nodes, edges = list(store.read_rows(NODES, Node)), list(store.read_rows(EDGES, Edge))
        known = {node.id: node for node in nodes}
        outside = proposals(context, known)
        outcomes = heard(list(store.read_rows(DECIDED, Outcome)), outside, context)
        choices = Choices(self.first, self.pairs, self.uses, self.everything, self.again, self.lacking, self.unasked)
        shelf = Shelf(store, self.around, self.quotes)
        queue = Queue([*nodes, *(node for node, _ in outside.values())], edges, context.schema, choices, shelf)
        more = [*(why for _, why in outside.values()), *disagreements(context, known, edges)]
        tasks = queue.tasks([*store.read_rows(FINDINGS, Finding), *more], outcomes)
        became = Counter(row.outcome for row in outcomes)
        counts = {
            "questions": len(tasks),
            "decisions applied": became["applied"] + became["moved"],
            "decisions that no longer fit": became["changed"] + became["vanished"],
        }
        return Result({QUEUE: jsonl(tasks)}, counts=counts)

    def collect(self, project: Project) -> None:
        """Nothing is left to do."""
