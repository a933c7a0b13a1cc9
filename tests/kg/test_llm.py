"""A request is what it says, whoever is asked, and a failure knows whether trying again helps."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from kg.llm import CallFailure, Message, Price, Request, Sampling, Usage, request_to
from kg.llm_openai import OpenAIEndpoint

QUESTION = (Message(role="user", content="Which?"),)


def endpoint(model: str = "m", url: str = "http://a/v1", **more: object) -> OpenAIEndpoint:
    return OpenAIEndpoint(model=model, base_url=url, **more)  # type: ignore[arg-type]


def test_the_key_does_not_depend_on_where_or_with_which_key_a_model_is_asked() -> None:
    here = request_to(endpoint(url="http://a/v1"), QUESTION, Sampling())
    there = request_to(endpoint(url="http://b/v1", api_key_env="SECRET"), QUESTION, Sampling())
    assert here.key() == there.key()


@pytest.mark.parametrize(
    "other",
    [
        request_to(endpoint("n"), QUESTION, Sampling()),
        request_to(endpoint(), (Message(role="user", content="Which one?"),), Sampling()),
        request_to(endpoint(), QUESTION, Sampling(temperature=1)),
        request_to(endpoint(), QUESTION, Sampling(), {"type": "object"}),
        request_to(endpoint(extra_body={"reasoning_effort": "none"}), QUESTION, Sampling()),
    ],
)
def test_the_key_changes_with_everything_a_reply_depends_on(other: Request) -> None:
    assert other.key() != request_to(endpoint(), QUESTION, Sampling()).key()


def test_the_order_of_extra_fields_does_not_matter() -> None:
    one = request_to(endpoint(extra_body={"a": 1, "b": 2}), QUESTION, Sampling())
    two = request_to(endpoint(extra_body={"b": 2, "a": 1}), QUESTION, Sampling())
    assert one.key() == two.key()


def test_han_text_counts_more_tokens_per_character() -> None:
    latin = Request(model="m", messages=(Message(role="user", content="a" * 120),))
    han = Request(model="m", messages=(Message(role="user", content="力" * 120),))
    assert (latin.tokens(), han.tokens()) == (31, 101)


def test_a_price_is_per_million_tokens() -> None:
    assert Price(input=2, output=8).of(Usage(prompt=500_000, completion=250_000)) == 3.0


def test_only_passing_faults_are_worth_another_try() -> None:
    retryable = {
        kind for kind in ("rate", "server", "access", "cut", "request") if CallFailure(kind=kind, what="x").retryable
    }
    assert retryable == {"rate", "server"}


def test_a_failure_says_what_to_do() -> None:
    assert str(CallFailure(kind="rate", what="slow down", hint="wait")) == "slow down (wait)"
    assert str(CallFailure(kind="rate", what="slow down")) == "slow down"


def test_sampling_outside_its_range_is_refused() -> None:
    with pytest.raises(ValidationError):
        Sampling(temperature=-1)
