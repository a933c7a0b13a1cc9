"""Several subjects in one call, and completion in the shell: both as users start them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from kg.stage import ROOT


def run(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "run.py", *words]
    return subprocess.run(call, cwd=ROOT, capture_output=True, text=True, timeout=300, env={**os.environ, **variables})


def test_several_subjects_run_one_after_the_other_each_in_its_own_folder(tmp_path: Path) -> None:
    done = run("-m", "subject=physics,physics_zh", "stages=[]", f"hydra.sweep.dir={tmp_path}")
    assert done.returncode == 0, done.stderr
    for name in ("physics", "physics_zh"):
        manifest = json.loads((tmp_path / name / "run.json").read_text(encoding="utf-8"))
        assert manifest["subject"] == name and f"→ {tmp_path}/{name}" in done.stdout.replace("\n", "")


def test_the_worst_of_several_jobs_is_the_exit_code_and_the_others_are_done(tmp_path: Path) -> None:
    paths = "subject.path=/nowhere,corpus/physics_zh"
    done = run("-m", paths, "subject=physics_zh", "stages=[]", f"hydra.sweep.dir={tmp_path}")
    assert done.returncode == 2 and "no such folder: /nowhere" in done.stderr and "Traceback" not in done.stderr
    assert (tmp_path / "physics_zh/run.json").is_file()


def test_the_shell_completes_choices() -> None:
    done = run("-sc", "query=bash", COMP_LINE="python run.py stages=[ingest] subject=")
    offered = {"subject=physics", "subject=physics_zh", "subject=folder"}
    assert done.returncode == 0 and offered <= set(done.stdout.split())


def test_completion_can_be_switched_on() -> None:
    done = run("-sc", "install=bash")
    checked = subprocess.run(["bash", "-c", f"{done.stdout}\ncomplete -p"], capture_output=True, text=True)
    assert done.returncode == 0 and checked.returncode == 0 and "hydra_bash_completion" in checked.stdout
