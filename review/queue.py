"""What people should see first: findings become questions, most urgent first, each with its evidence.

In: the merged graph, findings and what became of earlier decisions. Out: `Task`s, one per subject. What has been
decided and still fits is not asked again; a decision whose subject has changed is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from kg.decisions import ACCEPTED, VERDICTS, About, Outcome, edge_content, node_content, pair_content, use_content
from kg.graph import Edge, Finding, Node
from kg.schema import GraphSchema
from review.cards import Cards
from review.passages import Shelf
from review.task import RELATION, Fact, Task, task_id

EVERYTHING = "all"
STALE = "decision"
CONTENT_ROLES = ("term", "procedure", "activity", "question")


@dataclass(frozen=True)
class Choices:
    """What is asked, and how urgently."""

    first: Sequence[str]
    """Checks, most urgent first; others follow by name."""
    pairs: Sequence[str]
    """Checks whose nodes may be one thing."""
    uses: Sequence[str]
    """Checks that doubt one chapter's use of a name."""
    everything: bool
    again: Sequence[str] = ()
    """Checks that ask about what people have decided already."""
    lacking: Sequence[str] = ()
    """Checks of what cannot stay as it is: people may correct or remove it."""
    unasked: Sequence[str] = ()
    """Checks of what no answer here could mend."""


@dataclass
class _Asked:
    """A subject and why it is asked about."""

    kind: About
    about: tuple[str, ...]
    checks: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    details: dict[str, Any] = field(default_factory=dict)
    suggest: str = ""
    earlier: str = ""
    confidence: float = 0.0


class Queue:
    """Makes the tasks of one graph."""

    def __init__(
        self, nodes: Iterable[Node], edges: Iterable[Edge], schema: GraphSchema, choices: Choices, shelf: Shelf
    ) -> None:
        self.nodes = {node.id: node for node in nodes}
        self.edges = {edge.key(): edge for edge in edges}
        self.schema, self.choices, self.shelf = schema, choices, shelf
        self.names = {node.id: node.name for node in self.nodes.values()}
        self.cards = Cards(self.nodes, self.edges.values(), schema, shelf)
        self._rank = {check: place for place, check in enumerate(choices.first)}

    def tasks(self, findings: Iterable[Finding], outcomes: Sequence[Outcome]) -> list[Task]:
        """Most urgent first; the same for the same graph whatever the order of the findings."""
        asked: dict[tuple[str, ...], _Asked] = {}
        silent = set(self.choices.unasked)
        due = (finding for finding in findings if finding.action != "note" and finding.check not in silent)
        rows = {finding.to_json(): finding for finding in due}
        for finding in sorted(rows.values(), key=self._urgency):
            for subject in self._subjects(finding):
                self._note(asked, subject, finding)
        for outcome in outcomes:
            if outcome.outcome == "changed":
                self._stale(asked, outcome)
        if self.choices.everything:
            for subject in self._all():
                asked.setdefault((subject.kind, *subject.about), subject)
        done = {row.subject() for row in outcomes if row.outcome in ("applied", "moved")}
        left = [subject for key, subject in asked.items() if key not in done or self._again(subject)]
        return [self._task(subject) for subject in sorted(left, key=self._place)]

    def _again(self, subject: _Asked) -> str:
        """What is asked though people have decided; empty if nothing is."""
        checks = [check for check in subject.checks if check in self.choices.again]
        return " ".join([*checks, *subject.details.get("circle", [])]) if checks else ""

    def _urgency(self, finding: Finding) -> tuple[int, str, str]:
        return (self._rank.get(finding.check, len(self._rank)), finding.check, finding.to_json())

    def _place(self, subject: _Asked) -> tuple[int, str, int, float, tuple[str, ...]]:
        """Most urgent check, then large knots of circles, then what is least sure."""
        check = subject.checks[0]
        last = len(self._rank) + (1 if check == EVERYTHING else 0)
        size = subject.details.get("component", 0)
        return (self._rank.get(check, last), check, -int(size), subject.confidence, (subject.kind, *subject.about))

    def _subjects(self, finding: Finding) -> Iterator[_Asked]:
        if finding.edge is not None:
            if finding.edge in self.edges:
                yield _Asked("edge", finding.edge)
        elif finding.check in self.choices.pairs:
            known = sorted({node for node in finding.nodes if node in self.nodes})
            for pair in combinations(known, 2):
                if self.nodes[pair[0]].label == self.nodes[pair[1]].label:
                    yield _Asked("pair", pair)
        elif finding.check in self.choices.uses:
            second = finding.details.get("second", {})
            if finding.nodes and finding.nodes[0] in self.nodes and second.get("chapter"):
                yield _Asked("use", (finding.nodes[0], second["chapter"], second["name"]))
        elif finding.nodes and self._is_content(finding.nodes[0]) and finding.check != STALE:
            yield _Asked("node", finding.nodes[:1])

    def _note(self, asked: dict[tuple[str, ...], _Asked], subject: _Asked, finding: Finding) -> None:
        known = asked.setdefault((subject.kind, *subject.about), subject)
        known.checks.append(finding.check)
        if finding.message not in known.reasons:
            known.reasons.append(finding.message)
            known.facts.append(self._fact(finding))
        known.details = {**finding.details, **known.details}
        known.suggest = known.suggest or str(finding.details.get("suggest") or "")

    def _fact(self, finding: Finding) -> Fact:
        """Ends and type of a relation, names of nodes and of a circle, and whatever texts and figures are stated."""
        values = {name: str(value) for name, value in finding.details.items() if isinstance(value, str | int | float)}
        ids = finding.edge[1:] if finding.edge else finding.nodes
        values |= dict(zip(("one", "other"), (self.names.get(node, node) for node in ids), strict=False))
        values |= {"count": str(max(0, len(finding.nodes) - 1))}
        if finding.edge:
            edge = self.edges.get(finding.edge)
            values |= {RELATION: finding.edge[0], "confidence": f"{_sure(edge.properties) if edge else 0:.2f}"}
        if circle := finding.details.get("circle"):
            values["circle"] = " → ".join(f"“{self.names.get(node, node)}”" for node in [*circle, circle[0]])
        return Fact(check=finding.check, values=values)

    def _stale(self, asked: dict[tuple[str, ...], _Asked], outcome: Outcome) -> None:
        """A decision that was made on other words is asked about again."""
        decision = outcome.decision
        ids = {"edge": decision.about in self.edges, "pair": all(node in self.nodes for node in decision.about)}
        if not ids.get(decision.kind, decision.about[0] in self.nodes):
            return
        subject = asked.setdefault(decision.subject(), _Asked(decision.kind, decision.about))
        subject.checks.insert(0, STALE)
        subject.earlier = decision.content
        subject.reasons.insert(0, outcome.why)
        subject.facts.insert(0, Fact(check=STALE))

    def _all(self) -> Iterator[_Asked]:
        """Every content node, and every relation that rests on a quotation."""
        for node in self.nodes.values():
            if self._is_content(node.id) and not node.properties.get(ACCEPTED):
                yield _Asked("node", (node.id,), [EVERYTHING], confidence=_sure(node.properties))
        for edge in self.edges.values():
            kind = self.schema.edges.get(edge.type)
            if kind is not None and kind.evidence and not edge.properties.get(ACCEPTED):
                yield _Asked("edge", edge.key(), [EVERYTHING], confidence=_sure(edge.properties))

    def _is_content(self, node: str) -> bool:
        return node in self.nodes and self.schema.role(self.nodes[node].label) in CONTENT_ROLES

    def _task(self, subject: _Asked) -> Task:
        kind, about = subject.kind, subject.about
        lacking = set(self.choices.lacking) & set(subject.checks)
        shown = {"edge": self._edge, "pair": self._pair, "use": self._use, "node": self._node}[kind](subject)
        return Task(
            id=task_id(kind, about),
            kind=kind,
            about=about,
            check=subject.checks[0],
            reasons=tuple(subject.reasons),
            facts=tuple(subject.facts),
            suggest=subject.suggest,
            again=self._again(subject),
            earlier=subject.earlier,
            verdicts=tuple(verdict for verdict in VERDICTS[kind] if verdict != "keep" or not lacking),
            **shown,
        )

    def _node(self, subject: _Asked) -> dict[str, Any]:
        node = self.nodes[subject.about[0]]
        change = self.cards.correctable(node)
        return {
            "type": node.label,
            "content": node_content(node, self.schema),
            "cards": (self.cards.card(node.id),),
            "change": change,
        }

    def _edge(self, subject: _Asked) -> dict[str, Any]:
        kind, source, target = subject.about
        edge = self.edges[(kind, source, target)]
        circle = subject.details.get("circle", [])
        return {
            "type": kind,
            "content": edge_content(edge, self.names),
            "cards": tuple(self.cards.card(end, quotes=1) for end in (source, target) if end in self.nodes),
            "passages": self.shelf.passages(edge.provenance),
            "circle": self.cards.circle(kind, circle, edge.key()),
            "change": {"type": kind, "source": source, "target": target},
        }

    def _pair(self, subject: _Asked) -> dict[str, Any]:
        one, other = (self.nodes[node] for node in subject.about)
        return {
            "type": one.label,
            "content": pair_content(one, other, self.schema),
            "cards": tuple(self.cards.card(node) for node in subject.about),
        }

    def _use(self, subject: _Asked) -> dict[str, Any]:
        """The node as it is, with the quotation of the chapter whose use is in doubt."""
        node = self.nodes[subject.about[0]]
        quote = str(subject.details.get("second", {}).get("quote", ""))
        there = [found for found in node.provenance if found.quote == quote]
        return {
            "type": node.label,
            "content": use_content(node.name, quote),
            "cards": (self.cards.card(node.id),),
            "passages": self.shelf.passages(there, most=1),
        }


def _sure(properties: Mapping[str, Any]) -> float:
    value = properties.get("confidence")
    return float(value) if isinstance(value, int | float) else 0.0
