"""A run says what it did, keeps a manifest, and its exit code tells."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
import rich.console
from hydra import compose, initialize_config_dir

from kg.console import MOST_FAILURES, Console
from kg.document import Book
from kg.engine import LocalEngine
from kg.errors import SettingsError
from kg.graph import Finding
from kg.main import build, project_of
from kg.pipeline import BUGS, DONE, HELD, INCOMPLETE, run
from kg.project import Project
from kg.stage import ROOT
from kg.store import jsonl
from tests.kg.upper_stage import Upper


class Written(Console):
    """A console whose two streams can be read."""

    def __init__(self, terminal: bool = False) -> None:
        super().__init__()
        self.said, self.complained = io.StringIO(), io.StringIO()
        self.out = rich.console.Console(file=self.said, force_terminal=terminal, width=120, highlight=False)
        self.err = rich.console.Console(file=self.complained, width=120)


def go(project: Project, console: Console | None = None) -> int:
    return run(project, [Upper()], LocalEngine(workers=1), console or Written(), {"a": "setting"})


def put(project: Project, **texts: str) -> None:
    for name, text in texts.items():
        project.store.write(f"in/{name}.txt", text.encode())


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        ({"a": "one"}, DONE),
        ({"a": "one", "b": "bad input"}, INCOMPLETE),
        ({"a": "one", "b": "bad input", "c": "bug"}, BUGS),
    ],
)
def test_the_exit_code_tells_how_it_went(project: Project, texts: dict[str, str], code: int) -> None:
    put(project, **texts)
    assert go(project) == code
    manifest = project.store.read_json("run.json")
    assert manifest["exit_code"] == code
    assert len(manifest["stages"][0]["failures"]) == len(texts) - 1


def test_the_manifest_knows_settings_versions_counts_and_inputs(project: Project, tmp_path: Path) -> None:
    source = tmp_path / "book.pdf"
    source.write_bytes(b"x")
    book = Book(slug="book", file=str(source))
    with_book = Project(project.store, "s", "S", (book,), project.schema, project.languages)
    put(with_book, a="one")
    go(with_book)
    manifest = with_book.store.read_json("run.json")
    assert manifest["settings"] == {"a": "setting"}
    assert manifest["stages"][0]["counts"] == {"texts": 1}
    assert set(manifest["versions"]) >= {"python", "pymupdf", "pydantic"}
    assert manifest["inputs"]["book"]["sha256"].startswith("2d711642b726b044")


NOTE, QUESTION, LEFT_OUT, DECIDED = (
    Finding(check=check, action=action, message="m")
    for check, action in (("redundant", "note"), ("homonym", "review"), ("cycle", "set_aside"), ("people", "set_aside"))
)


@pytest.mark.parametrize(
    ("gate", "findings", "code"),
    [
        ("none", [LEFT_OUT], DONE),
        ("set_aside", [NOTE, QUESTION, DECIDED], DONE),
        ("set_aside", [LEFT_OUT], HELD),
        ("strict", [NOTE, DECIDED], DONE),
        ("strict", [NOTE, QUESTION], HELD),
        ("strict", None, HELD),
    ],
)
def test_a_gate_holds_back_what_it_is_told_to(
    project: Project, gate: str, findings: list[Finding] | None, code: int
) -> None:
    put(project, a="one")
    if findings is not None:
        project.store.write("validate/findings.jsonl", jsonl(findings))
    console = Written()
    assert run(project, [Upper()], LocalEngine(workers=1), console, {"gate": gate}) == code
    assert project.store.read_json("run.json")["exit_code"] == code
    assert (f"gate={gate}: held back by" in console.complained.getvalue()) is (code == HELD)


def test_a_failure_outweighs_the_gate_and_an_unknown_gate_runs_nothing(project: Project) -> None:
    put(project, a="one", b="bad input")
    assert run(project, [Upper()], LocalEngine(workers=1), Written(), {"gate": "strict"}) == INCOMPLETE
    project.store.path("run.json").unlink()
    with pytest.raises(SettingsError, match="no gate 'tight'"):
        run(project, [Upper()], LocalEngine(workers=1), Written(), {"gate": "tight"})
    assert not project.store.exists("run.json")


@pytest.mark.parametrize("terminal", [True, False])
def test_a_run_says_one_line_a_stage_and_closes_with_a_table(project: Project, terminal: bool) -> None:
    put(project, a="one", b="bad input")
    nodes = [{"label": "Concept"}, {"label": "Concept"}, {"label": "Book"}]
    project.store.write("graph/nodes.json", json.dumps(nodes).encode())
    project.store.write("graph/edges.json", b"[]")
    project.store.write("validate/findings.jsonl", b'{"check": "cycle"}\n')
    project.store.write("index.html", b"")
    console = Written(terminal)
    go(project, console)
    said = console.said.getvalue()
    for word in ("Physics", "upper", "1 texts", "nodes", "Concept", "2", "cycle", "index.html", "1 failed"):
        assert word in said
    assert "b: nothing to read (write something)" in console.complained.getvalue()
    assert ("\x1b" in said) is terminal


def test_many_failures_are_counted_not_listed(project: Project) -> None:
    put(project, **{f"t{i}": "bad input" for i in range(MOST_FAILURES + 5)})
    console = Written()
    go(project, console)
    assert "and 5 more" in console.complained.getvalue()


def test_settings_become_a_project_and_stages(tmp_path: Path) -> None:
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
        config = compose("config", ["subject=physics_zh"])
        project = project_of(config, tmp_path)
        assert [book.slug for book in project.books] == ["wuli-8"]
        assert project.books[0].language == "zh"
        assert [build(config, name).name for name in config.stages] == list(config.stages)
        with pytest.raises(SettingsError, match="no stage 'engine'"):
            build(config, "engine")
        wrong = compose("config", ["engine.workers=1.5", "subject.language=tlh"])
        with pytest.raises(SettingsError, match="no language pack 'tlh'"):
            project_of(wrong, tmp_path)
