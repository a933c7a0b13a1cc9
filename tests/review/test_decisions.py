"""What is agreed becomes lines of a file that is only ever added to."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Engine

from kg.decisions import Decision, read
from review.decisions import write
from review.votes import Said, Votes, seen
from tests.review.conftest import an_edge_task, many


def desk(engine: Engine, count: int, judges: int = 2) -> Votes:
    votes = Votes(engine, "physics", judges)
    votes.load(many(count))
    return votes


def judge(votes: Votes, person: str, *verdicts: str) -> None:
    for verdict in verdicts:
        task = votes.next(person)
        assert task is not None
        change = {"type": "is_a"} if verdict == "change" else {}
        votes.cast(person, task.id, seen(task), Said(verdict, change, f"{person}: {verdict}"))


def test_only_what_all_judges_agree_on_or_somebody_ruled_on_is_written(engine: Engine, tmp_path: Path) -> None:
    votes, path = desk(engine, 4), tmp_path / "physics.decisions.jsonl"
    judge(votes, "ada", "keep", "keep", "change", "remove")
    judge(votes, "bo", "keep", "remove", "change")
    assert write(votes, path) == 2
    first, third = read(path)[0]
    assert (first.verdict, first.by, first.content) == ("keep", ("ada", "bo"), many(1)[0].content)
    assert (third.verdict, third.change) == ("change", {"type": "is_a"})
    second = many(2)[1]
    votes.rule("cy", second.id, seen(second), Said("remove", {}, "not in the book"))
    assert write(votes, path) == 1
    last = read(path)[0][-1]
    assert (last.about, last.verdict, last.by, last.comment) == (second.about, "remove", ("cy",), "not in the book")


def test_writing_again_adds_nothing_and_never_touches_what_is_there(sqlite: Engine, tmp_path: Path) -> None:
    votes, path = desk(sqlite, 2, judges=1), tmp_path / "d.jsonl"
    path.write_text("not a decision, no end of line", encoding="utf-8")
    judge(votes, "ada", "keep")
    assert write(votes, path) == 1
    before = path.read_bytes()
    assert before.startswith(b"not a decision, no end of line\n{")
    assert write(votes, path) == 0
    judge(votes, "ada", "remove")
    assert write(votes, path) == 1
    assert path.read_bytes().startswith(before)


def test_a_fresh_database_does_not_repeat_what_the_file_says(tmp_path: Path, engine: Engine) -> None:
    path = tmp_path / "d.jsonl"
    votes = desk(engine, 1, judges=1)
    path.write_text(
        Decision(kind="edge", about=many(1)[0].about, verdict="keep", content=many(1)[0].content).to_json() + "\n",
        encoding="utf-8",
    )
    judge(votes, "ada", "keep")
    assert write(votes, path) == 0


def test_an_agreement_that_is_taken_back_is_withdrawn_by_a_line_of_its_own(sqlite: Engine, tmp_path: Path) -> None:
    votes, path = desk(sqlite, 1, judges=1), tmp_path / "d.jsonl"
    judge(votes, "ada", "keep")
    write(votes, path)
    votes.undo("ada")
    assert write(votes, path) == 1
    assert [row.verdict for row in read(path)[0]] == ["keep", "withdraw"]
    assert write(votes, path) == 0
    judge(votes, "ada", "remove")
    write(votes, path)
    assert [row.verdict for row in read(path)[0]] == ["keep", "withdraw", "remove"]


def test_a_decision_whose_subject_has_changed_is_not_withdrawn_behind_anybodys_back(
    sqlite: Engine, tmp_path: Path
) -> None:
    votes, path = desk(sqlite, 1, judges=1), tmp_path / "d.jsonl"
    judge(votes, "ada", "remove")
    write(votes, path)
    votes.load([an_edge_task(0, "in other words")])
    assert write(votes, path) == 0
    judge(votes, "ada", "keep")
    assert write(votes, path) == 1
    assert [row.verdict for row in read(path)[0]] == ["remove", "keep"]


def test_decisions_by_hand_about_tasks_nobody_judged_stay(sqlite: Engine, tmp_path: Path) -> None:
    votes, path = desk(sqlite, 1), tmp_path / "d.jsonl"
    line = Decision(kind="edge", about=many(1)[0].about, verdict="remove").to_json()
    path.write_text(line + "\n", encoding="utf-8")
    assert write(votes, path) == 0
    assert path.read_text(encoding="utf-8") == line + "\n"


def test_a_decision_that_is_asked_about_once_more_stands_until_it_is_judged_again(
    sqlite: Engine, tmp_path: Path
) -> None:
    votes, path = desk(sqlite, 1, judges=1), tmp_path / "d.jsonl"
    judge(votes, "ada", "keep")
    write(votes, path)
    assert votes.load([many(1)[0].model_copy(update={"again": "cycle_accepted a b"})]) == 1
    assert write(votes, path) == 0
    judge(votes, "ada", "remove")
    assert write(votes, path) == 1
    assert [row.verdict for row in read(path)[0]] == ["keep", "remove"]
