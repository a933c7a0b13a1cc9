"""The stage: from documents and sections on disk to claims on disk."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from extract.rules import Rules
from extract.stage import Extract, read_sections
from kg.document import Book
from kg.engine import Here
from kg.graph import EdgeClaim, NodeClaim
from kg.project import Project
from kg.stage import Stage, run_stage
from kg.store import Store

PARTS = [
    ("section", "1.1", "Speed", ["# 1.1 Speed", "The **speed** of a body is the rate of its motion."]),
    ("exercises", "1", "Review", ["# Review", "- 1. What is speed?", "- 2. Who was Bach?"]),
]


@pytest.fixture
def project(shelf: Any, tmp_path: Path, book_row: Callable[[str], Book]) -> Project:
    store = Store(tmp_path)
    document, rows = shelf.document(PARTS)
    store.write("ingest/book/document.json", document.to_json().encode())
    store.write("segment/book/sections_index.json", json.dumps([row.model_dump() for row in rows]).encode())
    books = (book_row("book"), book_row("unread"))
    return Project(store, "t", "T", books, shelf.schema, shelf.languages)


def _quiet(_done: int, _total: int, _key: str) -> None:
    """No progress."""


def test_a_book_becomes_claims_and_reasons(shelf: Any, project: Project) -> None:
    stage = Extract(extractor=Rules(priors=shelf.priors))
    assert isinstance(stage, Stage)
    report = run_stage(stage, project, Here(project), _quiet)
    lines = project.store.read_text("extract/book/claims.jsonl").splitlines()
    claims = [json.loads(line) for line in lines]
    assert (report.items, report.failures) == (1, ())
    assert report.counts == {"nodes": 2, "edges": 1, "dropped": 1}
    assert [NodeClaim.model_validate(claim).name for claim in claims if "label" in claim] == ["speed", "What is speed?"]
    assert [EdgeClaim.model_validate(claim).type for claim in claims if "type" in claim] == ["tests_concept"]
    assert "Who was Bach?" in project.store.read_text("extract/book/failures.jsonl")


def test_a_second_run_does_nothing(shelf: Any, project: Project) -> None:
    stage = Extract(extractor=Rules(priors=shelf.priors))
    run_stage(stage, project, Here(project), _quiet)
    assert run_stage(stage, project, Here(project), _quiet).skipped == 1


def test_a_book_in_an_unknown_language_fails_alone(shelf: Any, project: Project) -> None:
    document, _ = shelf.document(PARTS, "xx")
    project.store.write("ingest/book/document.json", document.to_json().encode())
    report = run_stage(Extract(extractor=Rules(priors=shelf.priors)), project, Here(project), _quiet)
    assert "no language pack" in report.failures[0].what


def test_sections_on_disk_are_the_sections_made(shelf: Any, project: Project) -> None:
    assert [section.text for section in read_sections(project.store, "book")] == [
        section.text for section in shelf.sections(PARTS)
    ]


def test_an_extractor_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="extractor"):
        Extract(extractor="rules")
