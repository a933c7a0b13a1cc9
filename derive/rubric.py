"""Rates things by named criteria: rules do, or a model does; both are asked in the same way.

In: `RubricCase`s and a `Rubric`. Out: one `Rating` per case. What cannot be rated for sure fails every criterion.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from derive.ask import Ask
from kg.prompt import Prompt

_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
_WORDS = {"YES": 1, "NO": 0, "TRUE": 1, "FALSE": 0}


@dataclass(frozen=True)
class Criterion:
    """One thing to look at; it is passed from the score `passes` on."""

    name: str
    about: str = ""
    """What a model is told about it."""
    lowest: int = 0
    highest: int = 1
    passes: int = 1
    optional: bool = False
    """May be answered NA, which passes: it does not apply to every case."""

    @property
    def scale(self) -> str:
        """The answers it takes, for a prompt."""
        words = "YES, NO" if (self.lowest, self.highest) == (0, 1) else f"a number {self.lowest} to {self.highest}"
        return f"{words}, NA" if self.optional else words


@dataclass(frozen=True)
class Rubric:
    """Named criteria, in the order in which they are shown."""

    name: str
    criteria: tuple[Criterion, ...]

    @property
    def text(self) -> str:
        """One line per criterion, for the place `{{criteria}}` of a prompt."""
        return "\n".join(f"- {one.name} ({one.scale}): {one.about}" for one in self.criteria)


@dataclass(frozen=True)
class RubricCase:
    """One thing to be rated."""

    key: str
    values: Mapping[str, str]
    """What fills the places of a prompt."""
    subject: Any = None
    """The thing itself, for rules."""


@dataclass(frozen=True)
class Rating:
    """What one rater says of one case."""

    by: str
    scores: Mapping[str, int]
    """Criterion -> score; one that was not rated, or does not apply, is missing."""
    passed: Mapping[str, bool]
    """Every criterion of the rubric."""
    reason: str = ""

    @property
    def ok(self) -> bool:
        """True if there are criteria and all are passed."""
        return bool(self.passed) and all(self.passed.values())

    @property
    def failed(self) -> tuple[str, ...]:
        """Names of the criteria that are not passed."""
        return tuple(name for name, passed in self.passed.items() if not passed)


class Rater(Protocol):
    """Rates many cases at a time."""

    @property
    def label(self) -> str:
        """Who rates, for the record."""

    def rate(self, cases: Sequence[RubricCase]) -> list[Rating]:
        """One rating per case, in order."""


Rule = Callable[[RubricCase], int | bool | None]
"""The score of a case; none where the criterion does not apply."""


class RuleRater:
    """Rates by one function per criterion; a criterion without one is not passed."""

    def __init__(self, rubric: Rubric, rules: Mapping[str, Rule], label: str = "rules") -> None:
        self.label = label
        self._rubric, self._rules = rubric, rules

    def rate(self, cases: Sequence[RubricCase]) -> list[Rating]:
        """One rating per case, in order."""
        return [_rating(self._rubric, self.label, self._said(case)) for case in cases]

    def _said(self, case: RubricCase) -> dict[str, object]:
        found = {name: rule(case) for name, rule in self._rules.items()}
        return {name: "NA" if score is None else int(score) for name, score in found.items()}


class ModelRater:
    """Asks a model about many cases at once, each in a call of its own.

    The prompt has a place `{{criteria}}`, and asks for a JSON object with a value for each of them and a `reason`.
    """

    def __init__(self, rubric: Rubric, prompt: Prompt, ask: Ask, label: str) -> None:
        self.label = label
        self.prompt = prompt
        self._rubric, self._ask = rubric, ask

    def rate(self, cases: Sequence[RubricCase]) -> list[Rating]:
        """One rating per case, in order; a failed call or a reply that cannot be read fails the case."""
        criteria = {"criteria": self._rubric.text}
        replies = self._ask([self.prompt.messages({**criteria, **case.values}) for case in cases])
        return [self._read(reply) for reply in replies]

    def _read(self, reply: str | None) -> Rating:
        if reply is None:
            return failed(self._rubric, self.label, "call_failed")
        said = json_object(reply)
        if said is None:
            return failed(self._rubric, self.label, "not_json")
        return _rating(self._rubric, self.label, said, str(said.get("reason") or ""))


def failed(rubric: Rubric, by: str, reason: str) -> Rating:
    """A rating in which nothing is passed."""
    return Rating(by, {}, {one.name: False for one in rubric.criteria}, reason)


def json_object(reply: str) -> dict[str, Any] | None:
    """The JSON object in a reply, whatever stands around it; none if there is none."""
    hit = _OBJECT.search(reply)
    try:
        value = json.loads(hit.group()) if hit else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _rating(rubric: Rubric, by: str, said: Mapping[str, object], reason: str = "") -> Rating:
    scores: dict[str, int] = {}
    passed: dict[str, bool] = {}
    for one in rubric.criteria:
        score = _score(one, said.get(one.name))
        if score is None:
            passed[one.name] = one.optional and str(said.get(one.name)).strip().upper() == "NA"
        else:
            scores[one.name] = score
            passed[one.name] = score >= one.passes
    return Rating(by, scores, passed, reason)


def _score(criterion: Criterion, said: object) -> int | None:
    """A score on the criterion's scale; none for anything else."""
    if isinstance(said, str):
        words = _WORDS if (criterion.lowest, criterion.highest) == (0, 1) else {}
        said = words.get(said.strip().upper(), int(said) if re.fullmatch(r"\s*\d{1,3}\s*", said) else None)
    if isinstance(said, float) and said.is_integer():
        said = int(said)
    if not isinstance(said, int):
        return None
    return int(said) if criterion.lowest <= said <= criterion.highest else None
