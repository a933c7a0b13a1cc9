"""What a killed worker costs with `engine=ray`: the run of a subject on both engines, a Ray worker shot on the way.

    PYTHONPATH=. PYTHON_WITH_RAY benchmarks/ray_death.py [SETTING …]      settings of run.py: subject=physics

In: settings. Out: which process was killed, seconds, exit codes, and whether all files are the same bytes; exit code 1
if they are not. Needs Linux (/proc) and the extra `ray`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from kg.stage import ROOT
from kg.store import file_sha256

BUSY = "ray::_attempt_there"
"""What Ray calls a worker process that is at an item."""
APART = {"run.json", ".stamps", ".hydra", "errors"}
"""Say when and how a run went, which is not the same twice."""


def started(engine: str, out: Path, settings: list[str]) -> subprocess.Popen[str]:
    """A run of all stages."""
    call = [sys.executable, "run.py", *settings, f"engine={engine}", f"out={out}"]
    return subprocess.Popen(call, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def descendants(pid: int) -> Iterator[tuple[int, str]]:
    """Processes below a process, with what they call themselves."""
    parent: dict[int, int] = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            parent[int(place.name)] = int((place / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue  # it has just ended
    for process in parent:
        at = process
        while at in parent and at != pid:
            at = parent[at]
        if at == pid and process != pid:
            try:
                yield process, Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ").strip()
            except OSError:
                continue


def shot(run: subprocess.Popen[str]) -> str:
    """One worker that is at an item is killed; says which. Empty if the run ended before one was seen."""
    while run.poll() is None:
        for process, name in descendants(run.pid):
            if name.startswith(BUSY):
                time.sleep(0.2)  # well into its work
                os.kill(process, signal.SIGKILL)
                return f"{name} (process {process})"
        time.sleep(0.02)
    return ""


def digests(out: Path) -> dict[str, str]:
    """Every file of a run that has to be the same."""
    files = {path.relative_to(out): path for path in sorted(out.rglob("*")) if path.is_file()}
    return {str(name): file_sha256(path) for name, path in files.items() if name.parts[0] not in APART}


def main(settings: list[str]) -> int:
    """0 if both engines wrote the same bytes although a worker was killed."""
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for engine in ("local", "ray"):
            began = time.perf_counter()
            out = Path(folder, engine)
            run = started(engine, out, settings)
            victim = shot(run) if engine == "ray" else ""
            said, _ = run.communicate()
            found.append(digests(out))
            seconds = time.perf_counter() - began
            print(f"engine={engine}: exit code {run.returncode}, {seconds:.1f} s, {len(found[-1])} files")
            if victim:
                print(f"killed: {victim}")
            if run.returncode:
                print(said)
        same = found[0] == found[1]
        print("same bytes" if same else f"differ: {sorted(set(found[0].items()) ^ set(found[1].items()))[:10]}")
        return 0 if same and victim else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
