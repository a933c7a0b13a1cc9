"""`python -m review`: what it says, what it does, and how it ends."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from kg.decisions import read
from kg.errors import SettingsError
from kg.stage import ROOT
from kg.store import jsonl
from review.__main__ import main
from review.database import opened
from review.settings import Desk, desk_of
from review.votes import Said, Votes, seen
from tests.review.conftest import many


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A run's folder with a queue."""
    (tmp_path / "out" / "review").mkdir(parents=True)
    (tmp_path / "out" / "review" / "queue.jsonl").write_bytes(jsonl(many(3)))
    return tmp_path / "out"


def command(out: Path, *words: str) -> list[str]:
    settings = [f"out={out}", f"decisions={out.parent}/physics.decisions.jsonl"]
    return [sys.executable, "-m", "review", "subject=physics", *settings, *words]


class Ran(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """The command in this process, as `python -m review` calls it."""

    def make(out: Path, *words: str) -> Ran:
        return Ran(main(command(out, *words)[3:]), *capsys.readouterr())

    return make


def test_help_says_what_can_be_done() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "review", "--help"], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0 and "python -m review subject=physics" in done.stdout


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("desk.prot=1",), "prot"),
        (("desk.port=many",), "port"),
        (("desk.annotators=0",), "annotators"),
        (("desk.do=label_studio_export",), "desk.file"),
        (("desk.public=example.org",), "desk.public"),
        (("desk.database=nonsense",), "desk.database"),
        (("nonsense",), "nonsense"),
        (("subject=none",), "none"),
    ],
)
def test_a_wrong_setting_is_one_line_with_its_name(run: Run, out: Path, words: tuple[str, ...], named: str) -> None:
    done = run(out, *words)
    assert done.returncode == 2 and named in done.stderr and "Traceback" not in done.stderr


def test_without_a_queue_it_says_what_to_run_first(run: Run, tmp_path: Path) -> None:
    done = run(tmp_path / "nothing")
    assert done.returncode == 2 and "run.py" in done.stderr


def test_a_port_that_is_taken_is_said_so(run: Run, out: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run(out, f"desk.port={taken.getsockname()[1]}")
    assert done.returncode == 2 and "desk.port" in done.stderr


def test_votes_are_written_counted_and_exchanged_from_the_command_line(run: Run, out: Path) -> None:
    votes = Votes(opened(f"sqlite:///{out}/review/votes.sqlite"), "physics", 2)
    votes.load(many(3))
    for person, verdicts in (("ada", ("keep", "remove")), ("bo", ("keep", "keep"))):
        for verdict in verdicts:
            task = votes.next(person)
            assert task is not None
            votes.cast(person, task.id, seen(task), Said(verdict))
    assert "1 decisions added" in run(out, "desk.do=write", "desk.annotators=2").stdout
    assert [row.by for row in read(out.parent / "physics.decisions.jsonl")[0]] == [("ada", "bo")]
    table = run(out, "desk.do=agreement", "desk.annotators=2").stdout
    assert "prerequisites_for" in table and "50.0%" in table
    kept = json.loads((out / "review/agreement.json").read_text(encoding="utf-8"))
    assert [row["unanimous"] for row in kept] == [0.5, 0.5] and "ada" not in json.dumps(kept)
    assert "/join/" in run(out, "desk.do=invite", "desk.role=lead").stdout
    tasks = out.parent / "tasks.json"
    assert "3 tasks" in run(out, "desk.do=label_studio_export", f"desk.file={tasks}").stdout
    assert len(json.loads(tasks.read_text(encoding="utf-8"))) == 3
    tasks.write_text(json.dumps([{"data": {}, "annotations": [{}]}]), encoding="utf-8")
    done = run(out, "desk.do=label_studio_import", f"desk.file={tasks}")
    assert "1 refused" in done.stdout and "task 1" in done.stderr


def test_the_configuration_names_every_setting_of_the_page_with_its_default() -> None:
    data = yaml.safe_load((ROOT / "conf" / "desk" / "web.yaml").read_text(encoding="utf-8"))
    assert desk_of(data) == Desk() and set(data) == set(Desk.model_fields)


def test_ctrl_c_ends_it_without_a_traceback(out: Path) -> None:
    server = subprocess.Popen(
        command(out, "desk.port=0"), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    assert "3 questions" in server.stdout.readline()
    assert "/join/" in server.stdout.readline()
    server.send_signal(signal.SIGINT)
    _, errors = server.communicate(timeout=20)
    assert server.returncode == 0 and "Traceback" not in errors


def test_addresses_and_cookies_follow_the_public_address() -> None:
    assert desk_of({}).origin(80) == "http://127.0.0.1:80" and not desk_of({}).secure
    behind = desk_of({"public": "https://review.example.org/x"})
    assert behind.origin(1) == "https://review.example.org" and behind.secure
    assert desk_of({"host": "::1"}).origin(80) == "http://[::1]:80"
    with pytest.raises(SettingsError, match=r"desk\.colour|colour"):
        desk_of({"colour": "red"})
