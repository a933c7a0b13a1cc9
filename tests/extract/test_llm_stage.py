"""The stage with a model: files, figures, partial success, union with the rules; and the chain as users start it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from extract.llm import Llm
from extract.llm_stage import ExtractByModel
from extract.rules import Rules
from kg.decisions import Decision, node_content
from kg.document import Book
from kg.engine import Here
from kg.errors import DryRun
from kg.graph import EdgeClaim, Finding, NodeClaim
from kg.llm import Budget, Price
from kg.project import Project
from kg.proposal import proposed
from kg.stage import ROOT, Stage, StageReport, Together, run_stage
from kg.store import Store, jsonl
from tests.extract.teller import IS_A, PASSAGE, RATE, SPEED, edges, model, nodes, script
from tests.fake_server import Call, FakeServer, Say, refuses, says

PARTS = [("section", "1.1", "Speed", ["# 1.1 Speed", *PASSAGE.replace("called speed", "called **speed**").split("\n")])]
SLOW = ROOT / "tests" / "slow_server.py"


@pytest.fixture
def project(shelf: Any, tmp_path: Path, book_row: Callable[[str], Book]) -> Project:
    store = Store(tmp_path / "out")
    document, rows = shelf.document(PARTS)
    for book in ("book", "other"):
        own = document.model_copy(update={"book": book})
        store.write(f"ingest/{book}/document.json", own.to_json().encode())
        store.write(f"segment/{book}/sections_index.json", json.dumps([row.model_dump() for row in rows]).encode())
    books = (book_row("book"), book_row("other"))
    return Project(store, "t", "T", books, shelf.schema, shelf.languages)


@pytest.fixture
def cache(tmp_path: Path) -> str:
    return str(tmp_path / "replies.sqlite")


def run(project: Project, extractor: Llm, **settings: Any) -> StageReport:
    stage = ExtractByModel(model=extractor, **settings)
    assert isinstance(stage, Stage) and isinstance(stage, Together)
    return run_stage(stage, project, Here(project), lambda *_: None)


def files(project: Project) -> dict[str, bytes]:
    return {name: project.store.path(name).read_bytes() for name in project.store.names("extract/*/*")}


def test_books_become_claims_with_an_account_of_every_chunk(project: Project, cache: str) -> None:
    with FakeServer(script()) as server:
        report = run(project, model(server, cache))
        assert len(server.calls) == 2 + 2 * 2
    assert (report.items, report.failures) == (2, ())
    assert report.counts["nodes"] == 4 and report.counts["edges"] == 2
    assert report.counts["calls"] == 6 and report.counts["prompt tokens"] > 500
    rows = [json.loads(line) for line in project.store.read_text("extract/book/chunks.jsonl").splitlines()]
    assert [(row["state"], row["nodes"], row["edges"], len(row["requests"])) for row in rows] == [("judged", 2, 1, 2)]
    figures = project.store.read_json("extract/book/model.json")
    assert (figures["model"], figures["server"]["rung"], figures["supported"]) == ("m", "strict", 1.0)


def test_a_second_run_leaves_everything_alone(project: Project, cache: str) -> None:
    with FakeServer(script()) as server:
        run(project, model(server, cache))
        before = files(project)
        assert run(project, model(server, cache)).skipped == 2
    assert files(project) == before


def test_what_did_not_come_through_is_tried_again_next_time(project: Project, cache: str) -> None:
    with FakeServer(script(nodes=refuses(503))) as server:
        failed = run(project, model(server, cache))
        port = int(server.url.split(":")[2].split("/")[0])
    assert {failure.retry for failure in failed.failures} == {True}
    assert "1 of 1 chunks: HTTP 503" in failed.failures[0].what
    with FakeServer(script(), port=port) as server:
        assert run(project, model(server, cache)).counts["nodes"] == 4


def test_a_server_that_cannot_be_asked_leaves_earlier_claims_as_they_were(project: Project, cache: str) -> None:
    with FakeServer(script()) as server:
        run(project, model(server, cache))
    before = files(project)
    report = run(project, model("http://127.0.0.1:9/v1", f"{cache}2"))
    assert len(report.failures) == 2 and "no connection" in report.failures[0].what
    assert {name: data for name, data in files(project).items() if "claims" in name} == {
        name: data for name, data in before.items() if "claims" in name
    }


def test_a_book_in_an_unknown_language_fails_alone(project: Project, cache: str) -> None:
    data = json.loads(project.store.read_text("ingest/other/document.json"))
    project.store.write("ingest/other/document.json", json.dumps({**data, "language": "xx"}).encode())
    with FakeServer(script()) as server:
        report = run(project, model(server, cache))
    assert [failure.item for failure in report.failures] == ["other"]
    assert report.counts["nodes"] == 2


def test_a_dry_run_says_what_it_would_take_and_asks_nothing(project: Project, cache: str) -> None:
    with FakeServer(script()) as server:
        priced = {"prices": {"m": Price(input=2.0, output=8.0)}}
        with pytest.raises(
            DryRun, match=r"m: 2 chunks, 4 calls, about [\d,]+ prompt and 2,800 completion tokens, about 0.0\d USD"
        ):
            run(project, model(server, cache, priced), dry_run=True)
        with pytest.raises(DryRun, match="price unknown"):
            run(project, model(server, cache), dry_run=True)
        assert server.calls == []
        run(project, model(server, cache))
        with pytest.raises(DryRun, match=r"0 calls.*2 replies are kept"):
            run(project, model(server, cache), dry_run=True)


def test_the_cost_of_a_run_is_counted(project: Project, cache: str) -> None:
    with FakeServer(script()) as server:
        report = run(project, model(server, cache, {"prices": {"m": Price(input=1000.0, output=0.0)}}))
    assert report.counts["USD thousandths"] == pytest.approx(report.counts["prompt tokens"], abs=1)


def test_the_cache_travels(project: Project, cache: str, tmp_path: Path) -> None:
    carried = str(tmp_path / "replies.jsonl")
    with FakeServer(script()) as server:
        run(project, model(server, cache), cache_export=carried)
        before, url = files(project), server.url
    report = run(project, model(url, str(tmp_path / "elsewhere.sqlite")), cache_import=carried)
    assert (report.failures, report.counts["calls"]) == ((), 0)
    assert files(project) == before


def test_two_extractors_are_united_and_audit_each_other(project: Project, cache: str, shelf: Any) -> None:
    with FakeServer(script(nodes=nodes(RATE), edges=edges())) as server:
        report = run(project, model(server, cache), beside=Rules(priors=shelf.priors))
    audit = project.store.read_json("extract/book/model.json")["beside"]
    assert "speed" in audit["terms the model missed"]
    assert "rate" in audit["terms only the model found"]
    assert report.counts["nodes"] > 2


def test_a_budget_ends_the_run_and_says_so(project: Project, cache: str) -> None:
    with FakeServer(script()) as server:
        report = run(project, model(server, cache, {"budget": Budget(calls=2)}))
    assert all("budget of 2 calls" in failure.what and failure.retry for failure in report.failures)


def test_doubtful_edges_of_a_book_that_it_proves_elsewhere_do_not_mix_with_the_proof(
    cache: str, project: Project, shelf: Any
) -> None:
    false = {**IS_A, "quote": "Nobody ever wrote this sentence about speed and rates."}

    def relate(call: Call) -> Say:
        return says(edges(IS_A, false))

    with FakeServer(script(edges=relate)) as server:
        run(project, model(server, cache))
    lines = project.store.read_text("extract/book/claims.jsonl").splitlines()
    claims = [EdgeClaim.model_validate_json(line) for line in lines if '"kind":"edge"' in line or '"type"' in line]
    assert [claim.confidence for claim in claims] == [0.85]
    assert "proven elsewhere" in project.store.read_text("extract/book/failures.jsonl")
    assert "Nobody ever wrote" in project.store.read_text("extract/book/findings.jsonl")


def test_what_the_book_does_not_prove_is_claimed_on_the_word_of_people_only(
    cache: str, project: Project, tmp_path: Path
) -> None:
    ether = {**RATE, "quote": "The ether fills all space, as everybody knows.", "name": "ether"}
    file = tmp_path / "decisions.jsonl"
    with FakeServer(script(nodes=nodes(SPEED, ether))) as server:
        first = run(project, model(server, cache), decisions=str(file))
        (finding,) = project.store.read_rows("extract/book/findings.jsonl", Finding)
        node = proposed(finding, project.subject, project.languages)
        assert node is not None and node.id == "t:concept:ether"
        said = node_content(node, project.schema)
        for content, claimed in [("other words", 0), (said, 1)]:
            row = Decision(kind="node", about=(node.id,), verdict="keep", content=content)
            file.write_bytes(jsonl([row]))
            later = run(project, model(server, cache), decisions=str(file))
            assert later.counts["nodes"] == first.counts["nodes"] + 2 * claimed
            assert later.counts["questions for people"] == 2 - 2 * claimed
        assert run(project, model(server, cache), decisions=str(file)).skipped == 2
    claims = project.store.read_text("extract/book/claims.jsonl").splitlines()
    claim = next(NodeClaim.model_validate_json(line) for line in claims if '"ether"' in line)
    assert (claim.rule, claim.confidence, claim.section) == ("accepted", 1.0, finding.details["section"])


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A server in a process of its own that takes a fifth of a second per call; its address and its log."""
    log = tmp_path / "calls.log"
    server = subprocess.Popen([sys.executable, str(SLOW), "0.2", str(log)], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    yield f"http://127.0.0.1:{server.stdout.readline().strip()}/v1", log
    server.kill()
    server.wait()


def command(out: Path, url: str, cache: Path, *words: str) -> list[str]:
    settings = ["extract=llm", "llm.model=slow", f"llm.base_url={url}", f"llm.cache={cache}", f"out={out}", *words]
    return [sys.executable, "run.py", "stages=[ingest,segment,extract]", *settings, "llm.limits.concurrency=2"]


def calls(log: Path) -> list[str]:
    return log.read_text(encoding="utf-8").splitlines() if log.exists() else []


def test_after_a_kill_only_what_is_missing_is_asked(slow: tuple[str, Path], tmp_path: Path) -> None:
    url, log = slow
    killed = subprocess.Popen(
        command(tmp_path / "out", url, tmp_path / "c.sqlite"), cwd=ROOT, stdout=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 60
    while len(calls(log)) < 10 and time.monotonic() < deadline:
        time.sleep(0.05)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    before = len(calls(log))
    assert before >= 10
    done = subprocess.run(
        command(tmp_path / "out", url, tmp_path / "c.sqlite"), cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    whole = subprocess.run(
        command(tmp_path / "whole", url, tmp_path / "d.sqlite"), cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert whole.returncode == 0, whole.stderr
    every = len(set(calls(log)))
    resumed = len(calls(log)) - before - every
    assert before + resumed <= every + 2, "at most the two calls under way were lost"
    for name in ("claims.jsonl", "chunks.jsonl"):
        one, other = (tmp_path / run / "extract" / "physics-8" / name for run in ("out", "whole"))
        assert one.read_bytes() == other.read_bytes()


def test_a_dry_run_of_the_whole_program_ends_well(slow: tuple[str, Path], tmp_path: Path) -> None:
    url, log = slow
    words = command(tmp_path / "out", url, tmp_path / "c.sqlite")
    before = [word.replace(",extract]", "]") for word in words]
    for more in (before, [*words, "dry_run=true"]):
        done = subprocess.run(more, cwd=ROOT, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
    assert "chunks" in done.stdout and "Nothing was asked." in done.stdout
    assert calls(log) == []
    assert not (tmp_path / "out" / "extract").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["extract=llm"], "endpoint.model"),
        (["extract=llm", "llm.model=m", "extract.model.token=3"], "token"),
        (["extract=llm", "llm.model=m", "extract.model.calls=three"], "calls"),
        (["extract=llm", "llm=none"], "endpoint"),
    ],
)
def test_a_wrong_setting_ends_the_run_at_once(words: list[str], message: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "run.py", *words, f"out={tmp_path}"], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2
    assert message in done.stderr and "Traceback" not in done.stderr


def test_the_papers_settings_compose() -> None:
    done = subprocess.run(
        [sys.executable, "run.py", "+experiment=paper", "--cfg", "job"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    for line in ("model: gpt-5.2", "calls: one", "prompt: k12", "tokens: 0", "max_tokens: 4000"):
        assert line in done.stdout


def test_ctrl_c_keeps_what_was_answered(slow: tuple[str, Path], tmp_path: Path) -> None:
    url, log = slow
    words = command(tmp_path / "out", url, tmp_path / "c.sqlite")
    stopped = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while len(calls(log)) < 10 and time.monotonic() < deadline:
        time.sleep(0.05)
    stopped.send_signal(signal.SIGINT)
    _, said = stopped.communicate(timeout=30)
    assert stopped.returncode == 130 and "Traceback" not in said
    before = len(set(calls(log)))
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert len(calls(log)) == len(set(calls(log))) > before, "nothing was asked twice"
