"""Who decides whether an option may stand as a wrong answer: rules, and optionally a teacher (a model).

In: a `Case`. Out: a `Verdict`. A judge that cannot say VALID for sure says no: it fails closed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from derive.ask import Ask, Messages
from derive.draft import Draft
from derive.material import Material
from kg.prompt import load

KNOWLEDGE = ("term", "procedure")
PROMPT = Path(__file__).parent / "prompts" / "distractor.md"


@dataclass(frozen=True)
class Case:
    """A possible wrong answer to a question."""

    draft: Draft
    question: str
    golds: tuple[str, ...]
    """Texts of all right answers, shown or not."""
    candidate: str
    """Node id."""
    text: str
    """The candidate as an option."""


@dataclass(frozen=True)
class Verdict:
    """`valid`: surely wrong as an answer, and fit to stand among the options."""

    valid: bool
    reason: str = ""
    """Why not; empty if valid."""


VALID = Verdict(True)


class Judge(Protocol):
    """Looks at many cases at a time."""

    @property
    def label(self) -> str:
        """Who judges, for the record."""

    def verdicts(self, cases: Sequence[Case]) -> list[Verdict]:
        """One verdict per case, in order."""


class RuleJudge:
    """Refuses what the graph, read as loosely as possible, would accept: the open-world guard."""

    label = "rules"

    def __init__(self, material: Material) -> None:
        self._m = material

    def verdicts(self, cases: Sequence[Case]) -> list[Verdict]:
        """One verdict per case, in order."""
        return [self._verdict(case.draft, case.candidate) for case in cases]

    def _verdict(self, draft: Draft, candidate: str) -> Verdict:
        if self._named_alike(draft, candidate):
            return Verdict(False, "same_name")
        if candidate in draft.surely_wrong:
            return VALID
        for reason, ids in draft.refused.items():
            if candidate in ids:
                return Verdict(False, f"open_world_{reason}")
        if draft.sections:
            return self._place(draft, candidate)
        if self._spoken_of(draft, candidate):
            return Verdict(False, "open_world_co_mention")
        if self._same_task(draft, candidate):
            return Verdict(False, "open_world_same_task")
        return VALID

    def _named_alike(self, draft: Draft, candidate: str) -> bool:
        twins = self._m.words.twins.get(candidate, frozenset())
        return candidate == draft.query or draft.query in twins or any(gold.id in twins for gold in draft.golds)

    def _spoken_of(self, draft: Draft, candidate: str) -> bool:
        words, view = self._m.words, self._m.view
        ends = (draft.query, candidate)
        if all(view.role(end) in KNOWLEDGE for end in ends) and words.inside(*ends):
            return True
        if words.speaks_of(draft.texts, candidate):
            return True
        return draft.silent and words.speaks_of(words.said(candidate), draft.query)

    def _same_task(self, draft: Draft, candidate: str) -> bool:
        """True if the candidate is an exercise with the instruction of a right one."""
        if self._m.view.role(candidate) != "question":
            return False
        instruction = self._m.words.instruction(candidate)
        return bool(instruction) and any(self._m.words.instruction(gold.id) == instruction for gold in draft.golds)

    def _place(self, draft: Draft, candidate: str) -> Verdict:
        places, words = self._m.places, self._m.words
        gold = draft.golds[0].id
        if _kind(self._m, candidate) != _kind(self._m, gold):
            return Verdict(False, "other_kind_of_place")
        earlier = places.order[candidate] < places.order[gold]
        if earlier and words.speaks_of(words.quotes_in.get(candidate, ""), draft.query):
            return Verdict(False, "open_world_co_mention")
        return VALID


def _kind(material: Material, section: str) -> str:
    return str(material.view.nodes[section].properties.get("kind") or "section")


class TeacherJudge:
    """Asks a model about many cases at once, each in a call of its own.

    Every answer but a plain VALID counts as INVALID, and so does a failed call.
    """

    def __init__(self, label: str, ask: Ask) -> None:
        self.label = label
        self._ask = ask
        self.prompt = load(PROMPT)

    def verdicts(self, cases: Sequence[Case]) -> list[Verdict]:
        """One verdict per case, in order."""
        return [_read(reply) for reply in self._ask([self._messages(case) for case in cases])]

    def _messages(self, case: Case) -> Messages:
        golds = "; ".join(case.golds)
        return self.prompt.messages({"question": case.question, "gold_answers": golds, "candidate": case.text})


def _read(reply: str | None) -> Verdict:
    if reply is None:
        return Verdict(False, "teacher_silent")
    return VALID if re.findall(r"\w+", reply.upper()) == ["VALID"] else Verdict(False, "teacher")


class Panel:
    """Teachers who are asked about many cases at a time.

    What they have not been asked yet is noted and taken for valid until `settle`.
    """

    def __init__(self, teachers: Sequence[Judge]) -> None:
        self._teachers = teachers
        self._known: dict[tuple[str, str], Verdict] = {}
        self._open: dict[tuple[str, str], Case] = {}

    @property
    def waiting(self) -> int:
        """Cases that were noted and not asked."""
        return len(self._open)

    def verdict(self, case: Case) -> Verdict:
        """The first teacher's no, or VALID if every one lets it pass or has not been asked."""
        key = (case.draft.key, case.candidate)
        if self._teachers and key not in self._known:
            self._open[key] = case
        return self._known.get(key, VALID)

    def settle(self) -> None:
        """Every case that was noted has its verdict; a teacher is asked only what those before let pass."""
        left = self._open
        for teacher in self._teachers:
            said = dict(zip(left, teacher.verdicts(list(left.values())), strict=True))
            self._known |= said
            left = {key: case for key, case in left.items() if said[key].valid}
        self._open = {}
