"""The settings of an evaluation, as composed from `conf/evaluate/`.

In: plain data. Out: frozen rows; a misspelt key or a wrong type is refused with its name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from pydantic import Field, ValidationError, field_validator

from kg.errors import SettingsError, first_problem
from kg.item import Item
from kg.row import Row


class IdFacts(NamedTuple):
    """What an item's id says."""

    task: str = ""
    subject: str = ""
    stage: str = ""
    query: str = ""


class TaskFormat(Row):
    """How items of other makers say what they are."""

    families: Mapping[str, tuple[str, ...]]
    """Family -> its subtasks, in the order in which they are shown."""
    ids: Mapping[str, str] = {}
    """Subtask -> regular expression that finds it in an item's id."""
    parts: str = ""
    """Regular expression with the groups `query`, `subject`, `book`: what else an id says."""
    stages: Mapping[str, str] = {}
    """School stage -> regular expression of a whole book code."""

    @field_validator("ids", "stages")
    @classmethod
    def _compile(cls, patterns: Mapping[str, str]) -> Mapping[str, str]:
        for pattern in patterns.values():
            _compiled(pattern)
        return patterns

    @field_validator("parts")
    @classmethod
    def _compiles(cls, pattern: str) -> str:
        groups = set(_compiled(pattern).groupindex)
        if pattern and not groups >= {"query", "subject", "book"}:
            raise ValueError("needs the groups query, subject and book")
        return pattern

    def facts(self, item_id: str) -> IdFacts:
        """Subtask, subject, stage and query node of an id; empty where it does not say."""
        task = next((task for task, pattern in self.ids.items() if re.search(pattern, item_id)), "")
        hit = re.search(self.parts, item_id) if self.parts else None
        if hit is None:
            return IdFacts(task)
        stage = next((name for name, pattern in self.stages.items() if re.fullmatch(pattern, hit["book"])), "")
        return IdFacts(task, hit["subject"], stage, hit["query"])

    def family_of(self, task: str) -> str:
        """The family a subtask belongs to; empty if none."""
        return next((family for family, tasks in self.families.items() if task in tasks), "")

    def filled(self, item: Item) -> Item:
        """The item with what its id says in place of what it does not say itself."""
        facts = self.facts(item.id)
        task = item.task or facts.task
        full = {"task": task, "family": item.family or self.family_of(task)}
        full |= {name: getattr(item, name) or getattr(facts, name) for name in ("subject", "stage", "query")}
        return item.model_copy(update=full)


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise ValueError(f"{pattern!r} is no regular expression: {error}") from None


class Protocol(Row):
    """How questions are put and replies are read. The defaults are the paper's (§8.4)."""

    prompt: str = "answer"
    """Prompt files `evaluate/prompts/<prompt>.<language>.md`."""
    prompt_language: str = ""
    """Language of the prompt; empty: that of the question."""
    temperature: float | None = 0.0
    top_p: float | None = 1.0
    max_tokens: int | None = 32
    seed: int | None = None
    rounds: int = Field(default=2, ge=1)
    """Passes over the items; the second and later ones ask again what failed in the one before."""
    parser: Literal["words", "k12"] = "words"


class Statistics(Row):
    """How sure a number is."""

    resamples: int = Field(default=1000, ge=1)
    confidence: float = Field(default=0.95, gt=0, lt=1)
    seed: int = 42
    complete: float = Field(default=0.99, ge=0, le=1)
    """Share of the items that has to be answered before a result counts as one."""


class FieldNames(Row):
    """Where predictions of other tools keep things: dotted paths, the first that is there."""

    id: tuple[str, ...] = ("id",)
    raw: tuple[str, ...] = ("raw",)
    letters: tuple[str, ...] = ("letters",)
    failure: tuple[str, ...] = ("failure",)
    failed_marks: tuple[str, ...] = ()
    """Texts in place of a reply that say that the call failed."""


class Settings(Row):
    """Everything `python -m evaluate` can be told, the model apart."""

    bench: tuple[str, ...]
    out: str = ""
    """Empty: `outputs/evaluate/` and the name of what is evaluated."""
    tasks: TaskFormat
    predictions: str = ""
    compare: str = ""
    name: str = ""
    export: str = ""
    limit: int | None = Field(default=None, ge=1)
    dry_run: bool = False
    quiet: bool = False
    protocol: Protocol = Protocol()
    statistics: Statistics = Statistics()
    fields: FieldNames = FieldNames()
    languages: str
    cache_export: str = ""
    cache_import: str = ""

    @field_validator("bench", mode="before")
    @classmethod
    def _one_is_a_list(cls, value: Any) -> Any:
        return (value,) if isinstance(value, str) else value


def settings_of(data: Mapping[str, Any]) -> Settings:
    """The settings. Raises SettingsError naming the one that is wrong."""
    try:
        return Settings.model_validate(data)
    except ValidationError as error:
        raise SettingsError(first_problem(error), where="settings", remedy="see python -m evaluate --help") from None
