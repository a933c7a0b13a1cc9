"""Stages do what is due, once, and nothing else."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import Future

import pytest

from kg.engine import LocalEngine, Pool
from kg.errors import SettingsError
from kg.project import Project
from kg.stage import Result, StageReport, check_order, run_stage
from tests.kg.upper_stage import Upper


def nothing(done: int, total: int, last: str) -> None:
    """No progress bar."""


def put(project: Project, **texts: str) -> None:
    for name, text in texts.items():
        project.store.write(f"in/{name}.txt", text.encode())


def go(project: Project, stage: Upper | None = None, workers: int = 1) -> StageReport:
    (project.store.root / "calls.log").unlink(missing_ok=True)
    with LocalEngine(workers=workers).session(project) as session:
        return run_stage(stage or Upper(), project, session, nothing)


def calls(project: Project) -> list[str]:
    log = project.store.path("calls.log")
    return sorted(log.read_text().split()) if log.exists() else []


def test_every_item_is_done_once_and_collected(project: Project) -> None:
    put(project, a="one", b="two")
    report = go(project)
    assert calls(project) == ["a", "b"]
    assert project.store.read_text("upper/all.txt") == "ONE!TWO!"
    assert (report.items, report.skipped, report.counts) == (2, 0, {"texts": 2})


def test_a_second_run_calls_nothing_and_reports_the_same(project: Project) -> None:
    put(project, a="one", b="two")
    first = go(project)
    second = go(project)
    assert calls(project) == []
    assert second.skipped == 2
    assert second.counts == first.counts


def test_only_the_changed_item_is_done_again(project: Project) -> None:
    put(project, a="one", b="two")
    go(project)
    put(project, b="three")
    go(project)
    assert calls(project) == ["b"]
    assert project.store.read_text("upper/all.txt") == "ONE!THREE!"


def test_a_changed_setting_makes_everything_due(project: Project) -> None:
    put(project, a="one")
    go(project)
    go(project, Upper(mark="?"))
    assert calls(project) == ["a"]
    assert project.store.read_text("upper/all.txt") == "ONE?"


@pytest.mark.parametrize("damage", ["upper/a.txt", "upper/all.txt"])
def test_a_damaged_output_is_made_again(project: Project, damage: str) -> None:
    put(project, a="one")
    go(project)
    project.store.path(damage).write_text("scribble")
    go(project)
    assert project.store.read_text("upper/a.txt") == "ONE!"
    assert project.store.read_text("upper/all.txt") == "ONE!"


def test_an_item_that_is_no_longer_planned_leaves_nothing_behind(project: Project) -> None:
    put(project, a="one", b="two")
    go(project)
    project.store.path("in/b.txt").unlink()
    go(project)
    assert not project.store.exists("upper/b.txt")
    assert project.store.read_text("upper/all.txt") == "ONE!"


def test_a_failed_item_costs_only_itself_and_is_reported_again_without_work(project: Project) -> None:
    put(project, a="one", b="bad input")
    report = go(project)
    assert [str(failure) for failure in report.failures] == ["upper: b: nothing to read (write something)"]
    assert project.store.read_text("upper/all.txt") == "ONE!"
    again = go(project)
    assert calls(project) == []
    assert again.failures == report.failures


def test_a_bug_is_reported_with_its_trace_and_tried_again(project: Project) -> None:
    put(project, a="one", b="bug")
    report = go(project)
    assert report.failures[0].what == "internal error: ZeroDivisionError: planted"
    assert "ZeroDivisionError" in project.store.read_text("errors/upper-b.log")
    go(project)
    assert calls(project) == ["b"]


def test_worker_processes_give_the_same_files_and_a_dead_one_costs_only_its_item(project: Project) -> None:
    put(project, a="one", b="die", c="three")
    report = go(project, workers=2)
    assert [(failure.item, "died" in failure.what) for failure in report.failures] == [("b", True)]
    assert project.store.read_text("upper/all.txt") == "ONE!THREE!"


def test_a_stage_whose_input_nobody_writes_is_refused_by_name(project: Project) -> None:
    with pytest.raises(SettingsError, match=r"upper needs in/\*\.txt"):
        check_order([Upper()], project.store)
    put(project, a="one")
    check_order([Upper()], project.store)


def test_no_worker_outlives_the_death_of_another(project: Project) -> None:
    before = set(multiprocessing.active_children())
    put(project, a="die", b="one", c="die", d="two")
    report = go(project, workers=2)
    assert [failure.item for failure in report.failures] == ["a", "c"]
    assert set(multiprocessing.active_children()) <= before


def test_items_that_a_broken_pool_forgot_are_given_back(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.engine.PATIENCE", 0.01)
    gone = multiprocessing.get_context("spawn").Process(target=int)
    gone.start()
    gone.join()
    pool, forgotten = Pool(project, 2), Future[Result]()
    pool._seen = {gone}
    assert list(pool._done([forgotten])) == [forgotten] and not forgotten.done()
