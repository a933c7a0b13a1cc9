"""Accounts: who may join, who may come in, and for how long."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Engine, select

from review.database import invitation, person, session
from review.people import Denied, People
from tests.review.conftest import PASSWORD, QUICK


@pytest.fixture
def clock() -> list[float]:
    return [1000.0]


@pytest.fixture
def people(engine: Engine, clock: list[float]) -> People:
    return People(engine, seconds=100, tries=3, now=lambda: clock[0], hasher=QUICK)


def joined(people: People, name: str = "Ada") -> str:
    people.join(people.invite("annotator"), name, PASSWORD)
    return people.sign_in(name, PASSWORD)


def test_who_has_joined_can_sign_in_and_out(people: People) -> None:
    token = joined(people)
    found = people.session(token)
    assert found is not None and (found.person, found.role) == ("Ada", "annotator")
    people.sign_out(token)
    assert people.session(token) is None


def test_no_password_invitation_or_token_can_be_read_from_the_database(people: People, tmp_path: Path) -> None:
    code = people.invite("lead")
    people.join(code, "Ada", PASSWORD)
    token = people.sign_in("Ada", PASSWORD)
    with people.engine.begin() as db:
        stored = [str(row) for table in (person, invitation, session) for row in db.execute(select(table))]
    assert len(stored) == 3
    assert not any(secret in row for secret in (PASSWORD, code, token) for row in stored)


def test_an_invitation_serves_one_person(people: People) -> None:
    code = people.invite("annotator")
    people.join(code, "Ada", PASSWORD)
    for used in (code, "made up", ""):
        with pytest.raises(Denied, match="invitation_invalid"):
            people.join(used, "Eve", PASSWORD)
    assert people.everybody() == [("Ada", "annotator")]


@pytest.mark.parametrize(
    ("name", "password", "why"),
    [
        ("", PASSWORD, "name_unusable"),
        ("   ", PASSWORD, "name_unusable"),
        ("x" * 41, PASSWORD, "name_unusable"),
        ("a\x00b", PASSWORD, "name_unusable"),
        ("Ada", "short", "password_short"),
        ("Ada", "x" * 201, "password_short"),
    ],
)
def test_unusable_names_and_passwords_are_refused_and_cost_no_invitation(
    people: People, name: str, password: str, why: str
) -> None:
    code = people.invite("annotator")
    with pytest.raises(Denied, match=why):
        people.join(code, name, password)
    people.join(code, "Ada", PASSWORD)


def test_a_name_that_is_taken_is_refused_and_the_invitation_stays_good(people: People) -> None:
    joined(people)
    code = people.invite("lead")
    with pytest.raises(Denied, match="name_taken"):
        people.join(code, "Ada", "another password")
    people.join(code, "Bo", PASSWORD)
    assert people.everybody() == [("Ada", "annotator"), ("Bo", "lead")]


@pytest.mark.parametrize("name", ["Ada", "nobody"])
def test_a_wrong_password_and_a_wrong_name_are_told_apart_by_nothing(people: People, name: str) -> None:
    joined(people)
    with pytest.raises(Denied, match="wrong_password"):
        people.sign_in(name, "wrong password")


def test_too_many_wrong_passwords_lock_the_name_for_a_while_even_for_the_right_one(
    people: People, clock: list[float]
) -> None:
    joined(people)
    for _ in range(3):
        with pytest.raises(Denied, match="wrong_password"):
            people.sign_in("Ada", "wrong password")
    with pytest.raises(Denied, match="too_many_tries"):
        people.sign_in("Ada", PASSWORD)
    clock[0] += 601
    assert people.session(people.sign_in("Ada", PASSWORD)) is not None


def test_a_session_ends_by_itself(people: People, clock: list[float]) -> None:
    token = joined(people)
    clock[0] += 99
    assert people.session(token) is not None
    clock[0] += 2
    assert people.session(token) is None


def test_a_token_that_was_never_given_opens_nothing(people: People) -> None:
    joined(people)
    assert people.session("") is None
    assert people.session("0" * 43) is None
