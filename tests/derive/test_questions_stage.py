"""The recipe on files: the same bytes every time, nothing lost, nothing searched twice."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from derive.__main__ import main
from kg.graph import Graph
from kg.item import Item

Make = Callable[..., Path]
OUT = ("items", "multiselect")
SMALL = ("questions.pool.wanted=4", "questions.pool.decoys=1")


def lay(graph: Graph, folder: Path) -> Path:
    folder.mkdir(parents=True)
    for name in ("nodes", "edges"):
        rows = [row.model_dump(mode="json") for row in getattr(graph, name)]
        (folder / f"{name}.json").write_text(json.dumps(rows), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def shared_bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a graph allows is found once for all tests."""
    return tmp_path_factory.mktemp("bank")


@pytest.fixture
def make(make_graph: Any, tmp_path: Path, shared_bank: Path) -> Make:
    """Runs the recipe on the made-up curriculum or another graph; returns the folder of the question set."""

    def run(*words: str, out: str = "out", code: str = "en", graph: Graph | None = None, rc: int = 0) -> Path:
        folder = tmp_path / f"graph-{out}"
        lay(graph or make_graph(code), folder)
        words = ("derive=questions", f"questions.bank={shared_bank}", *SMALL, *words)
        assert main([f"graph={folder}", f"out={tmp_path / out}", *words]) == rc
        return tmp_path / out / "questions"

    return run


@pytest.fixture(scope="module")
def whole(make_graph: Any, shared_bank: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole English question set, made once."""
    folder = tmp_path_factory.mktemp("whole")
    graph = lay(make_graph("en"), folder / "graph")
    words = ("derive=questions", f"questions.bank={shared_bank}", *SMALL)
    assert main([f"graph={graph}", f"out={folder}", *words]) == 0
    return folder / "questions"


def items(folder: Path) -> list[Item]:
    lines = [line for name in OUT for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    return [Item.model_validate_json(line) for line in lines]


def summary(folder: Path) -> Any:
    return json.loads((folder / "summary.json").read_text(encoding="utf-8"))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.*")) if path.suffix != ".html"}


def test_what_has_several_answers_shows_them_all_or_is_not_asked(make: Make, make_graph: Any) -> None:
    graph: Graph = make_graph("en")
    kinds = [edge for edge in graph.edges if edge.type == "is_a"]
    more = [edge.model_copy(update={"source": f"{edge.source[:-1]}3"}) for edge in kinds]
    wider = Graph(nodes=graph.nodes, edges=(*graph.edges, *more))
    folder = make(out="a", graph=wider)
    several = [item for item in items(folder) if len(item.answer) > 1]
    assert several and not set(summary(folder)["faults"].values()) - {0}
    for item in several:
        right = {choice.id for choice in item.choices.values() if choice.right}
        assert len(right) == item.origin["golds"] and item.question.endswith("Several answers are right.")
    assert {len(item.answer) for item in items(make("questions.multiselect=false", out="b", graph=wider))} == {1}


def test_the_same_graph_gives_the_same_bytes_whatever_the_order_of_its_records(
    whole: Path, make: Make, make_graph: Any
) -> None:
    graph: Graph = make_graph("en")
    nodes, edges = list(graph.nodes), list(graph.edges)
    random.Random(5).shuffle(nodes)
    random.Random(6).shuffle(edges)
    shuffled = Graph(nodes=tuple(nodes), edges=tuple(edges))
    one, two = contents(whole), contents(make("questions.bank=null", graph=shuffled))
    assert len(one) == 5 and one == two


def test_everything_asked_is_an_item_or_dropped_with_its_reason(whole: Path) -> None:
    folder = whole
    found, rows = summary(folder), items(folder)
    dropped = [json.loads(line) for line in (folder / "dropped.jsonl").read_text().splitlines()]
    for level, one in found["levels"].items():
        assert one["items"] + one["several"] + sum(one["dropped"].values()) == one["asked"]
        assert sum(row.level == int(level) for row in rows) == one["items"] + one["several"]
        assert sum(row["task"] == f"level_{level}" for row in dropped) == sum(one["dropped"].values())
        assert one["walked"] >= one["asked"] > 0
    assert all(row["reason"] for row in dropped) and not set(found["faults"].values()) - {0}


def test_every_hop_has_its_sentence_and_page_and_every_item_its_proof(whole: Path) -> None:
    folder = whole
    found = summary(folder)
    assert found["hops"] == found["hops_with_sentence"] == found["hops_with_page"] > 0
    for item in items(folder):
        assert len(item.path or item.provenance) and item.level in (1, 2, 3) and item.mode in ("forward", "reverse")
        assert item.question.endswith((".", "?")) and len(item.options) == 4
        assert {said.split()[0] for said in item.checks.values()} <= {"YES", "NA"} and len(item.checks) == 5
        if len(item.answer) == 1:
            assert len(item.path) == item.level


def test_no_ignorant_rule_profits_and_the_nearest_options_would_have_let_it(make: Make) -> None:
    found = summary(make("questions.pool.wanted=12", "questions.pool.decoys=4"))
    before, after = found["audit_before"], found["audit_after"]
    far = [sum(abs(rate["em_single"] - 0.25) for rate in audit["probes"].values()) for audit in (before, after)]
    assert found["items"] >= 100 and after["verdict"] == "fair" and far[0] > 1.5 * far[1]
    for probe in ("most_like_query", "highest_degree", "longest", "always_A", "always_D"):
        assert 0.18 <= after["probes"][probe]["em_single"] <= 0.35, probe


def test_another_question_set_costs_no_search(make: Make, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    own = f"questions.bank={tmp_path / 'own'}"
    first = items(make(own, out="a"))
    assert "routes found" in capsys.readouterr().out
    (bank,) = (tmp_path / "own").glob("*.jsonl")
    second = items(make(own, "questions.seed=1", "questions.levels=[2,3]", out="b"))
    assert "routes from the bank" in capsys.readouterr().out
    assert [item.question for item in second] != [item.question for item in first if item.level > 1]
    bank.write_bytes(bank.read_bytes()[:-200])
    assert items(make(own, out="c")) == first and "routes found" in capsys.readouterr().out


def test_what_a_name_gives_away_is_not_asked_and_what_may_be_right_is_no_option(make: Make, make_graph: Any) -> None:
    graph: Graph = make_graph("en")
    names = {"k001": "thermal bridge", "k000": "bridge", "x05": "Lab of elastic arches", "k052": "elastic wave"}
    nodes = tuple(node.model_copy(update={"name": names.get(node.id, node.name)}) for node in graph.nodes)
    folder = make(graph=Graph(nodes=nodes, edges=graph.edges))
    dropped = [json.loads(line) for line in (folder / "dropped.jsonl").read_text(encoding="utf-8").splitlines()]
    given = {row["id"] for row in dropped if row["reason"] == "answer_named_like_what_is_asked_about"}
    assert {"level_1::k001::taxonomy>", "level_1::k000::taxonomy<"} <= given
    for item in items(folder):
        wrong = {choice.id for choice in item.choices.values() if not choice.right}
        assert not (item.query == "x05" and "k052" in wrong) and not (item.query == "k052" and "x05" in wrong)
    assert summary(folder)["distractors_refused"].get("open_world_shared_word", 0) > 0


def test_namesakes_that_no_place_tells_apart_are_asked_about_once(make: Make, make_graph: Any) -> None:
    graph: Graph = make_graph("en")
    twins = {"k001": "bridge", "k002": "bridge"}
    nodes = tuple(node.model_copy(update={"name": twins.get(node.id, node.name)}) for node in graph.nodes)
    questions = [item.question for item in items(make(graph=Graph(nodes=nodes, edges=graph.edges)))]
    assert len(questions) == len(set(questions)) and any("bridge" in text for text in questions)


def test_levels_modes_limits_and_topics_choose_what_is_asked(make: Make) -> None:
    some = items(make("questions.levels=[2]", "questions.modes=[reverse]", "questions.limit=7", out="a"))
    assert {(item.level, item.mode) for item in some} == {(2, "reverse")} and len(some) == 7
    folder = make("questions.topic=Hall B", out="c")
    chapter = {section for item in items(folder) for section in (item.query[1:3],)}
    assert chapter and chapter <= {"03", "04", "05"} and summary(folder)["topic"] == "Hall B"
    term = items(make("questions.topic=k040", out="d"))
    assert term and {item.query for item in term} <= {"k040", "k041", "k042", "k030", "k050", "x04"}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("questions.topic=Halle Z", "nothing is called 'Halle Z' (nearest:"),
        ("questions.levels=[4]", "no level 4"),
        ("questions.levels=[]", "no level"),
        ("questions.validator=model", "asks a model, and none is chosen"),
        ("questions.colour=red", "colour"),
    ],
)
def test_a_wrong_setting_is_one_line(make: Make, words: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    make(words, rc=2)
    said = capsys.readouterr().err
    assert says.split(" (")[0] in said and len(said.strip().splitlines()) == 1


def test_a_chinese_graph_gets_chinese_questions(make: Make) -> None:
    folder = make(code="zh")
    rows = items(folder)
    assert rows and all(item.question.startswith("哪个") for item in rows if len(item.answer) == 1)
    assert not set(summary(folder)["faults"].values()) - {0}
    assert "分级题目" in (folder / "index.html").read_text(encoding="utf-8")


def test_odd_graphs_give_fewer_questions_and_no_trouble(make: Make, make_graph: Any) -> None:
    assert items(make(out="a", graph=Graph(nodes=(), edges=()))) == []
    graph: Graph = make_graph("en")
    edge = next(edge for edge in graph.edges if edge.type == "is_a")
    odd = (
        edge.model_copy(update={"target": "nowhere"}),
        edge.model_copy(update={"type": "eats"}),
        edge.model_copy(update={"source": edge.target, "target": edge.source}),
    )
    folder = make(out="b", graph=Graph(nodes=graph.nodes, edges=(*graph.edges, *odd)))
    assert items(folder) and not set(summary(folder)["faults"].values()) - {0}
    assert sum(summary(folder)["left_out"].values()) == 2


def test_the_page_shows_what_the_books_say_as_text_only(make: Make, make_graph: Any) -> None:
    graph: Graph = make_graph("en")
    nodes = [node.model_copy(update={"name": f"<script>{node.name}"}) for node in graph.nodes if node.label != "Book"]
    books = [node for node in graph.nodes if node.label == "Book"]
    page = (make(graph=Graph(nodes=(*books, *nodes), edges=graph.edges)) / "index.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;" in page and "<script" not in page and "http" not in page.replace("http-equiv", "")


def test_what_the_parts_are_worth_shows_beside_the_whole(make: Make) -> None:
    folder = make("questions.arms=[plain,rag,rag_kg,rag_val,full]", "questions.arm_items=30")
    rows = [json.loads(line) for line in (folder / "arms.jsonl").read_text(encoding="utf-8").splitlines()]
    arms = {row["arm"]: row for row in rows}
    assert not any(arms["full"]["per_100"].values())
    assert arms["rag_kg"]["per_100"]["single_key"] > 0 and arms["plain"]["per_100"]["answerable"] > 50
    assert not any(arms["rag_val"]["per_100"][flag] for flag in ("single_key", "answerable", "option_uniqueness"))
    assert (folder / "arm_rag_kg.jsonl").read_text(encoding="utf-8").count("\n") == 30
