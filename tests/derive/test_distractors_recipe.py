"""The recipe on files: nothing known to be right, as many as before, typed alike, each with its path or saying not."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from derive.__main__ import main
from derive.distractors.report import Left, Summary, Why
from derive.distractors.stage import Distractors
from kg.engine import LocalEngine
from kg.errors import SettingsError
from kg.graph import Edge, Graph
from kg.item import Item
from kg.project import Project
from kg.stage import run_stage
from kg.store import Store
from tests.fake_server import Call, FakeServer, Say, refuses, says

TASKS = "bench.tasks=[prereq_1,neighbor,ground_2]"
NAMES = ("original", "path_guided", "why", "mapping", "dropped")
Run = Callable[..., int]


def lay(graph: Graph, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("nodes", "edges"):
        rows = [row.model_dump(mode="json") for row in getattr(graph, name)]
        (folder / f"{name}.json").write_text(json.dumps(rows), encoding="utf-8")
    return folder


def go(folder: Path, out: Path, *words: str) -> int:
    return main([f"graph={folder}", "derive=distractors", f"out={out}", "similarity.width=256", *words])


def summary(out: Path) -> Summary:
    return Store(out).read_row("distractors/summary.json", Summary)


@pytest.fixture(scope="module")
def made(make_graph: Any, tmp_path_factory: Any) -> Path:
    """The English curriculum's own questions with new wrong options."""
    folder: Path = tmp_path_factory.mktemp("made")
    assert go(lay(make_graph("en"), folder / "graph"), folder / "out", TASKS) == 0
    return folder


def chained(edges: list[Edge], kind: str, start: str) -> set[str]:
    """Everything that edges of this type lead to, step by step."""
    found: set[str] = set()
    due = [start]
    while due:
        here = due.pop()
        new = {edge.target for edge in edges if edge.type == kind and edge.source == here} - found
        found |= new
        due += new
    return found


def test_no_wrong_option_is_right_by_brute_force_over_the_graph(made: Path, make_graph: Any) -> None:
    edges = list(make_graph("en").edges)
    needed: dict[str, set[str]] = defaultdict(set)
    for node in {edge.source for edge in edges}:
        for later in chained(edges, "prerequisites_for", node):
            needed[later].add(node)
    related = [edge for edge in edges if edge.type in ("is_a", "relates_to")]
    right = {
        "prereq_1": lambda item, node: node in needed[item.query],
        "neighbor": lambda item, node: any({item.query, node} == {edge.source, edge.target} for edge in related),
        "ground_2": lambda item, node: any((edge.source, edge.target) == (node, item.query) for edge in edges),
    }
    seen = 0
    for item in Store(made / "out").read_rows("distractors/path_guided.jsonl", Item):
        if item.task not in right:
            continue
        for letter, choice in item.choices.items():
            seen += 1
            assert right[item.task](item, choice.id) == (letter in item.answer)
    assert seen > 200


def test_stem_answers_and_number_of_options_stay_and_kinds_agree(made: Path) -> None:
    store = Store(made / "out")
    original = {item.id: item for item in store.read_rows("distractors/original.jsonl", Item)}
    guided = [item for item in store.read_rows("distractors/path_guided.jsonl", Item) if item.id in original]
    assert len(guided) > 100
    for item in guided:
        before = original[item.id]
        assert (item.question, len(item.options)) == (before.question, len(before.options))
        assert sorted(item.options[one] for one in item.answer) == sorted(before.options[one] for one in before.answer)
    figures = summary(made / "out").arms["path_guided"]
    assert (figures.parity, figures.typed, figures.known_correct) == (1.0, 1.0, 0)
    assert figures.flagged == sum(
        count for layer, count in figures.layers.items() if not layer.startswith(("walk", "answer_walk", "slip"))
    )


def test_every_path_is_made_of_edges_from_question_or_answer_to_the_option(made: Path, make_graph: Any) -> None:
    edges = {(edge.type, edge.source, edge.target) for edge in make_graph("en").edges}
    items = {item.id: item for item in Store(made / "out").read_rows("distractors/path_guided.jsonl", Item)}
    walked = 0
    for why in Store(made / "out").read_rows("distractors/why.jsonl", Why):
        assert (why.why and why.text in why.why) or why.path
        if not why.path:
            continue
        walked += 1
        item = items[why.item]
        assert why.nodes[-1] == why.node and len(set(why.nodes)) == len(why.nodes)
        starts = {item.query, *(item.choices[letter].id for letter in item.answer)}
        assert why.nodes[0] in starts
        assert {key for key in why.path if key[0] != "leads_to"} <= edges
        for (one, other), (_, source, target) in zip(
            zip(why.nodes, why.nodes[1:], strict=False), why.path, strict=True
        ):
            assert {one, other} == {source, target}
    assert walked > 100


def test_kept_and_left_out_are_all_that_was_read(made: Path) -> None:
    report = summary(made / "out")
    kept = [item.id for item in Store(made / "out").read_rows("distractors/path_guided.jsonl", Item)]
    left = [row.id for row in Store(made / "out").read_rows("distractors/dropped.jsonl", Left)]
    assert len(kept) + len(left) == len({*kept, *left}) == report.read
    assert all(row.drop is not None for row in report.accuracy if row.arm != "original")


def test_a_shuffled_graph_gives_the_same_bytes(made: Path, make_graph: Any, tmp_path: Path) -> None:
    graph = make_graph("en")
    nodes, edges = list(graph.nodes), list(graph.edges)
    random.Random(1).shuffle(nodes)
    random.Random(2).shuffle(edges)
    go(lay(Graph(nodes=tuple(nodes), edges=tuple(edges)), tmp_path / "graph"), tmp_path / "out", TASKS)
    for name in NAMES:
        file = f"out/distractors/{name}.jsonl"
        assert (tmp_path / file).read_bytes() == (made / file).read_bytes()


def test_chinese_questions_get_chinese_reasons(make_graph: Any, tmp_path: Path) -> None:
    assert go(lay(make_graph("zh"), tmp_path / "graph"), tmp_path / "out", "bench.tasks=[neighbor]") == 0
    rows = list(Store(tmp_path / "out").read_rows("distractors/why.jsonl", Why))
    assert rows and not any(word in row.why for row in rows for word in ("close at hand", "for somebody"))
    assert summary(tmp_path / "out").language == "zh"


@pytest.mark.parametrize("case", ["empty", "dangling", "cycle"])
def test_an_odd_graph_gives_no_traceback(case: str, maker: Any, tmp_path: Path) -> None:
    graph = maker()
    if case != "empty":
        for name in "abc":
            graph.node("Concept", name, f"thing {name}", definition="d", importance="master")
        graph.edge("prerequisites_for", "a", "b" if case == "cycle" else "nowhere")
        graph.edge("prerequisites_for", "b", "a")
        graph.edge("no_such_type", "a", "c")
    sets = tmp_path / "q.jsonl"
    sets.write_text('{"question": "what is thing a?", "options": ["thing b", "x"], "answer": 0}\n', encoding="utf-8")
    assert go(lay(graph.graph(), tmp_path / "graph"), tmp_path / "out", f"items=[{sets}]") == 0
    assert summary(tmp_path / "out").read == 1


def test_a_bad_line_is_one_line_and_the_rest_goes_on(made: Path, tmp_path: Path, capsys: Any) -> None:
    sets = tmp_path / "q.csv"
    sets.write_text(
        "question,A,B,C,answer\nHow many bolts?,12 m,13 m,14 m,A\nno answer,x,y,z,\n,x,y,z,B\n", encoding="utf-8"
    )
    assert go(made / "graph", tmp_path / "out", f"items=[{sets}]", "exercises=false") == 3
    said = capsys.readouterr().err
    assert "line 3: no answer" in said and "line 4: no question" in said
    items = list(Store(tmp_path / "out").read_rows("distractors/path_guided.jsonl", Item))
    assert len(items) == 1 and len(items[0].options) == 3


def test_a_file_that_is_not_there_is_named(made: Path, tmp_path: Path, capsys: Any) -> None:
    assert go(made / "graph", tmp_path / "out", "items=[nowhere.jsonl]") == 2
    assert "nowhere.jsonl" in capsys.readouterr().err


def test_the_source_s_own_avoid_set_lets_right_answers_through(made: Path, tmp_path: Path) -> None:
    assert go(made / "graph", tmp_path / "out", "bench.tasks=[prereq_1]", "avoid=[]", "exercises=false") == 0
    assert summary(tmp_path / "out").arms["path_guided"].known_correct > 0
    assert summary(made / "out").arms["path_guided"].known_correct == 0


# --- with a model -----------------------------------------------------------------------------------------------


def external(folder: Path) -> Path:
    file = folder / "ext.jsonl"
    lines = [
        {
            "id": "1",
            "question": "Which comes with the amber arch?",
            "options": ["brittle beam", "x1", "x2"],
            "answer": 0,
        },
        {"id": "2", "question": "How many bolts?", "options": ["12 m", "13 m", "14 m"], "answer": "12 m"},
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return file


def script(call: Call) -> Say:
    text = call.text
    if "wrong options" in text:
        key = "12 m" in text
        words = ["120 m", "21 m"] if key else ["a wobbly bridge", "a leaning tower"]
        return says(json.dumps({"distractors": [{"text": word, "path": 1, "why": "w"} for word in words]}))
    if "the things that the question names" in text:
        return says(json.dumps({"question": [{"type": "Concept", "name": "amber arches"}], "answer": []}))
    if "Select the ONE entry" in text:
        return says('{"id": "NONE", "reason": "nothing fits"}')
    return says("VALID") if "VALID" in str(call.body["messages"]) else says("A")


def model_words(url: str, folder: Path) -> list[str]:
    cache = folder / "replies.sqlite"
    return ["llm=openai", "llm.model=m", f"llm.base_url={url}", f"llm.cache={cache}", "llm.limits.backoff=0.001"]


def test_a_model_writes_judges_links_and_answers(made: Path, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    words = [f"items=[{external(tmp_path)}]", "exercises=false", "writer=model", "judge=true", "answers=true"]
    with FakeServer(script) as server:
        code = go(made / "graph", tmp_path / "out", *words, "link.by=model", *model_words(server.url, tmp_path))
    assert code == 0
    report = summary(tmp_path / "out")
    assert set(report.arms) == {"path_guided", "model_only", "path_model"}
    assert report.arms["model_only"].items == 2 and report.arms["path_model"].with_path == 0.5
    assert {row.by for row in report.accuracy} >= {"m", "random", "longest"}
    assert report.model is not None and "entities" in report.model.prompts
    assert report.mapped["question"].get("exact") == 2


def test_a_dead_model_keeps_nothing(made: Path, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    with FakeServer(lambda call: refuses(500)) as server:
        words = [f"items=[{external(tmp_path)}]", "judge=true", "llm.limits.tries=1"]
        assert go(made / "graph", tmp_path / "out", *words, *model_words(server.url, tmp_path)) == 3
    assert not (tmp_path / "out/distractors/path_guided.jsonl").exists()


def test_a_model_that_must_be_asked_must_be_chosen() -> None:
    with pytest.raises(SettingsError, match=r"derive\.writer"):
        Distractors(writer="model")


def test_the_stage_runs_in_a_chain_and_a_second_run_does_nothing(
    project: Project, make_graph: Any, tmp_path: Path
) -> None:
    lay(make_graph("en"), project.store.path("graph"))
    file = tmp_path / "ext.jsonl"
    external(tmp_path)
    stage = Distractors(items=(str(file),), exercises=False)
    for skipped in (0, 1, 0):
        with LocalEngine(workers=1).session(project) as session:
            report = run_stage(stage, project, session, lambda *_: None)
        assert report.skipped == skipped and report.failures == ()
        if skipped:
            file.write_text(file.read_text(encoding="utf-8").replace("bolts", "nuts"), encoding="utf-8")
    page = project.store.path("distractors/index.html").read_text(encoding="utf-8")
    assert "nuts" in page and "http" not in page.replace("http-equiv", "")
