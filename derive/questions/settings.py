"""What a question set can be told; conf/derive/questions.yaml says the same with a comment each.

In: YAML. Out: `Rules`. Raises SettingsError for what does not fit together.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal, get_args

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from derive.options import PoolRules
from kg.errors import SettingsError
from kg.schema import EdgeRole

Mode = Literal["forward", "reverse"]
Arm = Literal["plain", "rag", "rag_kg", "rag_val", "full"]
ARMS: tuple[str, ...] = get_args(Arm)


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Rules:
    """Settings of a question set. What `budget` to `pool` say decides what is kept in the bank."""

    budget: int = Field(default=3, ge=1, le=4)
    """Most hops: how far the graph is searched, whatever levels are asked for."""
    relations: tuple[EdgeRole, ...] = ("taxonomy", "prerequisite", "association", "demonstration")
    evidence: bool = True
    """Only hops whose edge quotes a book make questions."""
    pool: PoolRules = field(default_factory=PoolRules)
    bank: str | None = "outputs/questions"
    """Folder in which what was found in a graph is kept for the next question set; none: nowhere."""

    levels: tuple[int, ...] = (1, 2, 3)
    modes: tuple[Mode, ...] = get_args(Mode)
    topic: str = ""
    """Name of a book, chapter, section or node; empty: the whole graph."""
    multiselect: bool = True
    """Ask also what has two or three right answers, all shown."""
    limit: int = Field(default=0, ge=0)
    """Most single-answer and most multi-select questions per level; 0: all there are."""
    seed: int = 0
    nearness: float = Field(default=1.5, ge=0)
    low: float = Field(default=0.19, ge=0, lt=0.25)
    high: float = Field(default=0.34, gt=0.25, le=1)
    give_up_from: int = Field(default=60, ge=1)
    per_answer: int = Field(default=3, ge=1)
    """Most questions of a level with the same answers: who has met them would know."""
    near_stem: float = Field(default=0.95, gt=0, le=1)
    """Likeness from which two stems with the same answers are the same question."""

    writer: Literal["template", "model"] = "template"
    validator: Literal["rules", "model"] = "rules"
    """The rules always look; a model may look as well."""
    sample: float = Field(default=1.0, ge=0, le=1)
    """Share of the questions that the model looks at."""
    trace: float = Field(default=0.35, ge=0, le=1)
    """A model is shown a definition only if this share of its words stands in what is quoted from its sections."""
    probe: bool = False
    """Ask the model every question and keep how sure it was."""
    arms: tuple[Arm, ...] = ()
    """Ablations to make beside the question set; all but `full` are written by the model where there is one."""
    arm_by: Literal["rules", "model"] = "rules"
    arm_items: int = Field(default=100, ge=1)

    def __post_init__(self) -> None:
        wrong = [level for level in self.levels if not 1 <= level <= self.budget]
        if wrong or not self.levels:
            what = f"no level {wrong[0]}" if wrong else "no level"
            raise SettingsError(what, where="questions.levels", remedy=f"1 to questions.budget={self.budget}")
