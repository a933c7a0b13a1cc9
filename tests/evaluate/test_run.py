"""From the command line to files: what is asked for is there, what failed is said, and nothing is asked twice."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pytest

import evaluate.__main__ as command_line
from kg.stage import ROOT
from tests.evaluate.conftest import an_item
from tests.fake_server import Call, FakeServer, Say, hangs_up, html, refuses, says

Write = Callable[..., Path]
ITEMS = [an_item(n, "ABCD"[n % 4], task=("prereq_1", "neighbor")[n % 2]) for n in range(40)]
FAST = ("llm.limits.backoff=0.001", "llm.limits.tries=2", "llm.limits.give_up=50", "statistics.resamples=50")


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "evaluate", *words]


class Run(Protocol):
    """Runs the command line in this process."""

    def __call__(self, *words: str) -> Done: ...


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    def once(*words: str) -> Done:
        monkeypatch.setattr(sys, "argv", ["evaluate", *words])
        monkeypatch.setattr(command_line, "_codes", [])
        monkeypatch.setenv("COLUMNS", "200")
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            command_line.main()
        return Done(int(ended.value.code or 0), *capfd.readouterr())

    return once


def model(server: FakeServer, folder: Path, name: str = "m") -> tuple[str, ...]:
    place = (f"llm.base_url={server.url}", f"llm.cache={folder}/replies.sqlite", f"out={folder}/{name}")
    return ("llm=local", f"llm.model={name}", *place, *FAST)


def results(folder: Path) -> Any:
    return json.loads((folder / "results.json").read_text(encoding="utf-8"))


def right(call: Call) -> Say:
    """Knows every answer: case n is right at letter n mod 4."""
    number = int(call.text.split(" in case ")[1].split("?")[0])
    return says("ABCD"[number % 4])


def test_without_a_model_the_baselines_are_printed_and_written(write_items: Write, tmp_path: Path, run: Run) -> None:
    done = run(f"bench={write_items(ITEMS)}", f"out={tmp_path}/o", "statistics.resamples=50")
    assert done.returncode == 0, done.stderr
    assert "random set" in done.stdout and "6.67" in done.stdout
    found = results(tmp_path / "o")
    assert found["scores"]["random set"]["overall"]["all"]["em"] == pytest.approx(6.6667)
    assert found["scores"]["always A"]["overall"]["all"]["em"] == 25.0
    assert found["answers"] == []
    assert {path.name for path in (tmp_path / "o").iterdir()} == {
        "results.json",
        "scores.csv",
        "index.html",
        "run.json",
    }


def test_a_model_is_asked_scored_and_not_asked_again(write_items: Write, tmp_path: Path, run: Run) -> None:
    bench = f"bench={write_items(ITEMS)}"
    with FakeServer(right) as server:
        first = run(bench, *model(server, tmp_path))
        once = {path.name: path.read_bytes() for path in (tmp_path / "m").iterdir()}
        again = run(bench, *model(server, tmp_path))
        assert len(server.calls) == 40
    assert (first.returncode, again.returncode) == (0, 0), first.stderr
    assert results(tmp_path / "m")["scores"]["m"]["overall"]["all"]["em"] == 100.0
    assert "40 replies kept from before" in again.stdout
    for name in ("results.json", "scores.csv", "index.html", "predictions.jsonl"):
        assert (tmp_path / "m" / name).read_bytes() == once[name], name


def test_the_order_of_the_items_changes_nothing(write_items: Write, tmp_path: Path, run: Run) -> None:
    for name, items in (("a", ITEMS), ("b", ITEMS[::-1])):
        assert run(f"bench={write_items(items)}", f"out={tmp_path}/{name}", "statistics.resamples=50").returncode == 0
    one, two = results(tmp_path / "a"), results(tmp_path / "b")
    assert one["scores"] == two["scores"] and one["bench"]["fingerprint"] == two["bench"]["fingerprint"]


def test_a_model_that_fails_on_some_is_incomplete_and_completed_by_the_next_run(
    write_items: Write, tmp_path: Path, run: Run
) -> None:
    bench = f"bench={write_items(ITEMS)}"
    broken = {"now": True}
    with FakeServer(lambda call: refuses(500) if broken["now"] and "case 1" in call.text else right(call)) as server:
        first = run(bench, *model(server, tmp_path))
        partial = results(tmp_path / "m")
        broken["now"] = False
        second = run(bench, *model(server, tmp_path))
    assert (first.returncode, second.returncode) == (3, 0)
    assert "11 not answered" in first.stderr and "29 of 40 items answered" in first.stderr
    assert partial["answers"][0]["complete"] is False
    assert partial["scores"]["m"]["overall"]["all"]["answered"] == 29
    assert results(tmp_path / "m")["answers"][0]["answered"] == 40


@pytest.mark.parametrize(
    ("say", "message"),
    [
        (hangs_up(), "llm.base_url"),
        (html(), "not a chat completion"),
        (refuses(401, "wrong key"), "wrong key"),
        (refuses(404, "no such model"), "llm.model"),
        (refuses(400, "context too long"), "context too long"),
        (says(None, finish="length"), "max_tokens"),
    ],
    ids=["hangs up", "a page", "401", "404", "400", "cut"],
)
def test_a_misbehaving_server_is_said_in_one_line_and_nothing_is_scored(
    say: Say, message: str, write_items: Write, tmp_path: Path, run: Run
) -> None:
    with FakeServer(lambda call: say) as server:
        done = run(f"bench={write_items(ITEMS[:5])}", *model(server, tmp_path))
    assert done.returncode == 3
    assert message in done.stderr and "Traceback" not in done.stderr
    assert results(tmp_path / "m")["scores"]["m"]["overall"]["all"]["answered"] == 0


def start(server: FakeServer, bench: str, folder: Path, most: int) -> subprocess.Popen[str]:
    """A run that has got some replies and not all."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(command(bench, *model(server, folder)), cwd=ROOT, text=True, **pipes)  # type: ignore[call-overload]
    while len(server.calls) < most and process.poll() is None:
        time.sleep(0.01)
    return process  # type: ignore[no-any-return]


def slowly(call: Call) -> Say:
    time.sleep(0.25)
    return right(call)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_was_stopped_goes_on_where_it_was(
    how: signal.Signals, write_items: Write, tmp_path: Path, run: Run
) -> None:
    bench = f"bench={write_items(ITEMS)}"
    with FakeServer(slowly) as server:
        process = start(server, bench, tmp_path, 16)
        process.send_signal(how)
        _, stderr = process.communicate(timeout=20)
        done = run(bench, *model(server, tmp_path))
        calls = len(server.calls)
    assert done.returncode == 0, done.stderr
    assert 40 <= calls <= 40 + 8
    assert results(tmp_path / "m")["scores"]["m"]["overall"]["all"]["em"] == 100.0
    if how == signal.SIGINT:
        assert process.returncode == 130 and "goes on from there" in stderr and "Traceback" not in stderr


def test_answers_are_scored_from_a_file_and_two_are_compared(write_items: Write, tmp_path: Path, run: Run) -> None:
    bench = f"bench={write_items(ITEMS)}"
    good = write_items([{"id": item.id, "raw": ",".join(item.answer)} for item in ITEMS], "good.jsonl")
    bad = write_items([{"id": item.id, "pred": ["A"]} for item in ITEMS] + ["{broken"], "bad.jsonl")
    words = (bench, f"predictions={good}", f"compare={bad}", f"out={tmp_path}/o", "statistics.resamples=50")
    done = run(*words)
    assert done.returncode == 3 and "bad.jsonl, line 41" in done.stderr
    found = results(tmp_path / "o")
    assert found["scores"]["good"]["overall"]["all"]["em"] == 100.0
    assert found["comparison"]["differences"]["overall"]["all"]["em"] == 75.0
    assert "good minus bad on 40 items" in done.stdout


def test_bad_lines_of_a_benchmark_are_named_and_the_rest_is_evaluated(
    write_items: Write, tmp_path: Path, run: Run
) -> None:
    done = run(f"bench={write_items([*ITEMS, '{broken'])}", f"out={tmp_path}/o", "statistics.resamples=50")
    assert done.returncode == 3 and "bench.jsonl, line 41" in done.stderr
    assert results(tmp_path / "o")["bench"] | {"files": 0, "fingerprint": 0} == {
        "files": 0,
        "items": 40,
        "usable": 40,
        "fingerprint": 0,
        "unusable": 1,
    }
    assert json.loads((tmp_path / "o" / "run.json").read_text("utf-8"))["failures"][0]["item"] == "bench.jsonl, line 41"


def test_a_dry_run_says_what_it_would_take_and_sends_nothing(write_items: Write, tmp_path: Path, run: Run) -> None:
    with FakeServer(right) as server:
        words = (f"bench={write_items(ITEMS)}", *model(server, tmp_path), "dry_run=true")
        price = "+llm.prices.m={input: 1, output: 1}"
        first = run(*words, price)
        unpriced = run(*words)
        assert server.calls == []
    assert "40 calls to m (0 replies are kept)" in first.stdout and "USD at most" in first.stdout
    assert "price not known" in unpriced.stdout


def test_replies_travel_to_a_machine_without_a_server(write_items: Write, tmp_path: Path, run: Run) -> None:
    bench = f"bench={write_items(ITEMS)}"
    with FakeServer(right) as server:
        assert run(bench, *model(server, tmp_path), f"cache_export={tmp_path}/kept.jsonl").returncode == 0
    words = (
        "llm=local",
        "llm.model=m",
        "llm.base_url=http://127.0.0.1:9/v1",
        f"llm.cache={tmp_path}/other.sqlite",
        *FAST,
    )
    done = run(bench, *words, f"cache_import={tmp_path}/kept.jsonl", f"out={tmp_path}/there")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "there/results.json").read_bytes() == (tmp_path / "m/results.json").read_bytes()


def test_a_harness_task_is_exported(write_items: Write, tmp_path: Path, run: Run) -> None:
    done = run(f"bench={write_items(ITEMS)}", f"export={tmp_path}/task", "name=demo")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "task/demo_neighbor.yaml").is_file() and (tmp_path / "task/parse.py").is_file()


WRONG = {
    "no benchmark": ((), "bench"),
    "no such folder": (("bench=/nowhere",), "no such file or folder"),
    "an unknown setting": (("bench=BENCH", "benhc=1"), "benhc"),
    "an unknown model setting": (("bench=BENCH", "llm=local", "llm.modle=x"), "modle"),
    "no model named": (("bench=BENCH", "llm=local"), "llm.model"),
    "a wrong type": (("bench=BENCH", "protocol.max_tokens=many"), "protocol.max_tokens"),
    "a wrong type of the model": (("bench=BENCH", "llm=local", "llm.model=m", "llm.timeout=soon"), "timeout"),
    "no key": (("bench=BENCH", "llm=openai"), "OPENAI_API_KEY"),
    "no such choice": (("bench=BENCH", "llm=telepathy"), "telepathy"),
    "nothing to compare": (("bench=BENCH", "compare=x"), "compare"),
    "answers and a model": (("bench=BENCH", "predictions=x", "llm=local", "llm.model=m"), "both answers and a model"),
    "nothing to estimate": (("bench=BENCH", "dry_run=true"), "dry_run"),
    "no such answers": (("bench=BENCH", "predictions=/nowhere"), "no such file"),
}


@pytest.mark.parametrize(("words", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_setting_is_one_clear_line(
    words: tuple[str, ...],
    message: str,
    write_items: Write,
    tmp_path: Path,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = str(write_items(ITEMS))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    done = run(*(word.replace("BENCH", bench) for word in words), f"out={tmp_path}/o")
    assert done.returncode == 2
    lines = [line for line in done.stderr.splitlines() if line]
    assert len(lines) == 1 and message in lines[0] and "Traceback" not in done.stderr


def test_help_helps(run: Run) -> None:
    done = run("--help")
    assert done.returncode == 0
    assert "python -m evaluate bench=PATH" in done.stdout and "max_tokens" in done.stdout
