"""The stage and the command, on files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from derive.__main__ import main
from derive.stage import Derive
from kg.engine import LocalEngine
from kg.errors import SettingsError
from kg.graph import Graph
from kg.item import Item
from kg.project import Project
from kg.stage import StageReport, run_stage


def lay(graph: Graph, folder: Path) -> Path:
    """Writes the two files of a graph."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("nodes", "edges"):
        rows = [row.model_dump(mode="json") for row in getattr(graph, name)]
        (folder / f"{name}.json").write_text(json.dumps(rows), encoding="utf-8")
    return folder


@pytest.fixture
def run_folder(project: Project, make_graph: Any) -> Project:
    lay(make_graph("en"), project.store.path("graph"))
    return project


def ran(stage: Derive, project: Project) -> StageReport:
    with LocalEngine(workers=1).session(project) as session:
        return run_stage(stage, project, session, lambda *_: None)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.*"))}


def test_the_stage_makes_all_products_and_a_second_run_does_nothing(run_folder: Project) -> None:
    first = ran(Derive(), run_folder)
    assert first.failures == () and first.counts["items"] > 300
    store = run_folder.store
    for name in ("bench/summary.json", "bench/index.html", "train/summary.json", "train/leakage.json"):
        assert store.exists(name), name
    again = ran(Derive(), run_folder)
    assert again.skipped == again.items == 2


def test_every_written_item_can_be_read_back(run_folder: Project) -> None:
    ran(Derive(what=("bench",)), run_folder)
    rows = list(run_folder.store.read_rows("bench/prereq_1.jsonl", Item))
    assert rows and all(row.task == "prereq_1" for row in rows)
    assert not run_folder.store.exists("train/summary.json")


def test_the_command_makes_the_same_files_as_the_stage(run_folder: Project, tmp_path: Path) -> None:
    assert main([f"graph={run_folder.store.root}", f"out={tmp_path / 'a'}"]) == 0
    assert main([f"graph={run_folder.store.path('graph')}", f"out={tmp_path / 'b'}"]) == 0
    one, two = contents(tmp_path / "a"), contents(tmp_path / "b")
    names = [name for name in one if not name.endswith("index.html")]
    assert len(names) > 15 and all(one[name] == two[name] for name in names)


def test_the_page_shows_what_the_books_say_as_text_only(make_graph: Any, tmp_path: Path) -> None:
    graph = make_graph("en")
    evil = '<script>alert("x")</script>'
    nodes = tuple(
        node.model_copy(update={"name": f"{evil} {node.id}"}) if node.label == "Concept" else node
        for node in graph.nodes
    )
    folder = lay(Graph(nodes=nodes, edges=graph.edges), tmp_path / "graph")
    assert main([f"graph={folder}", f"out={tmp_path / 'out'}"]) == 0
    page = (tmp_path / "out/bench/index.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;" in page and "<script" not in page
    assert "http" not in page.replace("http-equiv", "")


def test_a_chinese_graph_gets_chinese_questions(make_graph: Any, tmp_path: Path) -> None:
    folder = lay(make_graph("zh"), tmp_path / "graph")
    assert main([f"graph={folder}", f"out={tmp_path / 'out'}", "what=[bench]"]) == 0
    line = (tmp_path / "out/bench/neighbor.jsonl").read_text(encoding="utf-8").splitlines()[0]
    assert json.loads(line)["question"].startswith("以下哪些概念与")
    assert "评测题" in (tmp_path / "out/bench/index.html").read_text(encoding="utf-8")


def test_a_graph_without_nodes_makes_empty_products(tmp_path: Path) -> None:
    folder = lay(Graph(nodes=(), edges=()), tmp_path / "graph")
    assert main([f"graph={folder}", f"out={tmp_path / 'out'}"]) == 0
    assert json.loads((tmp_path / "out/bench/summary.json").read_text())["items"] == 0


def test_broken_records_are_named_and_the_rest_is_used(
    make_graph: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = lay(make_graph("en"), tmp_path / "graph")
    nodes = json.loads((folder / "nodes.json").read_text())
    (folder / "nodes.json").write_text(json.dumps([*nodes, {"label": "Concept"}, 7]))
    assert main([f"graph={folder}", f"out={tmp_path / 'out'}", "what=[bench]"]) == 3
    said = capsys.readouterr().err
    assert f"node {len(nodes) + 1}" in said and f"node {len(nodes) + 2}" in said
    assert json.loads((tmp_path / "out/bench/summary.json").read_text())["items"] > 300


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["out=x"], "graph"),
        (["graph=nowhere"], "nowhere"),
        (["graph=.", "bench.seeds=1"], "seeds"),
        (["graph=.", "bench.seed=many"], "seed"),
        (["graph=.", "bench.tasks=[juggling]"], "juggling"),
        (["graph=.", "what=[cake]"], "what"),
        (["graph=.", "schema=none"], "none"),
        (["graph", "out=x"], "graph"),
    ],
)
def test_a_wrong_setting_is_one_line_with_its_name(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert words in said and said.count("\n") == 1


def test_an_unknown_language_is_named(run_folder: Project) -> None:
    with pytest.raises(SettingsError, match="tlh"):
        Derive(language="tlh").setup(run_folder)


def test_help_helps(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0 and main([]) == 2
    assert "graph=PATH" in capsys.readouterr().out
    assert main(["derive=questions", "--help"]) == 0 and "levels:" in capsys.readouterr().out


def test_a_leakage_file_that_is_no_benchmark_is_named(
    run_folder: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.jsonl").write_text('{"no": "question"}\n')
    arguments = [f"graph={run_folder.store.root}", f"out={tmp_path / 'o'}", "what=[train]"]
    assert main([*arguments, f"train.leakage=[{tmp_path / 'bad.jsonl'}]"]) == 2
    assert "bad.jsonl" in capsys.readouterr().err


def test_passages_shared_with_a_named_benchmark_are_reported(run_folder: Project, tmp_path: Path) -> None:
    stem = "Workshop 0 builds 20 bolts a day and loses 2. How many are left on day 2?"
    (tmp_path / "other.jsonl").write_text(json.dumps({"question": stem, "options": {}}) + "\n")
    arguments = [f"graph={run_folder.store.root}", f"out={tmp_path / 'o'}", "what=[train]"]
    assert main([*arguments, f"train.leakage=[{tmp_path / 'other.jsonl'}]"]) == 0
    (found,) = json.loads((tmp_path / "o/train/leakage.json").read_text())
    assert found["rows"] >= 1 and any("e000" in example for example in found["examples"])
