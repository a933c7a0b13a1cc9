"""Whatever is wrong with a release on disk is found, also where the sums were made anew."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kg.errors import InputError
from kg.stage import ROOT
from kg.store import file_sha256
from release.verify import verify

Make = Callable[..., Path]
GRAPH = "exports/textbook_kg"


def sealed(root: Path) -> None:
    """Sums and manifest fit the files again: what is left is a fault of the contents."""
    manifest = json.loads((root / "manifest.json").read_text())
    for name, entry in manifest["files"].items():
        if (root / name).is_file():
            entry |= {"sha256": file_sha256(root / name), "bytes": (root / name).stat().st_size}
    (root / "manifest.json").write_text(json.dumps(manifest))
    files = sorted(path for path in root.rglob("*") if path.is_file() and path.name != "SHA256SUMS")
    lines = [f"{file_sha256(path)}  {path.relative_to(root).as_posix()}\n" for path in files]
    (root / "SHA256SUMS").write_text("".join(lines))


def change(root: Path, name: str, how: Callable[[Any], None]) -> None:
    """Rewrites a JSON file."""
    data = json.loads((root / name).read_text())
    how(data)
    (root / name).write_text(json.dumps(data))


def node(data: list[dict[str, Any]], key: str) -> dict[str, Any]:
    return next(row for row in data if row["id"] == f"s:concept:{key}")


def back(data: list[dict[str, Any]]) -> None:
    """A prerequisite that closes a circle."""
    forth = next(row for row in data if row["type"] == "prerequisites_for")
    data.append({**forth, "source": forth["target"], "target": forth["source"]})


def items(root: Path, how: Callable[[dict[str, Any]], None]) -> None:
    path = root / "exports/bench.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    how(rows[0])
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def cut(path: Path) -> None:
    """One line less."""
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))


def append(path: Path, text: str) -> None:
    with path.open("a") as stream:
        stream.write(text)


FAULTS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "an end that is no node": (
        "ends",
        lambda root: change(root, f"{GRAPH}/edges.json", lambda rows: rows[-1].update(target="s:concept:gone")),
    ),
    "an edge between wrong types": (
        "ends",
        lambda root: change(root, f"{GRAPH}/edges.json", lambda rows: rows[-1].update(source="s:section:a:1.1")),
    ),
    "a circle": ("cycles", lambda root: change(root, f"{GRAPH}/edges.json", back)),
    "a required property that is gone": (
        "fields",
        lambda root: change(
            root, f"{GRAPH}/nodes.json", lambda rows: node(rows, "work")["properties"].pop("definition")
        ),
    ),
    "a value that is not allowed": (
        "fields",
        lambda root: change(
            root, f"{GRAPH}/nodes.json", lambda rows: node(rows, "work")["properties"].update(importance="?")
        ),
    ),
    "an id that occurs twice": (
        "unique",
        lambda root: change(root, f"{GRAPH}/nodes.json", lambda rows: rows.append(rows[-1])),
    ),
    "an edge without its quotation": (
        "evidence",
        lambda root: change(
            root,
            f"{GRAPH}/edges.json",
            lambda rows: [row.pop("provenance", 0) for row in rows if row["type"] == "is_a"],
        ),
    ),
    "a quotation from a book that is not there": (
        "evidence",
        lambda root: change(
            root, f"{GRAPH}/nodes.json", lambda rows: node(rows, "work")["provenance"][0].update(book="c")
        ),
    ),
    "a right answer that is no option": ("bench", lambda root: items(root, lambda row: row.update(answer=["D"]))),
    "a question about a thing that is gone": (
        "bench",
        lambda root: items(root, lambda row: row.update(query="s:concept:gone")),
    ),
    "a table with fewer rows than stated": (
        "tables",
        lambda root: change(root, "manifest.json", lambda data: data["rows"].update({"data/nodes.parquet": 99})),
    ),
    "a table that is no table": ("tables", lambda root: (root / "data/edges.parquet").write_bytes(b"PAR1")),
    "a row missing in the Neo4j file": ("forms", lambda root: cut(root / "exports/neo4j/relationships.csv")),
    "a licence text that is gone": ("licenses", lambda root: (root / "LICENSES/CC-BY-4.0.txt").unlink()),
    "a configuration of the card that leads nowhere": (
        "loads",
        lambda root: (root / "README.md").write_text(
            (root / "README.md").read_text().replace("data/books.parquet", "data/shelf.parquet", 1)
        ),
    ),
    "an id that is forwarded to nothing": (
        "forwarding",
        lambda root: (root / "forwarding.jsonl").write_text(
            '{"id": "old", "to": "s:gone", "since": "1.0.0", "why": "x"}\n'
        ),
    ),
    "a count that is not so": (
        "manifest",
        lambda root: change(root, "manifest.json", lambda data: data["counts"]["nodes"].update(Concept=77)),
    ),
}
BROKEN: dict[str, Callable[[Path], Any]] = {
    "another byte": lambda root: append(root / "NOTICE", "x"),
    "a missing file": lambda root: (root / "CITATION.cff").unlink(),
    "a file nobody listed": lambda root: (root / "data/extra.parquet").write_bytes(b"x"),
    "no sums": lambda root: (root / "SHA256SUMS").unlink(),
}


def test_a_release_as_it_was_made_is_sound(make: Make) -> None:
    assert verify(make()) == []
    assert verify(make(quotes="offsets")) == []
    assert verify(make(licenses=("CC-BY-4.0",))) == []


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.replace(" ", "-"))
def test_a_planted_fault_is_found_although_the_sums_fit(pattern: Path, tmp_path: Path, fault: str) -> None:
    check, plant = FAULTS[fault]
    root = shutil.copytree(pattern, tmp_path / "release")
    plant(root)
    sealed(root)
    found = verify(root)
    assert check in {problem.check for problem in found}, [str(problem) for problem in found]
    assert "sums" not in {problem.check for problem in found}


@pytest.mark.parametrize("fault", BROKEN, ids=lambda fault: fault.replace(" ", "-"))
def test_files_that_were_touched_are_found(pattern: Path, tmp_path: Path, fault: str) -> None:
    root = shutil.copytree(pattern, tmp_path / "release")
    BROKEN[fault](root)
    assert "sums" in {problem.check for problem in verify(root)}


def test_many_problems_of_one_kind_are_not_all_named(make: Make) -> None:
    root = make()
    for number in range(9):
        (root / f"extra-{number}").write_text("x")
    found = [problem for problem in verify(root) if problem.check == "sums"]
    assert len(found) == 6 and "4 more" in found[-1].what


def test_a_folder_that_is_no_release_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"manifest.json"):
        verify(tmp_path)


def test_the_command_names_every_fault_and_fails(make: Make, tmp_path: Path) -> None:
    def call(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "release", *words], cwd=ROOT, capture_output=True, text=True)

    root = make()
    done = call("verify", str(root))
    assert done.returncode == 0 and done.stdout.startswith("sound: 11 nodes, 11 edges")
    append(root / "NOTICE", "x")
    done = call("verify", str(root))
    assert done.returncode == 1 and "NOTICE: has another SHA-256" in done.stdout
    done = call("verify", str(tmp_path))
    assert done.returncode == 2 and "name the folder of a release" in " ".join(done.stderr.split())
    assert call("--help").returncode == 0 and call("verfy", "x").returncode == 2
