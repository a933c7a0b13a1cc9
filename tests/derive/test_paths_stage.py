"""The recipe on files: what is written can be counted on, whoever judges, and readers score what arithmetic says."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from derive.__main__ import main
from derive.paths.export import COLUMNS, PathRow
from derive.paths.questions import Dropped
from derive.paths.report import Answered, PathsSummary
from derive.paths.stage import Paths
from kg.graph import Graph
from kg.item import Item
from kg.project import Project
from kg.store import Store
from tests.derive.test_stage import contents, lay, ran
from tests.fake_server import Call, FakeServer, Say, refuses, says

QA = [
    {"id": "t1", "question": "What must be learned before cobalt cable?", "answer": "amber arch"},
    {"id": "t2", "question": "what must be learned before cobalt cable", "answer": "The amber arch"},
    {"id": "t3", "question": "Is amber arch a number?", "answer": "I have no comment"},
    {"id": "t4", "question": "Who was Newton?", "answer": "a physicist of old England"},
]


SOME = "tasks=[prereq_2,locate_1,evidence_1]"


def command(graph: Path, out: Path, *words: str) -> int:
    return main([f"graph={graph}", f"out={out}", "derive=paths", SOME, *words])


def rows(folder: Path, name: str, kind: Any) -> list[Any]:
    return list(Store(folder).read_rows(f"paths/{name}.jsonl", kind))


def summary(folder: Path) -> PathsSummary:
    return Store(folder).read_row("paths/summary.json", PathsSummary)


@pytest.fixture(scope="module")
def made(make_graph: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The recipe run on the made-up curriculum in both languages."""
    found = {}
    for code in ("en", "zh"):
        folder = tmp_path_factory.mktemp(code)
        assert command(lay(make_graph(code), folder / "graph"), folder / "out") == 0
        found[code] = folder / "out"
    return found


@pytest.mark.parametrize("code", ["en", "zh"])
def test_kept_and_dropped_make_up_what_was_produced(made: dict[str, Path], code: str) -> None:
    report, dropped = summary(made[code]), rows(made[code], "dropped", Dropped)
    questions = rows(made[code], "questions", Item)
    assert report.language == code and report.questions == len(questions) > 100
    assert report.produced == len(questions) + sum(one.what == "question" for one in dropped)
    kept = rows(made[code], "paths", PathRow)
    assert report.selected == sum(report.judged.values()) and report.kept == len(kept)
    paths = Counter(one.reason for one in dropped if one.what == "path")
    assert report.mined == len(kept) + sum(paths.values())
    assert len({item.id for item in questions}) == len(questions) and len({row.id for row in kept}) == len(kept)


@pytest.mark.parametrize("code", ["en", "zh"])
def test_every_hop_of_a_kept_path_is_an_edge_with_sentence_and_page(
    made: dict[str, Path], code: str, make_graph: Any
) -> None:
    graph: Graph = make_graph(code)
    edges = {edge.key() for edge in graph.edges}
    for row in rows(made[code], "paths", PathRow):
        assert row.score >= 4 and row.judged_by == "rules"
        here = row.start
        for hop in row.hops:
            assert (hop.type, hop.source, hop.target) in edges and hop.sentence and hop.page is not None
            assert here == (hop.source if hop.forward else hop.target)
            here = hop.target if hop.forward else hop.source
        assert here == row.end and all(text.count("; ") == 2 * len(row.hops) for text in row.texts.values())


@pytest.mark.parametrize("code", ["en", "zh"])
def test_scripted_readers_score_what_arithmetic_says(made: dict[str, Path], code: str) -> None:
    report = summary(made[code])
    value = lambda who, arm, what: getattr(report.readers[who].arms[arm], what).value  # noqa: E731
    for arm in report.readers["null"].arms:
        assert value("null", arm, "right") == value("null", arm, "answered") == value("null", arm, "likeness") == 0
        assert value("oracle", arm, "right") == 1 and value("oracle", arm, "likeness") == pytest.approx(1)
    assert value("path reader", "gold", "right") == 1 and value("path reader", "qa", "right") == 0
    assert value("path reader", "masked", "right") == value("path reader", "random", "right") == 0
    assert value("path reader", "wrong", "right") == 0 and value("path reader", "wrong", "follows") == 1
    gap = report.readers["path reader"].copy_gap
    assert gap and (gap.value, gap.low, gap.high) == (1, 1, 1)
    lot = [row for row in rows(made[code], "answers", Answered) if row.responder == "random" and row.arm == "qa"]
    questions = {item.id: item for item in rows(made[code], "questions", Item)}
    pool = {item.accepted[0] for item in questions.values()}
    chance = sum(len(pool & set(questions[row.question].accepted)) / len(pool) for row in lot) / len(lot)
    right = report.readers["random"].arms["qa"].right
    assert right and right.low - 0.02 <= chance <= right.high + 0.02


def test_a_question_counts_once_however_many_paths_it_has(made: dict[str, Path]) -> None:
    report = summary(made["en"])
    gold = report.readers["random"].arms["gold"]
    assert gold.trials > gold.questions == report.questions


def test_the_same_graph_in_any_order_gives_the_same_bytes(
    make_graph: Any, made: dict[str, Path], tmp_path: Path
) -> None:
    graph: Graph = make_graph("en")
    turned = Graph(nodes=graph.nodes[::-1], edges=graph.edges[::-1])
    assert command(lay(turned, tmp_path / "graph"), tmp_path / "out") == 0
    one, two = contents(made["en"]), contents(tmp_path / "out")
    assert one.keys() == two.keys() and all(one[name] == two[name] for name in one if not name.endswith(".html"))


def test_the_table_has_the_papers_seventeen_columns(made: dict[str, Path]) -> None:
    text = (made["en"] / "paths/multihal.en.csv").read_text(encoding="utf-8")
    table = list(csv.DictReader(io.StringIO(text)))
    assert tuple(table[0]) == COLUMNS and len(COLUMNS) == 17 and len(table) == summary(made["en"]).kept
    one = next(row for row in table if "^" in row["responses_formatted"])
    assert one["judged_score"] in "45" and one["language"] == "en" and one["trip_labels"].count("; ") in (2, 4)


def test_the_page_asks_for_nothing_and_shows_books_as_text(make_graph: Any, tmp_path: Path) -> None:
    graph: Graph = make_graph("en")
    evil = tuple(
        node.model_copy(update={"name": f"<script>{node.id}</script>"}) if node.label == "Concept" else node
        for node in graph.nodes
    )
    assert (
        command(lay(Graph(nodes=evil, edges=graph.edges), tmp_path / "graph"), tmp_path / "out", "tasks=[neighbor]")
        == 0
    )
    page = (tmp_path / "out/paths/index.html").read_text(encoding="utf-8")
    assert "<script" not in page and "&lt;script&gt;" in page and "http" not in page.replace("http-equiv", "")


def test_a_file_of_questions_is_linked_cleaned_and_grounded(make_graph: Any, tmp_path: Path) -> None:
    file = tmp_path / "qa.jsonl"
    file.write_text("\n".join(map(json.dumps, [*QA, {"answer": "no question"}])), encoding="utf-8")
    graph = lay(make_graph("en"), tmp_path / "graph")
    assert command(graph, tmp_path / "out", f"qa=[{file}]", "similarity.sizes=[1,2]", "same_from=0.9") == 3
    (item,) = rows(tmp_path / "out", "questions", Item)
    assert item.id == "t1" and item.accepted == ("amber arch", "The amber arch") and item.origin["merged"] == ["t2"]
    reasons = {one.id: one.reason for one in rows(tmp_path / "out", "dropped", Dropped) if one.what == "question"}
    assert reasons["t3"] == "refusal" and reasons["t2"] == "asked_before" and "t4" in reasons
    best, *_ = rows(tmp_path / "out", "paths", PathRow)
    assert best.score == 5 and best.texts["en"] == "cobalt cable; builds on; amber arch"


def judge(call: Call) -> Say:
    """Copies the first ten paths by alphabet, scores 5, answers with the knowledge's end, loses some translations."""
    if "Copy each" in str(call.body):
        lines = sorted(line for line in call.text.splitlines() if line.startswith("Path:"))
        return says("\n".join(lines[:10]))
    if "criteria" in str(call.body) or "You judge" in str(call.body):
        return says('{"support": 5, "reason": "yes"}')
    if "Translate" in str(call.body):
        return says(call.text.replace("; ", "；") if "arch" not in call.text else "lost")
    known = next((line for line in call.text.splitlines() if line.startswith("Knowledge:")), "")
    return says("Answer: " + known.rpartition("; ")[2] if known else "who knows")


NEIGHBOR = ("tasks=[neighbor]", "llm.limits.give_up=5")


def asked(graph: Path, out: Path, url: str, *words: str) -> int:
    model = ("llm=local", "llm.model=m", f"llm.base_url={url}", f"llm.cache={out}.sqlite", "llm.limits.tries=1")
    small = (
        "tasks=[evidence_2]",
        "arms=[qa,gold,wrong]",
        "llm.limits.backoff=0.001",
        "shown=1",
        "unanswered={difficulty: 1}",
    )
    return command(graph, out, *model, *small, *words)


def test_a_model_judges_reads_and_translates(make_graph: Any, tmp_path: Path) -> None:
    graph = lay(make_graph("en"), tmp_path / "graph")
    with FakeServer(judge) as server:
        words = ("judge=model", "reader=model", "translator=model", "most=2")
        assert asked(graph, tmp_path / "out", server.url, *words) == 0
        calls = len(server.calls)
        assert asked(graph, tmp_path / "out", server.url, *words) == 0 and len(server.calls) == calls
    report = summary(tmp_path / "out")
    assert report.judges == ("m", "m") and report.judged == {"5": report.kept} and report.shortfall == 0
    assert report.model and report.model.calls == calls
    reader = report.readers["m"]
    assert reader.arms["gold"].right and reader.arms["gold"].right.value == 1
    assert reader.arms["wrong"].follows and reader.arms["wrong"].follows.value == 1
    assert reader.arms["qa"].contradicts and reader.arms["qa"].contradicts.value == 1
    table = list(csv.DictReader((tmp_path / "out/paths/multihal.zh.csv").read_text(encoding="utf-8").splitlines()))
    assert 0 < len(table) < report.kept and not any("lost" in row["trip_labels"] for row in table)


@pytest.mark.parametrize("script", [lambda call: refuses(500), lambda call: says("Score: 5"), lambda call: says("")])
def test_a_judge_that_is_down_or_babbles_keeps_nothing(make_graph: Any, tmp_path: Path, script: Any) -> None:
    graph = lay(make_graph("en"), tmp_path / "graph")
    with FakeServer(script) as server:
        code = asked(graph, tmp_path / "out", server.url, "judge=model", "most=1", *NEIGHBOR)
    report = summary(tmp_path / "out")
    assert (report.questions, report.kept, report.readers["oracle"].arms) == (0, 0, {}) and report.mined > 30
    assert report.shortfall > 0 and rows(tmp_path / "out", "paths", PathRow) == []
    assert report.produced == sum(one.what == "question" for one in rows(tmp_path / "out", "dropped", Dropped))
    assert code == (3 if script(None).status == 500 else code)


def test_odd_graphs_are_no_traceback(maker: Any, tmp_path: Path, make_graph: Any) -> None:
    assert command(lay(maker().graph(), tmp_path / "none"), tmp_path / "out") == 0
    assert summary(tmp_path / "out").questions == 0 and (tmp_path / "out/paths/index.html").is_file()
    made = maker()
    for name in "abc":
        made.node("Concept", name, name * 3, 0, definition="d", importance="master")
    made.node("Dragon", "x", "unknown", 0)
    for one, other in (("a", "b"), ("b", "c"), ("c", "a"), ("a", "gone"), ("a", "x"), ("a", "a")):
        made.edge("prerequisites_for", one, other, 0)
    assert command(lay(made.graph(), tmp_path / "odd"), tmp_path / "out2", "hops=3") == 0


@pytest.mark.parametrize(
    ("word", "complaint"),
    [
        ("tasks=[nothing]", "no task 'nothing'"),
        ("arms=[left]", "no arm 'left'"),
        ("languages=[xx]", "no language pack 'xx'"),
        ("judge=model", "no model"),
        ("qa=[missing.csv]", "missing.csv"),
        ("glossary=missing.csv", "missing.csv"),
        ("hops=9", "hops"),
    ],
)
def test_wrong_settings_are_one_line(make_graph: Any, tmp_path: Path, capsys: Any, word: str, complaint: str) -> None:
    graph = lay(make_graph("en"), tmp_path / "graph")
    assert command(graph, tmp_path / "out", word) == 2
    said = capsys.readouterr().err.replace("\n", " ")
    assert complaint in said or "no model is chosen" in said or "asks a model" in said


def test_a_glossary_gives_names_in_another_language(make_graph: Any, tmp_path: Path) -> None:
    glossary = tmp_path / "names.csv"
    glossary.write_text("name,zh\namber arch,琥珀拱\ncobalt cable,灰鼓\n", encoding="utf-8")
    file = tmp_path / "qa.json"
    file.write_text(json.dumps(QA[:1]), encoding="utf-8")
    graph = lay(make_graph("en"), tmp_path / "graph")
    assert command(graph, tmp_path / "out", f"glossary={glossary}", f"qa=[{file}]", "most=1") == 0
    (row,) = rows(tmp_path / "out", "paths", PathRow)
    assert row.texts["zh"] == "灰鼓; 以它为基础：; 琥珀拱" and summary(tmp_path / "out").untranslated == {"zh": 0}


def test_the_stage_makes_the_same_files_as_the_command_and_goes_on_where_it_was(
    make_graph: Any, made: dict[str, Path], project: Project
) -> None:
    from derive.__main__ import settings

    lay(make_graph("en"), project.store.path("graph"))
    _, stage = settings(["graph=x", "derive=paths", SOME])
    assert isinstance(stage, Paths)
    first = ran(stage, project)
    assert first.failures == () and first.counts["questions"] > 100
    assert ran(stage, project).skipped == 1
    one, two = contents(made["en"]), contents(project.store.root / "paths")
    assert all(one[f"paths/{name}"] == two[name] for name in two if not name.endswith(".html"))
