"""The stage writes an index, section files that add up to the document, and findings."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
import yaml
from pydantic import ValidationError

from kg.document import Document
from kg.engine import Here
from kg.errors import InputError
from kg.project import Project
from kg.section import SectionRow, document_text
from kg.stage import ROOT, run_stage
from segment.stage import Segment

Write = Callable[..., Document]
BOOK = (
    "# Chapter 2 Motion\nopening\n=\n## 2.1 Speed\nwords\n## Key Terms\nspeed\n=\n# Chapter 3 Force\n## 3.1 Push\nwords"
)


def put(project: Project, document: Document) -> None:
    project.store.write(f"ingest/{document.book}/document.json", document.model_dump_json().encode("utf-8"))


def test_the_index_and_the_files_say_the_same(project: Project, write: Write) -> None:
    document = write(BOOK)
    put(project, document)
    report = run_stage(Segment(), project, Here(project), lambda *_: None)
    assert report.failures == ()
    assert report.counts == {"chapters": 2, "sections": 2, "rows": 5, "findings": 1}
    index = project.store.read_json("segment/book/sections_index.json")
    assert list(index[0]) == list(SectionRow.model_fields)
    texts = [project.store.read_text(f"segment/book/{row['file']}") for row in index]
    assert "".join(texts) == document_text(document)
    assert [(row["section_number"], row["start_page"], row["end_page"]) for row in index] == [
        ("", 0, 0),
        ("2.1", 1, 1),
        ("", 1, 1),
        ("", 2, 2),
        ("3.1", 2, 2),
    ]


def test_every_row_of_the_index_is_a_section_row(project: Project, write: Write) -> None:
    put(project, write(BOOK))
    run_stage(Segment(), project, Here(project), lambda *_: None)
    data = json.loads(project.store.read_text("segment/book/sections_index.json"))
    rows = [SectionRow.model_validate(row) for row in data]
    assert rows[1].id == "physics:section:book:2.1" and rows[1].chapter == "physics:chapter:book:2"


def test_a_book_in_an_unknown_language_fails_alone(project: Project, write: Write) -> None:
    put(project, write(BOOK))
    put(project, write(BOOK).model_copy(update={"book": "other", "language": "tlh"}))
    report = run_stage(Segment(), project, Here(project), lambda *_: None)
    assert [failure.item for failure in report.failures] == ["other"]
    assert "tlh" in report.failures[0].what
    assert project.store.exists("segment/book/sections_index.json")


def test_the_language_error_names_what_there_is(project: Project, write: Write) -> None:
    put(project, write(BOOK).model_copy(update={"language": ""}))
    stage = Segment()
    with pytest.raises(InputError, match="en, zh"):
        stage.run(stage.plan(project)[0], stage.setup(project))


def test_a_second_run_skips_the_book_and_a_changed_document_does_not(project: Project, write: Write) -> None:
    put(project, write(BOOK))
    session = Here(project)
    run_stage(Segment(), project, session, lambda *_: None)
    assert run_stage(Segment(), project, session, lambda *_: None).skipped == 1
    put(project, write(BOOK + "\nmore"))
    assert run_stage(Segment(), project, session, lambda *_: None).skipped == 0


def test_the_settings_file_fits_the_stage_and_misspelt_ones_do_not() -> None:
    data = yaml.safe_load((ROOT / "conf/segment/contents.yaml").read_text(encoding="utf-8"))
    assert data.pop("_target_") == "segment.stage.Segment"
    assert Segment(**data) == Segment()
    with pytest.raises(ValidationError):
        Segment(piece_charcters=5)  # type: ignore[call-arg]
