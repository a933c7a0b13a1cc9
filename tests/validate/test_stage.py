"""The stage on what merging really wrote."""

from __future__ import annotations

import json

from kg.engine import Here
from kg.graph import Finding, Node
from kg.project import Project
from kg.stage import StageReport, run_stage
from kg.store import jsonl
from merge.stage import Merge
from tests.merge.shelf import energy, mechanics, shelved
from validate.stage import Validate


def merged(project: Project) -> Project:
    """A project with two merged books."""
    made = shelved(project, mechanics(), energy())
    run_stage(Merge(), made, Here(made), lambda done, total, key: None)
    return made


def ran(project: Project) -> StageReport:
    """One run of the stage."""
    return run_stage(Validate(), project, Here(project), lambda done, total, key: None)


def found(project: Project) -> list[Finding]:
    """The findings on disk."""
    return list(project.store.read_rows("validate/findings.jsonl", Finding))


def test_a_merged_graph_is_sound_and_its_quotations_are_in_place(project: Project) -> None:
    project = merged(project)
    report = ran(project)
    assert not report.failures
    assert [finding for finding in found(project) if finding.action == "set_aside"] == []
    assert any(finding.check == "homonym" for finding in found(project)), "questions of merging are carried along"
    written = json.loads(project.store.read_text("validate/report.json"))
    assert written["sound"] is True
    assert written["subject"]["edges_with_evidence"] == 1.0
    assert set(written["books"]) == {"physics:book:physics-8", "physics:book:physics-9"}


def test_a_false_quote_in_the_merged_graph_is_found(project: Project) -> None:
    project = merged(project)
    nodes = list(project.store.read_rows("merge/nodes.jsonl", Node))
    at = next(at for at, node in enumerate(nodes) if node.id == "physics:concept:work")
    wrong = nodes[at].provenance[0].model_copy(update={"quote": "Work is what a boss gives you."})
    nodes[at] = nodes[at].model_copy(update={"provenance": (wrong,)})
    project.store.write("merge/nodes.jsonl", jsonl(nodes))
    ran(project)
    aside = [finding for finding in found(project) if finding.action == "set_aside"]
    assert [(finding.check, finding.nodes) for finding in aside] == [("quote", ("physics:concept:work",))]


def test_a_second_run_changes_nothing_and_does_nothing(project: Project) -> None:
    project = merged(project)
    ran(project)
    before = project.store.digest("validate/findings.jsonl")
    report = ran(project)
    assert (report.items, report.skipped) == (1, 1)
    assert project.store.digest("validate/findings.jsonl") == before


def test_a_book_whose_text_is_gone_proves_nothing(project: Project) -> None:
    project = merged(project)
    project.store.path("ingest/physics-9/document.json").unlink()
    ran(project)
    aside = [finding for finding in found(project) if finding.action == "set_aside"]
    assert {finding.check for finding in aside} == {"quote"}
