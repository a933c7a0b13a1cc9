"""The command line: what works at once, and what is refused in one line."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from kg.stage import ROOT


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "run.py", *words], cwd=ROOT, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["subjekt=physics"], "subjekt"),
        (["segment.no_such_setting=1"], "no_such_setting"),
        (["engine.workers=many"], "workers"),
        (["stages=[ingest,emitt]"], "emitt"),
        (["subject=nowhere"], "nowhere"),
        (["subject=folder", "subject.name=x", "subject.path=/no/such/folder"], "/no/such/folder"),
        (["subject=folder", "subject.path=."], "subject.name"),
        (["subject.language=tlh"], "tlh"),
    ],
)
def test_a_mistake_in_the_settings_is_named_in_one_line_within_seconds(
    words: list[str], named: str, tmp_path: Path
) -> None:
    began = time.monotonic()
    done = command(*words, f"out={tmp_path / 'out'}")
    assert done.returncode == 2
    assert named in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert time.monotonic() - began < 20  # a bound on hanging, not a measurement


def test_a_part_of_the_chain_without_its_input_is_refused(tmp_path: Path) -> None:
    done = command("stages=[merge]", f"out={tmp_path}")
    assert done.returncode == 2
    assert "merge needs" in done.stderr


def test_help_shows_choices_settings_and_exit_codes() -> None:
    done = command("--help")
    assert done.returncode == 0
    for word in ("subject=folder", "stages=", "Exit codes", "physics_zh", "out: outputs/"):
        assert word in done.stdout, word


def test_the_settings_in_force_can_be_shown() -> None:
    done = command("--cfg", "job", "subject=physics_zh")
    assert done.returncode == 0
    assert "name: physics_zh" in done.stdout
