"""A rating is only what a rater surely said; whatever is missing, odd or broken fails."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.ask import Messages
from derive.rubric import Criterion, ModelRater, Rating, Rubric, RubricCase, RuleRater
from kg.llm import Message
from kg.prompt import Prompt

RUBRIC = Rubric(
    "r", (Criterion("clear", "can be read"), Criterion("depth", "says much", lowest=1, highest=5, passes=4))
)
TOPIC = Rubric("t", (Criterion("topic", "on topic", optional=True),))
PROMPT = Prompt(name="p", parts=(Message(role="user", content="{{criteria}}\n{{text}}"),))


def model(reply: str | None, rubric: Rubric = RUBRIC) -> Rating:
    def ask(many: Sequence[Messages]) -> list[str | None]:
        return [reply for _ in many]

    return ModelRater(rubric, PROMPT, ask, "m").rate([RubricCase("k", {"text": "x"})])[0]


def test_rules_and_a_model_give_the_same_kind_of_rating() -> None:
    rules = RuleRater(RUBRIC, {"clear": lambda case: case.subject > 0, "depth": lambda case: case.subject})
    low, high = rules.rate([RubricCase("a", {}, 3), RubricCase("b", {}, 4)])
    assert (low.ok, low.failed, low.scores) == (False, ("depth",), {"clear": 1, "depth": 3})
    assert high.ok and high.by == "rules"
    said = model('Sure: {"clear": "yes", "depth": 4, "reason": "fine"} done')
    assert (said.passed, said.scores, said.reason) == (high.passed, {"clear": 1, "depth": 4}, "fine")


@pytest.mark.parametrize(
    ("reply", "why"), [(None, "call_failed"), ("", "not_json"), ("[1]", "not_json"), ("{broken", "not_json")]
)
def test_a_dead_or_babbling_model_passes_nothing(reply: str | None, why: str) -> None:
    rating = model(reply)
    assert not rating.ok and rating.reason == why and not any(rating.passed.values())


@pytest.mark.parametrize("depth", ['"good"', "9", "0", "3.5", "null", "[4]", '"NA"'])
def test_a_value_off_the_scale_fails_its_criterion_only(depth: str) -> None:
    assert model(f'{{"clear": true, "depth": {depth}}}').passed == {"clear": True, "depth": False}


def test_only_an_optional_criterion_may_not_apply_and_silence_is_no_na() -> None:
    assert model('{"topic": "NA"}', TOPIC).ok
    assert not model("{}", TOPIC).ok
    assert RuleRater(TOPIC, {"topic": lambda _: None}).rate([RubricCase("a", {})])[0].ok
    assert not RuleRater(TOPIC, {}).rate([RubricCase("a", {})])[0].ok


def test_a_rubric_without_criteria_passes_nothing() -> None:
    assert not model("{}", Rubric("empty", ())).ok


def test_a_model_is_told_every_criterion_with_its_scale() -> None:
    asked: list[Messages] = []

    def ask(many: Sequence[Messages]) -> list[str | None]:
        asked.extend(many)
        return [None for _ in many]

    ModelRater(RUBRIC, PROMPT, ask, "m").rate([RubricCase("k", {"text": "the thing"})])
    text = asked[0][0].content
    assert "clear (YES, NO): can be read" in text and "depth (a number 1 to 5)" in text and "the thing" in text


@given(st.text())
def test_no_reply_breaks_the_reading(reply: str) -> None:
    assert set(model(reply).passed) == {"clear", "depth"}
