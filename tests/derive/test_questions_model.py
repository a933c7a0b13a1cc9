"""A model as validator, writer, probe and author of ablations: over real HTTP; dead or failing, it keeps nothing."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from derive.__main__ import main
from derive.questions.probe import SAMPLING, _letter, by_level, probe
from kg.item import Item
from kg.llm import CallFailure, Reply
from tests.fake_server import Call, FakeServer, Say, malformed, refuses, says

NOWHERE = "http://127.0.0.1:9/v1"
YES = json.dumps({name: "YES" for name in ("grammar", "single_key", "option_uniqueness", "answerable", "topic")})
Run = Callable[..., int]


@pytest.fixture(scope="module")
def shared_bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the graph allows is found once for all tests."""
    return tmp_path_factory.mktemp("bank")


@pytest.fixture
def run(make_graph: Any, tmp_path: Path, shared_bank: Path) -> Run:
    """The recipe with a model at a server, on a few questions."""
    folder = tmp_path / "graph"
    folder.mkdir()
    for name in ("nodes", "edges"):
        rows = [row.model_dump(mode="json") for row in getattr(make_graph("en"), name)]
        (folder / f"{name}.json").write_text(json.dumps(rows), encoding="utf-8")

    def command(url: str, *words: str, out: str = "out") -> int:
        model = ("llm=local", "llm.model=m", f"llm.base_url={url}", f"llm.cache={tmp_path}/{out}.sqlite")
        limits = ("llm.limits.backoff=0.001", "llm.limits.tries=2", "llm.limits.give_up=30")
        small = (
            "questions.levels=[1,2]",
            "questions.limit=10",
            "questions.pool.wanted=4",
            f"questions.bank={shared_bank}",
        )
        where = (f"graph={folder}", f"out={tmp_path / out}", "derive=questions")
        return main([*where, *small, *model, *limits, *words])

    return command


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "questions" / name).read_text(encoding="utf-8").splitlines()]


def test_what_the_model_refuses_is_dropped_with_the_criterion(run: Run, tmp_path: Path) -> None:
    def script(call: Call) -> Say:
        return says(YES.replace('"single_key": "YES"', '"single_key": "NO"') if "builds on" in call.text else YES)

    with FakeServer(script) as server:
        assert run(server.url, "questions.validator=model") == 0
    kept, dropped = rows(tmp_path / "out", "items.jsonl"), rows(tmp_path / "out", "dropped.jsonl")
    assert kept and not any("builds on" in row["question"] for row in kept)
    assert any(row["reason"] == "validation_single_key" for row in dropped)
    assert all(row["checks"]["single_key"] == "YES (rules), YES (m)" for row in kept)
    shown = server.calls[0].text
    assert "Keyed answer:" in shown and "Source, the only thing" in shown and "{{" not in shown


@pytest.mark.parametrize("say", [malformed(), refuses(500), refuses(401)], ids=["babbles", "breaks", "locked"])
def test_a_failing_judge_keeps_nothing(run: Run, tmp_path: Path, say: Say) -> None:
    with FakeServer(lambda call: say) as server:
        assert run(server.url, "questions.validator=model") == 3
    assert not (tmp_path / "out" / "questions" / "items.jsonl").exists()


def test_a_dead_judge_keeps_nothing_and_one_that_says_no_word_of_sense_keeps_nothing(run: Run, tmp_path: Path) -> None:
    assert run(NOWHERE, "questions.validator=model", out="dead") == 3
    assert not (tmp_path / "dead" / "questions").exists()
    with FakeServer(lambda call: says("I like it.")) as server:
        assert run(server.url, "questions.validator=model", out="chat") == 0
    assert rows(tmp_path / "chat", "items.jsonl") == []
    assert {row["reason"] for row in rows(tmp_path / "chat", "dropped.jsonl")} >= {"validation_not_json"}


def test_a_sample_asks_less_and_drops_no_one_unseen(run: Run, tmp_path: Path) -> None:
    with FakeServer(lambda call: says(YES)) as server:
        assert run(server.url, "questions.validator=model", "questions.sample=0.4") == 0
        kept = rows(tmp_path / "out", "items.jsonl")
        assert 0 < len(server.calls) < len(kept)
    seen = [row for row in kept if "(m)" in row["checks"]["grammar"]]
    assert len(seen) == len(server.calls)


def test_a_stem_of_the_model_stands_only_if_it_asks_the_same(run: Run, tmp_path: Path) -> None:
    def script(call: Call) -> Say:
        name = call.text.split("“")[1].split("”")[0]
        stem = "Which thing is it?" if call.number % 3 == 0 else f"What, then, belongs to “{name}”?"
        return says(json.dumps({"stem": stem}) if call.number % 3 < 2 else "no idea")

    with FakeServer(script) as server:
        assert run(server.url, "questions.writer=model") == 0
        assert server.calls[0].body["temperature"] == 0.4
    found = json.loads((tmp_path / "out/questions/summary.json").read_text())
    assert found["replaced"]["anchor_not_named"] > 0 and found["replaced"]["not_json"] > 0
    assert found["models"]["writer"]["calls"] == len(server.calls)
    questions = [row["question"] for row in rows(tmp_path / "out", "items.jsonl")]
    assert any(text.startswith("What, then") for text in questions) and "Which thing is it?" not in questions


def lettered(shares: Mapping[str, float], text: str = "A") -> Say:
    likely = [{"token": token, "logprob": math.log(share)} for token, share in shares.items()]
    body = json.loads(says(text).body)
    body["choices"][0]["logprobs"] = {"content": [{"token": text, "logprob": 0.0, "top_logprobs": likely}]}
    return Say(body=json.dumps(body).encode())


def test_the_probe_reads_how_sure_the_model_is_from_its_logprobs(run: Run, tmp_path: Path) -> None:
    with FakeServer(lambda call: lettered({" A": 0.3, "A": 0.1, "b": 0.4, "The": 0.2})) as server:
        assert run(server.url, "questions.probe=true") == 0
        body = server.calls[0].body
        assert (body["logprobs"], body["top_logprobs"], body["temperature"]) == (True, 20, 0.0)
    found = rows(tmp_path / "out", "probe.jsonl")
    assert found and all(row["entropy"] == pytest.approx(math.log(2), abs=1e-5) for row in found)
    assert all(row["shares"] == {"A": 0.5, "B": 0.5, "C": 0.0, "D": 0.0} for row in found)
    levels = json.loads((tmp_path / "out/questions/summary.json").read_text())["readers"]["model"]
    assert levels["1"]["entropy"] == pytest.approx(math.log(2), abs=1e-3) and 0 < levels["1"]["accuracy"] < 0.6


def test_a_probe_without_logprobs_still_has_an_answer() -> None:
    item = Item(id="i", question="q", options={"A": "x", "B": "y"}, answer=("B",), level=1)
    dead = CallFailure(kind="timeout", what="late")
    told, mute, silent = probe([item] * 3, lambda many: [Reply(text="(B) y"), Reply(text="Beware"), dead])
    assert (told.answered, told.right, told.entropy) == ("B", True, None)
    assert (mute.answered, mute.right, silent.answered) == ("", False, "")
    assert by_level([told, mute])["1"].accuracy == 0.5 and by_level([]) == {}
    assert SAMPLING.extra["logprobs"] is True


@pytest.mark.parametrize(
    ("token", "letter"), [("B", "B"), (" b)", "B"), ("**C**", "C"), ("Be", ""), ("", ""), ("（D）", "D"), ("A.", "A")]
)
def test_a_letter_is_told_from_a_word(token: str, letter: str) -> None:
    assert _letter(token) == letter


def test_a_model_writes_the_ablations_with_what_each_is_given(run: Run, tmp_path: Path) -> None:
    def script(call: Call) -> Say:
        if "Criteria" in call.text:
            return says(YES if call.number % 2 else YES.replace("YES", "NO", 1))
        if call.number % 5 == 0:
            return says("no")
        name = call.text.split("“")[1].split("”")[0]
        options = [f"{name} {word}" for word in ("one", "two", "three", "four")]
        return says(json.dumps({"question": f"What of {name}?", "options": options, "answer": options[0]}))

    arms = "questions.arms=[plain,rag,rag_kg,rag_val,full]"
    with FakeServer(script) as server:
        assert run(server.url, arms, "questions.arm_by=model", "questions.arm_items=10") == 0
    found = {row["arm"]: row for row in rows(tmp_path / "out", "arms.jsonl")}
    assert all(row["by"] == "model" and row["items"] + sum(row["dropped"].values()) == 10 for row in found.values())
    assert found["plain"]["dropped"] == {"not_json": 2} and found["full"]["dropped"].get("validation", 0) > 0
    assert found["plain"]["per_100"]["answerable"] == 100 and found["rag"]["per_100"]["single_key"] is None
    written = [call.text for call in server.calls if "Criteria" not in call.text]
    facts = [text.split("(if there are any):")[1].split("\n\n")[0].strip() for text in written]
    passages = [text.split("if there are any):\n")[1].split("\n\n")[0] for text in written]
    # rag_val asks what rag has asked, and full what rag_kg has: both have their answers already
    assert (
        (len(facts), facts.count("-")) == (30, 20)
        and passages.count("-") >= 10
        and any("- " in text for text in passages)
    )


def test_a_dead_author_writes_nothing_and_says_so(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(NOWHERE, "questions.arms=[plain]", "questions.arm_by=model", "questions.arm_items=3") == 3
    assert rows(tmp_path / "out", "arm_plain.jsonl") == [] and len(rows(tmp_path / "out", "items.jsonl")) > 5
    assert "have no answer" in capsys.readouterr().err
