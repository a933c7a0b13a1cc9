"""Write, criticise, write again: many texts side by side, a few rounds, with the history of each.

In: things to write about, a `Generator`, a `Critic`. Out: a `Refined` per thing. A text stands only if the critic let
it pass: where a call fails or the rounds run out there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar

from kg.row import Row

Verdict = Literal["PASS", "NEEDS_IMPROVEMENT", "FAIL"]
Stop = Literal["passed", "rounds", "repeated", "no_text"]
ROUNDS = 5
T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)


class Critique(Row):
    """What a critic says of one text."""

    verdict: Verdict
    feedback: str = ""
    """What is wrong, for the next round; empty if nothing is."""
    failed: tuple[str, ...] = ()
    """Names of the criteria that are not met."""
    by: str = ""


class Attempt(Row):
    """One round: a text, and what was said of it."""

    text: str
    critique: Critique


@dataclass(frozen=True)
class Task(Generic[T]):
    """A thing to write about, and what came of earlier rounds."""

    thing: T
    history: tuple[Attempt, ...] = ()


class Generator(Protocol[T]):
    """Writes texts; many at a time."""

    def write(self, tasks: Sequence[Task[T]]) -> list[str | None]:
        """A text per task, none where none can be made; in order."""


class Critic(Protocol[T_contra]):
    """Judges texts; many at a time. What it cannot judge does not pass."""

    def criticise(self, cases: Sequence[tuple[T_contra, str]]) -> list[Critique]:
        """One critique per (thing, text), in order."""


@dataclass(frozen=True)
class Refined(Generic[T]):
    """What came of one thing."""

    thing: T
    text: str | None
    """The text that passed; none if none did."""
    history: tuple[Attempt, ...]
    stop: Stop
    """`passed`, `rounds` (none left), `repeated` (the same text again), `no_text` (nothing was written)."""


def refine(things: Sequence[T], generator: Generator[T], critic: Critic[T], rounds: int = ROUNDS) -> list[Refined[T]]:
    """Every thing is written about until its text passes, at most `rounds` times; one batch of calls per round.

    Writing the same text twice ends a thing's rounds: nobody would judge it differently.
    """
    done: dict[int, Refined[T]] = {}
    due = {number: Task(thing) for number, thing in enumerate(things)}
    for _ in range(rounds):
        if not due:
            break
        texts = dict(zip(due, generator.write(list(due.values())), strict=True))
        done.update((number, _ended(due[number], stop)) for number, stop in _stopped(due, texts).items())
        asked = {number: text for number, text in texts.items() if text is not None and number not in done}
        said = critic.criticise([(due[number].thing, text) for number, text in asked.items()]) if asked else []
        due = {
            number: Task(due[number].thing, (*due[number].history, Attempt(text=text, critique=critique)))
            for (number, text), critique in zip(asked.items(), said, strict=True)
        }
        passed = [number for number, task in due.items() if task.history[-1].critique.verdict == "PASS"]
        done.update((number, _ended(due.pop(number), "passed")) for number in passed)
    done.update((number, _ended(task, "rounds")) for number, task in due.items())
    return [done[number] for number in range(len(things))]


def _stopped(due: dict[int, Task[T]], texts: dict[int, str | None]) -> dict[int, Stop]:
    found: dict[int, Stop] = {}
    for number, text in texts.items():
        if not text:
            found[number] = "no_text"
        elif any(attempt.text == text for attempt in due[number].history):
            found[number] = "repeated"
    return found


def _ended(task: Task[T], stop: Stop) -> Refined[T]:
    return Refined(task.thing, task.history[-1].text if stop == "passed" else None, task.history, stop)
