"""Refining: what passes stands, what does not pass does not, and every round is one batch."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from derive.refine import Critique, Task, refine


class Counting:
    """Writes the number of the round; never anything about `silent` things."""

    def __init__(self, silent: frozenset[int] = frozenset(), stuck: frozenset[int] = frozenset()) -> None:
        self.silent, self.stuck = silent, stuck
        self.batches: list[int] = []

    def write(self, tasks: Sequence[Task[int]]) -> list[str | None]:
        self.batches.append(len(tasks))
        return [self._one(task) for task in tasks]

    def _one(self, task: Task[int]) -> str | None:
        if task.thing in self.silent:
            return None
        return "same" if task.thing in self.stuck else f"{task.thing}:{len(task.history) + 1}"


class Patient:
    """Lets a thing's n-th text pass, n being the thing."""

    def criticise(self, cases: Sequence[tuple[int, str]]) -> list[Critique]:
        return [
            Critique(verdict="PASS" if text == f"{thing}:{thing}" else "NEEDS_IMPROVEMENT", feedback=f"not {text}")
            for thing, text in cases
        ]


def test_a_text_stands_as_soon_as_it_passes_and_not_before() -> None:
    found = refine([1, 3, 6], Counting(), Patient(), rounds=5)
    assert [one.text for one in found] == ["1:1", "3:3", None]
    assert [one.stop for one in found] == ["passed", "passed", "rounds"]
    assert [len(one.history) for one in found] == [1, 3, 5]


def test_each_round_is_one_batch_of_what_is_still_open() -> None:
    generator = Counting()
    refine([1, 3, 6], generator, Patient(), rounds=5)
    assert generator.batches == [3, 2, 2, 1, 1]


def test_the_next_round_is_told_what_was_wrong() -> None:
    history = refine([2], Counting(), Patient())[0].history
    assert [attempt.critique.feedback for attempt in history] == ["not 2:1", "not 2:2"]


def test_silence_and_the_same_text_twice_end_the_rounds_without_a_text() -> None:
    generator = Counting(silent=frozenset({7}), stuck=frozenset({8}))
    silent, stuck = refine([7, 8], generator, Patient())
    assert (silent.text, silent.stop, silent.history) == (None, "no_text", ())
    assert (stuck.text, stuck.stop, len(stuck.history)) == (None, "repeated", 1)
    assert generator.batches == [2, 1]


@given(st.lists(st.integers(1, 8), max_size=12), st.integers(0, 6))
def test_every_thing_comes_back_once_and_only_passed_texts_stand(things: list[int], rounds: int) -> None:
    found = refine(things, Counting(), Patient(), rounds)
    assert [one.thing for one in found] == things
    for one in found:
        assert (one.text is not None) == (one.thing <= rounds) == (one.stop == "passed")
        assert len(one.history) == min(one.thing, rounds)
