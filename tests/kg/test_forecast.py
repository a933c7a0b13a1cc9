"""Before a run it can be said what it would do and why; during one, Ctrl-C loses nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from kg.engine import LocalEngine
from kg.forecast import forecast, history
from kg.project import Project
from kg.stage import ROOT, run_stage
from tests.kg.upper_stage import Upper


def put(project: Project, **texts: str) -> None:
    for name, text in texts.items():
        project.store.write(f"in/{name}.txt", text.encode())


def go(project: Project, stage: Upper) -> None:
    with LocalEngine(workers=1).session(project) as session:
        run_stage(stage, project, session, lambda *_: None)


def why(project: Project, stage: Upper) -> dict[str, str]:
    return dict(forecast(project, [stage])[0].due)


def test_every_reason_to_do_an_item_again_is_named(project: Project) -> None:
    put(project, a="one", b="two")
    assert why(project, Upper()) == {"a": "not done yet", "b": "not done yet"}
    go(project, Upper())
    assert why(project, Upper()) == {}
    assert forecast(project, [Upper()])[0].lines() == ["upper     nothing to do (2 unchanged)"]
    put(project, b="three")
    assert why(project, Upper()) == {"b": "in/b.txt has changed"}
    put(project, b="two")
    project.store.path("upper/a.txt").unlink()
    assert why(project, Upper()) == {"a": "upper/a.txt is missing or was changed"}
    assert set(why(project, Upper(mark="?")).values()) == {"its settings, code, schema or language packs have changed"}


def test_a_forecast_agrees_with_what_a_run_then_does(project: Project) -> None:
    put(project, a="one", b="bad input", c="bug")
    go(project, Upper())
    put(project, a="four", d="new")
    due = why(project, Upper())
    project.store.path("calls.log").unlink()
    go(project, Upper())
    assert sorted(project.store.read_text("calls.log").split()) == sorted(due) == ["a", "c", "d"]
    assert due["c"] == "failed, and may succeed now"


def test_many_items_with_different_reasons_are_counted_and_the_first_named(project: Project) -> None:
    put(project, **{f"t{number}": "x" for number in range(9)})
    go(project, Upper())
    put(project, **{f"t{number}": "y" for number in range(8)})
    lines = forecast(project, [Upper()])[0].lines()
    assert lines[0].split() == ["upper", "8", "of", "9", "to", "do"]
    assert len(lines) == 7 and "3 more" in lines[-1]


def test_a_project_without_a_run_has_no_history(project: Project) -> None:
    assert history(project) == [f"Physics: no run has finished in {project.store.root}"]


def command(*words: str) -> list[str]:
    return [sys.executable, "run.py", *words]


def test_a_dry_run_and_the_status_run_nothing(tmp_path: Path) -> None:
    done = subprocess.run(command("dry_run=true", f"out={tmp_path}"), cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and "2 of 2 to do: not done yet" in done.stdout
    assert "depends on ingest" in done.stdout and not (tmp_path / "ingest").exists()
    done = subprocess.run(command("status=true", f"out={tmp_path}"), cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and "no run has finished" in done.stdout


def test_after_ctrl_c_what_was_in_flight_is_kept_and_the_next_run_goes_on(tmp_path: Path) -> None:
    words = command("stages=[ingest]", "engine.workers=2", f"out={tmp_path}")
    began = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    limit = time.monotonic() + 60
    children = Path(f"/proc/{began.pid}/task/{began.pid}/children")
    while len(children.read_text().split()) < 3 and time.monotonic() < limit:  # two workers and their watcher
        time.sleep(0.02)
    time.sleep(0.6)  # while workers are started Ctrl-C is not heard
    os.killpg(began.pid, signal.SIGINT)
    _, said = began.communicate(timeout=120)
    assert began.returncode == 130
    assert b"run the same command again" in said and b"Traceback" not in said
    again = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert again.returncode == 0 and "✓ ingest" in again.stdout
