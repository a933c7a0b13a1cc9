"""The recipe as a whole, on files, with and without a model."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from derive.__main__ import main
from derive.taxonomy.stage import Taxonomy
from kg.engine import LocalEngine
from kg.graph import Graph
from kg.item import Item
from kg.project import Project
from kg.stage import run_stage
from kg.store import Store
from tests.fake_server import Call, FakeServer, Say, refuses, says

Run = Callable[..., int]
MODEL = ("golden", "definitions.writer", "definitions.critic", "questions.writer", "questions.reader", "coverage.judge")


def lay(graph: Graph, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("nodes", "edges"):
        rows = [row.model_dump(mode="json") for row in getattr(graph, name)]
        (folder / f"{name}.json").write_text(json.dumps(rows), encoding="utf-8")
    return folder


def tangled(graph: Graph) -> Graph:
    """The graph with a loop, a diamond, a redundant parent, an edge to nowhere and one of no known type."""
    first = next(edge for edge in graph.edges if edge.type == "is_a")
    ids = [node.id for node in graph.nodes if node.label == "Concept"][-6:]
    a, b, c, d, e, _ = ids
    pairs = [(a, b), (b, a), (c, b), (d, b), (e, c), (e, d), (d, c), (e, b)]
    more = [first.model_copy(update={"source": source, "target": target}) for source, target in pairs]
    more += [first.model_copy(update={"target": "nowhere"}), first.model_copy(update={"type": "likes"})]
    return Graph(nodes=graph.nodes, edges=(*graph.edges, *more))


@pytest.fixture
def small(workshop: Graph) -> Graph:
    """A small course, tangled."""
    return tangled(workshop)


@pytest.fixture
def run(small: Graph, tmp_path: Path) -> Run:
    graph = lay(small, tmp_path / "graph")

    def command(*words: str, out: str = "out") -> int:
        return main([f"graph={graph}", f"out={tmp_path / out}", "derive=taxonomy", *words])

    return command


def asks(url: str, folder: Path) -> tuple[str, ...]:
    return (
        *("llm=local", "llm.model=m", f"llm.base_url={url}", f"llm.cache={folder}/replies.sqlite"),
        *("llm.limits.backoff=0.001", "llm.limits.tries=2", "llm.limits.give_up=5"),
    )


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.*"))}


def read(folder: Path, name: str = "summary.json") -> Any:
    text = (folder / "taxonomy" / name).read_text(encoding="utf-8")
    return json.loads(text) if name.endswith(".json") else [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("code", ["en", "zh"])
def test_the_order_of_the_records_changes_no_byte(make_graph: Any, tmp_path: Path, code: str) -> None:
    graph = tangled(make_graph(code))
    chance = random.Random(3)
    nodes, edges = (chance.sample(rows, len(rows)) for rows in (graph.nodes, graph.edges))
    for name, one in (("a", graph), ("b", Graph(nodes=tuple(nodes), edges=tuple(edges)))):
        folder = lay(one, tmp_path / f"graph_{name}" / "graph")
        assert main([f"graph={folder}", f"out={tmp_path / name}", "derive=taxonomy"]) in (0, 3)
    made = contents(tmp_path / "a")
    assert made == contents(tmp_path / "b")
    assert {"taxonomy/structure.jsonl", "taxonomy/concepts.jsonl", "taxonomy/index.html"} <= set(made)
    report = read(tmp_path / "a")
    assert report["language"] == code
    assert report["left_out"] == {"edge of an unknown type": 1, "edge that leads nowhere": 1}
    assert report["questions"]["made"] > 80


def test_every_node_stands_once_under_one_root_and_no_edge_is_lost(run: Run, small: Graph, tmp_path: Path) -> None:
    assert run() == 0
    for tree, types in (("structure", {"is_part_of", "appears_in"}), ("concepts", {"is_a"})):
        rows = read(tmp_path / "out", f"{tree}.jsonl")
        assert [row["id"] for row in rows if "parent" not in row or not row["parent"]] == ["taxonomy:root"]
        assert len({row["id"] for row in rows}) == len(rows)
        level = {row["id"]: row["level"] for row in rows}
        assert all(row["level"] == level[row["parent"]] + 1 for row in rows[1:])
        said = {(row["id"], row["parent"]) for row in rows[1:] if row["parent"] != "taxonomy:root"}
        said |= {(row["id"], link["to"]) for row in rows for link in row.get("links", ())}
        ids = set(level)
        assert said == {(e.source, e.target) for e in small.edges if e.type in types and {e.source, e.target} <= ids}
    links = read(tmp_path / "out")["trees"]["concepts"]["links"]
    assert links["loop"] == 2 and links["redundant"] >= 1


def test_kept_and_dropped_questions_are_all_that_were_made(run: Run, tmp_path: Path) -> None:
    assert run() == 0
    found = read(tmp_path / "out")["questions"]
    assert found["made"] == sum(found["kept"].values()) + sum(found["dropped"].values()) > 20
    assert len(read(tmp_path / "out", "dropped.jsonl")) == sum(found["dropped"].values())
    items = list(Store(tmp_path / "out").read_rows("taxonomy/questions.jsonl", Item))
    assert len(items) == sum(found["kept"].values())
    assert all(item.checks["open_book"] == "open book, rules" for item in items)


def test_the_main_run_makes_what_the_command_makes_and_a_second_run_nothing(
    run: Run, small: Graph, project: Project, tmp_path: Path
) -> None:
    lay(small, project.store.path("graph"))
    with LocalEngine(workers=1).session(project) as session:
        first = run_stage(Taxonomy(), project, session, lambda *_: None)
        again = run_stage(Taxonomy(), project, session, lambda *_: None)
    assert first.failures == () and again.skipped == again.items == 1
    assert run(out="command") == 0
    made = contents(tmp_path / "command")
    assert made == {name: project.store.path(name).read_bytes() for name in made}


def test_only_what_lies_under_the_root_is_taken(run: Run, tmp_path: Path) -> None:
    assert run("root=s01") == 0
    ids = {row["id"] for row in read(tmp_path / "out", "structure.jsonl")}
    assert "s01" in ids and "axe" in ids and "s02" not in ids and "plank" not in ids
    assert all(item["query"] in ids for item in read(tmp_path / "out", "questions.jsonl"))


def test_a_root_that_is_not_there_is_one_line(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("root=atlantis") == 2
    said = capsys.readouterr().err
    assert "atlantis" in said and "Traceback" not in said and said.count("\n") <= 2


def test_a_graph_without_nodes_makes_empty_trees(tmp_path: Path) -> None:
    folder = lay(Graph(nodes=(), edges=()), tmp_path / "graph")
    assert main([f"graph={folder}", f"out={tmp_path / 'out'}", "derive=taxonomy"]) == 0
    assert read(tmp_path / "out")["trees"]["structure"]["nodes"] == 0
    assert len(read(tmp_path / "out", "structure.jsonl")) == 1


def test_answers_of_models_become_an_accuracy_tree(run: Run, tmp_path: Path) -> None:
    assert run() == 0
    items = read(tmp_path / "out", "questions.jsonl")
    for name, letters in (("good", lambda item: item["answer"]), ("bad", lambda item: ["Z"])):
        lines = [json.dumps({"id": item["id"], "letters": letters(item)}) for item in items]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines))
    words = f"accuracy.answers={{good: {tmp_path}/good.jsonl, bad: {tmp_path}/bad.jsonl}}"
    assert run(words, out="with") == 0
    top = {row["model"]: row["accuracy"] for row in read(tmp_path / "with", "accuracy.jsonl") if row["level"] == 0}
    assert top["good"]["value"] == 1 and top["bad"]["value"] == 0
    assert top["good"]["low"] < 1 and top["good"]["n"] == len(items)
    page = (tmp_path / "with/taxonomy/index.html").read_text(encoding="utf-8")
    assert "good" in page and "http" not in page.replace("http-equiv", "") and "<script" not in page


def test_texts_are_held_against_the_trees(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "texts.jsonl"
    file.write_text("\n".join(json.dumps({"text": text}) for text in ("All about the axe.", "Zyx wvu tsr.")))
    assert run(f"coverage.texts={{mine: {file}}}") == 0
    mine = next(row for row in read(tmp_path / "out")["coverage"] if row["corpus"] == "mine")
    assert (mine["texts"], mine["covered"]["value"]) == (2, 0.5)
    assert mine["by_level"]["structure"]["1"]["value"] == 1.0
    assert 0 < mine["reverse"]["structure"]["value"] < 1


def honest(call: Call) -> Say:
    """A model that does each job in the simplest way."""
    text = call.text
    if "Output the number" in text:
        return says("1")
    if "Give each criterion" in text:
        marks = dict.fromkeys(("accuracy", "clarity", "non_circularity", "scope", "conciseness"), 5)
        return says(json.dumps(marks | {"reason": ""}))
    if '"covered"' in text:
        return says('{"covered": [1]}')
    if "Answer: LETTER" in text:
        return says("Answer: B")
    if '"questions"' in text:
        one = {"question": f"Which of these is it ({call.number})?", "options": dict(zip("ABCD", "wxyz", strict=True))}
        return says(json.dumps({"questions": [one | {"answer": "B", "reason": "so"}]}))
    return says("what engineers use to hold two parts together")


def test_a_model_does_every_step_and_is_asked_once(run: Run, tmp_path: Path) -> None:
    words = [f"{name}=model" for name in MODEL]
    with FakeServer(honest) as server:
        assert run(*words, *asks(server.url, tmp_path)) == 0
        calls = len(server.calls)
        assert run(*words, *asks(server.url, tmp_path), out="again") == 0
        assert len(server.calls) == calls > 20
    report = read(tmp_path / "out")
    assert set(report["model"]["prompts"]) == {
        *("golden", "definition", "critic", "basic", "relation", "openbook", "coverage")
    }
    assert report["definitions"]["score_after"] == 5.0
    assert report["definitions"]["complete_after"] == report["definitions"]["things"]
    assert set(report["questions"]["kept"]) == {"model_basic", "model_relation"}
    assert contents(tmp_path / "out") == contents(tmp_path / "again")


@pytest.mark.parametrize(
    ("step", "kept"),
    [
        ("definitions.critic", lambda report: report["definitions"]["complete_after"]),
        ("questions.writer", lambda report: sum(report["questions"]["kept"].values())),
        ("questions.reader", lambda report: sum(report["questions"]["kept"].values())),
        ("coverage.judge", lambda report: report["coverage"][0]["covered"]["value"]),
    ],
)
def test_a_dead_model_lets_nothing_pass(run: Run, tmp_path: Path, step: str, kept: Callable[[Any], float]) -> None:
    with FakeServer(lambda call: refuses(500)) as server:
        assert run(f"{step}=model", *asks(server.url, tmp_path)) == 3
    assert kept(read(tmp_path / "out")) == 0


def test_a_model_that_rambles_lets_nothing_pass(run: Run, tmp_path: Path) -> None:
    words = [f"{name}=model" for name in MODEL[2:]]
    with FakeServer(lambda call: says("Well, it depends.")) as server:
        assert run(*words, *asks(server.url, tmp_path)) == 0
    report = read(tmp_path / "out")
    assert report["definitions"]["complete_after"] == sum(report["questions"]["kept"].values()) == 0
    assert report["coverage"][0]["unread"] == report["coverage"][0]["texts"] > 0


def test_a_step_that_needs_a_model_says_so(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("golden=model") == 2
    assert "derive.golden" in capsys.readouterr().err
