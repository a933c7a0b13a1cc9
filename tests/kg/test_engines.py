"""One contract for all engines: same bytes, a failing item and a dying worker cost only themselves."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from kg.engine import LocalEngine
from kg.engine_ray import RayEngine
from kg.errors import SettingsError
from kg.project import Project
from kg.stage import StageReport, run_stage
from tests.kg.upper_stage import Upper

WITH_RAY = importlib.util.find_spec("ray") is not None
ray_only = pytest.mark.skipif(not WITH_RAY, reason="ray is not installed (extra `ray`)")
ENGINES = [
    pytest.param(LocalEngine(workers=1), id="here"),
    pytest.param(LocalEngine(workers=2), id="local"),
    pytest.param(RayEngine(workers=2), id="ray", marks=ray_only),
]


def go(project: Project, engine: Any, **texts: str) -> StageReport:
    for name, text in texts.items():
        project.store.write(f"in/{name}.txt", text.encode())
    with engine.session(project) as session:
        return run_stage(Upper(), project, session, lambda *_: None)


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_writes_the_same_bytes(project: Project, engine: Any) -> None:
    texts = {f"t{number:02}": f"text {number}" for number in range(30)}
    report = go(project, engine, **texts)
    assert (report.items, report.skipped, report.failures) == (30, 0, ())
    assert project.store.read_text("upper/all.txt") == "".join(f"TEXT {number}!" for number in range(30))
    assert go(project, engine).skipped == 30


@pytest.mark.parametrize("engine", ENGINES)
def test_a_failing_item_costs_only_itself(project: Project, engine: Any) -> None:
    report = go(project, engine, a="one", b="bad input", c="bug", d="two")
    assert sorted(failure.item for failure in report.failures) == ["b", "c"]
    assert project.store.read_text("upper/all.txt") == "ONE!TWO!"


@pytest.mark.parametrize("engine", [engine for engine in ENGINES if engine.id != "here"])
def test_a_worker_that_dies_costs_only_its_own_item(project: Project, engine: Any) -> None:
    report = go(project, engine, a="one", b="die", c="two", d="three")
    assert [failure.item for failure in report.failures] == ["b"]
    assert "worker process died" in report.failures[0].what
    assert project.store.read_text("upper/all.txt") == "ONE!TWO!THREE!"


@pytest.mark.skipif(WITH_RAY, reason="ray is installed")
def test_a_missing_ray_is_said_to_be_missing(project: Project) -> None:
    with pytest.raises(SettingsError, match=r"ray is not installed.*\[ray\]"), RayEngine().session(project):
        pass
