"""The whole chain on the sample corpus, as a user starts it."""

from __future__ import annotations

import json
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import networkx as nx
import pymupdf
import pytest

from kg.schema import GraphSchema
from kg.stage import ROOT
from kg.text import squash

PRODUCT = ("graph/nodes.json", "graph/edges.json")


def command(*words: str) -> list[str]:
    return [sys.executable, "run.py", *words]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*words), cwd=ROOT, capture_output=True, text=True, timeout=600)


def read(out: Path, name: str) -> Any:
    return json.loads((out / name).read_text(encoding="utf-8"))


def product(out: Path) -> dict[str, bytes]:
    return {name: (out / name).read_bytes() for name in PRODUCT}


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "physics"
    done = run("subject=physics", f"out={out}")
    assert done.returncode == 0, done.stderr
    for word in ("ingest", "emit", "nodes", "edges", "index.html"):
        assert word in done.stdout
    return out


@pytest.fixture(scope="session")
def chinese_sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "physics_zh"
    done = run("subject=physics_zh", f"out={out}")
    assert done.returncode == 0, done.stderr
    return out


def test_every_node_and_edge_type_of_the_schema_appears(sample: Path, schema: GraphSchema) -> None:
    assert {node["label"] for node in read(sample, "graph/nodes.json")} == set(schema.nodes)
    assert {edge["type"] for edge in read(sample, "graph/edges.json")} == set(schema.edges)


@pytest.mark.parametrize("which", ["sample", "chinese_sample"])
def test_the_graph_is_sound(which: str, schema: GraphSchema, request: pytest.FixtureRequest) -> None:
    out: Path = request.getfixturevalue(which)
    nodes = {node["id"]: node for node in read(out, "graph/nodes.json")}
    edges = read(out, "graph/edges.json")
    assert len(nodes) == len(read(out, "graph/nodes.json"))
    for node in nodes.values():
        assert schema.problems(node["label"], node["properties"]) == [], node["id"]
    for edge in edges:
        assert schema.allows(edge["type"], nodes[edge["source"]]["label"], nodes[edge["target"]]["label"])
    keys = Counter((edge["type"], edge["source"], edge["target"]) for edge in edges)
    assert max(keys.values()) == 1
    for name, kind in schema.edges.items():
        if kind.acyclic:
            graph = nx.DiGraph((e["source"], e["target"]) for e in edges if e["type"] == name)
            assert nx.is_directed_acyclic_graph(graph), name


@pytest.mark.parametrize("which", ["sample", "chinese_sample"])
def test_every_quote_stands_on_its_page_and_at_its_offsets(
    which: str, schema: GraphSchema, request: pytest.FixtureRequest
) -> None:
    out: Path = request.getfixturevalue(which)
    run_file = read(out, "run.json")
    pages: dict[str, list[str]] = {}
    for slug, source in run_file["inputs"].items():
        with pymupdf.open(source["file"]) as pdf:
            pages[slug] = [squash(page.get_text()) for page in pdf]
    files = {}
    for slug in pages:
        for row in read(out, f"segment/{slug}/sections_index.json"):
            files[row["id"]] = (out / "segment" / slug / row["file"]).read_text(encoding="utf-8")
    semantic = {name for name, kind in schema.edges.items() if kind.evidence}
    content = {
        name for name, kind in schema.nodes.items() if kind.role in ("term", "procedure", "activity", "question")
    }
    wanted = [n for n in read(out, "graph/nodes.json") if n["label"] in content]
    wanted += [e for e in read(out, "graph/edges.json") if e["type"] in semantic]
    assert len(wanted) > 100
    on_page = 0
    quotes = 0
    for fact in wanted:
        assert fact["provenance"], fact
        for entry in fact["provenance"]:
            text = files[entry["section"]]
            assert squash(text[entry["start"] : entry["end"]]) == squash(entry["quote"])
            first = squash(entry["quote"])[:30]
            quotes += 1
            # a hyphen at the foot of a page or a figure in between may part the first thirty letters
            around = pages[entry["book"]][entry["page"]] + "".join(
                pages[entry["book"]][entry["page"] + 1 : entry["page"] + 2]
            )
            on_page += first in around
    assert on_page / quotes > 0.98


def test_the_corpus_keeps_its_promises(sample: Path) -> None:
    """What was planted in the sample books: two names, a homonym, a refinement, a cycle (corpus/README.md)."""
    checks = Counter(
        json.loads(line)["check"] for line in (sample / "validate/findings.jsonl").read_text().splitlines()
    )
    assert checks["cycle"] >= 1
    planted = read(ROOT / "corpus", "physics/planted.json")
    nodes = read(sample, "graph/nodes.json")
    by_name: dict[str, list[dict[str, Any]]] = {}
    for node in nodes:
        if node["label"] == "Concept":
            for name in {node["name"], *node["properties"].get("aliases", [])}:
                by_name.setdefault(name.casefold(), []).append(node)
    for names in planted["same"]:
        assert len({node["id"] for name in names for node in by_name[name]}) == 1, names
    for name in planted["homonyms"]:
        assert len({node["id"] for node in by_name[name]}) == 2, name
    for name in planted["refined"]:
        (node,) = {node["id"]: node for node in by_name[name]}.values()
        assert {entry["book"] for entry in node["provenance"]} == {"physics-8", "physics-9"}
    edges = read(sample, "graph/edges.json")
    prerequisites = {(e["source"], e["target"]) for e in edges if e["type"] == "prerequisites_for"}
    for ring in planted["cycles"]:
        ids = [by_name[name][0]["id"] for name in ring]
        assert not all(pair in prerequisites for pair in zip(ids, ids[1:] + ids[:1], strict=True))


def test_leads_to_goes_with_the_curriculum_and_says_why(sample: Path) -> None:
    edges = [edge for edge in read(sample, "graph/edges.json") if edge["type"] == "leads_to"]
    assert edges
    for edge in edges:
        assert edge["provenance"] and edge["properties"]["support"] >= 1


def test_a_second_run_changes_nothing_and_does_nothing(sample: Path) -> None:
    before = {p: p.stat().st_mtime_ns for p in sorted(sample.rglob("*")) if p.is_file() and ".hydra" not in p.parts}
    done = run("subject=physics", f"out={sample}")
    assert done.returncode == 0
    assert done.stdout.count("unchanged") == len(read(sample, "run.json")["stages"])
    after = {p: p.stat().st_mtime_ns for p in before}
    assert {p.name for p in before if before[p] != after[p]} == {"run.json"}


def test_books_listed_in_another_order_give_the_same_bytes(sample: Path, tmp_path: Path) -> None:
    books = "[{file: physics-9.pdf, title: Physics 9, grade: '9'}, {file: physics-8.pdf, title: Physics 8, grade: '8'}]"
    done = run("subject=physics", f"subject.books={books}", f"out={tmp_path}")
    assert done.returncode == 0, done.stderr
    assert product(tmp_path) == product(sample)


def test_a_book_more_leaves_the_ids_of_the_others_alone(sample: Path, tmp_path: Path) -> None:
    done = run(
        "subject=physics", "subject.books=[{file: physics-8.pdf, title: Physics 8, grade: '8'}]", f"out={tmp_path}"
    )
    assert done.returncode == 0, done.stderr
    alone = {node["id"] for node in read(tmp_path, "graph/nodes.json")}
    both = {node["id"] for node in read(sample, "graph/nodes.json")}
    moved = alone - both
    assert not moved


def test_a_part_of_the_chain_can_be_run_again(sample: Path, tmp_path: Path) -> None:
    shutil.copytree(sample, tmp_path / "copy")
    (tmp_path / "copy/graph/nodes.json").unlink()
    done = run("subject=physics", "stages=[merge,validate,emit]", f"out={tmp_path / 'copy'}")
    assert done.returncode == 0, done.stderr
    assert product(tmp_path / "copy") == product(sample)
    assert "ingest" not in done.stdout


@pytest.mark.parametrize("moment", range(5))
def test_a_killed_run_goes_on_to_the_same_bytes(sample: Path, tmp_path: Path, moment: int) -> None:
    whole = sum(stage["seconds"] for stage in read(sample, "run.json")["stages"]) + 1
    process = subprocess.Popen(
        command("subject=physics", f"out={tmp_path}"), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    time.sleep(random.Random(moment).uniform(0.2, 0.9) * whole)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done = run("subject=physics", f"out={tmp_path}")
    assert done.returncode == 0, done.stderr
    assert product(tmp_path) == product(sample)


def test_bad_books_are_named_and_cost_nobody_else(sample: Path, tmp_path: Path) -> None:
    books = tmp_path / "books"
    books.mkdir()
    good = ROOT / "corpus/physics/physics-8.pdf"
    shutil.copy(good, books / "good.pdf")
    (books / "zero.pdf").write_bytes(b"")
    (books / "letter.pdf").write_bytes(b"PK\x03\x04word/document.xml and so on")
    (books / "corrupt.pdf").write_bytes(b"%PDF-1.7\n" + bytes(range(256)) * 20)
    with pymupdf.open(good) as pdf:
        pdf.save(books / "locked.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="u", owner_pw="o")
    with pymupdf.open() as blank:
        blank.new_page()
        blank.save(books / "blank.pdf")
    with pymupdf.open() as plain:
        for line in ("Some books have no headings.", "They are read all the same.", "Here such a book ends."):
            plain.new_page().insert_text((72, 72), line)
        plain.save(books / "plain.pdf")
    listed = ", ".join(f"{{file: {path.name}}}" for path in sorted(books.iterdir()))
    out = tmp_path / "out"
    done = run(
        "subject=folder",
        "subject.name=odd",
        f"subject.path={books}",
        f"subject.books=[{listed}, {{file: gone.pdf}}]",
        f"out={out}",
    )
    assert done.returncode == 3, done.stderr
    failures = {f["item"]: f for stage in read(out, "run.json")["stages"] for f in stage["failures"]}
    assert set(failures) == {"zero", "letter", "corrupt", "locked", "blank", "gone"}
    for name, failure in failures.items():
        line = next(line for line in done.stderr.splitlines() if name in line)
        assert failure["what"] in line and failure.get("remedy")
    books_made = {node["id"] for node in read(out, "graph/nodes.json") if node["label"] == "Book"}
    assert {book.rsplit(":", 1)[-1] for book in books_made} == {"good", "plain"}
    assert (out / "index.html").is_file()


def readme_commands() -> list[str]:
    """Every `make …` and `python …` of the README, from blocks of code and from the tables."""
    readme = re.sub(r"```.*?```", "", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.S)
    lines = [line.strip() for line in re.findall(r"^    (.+)$", readme, re.M)] + re.findall(r"`([^`\n]+)`", readme)
    commands = [line.partition("  ")[0] for line in lines if re.match(r"(make|python) ", line)]
    return sorted(set(commands))


@pytest.mark.parametrize("line", readme_commands())
def test_every_command_of_the_readme_is_one_that_runs(line: str, sample: Path, tmp_path: Path) -> None:
    words = shlex.split(line)
    if words[0] == "make":
        assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
        return
    if "DIR" in line:
        shutil.copytree(ROOT / "corpus/physics", tmp_path / "DIR")
    places = {"outputs/physics": str(sample), "DIR": str(tmp_path / "DIR")}
    for name, place in places.items():
        words = [word.replace(name, place) for word in words]
    shows_itself = {"--help"} if "review" in words or len(words) == 3 else set()  # a server would not come back
    out = set() if shows_itself or "--help" in words else {f"out={tmp_path / 'out'}"}
    done = subprocess.run(
        [sys.executable, *words[1:], *shows_itself, *out], cwd=ROOT, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr


def test_the_readme_names_the_two_commands_and_the_other_rooms() -> None:
    commands = readme_commands()
    assert {"make run", "make test"} <= set(commands)
    assert len(commands) >= 8
