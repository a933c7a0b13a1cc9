"""From books to people and back: what they decide is applied on the next run and outlives any rebuild."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Engine

from kg.decisions import ACCEPTED, read
from kg.engine import LocalEngine
from kg.graph import Edge, Finding, Node, NodeClaim
from kg.project import Project
from kg.stage import Stage, run_stage
from kg.store import Store
from merge.stage import Merge
from review.decisions import write
from review.stage import Review
from review.task import Task
from review.votes import Said, Votes, seen
from tests.merge.shelf import ABook, energy, mechanics, shelved
from validate.stage import Validate

WORK, ENGINE, LENS = "physics:concept:work", "physics:concept:power:energy", "physics:concept:power"
ARTEFACTS = ("merge/nodes.jsonl", "merge/edges.jsonl", "validate/findings.jsonl", "review/queue.jsonl")


def books() -> tuple[ABook, ABook]:
    """Two books whose second closes a circle: power is needed for work, and work for power."""
    second = energy()
    second.edge("prerequisites_for", "power", "work", "Engines of great power do much work.", confidence=0.7)
    return mechanics(), second


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "conf" / "physics.decisions.jsonl"


def run(project: Project, file: Path) -> tuple[list[Task], dict[str, int]]:
    """Merge, validate and review as the command line runs them; the queue, and what the review stage counts."""
    pairs = ("homonym", "near_name")
    stages: Sequence[Stage] = (Merge(decisions=str(file)), Validate(), Review(first=("cycle",), pairs=pairs))
    with LocalEngine(workers=1).session(project) as session:
        for stage in stages:
            report = run_stage(stage, project, session, lambda done, total, last: None)
            assert report.failures == ()
    return list(project.store.read_rows("review/queue.jsonl", Task)), report.counts


def decide(engine: Engine, tasks: list[Task], file: Path, answers: dict[str, str]) -> None:
    """Three people say the same on every task."""
    votes = Votes(engine, "physics", 3)
    votes.load(tasks)
    for person in ("ada", "bo", "cy"):
        while (task := votes.next(person)) is not None:
            votes.cast(person, task.id, seen(task), Said(answers.get(task.check, task.verdicts[0])))
    assert write(votes, file) == len(tasks)


def test_decisions_are_applied_leave_the_queue_and_survive_a_rebuild(
    project: Project, file: Path, sqlite: Engine, tmp_path: Path
) -> None:
    shelf = shelved(project, *books())
    tasks, _ = run(shelf, file)
    assert [task.check for task in tasks][:1] == ["cycle"] and "homonym" in {task.check for task in tasks}
    cut = tasks[0].about
    decide(sqlite, tasks, file, {"cycle": "keep", "homonym": "merge"})

    left, counts = run(shelf, file)
    assert counts["decisions applied"] == len(tasks)
    assert not {task.id for task in tasks} & {task.id for task in left}
    nodes = {node.id for node in shelf.store.read_rows("merge/nodes.jsonl", Node)}
    assert ENGINE not in nodes and LENS in nodes
    edges = [edge for edge in shelf.store.read_rows("merge/edges.jsonl", Edge) if edge.properties.get(ACCEPTED)]
    kept = {edge.key() for edge in edges}
    assert tuple(LENS if end == ENGINE else end for end in cut) in kept
    aside = {finding.edge for finding in shelf.store.read_rows("validate/findings.jsonl", Finding)}
    assert not kept & aside, "what people accepted is not cut"

    before = {name: shelf.store.path(name).read_bytes() for name in ARTEFACTS}
    fresh = shelved(replace(project, store=Store(tmp_path / "again")), *books())
    run(fresh, file)
    assert {name: fresh.store.path(name).read_bytes() for name in ARTEFACTS} == before
    shutil.rmtree(tmp_path / "again")


def test_a_decision_whose_subject_has_vanished_or_changed_is_reported_and_asked_again(
    project: Project, file: Path, sqlite: Engine
) -> None:
    tasks, _ = run(shelved(project, *books()), file)
    decide(sqlite, tasks, file, {"cycle": "remove", "homonym": "apart"})
    said = read(file)[0]

    rewritten = energy()
    *others, power, _ = rewritten.claims
    assert isinstance(power, NodeClaim)
    words = {**power.properties, "definition": "The work done in each second by an engine is its power."}
    rewritten.claims = [*others, power.model_copy(update={"properties": words})]
    left, counts = run(shelved(project, mechanics(), rewritten), file)
    assert counts["decisions applied"] + counts["decisions that no longer fit"] == len(said)
    assert counts["decisions that no longer fit"] >= 1
    reports = [row for row in project.store.read_rows("merge/findings.jsonl", Finding) if row.check == "decision"]
    assert len(reports) == counts["decisions that no longer fit"]
    assert [task.earlier for task in left if task.check == "decision"], "it is asked again, with what people saw"
