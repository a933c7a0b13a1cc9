"""The stage on disk: incremental, complete, and at home with what is missing."""

from __future__ import annotations

import json

from kg.engine import Here
from kg.project import Project
from kg.stage import StageReport, check_order, run_stage
from merge.rows import BookPart
from merge.stage import Merge, known
from tests.merge.shelf import ABook, energy, mechanics, shelved


def ran(project: Project) -> StageReport:
    """One run of the stage, in this process."""
    return run_stage(Merge(), project, Here(project), lambda done, total, key: None)


def test_a_run_writes_the_graph_and_the_books(project: Project) -> None:
    project = shelved(project, mechanics(), energy())
    report = ran(project)
    assert not report.failures
    assert report.counts["claims"] == 14
    rows = [json.loads(line) for line in project.store.read_text("merge/nodes.jsonl").splitlines()]
    assert [row["id"] for row in rows] == sorted(row["id"] for row in rows)
    assert project.store.names("merge/books/*.json") == ["merge/books/physics-8.json", "merge/books/physics-9.json"]
    assert project.store.exists("merge/merges.jsonl")


def test_only_a_changed_book_is_read_again(project: Project) -> None:
    project = shelved(project, mechanics(), energy())
    ran(project)
    before = project.store.digest("merge/nodes.jsonl")
    second = energy()
    second.term("engine", "Engines of great power do much work. A watt is one joule per second.")
    second.put(project.store)
    report = ran(project)
    assert (report.items, report.skipped) == (2, 1)
    assert project.store.digest("merge/nodes.jsonl") != before


def test_a_changed_book_gives_the_same_bytes_as_a_fresh_run(project: Project) -> None:
    project = shelved(project, mechanics(), ABook("physics-9", energy().chapters, order=2))
    ran(project)
    energy().put(project.store)
    ran(project)
    stepwise = {name: project.store.digest(name) for name in project.store.names("merge/*.jsonl")}
    for name in project.store.names(".stamps/merge/*.json"):
        project.store.path(name).unlink()
    ran(project)
    assert {name: project.store.digest(name) for name in project.store.names("merge/*.jsonl")} == stepwise


def test_a_book_without_claims_is_left_out(project: Project) -> None:
    project = shelved(project, mechanics(), energy())
    project.store.path("extract/physics-9/claims.jsonl").unlink()
    assert [item.key for item in Merge().plan(project)] == ["physics-8"]
    assert not ran(project).failures


def test_the_order_of_the_stages_is_checked_by_what_it_reads(project: Project) -> None:
    check_order([Merge()], shelved(project, mechanics()).store)


def test_title_and_language_come_from_the_document_where_the_book_says_nothing(project: Project) -> None:
    book = mechanics()
    book.put(project.store)
    bare = book.book.model_copy(update={"title": "", "language": ""})
    found, language = known(bare, project, [])
    assert (found.title, language.code) == ("physics-8", "en")
    project.store.path("ingest/physics-8/document.json").unlink()
    chinese = ABook("b", {"章": {"节": ["力是作用。"]}}, "zh")
    claim = chinese.term("力", "力是作用。")
    assert known(bare, project, [claim])[1].code == "zh"


def test_a_part_read_back_is_the_part_that_was_written(project: Project) -> None:
    project = shelved(project, mechanics())
    ran(project)
    part = project.store.read_row("merge/books/physics-8.json", BookPart)
    assert part.to_json().encode() == project.store.path("merge/books/physics-8.json").read_bytes()
