"""Votes: exactly so many judges, nothing lost, nothing twice, in SQLite and in PostgreSQL."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Engine, func, select

from kg.errors import SettingsError
from review.database import assignment, happened, opened, vote
from review.task import Task
from review.votes import Refused, Said, Votes, seen
from tests.review.conftest import an_edge_task, many

KEEP, REMOVE = Said("keep"), Said("remove")


def judge_all(votes: Votes, person: str, said: Said = KEEP) -> list[str]:
    done = []
    while (task := votes.next(person)) is not None:
        votes.cast(person, task.id, seen(task), said)
        done.append(task.id)
    return done


def test_everybody_gets_every_task_once_in_the_order_of_the_queue(engine: Engine) -> None:
    votes = Votes(engine, "physics", judges=3)
    tasks = many(20)
    assert votes.load(tasks) == 20
    for person in ("ada", "bo", "cy"):
        assert judge_all(votes, person) == [task.id for task in tasks]
    assert votes.progress("ada") == votes.progress("bo")
    assert votes.progress("ada").judged == 20


def test_a_task_has_exactly_as_many_judges_as_asked_for_however_many_people_reach_for_it(engine: Engine) -> None:
    votes = Votes(engine, "physics", judges=3)
    votes.load(many(12))
    people = [f"p{number}" for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda person: judge_all(votes, person), people))
    with engine.begin() as db:
        counts = db.execute(select(vote.c.task, func.count()).group_by(vote.c.task)).all()
        assert sorted(count for _, count in counts) == [3] * 12
        assert db.execute(select(func.count()).select_from(happened)).scalar_one() == 36


def test_the_same_vote_sent_by_many_hands_at_once_counts_once(engine: Engine) -> None:
    votes = Votes(engine, "physics", judges=3)
    votes.load(many(1))
    task = votes.next("ada")
    assert task is not None
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda _: votes.cast("ada", task.id, seen(task), KEEP), range(12)))
    assert [given.said for given in votes.votes(task.id)] == [KEEP]
    with engine.begin() as db:
        assert db.execute(select(func.count()).select_from(happened)).scalar_one() == 1


def test_another_answer_replaces_the_first_and_both_are_on_record(sqlite: Engine) -> None:
    votes = Votes(sqlite, "physics")
    votes.load(many(1))
    task = votes.next("ada")
    assert task is not None
    votes.cast("ada", task.id, seen(task), KEEP)
    votes.cast("ada", task.id, seen(task), REMOVE)
    assert [given.said for given in votes.votes(task.id)] == [REMOVE]
    with sqlite.begin() as db:
        assert list(db.execute(select(happened.c.verdict).order_by(happened.c.number)).scalars()) == ["keep", "remove"]


def test_undo_takes_back_the_last_vote_only_and_its_task_comes_again(engine: Engine) -> None:
    votes = Votes(engine, "physics")
    votes.load(many(3))
    first, second = [judge_next(votes, "ada") for _ in range(2)]
    assert votes.undo("ada") == second.id
    assert votes.votes(second.id) == [] and len(votes.votes(first.id)) == 1
    again = votes.next("ada")
    assert again is not None and again.id == second.id
    assert votes.undo("ada") == first.id
    assert votes.undo("ada") is None


def judge_next(votes: Votes, person: str, said: Said = KEEP) -> Task:
    task = votes.next(person)
    assert task is not None
    votes.cast(person, task.id, seen(task), said)
    return task


def test_a_vote_on_what_has_changed_since_is_refused_and_old_votes_no_longer_count(engine: Engine) -> None:
    votes = Votes(engine, "physics", judges=1)
    old = an_edge_task(0)
    votes.load([old])
    judge_next(votes, "ada")
    assert votes.next("ada") is None
    new = old.model_copy(update={"content": "something else"})
    assert votes.load([new]) == 1
    assert votes.votes(old.id) == []
    again = votes.next("ada")
    assert again is not None and again.content == "something else"
    with pytest.raises(Refused, match="changed"):
        votes.cast("ada", old.id, seen(old), KEEP)


def test_reloading_the_same_queue_keeps_all_votes_and_reordering_does_too(sqlite: Engine) -> None:
    votes = Votes(sqlite, "physics", judges=1)
    votes.load(many(4))
    done = [judge_next(votes, "ada").id for _ in range(2)]
    assert votes.load(list(reversed(many(4)))) == 0
    assert all(votes.votes(key) for key in done)
    assert votes.progress("ada").mine == 2


def test_tasks_that_left_the_queue_are_not_asked_and_cannot_be_judged(sqlite: Engine) -> None:
    votes = Votes(sqlite, "physics")
    tasks = many(2)
    votes.load(tasks)
    held = votes.next("ada")
    assert held is not None
    votes.load(tasks[1:])
    with pytest.raises(Refused, match="no longer"):
        votes.cast("ada", held.id, seen(held), KEEP)
    assert votes.task(held.id) is None


def test_nobody_judges_a_task_that_was_not_given_to_them(sqlite: Engine) -> None:
    votes = Votes(sqlite, "physics", judges=1)
    votes.load(many(1))
    task = judge_next(votes, "ada")
    assert votes.next("eve") is None
    with pytest.raises(Refused, match="somebody else"):
        votes.cast("eve", task.id, seen(task), KEEP)
    with pytest.raises(Refused, match="all its judges"):
        votes.give("eve", task.id)


@pytest.mark.parametrize("verdict", ["merge", "apart", "withdraw", "", "KEEP", "<b>"])
def test_only_what_can_be_said_about_a_task_is_taken(verdict: str, sqlite: Engine) -> None:
    votes = Votes(sqlite, "physics")
    votes.load(many(1))
    task = votes.next("ada")
    assert task is not None
    with pytest.raises(Refused):
        votes.cast("ada", task.id, seen(task), Said(verdict))


def test_a_task_somebody_left_goes_to_another_person_after_a_while(sqlite: Engine) -> None:
    clock = [0.0]
    votes = Votes(sqlite, "physics", judges=1, take_over=60, now=lambda: clock[0])
    votes.load(many(1))
    left = votes.next("ada")
    assert left is not None
    clock[0] = 59
    assert votes.next("bo") is None
    clock[0] = 61
    taken = votes.next("bo")
    assert taken is not None and taken.id == left.id
    with sqlite.begin() as db:
        assert db.execute(select(assignment.c.person)).scalars().all() == ["bo"]


def test_disagreements_are_those_with_all_judges_and_no_ruling(engine: Engine) -> None:
    votes = Votes(engine, "physics", judges=2)
    tasks = many(3)
    votes.load(tasks)
    for person, answers in (("ada", (KEEP, KEEP, KEEP)), ("bo", (KEEP, REMOVE, Said("change", {"type": "is_a"})))):
        for said in answers:
            judge_next(votes, person, said)
    assert votes.disagreements() == [tasks[1].id, tasks[2].id]
    votes.rule("lead", tasks[1].id, seen(tasks[1]), REMOVE)
    assert votes.disagreements() == [tasks[2].id]
    with pytest.raises(Refused, match="settled"):
        votes.cast("ada", tasks[1].id, seen(tasks[1]), REMOVE)


def test_two_corrections_that_differ_are_a_disagreement_and_the_same_one_is_none(sqlite: Engine) -> None:
    votes = Votes(sqlite, "physics", judges=2)
    tasks = many(2)
    votes.load(tasks)
    for said in (Said("change", {"type": "a"}, "x"), Said("change", {"type": "a"})):
        judge_next(votes, "ada", said)
    for said in (Said("change", {"type": "a"}), Said("change", {"type": "b"})):
        judge_next(votes, "bo", said)
    assert votes.disagreements() == [tasks[1].id]


def test_subjects_share_a_database_without_seeing_each_other(sqlite: Engine) -> None:
    physics, biology = Votes(sqlite, "physics", judges=1), Votes(sqlite, "biology", judges=1)
    tasks = many(4)
    physics.load(tasks[:2])
    biology.load(tasks[2:])
    physics.load(tasks[:2])
    assert judge_all(physics, "ada") == [task.id for task in tasks[:2]]
    assert judge_all(biology, "ada") == [task.id for task in tasks[2:]]


def test_votes_outlive_the_process(tmp_path: object) -> None:
    url = f"sqlite:///{tmp_path}/deep/votes.sqlite"
    votes = Votes(opened(url), "physics", judges=1)
    votes.load(many(2))
    task = judge_next(votes, "ada")
    again = Votes(opened(url), "physics", judges=1)
    assert Counter(given.person for given in again.votes(task.id)) == {"ada": 1}


@pytest.mark.parametrize("url", ["no url", "nonsense://x", "sqlite:////dev/null/votes.sqlite"])
def test_a_database_that_cannot_be_used_is_one_clear_line(url: str) -> None:
    with pytest.raises(SettingsError) as error:
        opened(url)
    assert "\n" not in str(error.value)
