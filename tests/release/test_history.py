"""A release keeps what the one before promised: ids, a frozen benchmark, a version that says what changed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kg.errors import SettingsError
from kg.project import Project
from kg.stage import ROOT
from release.verify import verify

Make = Callable[..., Path]


@pytest.fixture
def before(make: Make, tmp_path: Path) -> Path:
    """Version 1.0.0, at another place."""
    place = tmp_path / "before"
    shutil.copytree(make(), place)
    return place


def rename(project: Project, old: str, new: str, **changes: Any) -> None:
    """The node goes by another id, everywhere."""
    rows_of_training = project.store.read_text("train/node.jsonl").replace(f'"{old}"', f'"{new}"')
    project.store.write("train/node.jsonl", rows_of_training.encode())
    for name in ("graph/nodes.json", "graph/edges.json"):
        text = project.store.read_text(name).replace(f'"{old}"', f'"{new}"')
        rows = json.loads(text)
        for row in rows:
            if row.get("id") == new:
                row.update(changes)
        project.store.write(name, json.dumps(rows).encode())


def lines(root: Path, name: str) -> list[Any]:
    return [json.loads(line) for line in (root / name).read_text().splitlines()]


def test_a_renamed_id_is_forwarded_and_the_questions_stay(make: Make, finished: Project, before: Path) -> None:
    rename(finished, "s:concept:power", "s:concept:power-2")
    root = make(version="2.0.0", previous=str(before))
    (entry,) = lines(root, "forwarding.jsonl")
    assert entry == {"id": "s:concept:power", "to": "s:concept:power-2", "since": "2.0.0", "why": "same name"}
    assert (root / "exports/bench.jsonl").read_bytes() == (before / "exports/bench.jsonl").read_bytes()
    assert [row["id"] for row in lines(root, "bench/errata.jsonl")] == ["prereq_1::work"]
    assert verify(root) == []


def test_a_thing_under_another_name_is_found_by_its_quotation(make: Make, finished: Project, before: Path) -> None:
    rename(finished, "s:concept:power", "s:concept:strength", name="strength")
    (entry,) = lines(make(version="2.0.0", previous=str(before)), "forwarding.jsonl")
    assert (entry["to"], entry["why"]) == ("s:concept:strength", "same place")


def test_what_was_joined_is_forwarded_to_what_it_was_joined_with(make: Make, finished: Project, before: Path) -> None:
    rows = [row for row in json.loads(finished.store.read_text("graph/nodes.json")) if row["id"] != "s:concept:power"]
    edges = json.loads(finished.store.read_text("graph/edges.json"))
    edges = [row for row in edges if "s:concept:power" not in (row["source"], row["target"])]
    finished.store.write("graph/nodes.json", json.dumps(rows).encode())
    finished.store.write("graph/edges.json", json.dumps(edges).encode())
    finished.store.write("merge/merges.jsonl", b'{"alone": "s:concept:power", "id": "s:concept:work"}\n')
    finished.store.write("train/node.jsonl", b"")
    root = make(version="2.0.0", previous=str(before))
    (entry,) = lines(root, "forwarding.jsonl")
    assert (entry["to"], entry["why"]) == ("s:concept:work", "joined")
    third = make(version="2.1.0", previous=str(shutil.copytree(root, before.parent / "second")))
    assert lines(third, "forwarding.jsonl") == [entry]


def test_ids_that_are_gone_ask_for_a_new_major_version(make: Make, finished: Project, before: Path) -> None:
    rename(finished, "s:concept:power", "s:concept:power-2")
    with pytest.raises(SettingsError, match="that is a major change"):
        make(version="1.1.0", previous=str(before))
    with pytest.raises(SettingsError, match="does not follow"):
        make(version="1.0.0", previous=str(before))


def test_a_new_benchmark_version_takes_the_new_questions(make: Make, finished: Project, before: Path) -> None:
    finished.store.write(
        "bench/prereq_1.jsonl", finished.store.path("bench/prereq_1.jsonl").read_bytes().split(b"\n")[0]
    )
    root = make(version="1.1.0", previous=str(before), bench_version="2.0")
    assert len(lines(root, "exports/bench.jsonl")) == 1
    assert "item" in (root / "diff/from-1.0.0.md").read_text()


def test_a_difference_names_what_was_added_removed_and_changed(make: Make, finished: Project, before: Path) -> None:
    rename(finished, "s:concept:power", "s:concept:power-2")
    rename(finished, "s:concept:work", "s:concept:work", properties={"definition": "new", "importance": "master"})
    root = make(version="2.0.0", previous=str(before))
    rows = lines(root, "diff/from-1.0.0.jsonl")
    nodes = {(row["change"], row["id"]) for row in rows if row["what"] == "node"}
    assert nodes == {("removed", "s:concept:power"), ("added", "s:concept:power-2"), ("changed", "s:concept:work")}
    changed = next(row for row in rows if row["id"] == "s:concept:work")
    assert changed["fields"]["definition"][1] == "new"
    assert "1 added, 1 removed, 1 changed" in (root / "CHANGELOG.md").read_text()
    call = [sys.executable, "-m", "release", "diff", str(before), str(root)]
    done = subprocess.run([*call, "--json"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and [json.loads(line) for line in done.stdout.splitlines()] == rows
    assert "## Removed" in subprocess.run(call, cwd=ROOT, capture_output=True, text=True).stdout


def test_ids_gone_under_the_same_major_version_fail_the_comparison(make: Make, finished: Project, before: Path) -> None:
    rename(finished, "s:concept:power", "s:concept:power-2")
    root = make(version="1.0.1")
    call = [sys.executable, "-m", "release", "diff", str(before), str(root)]
    assert subprocess.run(call, cwd=ROOT, capture_output=True).returncode == 1


def test_the_same_release_differs_in_nothing(before: Path) -> None:
    call = [sys.executable, "-m", "release", "diff", str(before), str(before)]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and "Nothing has changed." in done.stdout


def test_a_release_for_other_readers_is_no_previous_one(make: Make, before: Path) -> None:
    with pytest.raises(SettingsError, match="for other readers"):
        make(version="1.1.0", previous=str(before), quotes="offsets")
    with pytest.raises(SettingsError, match="for other readers"):
        make(version="1.1.0", previous=str(before), licenses=("CC-BY-4.0",))
