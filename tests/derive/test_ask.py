"""A teacher and a writer at a server: over real HTTP, in bulk, kept, counted, and never a guess in place of a reply."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.__main__ import main
from derive.ask import Asker, Unanswered
from derive.benchmark import BenchmarkBuilder, BenchRules
from derive.judge import VALID, Case, Panel, Verdict
from derive.material import Material
from derive.options import Likeness, Open, PoolBuilder, PoolRules
from derive.stage import Derive
from derive.tasks.catalogue import TASKS
from kg.engine import LocalEngine
from kg.errors import SettingsError
from kg.graph import Graph
from kg.ids import digest
from kg.llm import Budget, Limits, Message, Price, Sampling
from kg.llm_openai import OpenAIEndpoint
from kg.project import Project
from kg.similarity import HashedNgrams
from kg.stage import run_stage
from tests.fake_server import Call, FakeServer, Say, malformed, refuses, says

Run = Callable[..., int]
SMALL = (
    "bench.tasks=[neighbor]",
    "bench.pool.wanted=4",
    "bench.pool.decoys=1",
    "train.budget={node: 12, relation: 6, exercise: 3, assessment: 4}",
)
NOWHERE = "http://127.0.0.1:9/v1"


def endpoint(url: str, folder: Path, **more: Any) -> OpenAIEndpoint:
    limits = Limits(concurrency=8, tries=2, backoff=0.001, give_up=30)
    prices = {"m": Price(input=1.0, output=10.0)}
    given = {"limits": limits, "prices": prices, "cache": str(folder / "replies.sqlite"), **more}
    return OpenAIEndpoint(model="m", base_url=url, **given)


def asker(url: str, folder: Path, **more: Any) -> Asker:
    return Asker(endpoint(url, folder, **more), Sampling(max_tokens=5))


def questions(count: int) -> list[tuple[Message, ...]]:
    return [(Message(role="user", content=f"case {number}?"),) for number in range(count)]


@pytest.fixture
def graph(make_graph: Any, tmp_path: Path) -> Path:
    made: Graph = make_graph("en")
    folder = tmp_path / "graph"
    folder.mkdir()
    for name in ("nodes", "edges"):
        rows = [row.model_dump(mode="json") for row in getattr(made, name)]
        (folder / f"{name}.json").write_text(json.dumps(rows), encoding="utf-8")
    return folder


@pytest.fixture
def derive(graph: Path, tmp_path: Path) -> Run:
    """The command with a model at a server."""

    def run(url: str, *words: str, out: str = "out") -> int:
        model = ("llm=local", "llm.model=m", f"llm.base_url={url}", f"llm.cache={tmp_path}/replies.sqlite")
        limits = ("llm.limits.backoff=0.001", "llm.limits.tries=2", "llm.limits.give_up=30")
        price = "llm.prices={m: {input: 1.0, output: 10.0}}"
        return main([f"graph={graph}", f"out={tmp_path / out}", *SMALL, *model, *limits, price, *words])

    return run


def read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def rows_of(folder: Path) -> list[dict[str, Any]]:
    files = [folder / f"train/{path}.jsonl" for path in ("node", "relation", "exercise", "assessment")]
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.*")}


def fair(call: Call) -> Say:
    """A teacher who refuses every third case, the same ones whenever asked."""
    return says("INVALID" if int(digest(call.text, 6), 36) % 3 == 0 else "VALID")


def parrot(call: Call) -> Say:
    """A writer who says what it was given."""
    given = call.text
    properties = next(
        (line for line in given.splitlines() if line.lower().startswith(("properties", "source prop"))), ""
    )
    return says(json.dumps({"question": f"What of {digest(given, 8)}?", "answer": properties.partition(":")[2]}))


def test_many_questions_are_under_way_at_once_and_come_back_in_order(tmp_path: Path) -> None:
    with FakeServer(lambda call: says(f"to {call.text}", seconds=0.02)) as server:
        ask = asker(server.url, tmp_path)
        assert ask(questions(40)) == [f"to case {number}?" for number in range(40)]
        assert len(server.calls) == 40 and 2 < server.most_at_once <= 8
        assert ask(questions(41))[-1] == "to case 40?" and len(server.calls) == 41


def test_a_failed_call_is_none_and_counted_and_the_others_have_their_replies(tmp_path: Path) -> None:
    with FakeServer(lambda call: {"3": refuses(500), "5": malformed()}.get(call.text[5], says("yes"))) as server:
        ask = asker(server.url, tmp_path)
        texts = ask.surely(questions(8))
    assert [text is None for text in texts] == [number in (3, 5) for number in range(8)]
    use = ask.use({"b": "2", "a": "1"})
    assert (use.calls, use.failed) == (8, {"server": 1, "malformed": 1}) and list(use.prompts) == ["a", "b"]
    assert (use.prompt_tokens, use.completion_tokens, use.cost) == (600, 12, 0.00072)
    assert ask.counts()["calls"] == 10 and ask.counts()["failed calls"] == 4
    (lost,) = ask.lost("bench")
    assert "2 of 8" in lost.what and lost.retry


def test_kept_replies_count_in_the_use_and_cost_this_run_nothing(tmp_path: Path) -> None:
    with FakeServer(lambda call: says("yes")) as server:
        first, second = asker(server.url, tmp_path), asker(server.url, tmp_path)
        first(questions(5))
        second(questions(5))
        assert len(server.calls) == 5
    assert first.use({}) == second.use({}) and second.counts()["calls"] == 0
    assert second.counts()["kept replies"] == 5 and second.lost("train") == ()


def test_a_budget_holds_over_all_batches(tmp_path: Path) -> None:
    with FakeServer(lambda call: says("yes")) as server:
        ask = asker(server.url, tmp_path, budget=Budget(calls=6))
        ask.surely(questions(4))
        with pytest.raises(Unanswered, match="budget of 6 calls"):
            ask.surely(questions(9))
        assert len(server.calls) == 6


def test_a_wrong_key_ends_the_asking_at_once(tmp_path: Path) -> None:
    with FakeServer(lambda call: refuses(401)) as server:
        ask = asker(server.url, tmp_path)
        assert ask(questions(50)) == [None] * 50
        ask(questions(99))
        assert len(server.calls) <= 8
    with pytest.raises(Unanswered, match="401"):
        ask.surely(questions(1))


def test_nothing_to_ask_is_nothing_asked() -> None:
    ask = Asker(OpenAIEndpoint(model="m", base_url=NOWHERE), Sampling())
    assert ask.surely([]) == [] and ask.use({}).calls == 0


class Choosy:
    """Refuses by the hash of what it is asked, and notes how often it was asked."""

    label = "choosy"

    def __init__(self, salt: int, of_three: int = 1) -> None:
        self.salt, self.of_three, self.rounds = salt, of_three, [0]

    def verdicts(self, cases: Sequence[Case]) -> list[Verdict]:
        self.rounds.append(len(cases))
        return [self.one(case) for case in cases]

    def one(self, case: Case) -> Verdict:
        lot = int(digest(f"{self.salt}{case.draft.key}{case.candidate}", 6), 36)
        return Verdict(False, "teacher") if lot % 3 < self.of_three else VALID


class OneByOne(Panel):
    """Asks every teacher about each case as it comes."""

    def verdict(self, case: Case) -> Verdict:
        verdicts = (teacher.verdicts([case])[0] for teacher in self._teachers)
        return next((verdict for verdict in verdicts if not verdict.valid), VALID)


@settings(max_examples=6, deadline=None, derandomize=True)
@given(salt=st.integers(0, 1000), of_three=st.integers(0, 2), few=st.integers(2, 12))
def test_asking_all_at_once_gives_what_asking_one_after_the_other_gives(
    english_material: Material, salt: int, of_three: int, few: int
) -> None:
    similarity = HashedNgrams()
    drafts = list(TASKS["neighbor"](english_material))[:few]
    asked = list(zip(drafts, map(str, range(few)), similarity.vectors(["what?"] * len(drafts)), strict=False))
    found: list[list[Open | str]] = []
    refused: list[Counter[str]] = []
    for panel in (Panel, OneByOne):
        teachers = [Choosy(salt, of_three), Choosy(salt + 1)]
        builder = PoolBuilder(
            english_material, PoolRules(), Likeness(english_material, similarity), [AllRight(), *teachers]
        )
        builder._panel = panel(teachers)
        found.append(builder.open_all(asked))
        refused.append(builder.refused)
        if panel is Panel:
            assert len(teachers[0].rounds) < 20, "asked in bulk"
    assert found[0] == found[1] and refused[0] == refused[1]


class AllRight:
    label = "all right"

    def verdicts(self, cases: Sequence[Case]) -> list[Verdict]:
        return [VALID] * len(cases)


def test_a_teacher_who_says_yes_to_all_changes_no_item(english_material: Material) -> None:
    rules = BenchRules(tasks=("neighbor", "locate_1"))
    plain = BenchmarkBuilder(english_material, rules, HashedNgrams()).build({})
    taught = BenchmarkBuilder(english_material, rules, HashedNgrams(), [AllRight()]).build({})
    assert plain.items and plain.items == taught.items


def test_a_teacher_at_a_server_refuses_distractors_and_a_second_run_asks_nothing(derive: Run, tmp_path: Path) -> None:
    words = ("bench.teacher=true", "what=[bench]")
    with FakeServer(fair) as server:
        assert derive(server.url, *words) == 0
        asked = len(server.calls)
        assert derive(server.url, *words, out="again") == 0
        assert len(server.calls) == asked > 100 and server.most_at_once > 1
    assert contents(tmp_path / "out") == contents(tmp_path / "again")
    report = read(tmp_path / "out/bench/summary.json")
    assert report["judges"] == ["rules", "teacher m"] and report["items"] > 20
    use, refused = report["model"], report["tasks"]["neighbor"]["refused"]
    assert use["calls"] == asked and use["prompt_tokens"] == 100 * asked and use["failed"] == {}
    assert (
        use["cost"] == pytest.approx(asked * (100 * 1.0 + 2 * 10.0) / 1e6) and len(use["prompts"]["distractor"]) == 16
    )
    assert refused["teacher"] > 20 and "teacher_silent" not in refused


def test_no_option_stands_that_the_teacher_did_not_pass(derive: Run, tmp_path: Path) -> None:
    passed: set[str] = set()

    def script(call: Call) -> Say:
        if int(digest(call.text, 6), 36) % 4 == 0:
            return refuses(500)
        passed.add(call.text.partition("Candidate option: ")[2].splitlines()[0])
        return says("VALID")

    with FakeServer(script) as server:
        assert derive(server.url, "bench.teacher=true", "what=[bench]", "llm.limits.give_up=100000") == 3
    report = read(tmp_path / "out/bench/summary.json")
    assert report["tasks"]["neighbor"]["refused"]["teacher_silent"] >= report["model"]["failed"]["server"] > 0
    for line in (tmp_path / "out/bench/neighbor.jsonl").read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        assert all(text in passed for letter, text in item["options"].items() if letter not in item["answer"])


def test_a_writer_at_a_server_writes_the_rows_and_never_the_facts(derive: Run, tmp_path: Path) -> None:
    with FakeServer(parrot) as server:
        assert derive(server.url, "train.writer=model", "what=[train]", "train.checks.grounded=0") == 0
        asked = len(server.calls)
    rows = rows_of(tmp_path / "out")
    assert Counter(row["origin"] for row in rows)["m"] >= 15
    assert {row["origin"] for row in rows if row["path"] == "assessment"} == {"template"}
    report = read(tmp_path / "out/train/summary.json")
    assert report["model"]["calls"] == asked and report["replaced"] == {}
    assert report["origins"]["m"] + report["origins"]["template"] == report["rows"] == len(rows)


@pytest.mark.parametrize("fault", ["500", "malformed", "prose"])
def test_where_the_writer_fails_the_template_stands_in_and_is_counted(derive: Run, tmp_path: Path, fault: str) -> None:
    say = {"500": refuses(500), "malformed": malformed(), "prose": says("I would rather not.")}[fault]
    with FakeServer(lambda call: say if int(digest(call.text, 6), 36) % 2 else parrot(call)) as server:
        code = derive(server.url, "train.writer=model", "what=[train]", "llm.limits.give_up=100000")
    report = read(tmp_path / "out/train/summary.json")
    rows = rows_of(tmp_path / "out")
    reason = "not_json" if fault == "prose" else "call_failed"
    assert code == (0 if fault == "prose" else 3)
    assert list(report["replaced"]) == [reason] and report["replaced"][reason] > 3
    assert sum(report["model"]["failed"].values()) == (0 if fault == "prose" else report["replaced"][reason])
    origins = Counter(row["origin"] for row in rows if row["path"] != "assessment")
    assert origins["template"] > 3 and origins["m"] > 0 and report["origins"] == Counter(row["origin"] for row in rows)


def test_a_dead_server_leaves_template_rows_no_benchmark_and_a_line_for_each(
    derive: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert derive(NOWHERE, "bench.teacher=true", "train.writer=model") == 3
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2 and all("is a server running at http://127.0.0.1:9/v1?" in line for line in said)
    assert not (tmp_path / "out/bench").exists()
    assert {row["origin"] for row in rows_of(tmp_path / "out")} == {"template"}


def test_the_stage_tries_again_what_a_dead_server_cost(project: Project, graph: Path, tmp_path: Path) -> None:
    (project.store.root).mkdir(parents=True, exist_ok=True)
    graph.rename(project.store.path("graph"))

    def ran(url: str) -> Any:
        stage = Derive(
            what=("bench",),
            bench=BenchRules(tasks=("neighbor",), teacher=True, pool=PoolRules(wanted=4, decoys=1)),
            llm=endpoint(url, tmp_path),
        )
        with LocalEngine(workers=1).session(project) as session:
            return run_stage(stage, project, session, lambda *_: None)

    assert [failure.retry for failure in ran(NOWHERE).failures] == [True]
    with FakeServer(fair) as server:
        alive = ran(server.url)
        assert alive.failures == () and alive.counts["calls"] == len(server.calls) > 0
        assert ran(server.url).skipped == 1


def test_a_model_nobody_asks_is_no_setting_of_the_products(tmp_path: Path) -> None:
    assert Derive(llm=endpoint(NOWHERE, tmp_path)).llm is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["bench.teacher=true"], "llm=openai"),
        (["train.writer=model"], "train.writer"),
        (["train.writer=poet"], "writer"),
        (["llm=oracle"], "local, none, openai"),
        (["llm.model=m"], "llm.model"),
        (["llm=local", "bench.teacher=true"], "model"),
        (["llm=local", "llm.modell=m", "bench.teacher=true"], "modell"),
        (["llm=openai", "llm.api_key_env=NO_SUCH_KEY", "bench.teacher=true"], "NO_SUCH_KEY"),
    ],
)
def test_a_wrong_model_is_one_line(
    graph: Path, tmp_path: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    cache = [f"llm.cache={tmp_path}/r.sqlite"] if any(word.startswith("llm=") for word in words) else []
    assert main([f"graph={graph}", f"out={tmp_path / 'out'}", *cache, *words]) == 2
    line = capsys.readouterr().err
    assert said in line and line.count("\n") == 1 and not (tmp_path / "out").exists()


def test_a_missing_library_is_one_line(
    derive: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    assert derive(NOWHERE, "bench.teacher=true") == 2
    line = capsys.readouterr().err
    assert "pip install" in line and line.count("\n") == 1


def test_a_stage_without_a_model_to_ask_is_not_built() -> None:
    with pytest.raises(SettingsError, match="none is chosen"):
        Derive(bench=BenchRules(teacher=True), llm={"name": ""})
