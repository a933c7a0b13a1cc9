"""Odd and damaged files end in a good document or in one clear line: no crash, no hang, bounded memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ingest.reader import PageReader
from kg.project import Project
from kg.stage import ROOT
from tests.ingest.odd_pdfs import ODD, Make, data
from tests.ingest.paper import document, result

FLIPS = 500
SECONDS = 240
MEGABYTES = 3000
"""Of address space, code and libraries included."""


@pytest.mark.parametrize(("make", "what"), [row[1:] for row in ODD], ids=[row[0] for row in ODD])
def test_an_odd_file_is_read_or_named(tmp_path: Path, project: Project, make: Make, what: str) -> None:
    path = tmp_path / "odd.pdf"
    make(path)
    made = result(path, project)
    assert not any("internal error" in failure.what for failure in made.failures)
    if what == "ok":
        assert made.files and "road" in " ".join(block.text for block in document(made).blocks)
    elif what != "any":
        (failure,) = made.failures
        assert what in failure.what and failure.remedy and not made.files
    assert all("\n" not in failure.what and len(failure.what) < 300 for failure in made.failures)
    assert made.files or len(made.failures) == 1


CHILD = """
import json, random, resource, sys, time
from pathlib import Path
resource.setrlimit(resource.RLIMIT_AS, ({bytes}, {bytes}))
sys.path.insert(0, {root!r})
from ingest.{module} import {name}
from ingest.stage import Ingest
from kg import language
from kg.document import Book
from kg.engine import attempt
from kg.project import Project
from kg.schema import load
from kg.store import Store
conf, folder = Path({root!r}) / "conf", Path({folder!r})
packs = language.load(conf / "language")
project = Project(Store(folder), "odd", "odd", (), load(conf / "schema/k12.yaml"), packs)
whole = (folder / "whole.pdf").read_bytes()
stage, counts, slowest = Ingest(reader={name}()), {{"read": 0, "refused": 0, "bugs": []}}, 0.0
for seed in range({flips}):
    dice = random.Random(seed)
    broken = bytearray(whole)
    for _ in range(dice.choice([1, 3, 20])):
        broken[dice.randrange(len(broken))] = dice.randrange(256)
    path = folder / "flipped.pdf"
    path.write_bytes(broken)
    began = time.perf_counter()
    made = attempt(stage, type("I", (), {{"payload": Book(slug="a", file=str(path)), "key": "a"}}), project)
    slowest = max(slowest, time.perf_counter() - began)
    counts["read" if made.files and not made.failures else "refused"] += 1
    counts["bugs"] += [failure.what for failure in made.failures if "internal error" in failure.what]
print(json.dumps(counts | {{"slowest": slowest}}))
"""


def test_flipped_bytes_never_crash_hang_or_confuse(tmp_path: Path, reader: PageReader) -> None:
    (tmp_path / "whole.pdf").write_bytes(data(2))
    kind = type(reader)
    code = CHILD.format(
        bytes=MEGABYTES * 2**20,
        root=str(ROOT),
        module=kind.__module__.rpartition(".")[2],
        name=kind.__name__,
        folder=str(tmp_path),
        flips=FLIPS,
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=SECONDS, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert found["bugs"] == [] and found["read"] > FLIPS / 4 and found["slowest"] < 20
    assert found["read"] + found["refused"] == FLIPS
