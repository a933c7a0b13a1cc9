"""What must never be a distractor: the answers, their other names, and whatever the graph would accept as an answer.

In: where a question starts, its right answers, its relation where the graph knows it. Out: `Avoided`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from derive.draft import Draft, Gold
from derive.judge import Case, RuleJudge, Verdict
from derive.material import Material
from derive.tasks.catalogue import TASKS
from derive.view import NEAR, GraphView
from kg.item import Item
from kg.schema import EdgeRole

Policy = Literal["alias", "closure", "relation", "ball"]
POLICIES: tuple[Policy, ...] = ("alias", "closure", "relation")
SYMMETRIC: tuple[EdgeRole, ...] = ("association",)
CHAINED: tuple[EdgeRole, ...] = ("taxonomy", "prerequisite", "containment", "sequence")
"""What holds step by step holds from end to end."""
Way = tuple[EdgeRole, bool]


@dataclass(frozen=True)
class Avoided:
    """Everything about one question that decides what may be wrong."""

    draft: Draft
    """Complete: all right answers of the graph, and who may be one by a looser reading."""
    barred: frozenset[str]
    """Never entered by a walk: answers and, if they are avoided, their namesakes."""
    right: frozenset[str]
    """Whatever the graph says is right, by any name and whatever is avoided: what a wrong option must not be."""


class Avoider:
    """Remembers the drafts of the tasks it has met."""

    def __init__(self, material: Material, policies: Sequence[Policy]) -> None:
        self._m, self._policies = material, frozenset(policies)
        self._drafts: dict[str, dict[str, Draft]] = {}

    def avoided(self, item: Item, starts: Sequence[str], answers: Sequence[str]) -> Avoided:
        """For one of our own questions what its task says; for any other what can be said of its ends."""
        own = self._own(item)
        draft = self._foreign(item, starts, answers) if own is None else own
        golds = frozenset((*answers, *(gold.id for gold in draft.golds)))
        right = (
            golds | self._twins(golds) | self._related(starts, answers) if own is None else golds | self._twins(golds)
        )
        barred = golds | self._twins(golds) if "alias" in self._policies else golds
        return Avoided(draft, barred if self._policies else frozenset(answers), right)

    def _own(self, item: Item) -> Draft | None:
        if item.task not in TASKS:
            return None
        if item.task not in self._drafts:
            self._drafts[item.task] = {draft.key: draft for draft in TASKS[item.task](self._m)}
        return self._drafts[item.task].get(item.id)

    def _foreign(self, item: Item, starts: Sequence[str], answers: Sequence[str]) -> Draft:
        view = self._m.view
        refused: dict[str, Iterable[str]] = {}
        if "closure" in self._policies:
            refused["closure"] = view.kin(*answers)
        if "relation" in self._policies:
            refused["relation"] = self._related(starts, answers)
        if "ball" in self._policies:
            refused["union"] = view.near(*answers)
        golds = tuple(Gold(answer, ()) for answer in answers)
        texts = self._m.words.keyed(item.question)
        # the id stands for a task, so that no two questions share a key
        return Draft(item.id, item.id, (*starts, *answers)[0], golds, (), refused, texts=texts)

    def _related(self, starts: Sequence[str], answers: Sequence[str]) -> frozenset[str]:
        return frozenset().union(*(answers_of(self._m.view, start, answers) for start in starts))

    def _twins(self, nodes: Iterable[str]) -> frozenset[str]:
        return frozenset().union(*(self._m.words.twins.get(node, frozenset()) for node in nodes))


def answers_of(view: GraphView, start: str, answers: Sequence[str]) -> frozenset[str]:
    """All that `start` is linked to in the way it is linked to an answer, directly or over one node between."""
    found: set[str] = set()
    for answer in answers:
        ways: list[tuple[Way, ...]] = [(way,) for way in _ways(view, start, answer)]
        if not ways:
            between = sorted(view.near(start) & view.near(answer))
            ways = [(a, b) for node in between for a in _ways(view, start, node) for b in _ways(view, node, answer)]
        for way in dict.fromkeys(ways):
            found |= follow(view, start, way)
    return frozenset(found)


def follow(view: GraphView, start: str, ways: Sequence[Way]) -> frozenset[str]:
    """Where a row of relations leads; a relation that can be chained is followed to its end."""
    here = frozenset({start})
    for role, forward in ways:
        here = frozenset().union(*(_ends(view, node, role, forward) for node in sorted(here)))
    return here - {start}


def _ends(view: GraphView, node: str, role: EdgeRole, forward: bool) -> frozenset[str]:
    if role in SYMMETRIC:
        return view.both_ways(node, role)
    if role in CHAINED:
        return view.closure(node, role, forward)
    return frozenset(view.after(node, role) if forward else view.before(node, role))


def _ways(view: GraphView, one: str, other: str) -> list[Way]:
    """Relations that lead directly from one to the other."""
    roles: tuple[EdgeRole, ...] = (*NEAR, "demonstration", "assessment", "location", "containment", "sequence")
    return [
        (role, forward)
        for role in roles
        for forward, ends in ((True, (one, other)), (False, (other, one)))
        if view.edge(role, *ends)
    ]


class FullJudge:
    """The rules of the benchmark, asked about the complete draft of each question."""

    label = "rules"

    def __init__(self, material: Material, avoided: Mapping[str, Avoided], strict: bool) -> None:
        """Without `strict` only the answers themselves are refused: the source's own set."""
        self._rules, self._avoided, self._strict = RuleJudge(material), avoided, strict

    def verdicts(self, cases: Sequence[Case]) -> list[Verdict]:
        """One verdict per case, in order."""
        return [self._verdict(case) for case in cases]

    def _verdict(self, case: Case) -> Verdict:
        avoided = self._avoided[case.draft.key]
        if case.candidate in avoided.barred:
            return Verdict(False, "right_answer")
        if not self._strict:
            return Verdict(True)
        return self._rules.verdicts([replace(case, draft=avoided.draft)])[0]
