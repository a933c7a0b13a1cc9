"""What a release holds, by whose licence, and that it is the same every time."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
import yaml

from evaluate.task_folders import Inspect, LmEval
from kg.errors import SettingsError
from kg.project import Project
from release import pyarrow
from release.stage import Release

Make = Callable[..., Path]
OPEN = "CC-BY-4.0"


def files(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def manifest(root: Path) -> Any:
    return json.loads((root / "manifest.json").read_text())


def test_two_builds_of_one_run_are_the_same_to_the_byte(make: Make) -> None:
    tools = (LmEval(), Inspect())
    first = files(make(harnesses=tools))
    second = files(make(harnesses=tools))
    assert first == second
    assert len(first) > 40


def test_every_table_has_as_many_rows_as_the_manifest_and_the_card_say(make: Make) -> None:
    root = make()
    rows = manifest(root)["rows"]
    assert rows["data/nodes.parquet"] == 11 and rows["data/edges.parquet"] == 11 and rows["bench/test.parquet"] == 2
    assert rows["train/train.parquet"] == 1 and rows["train/validation.parquet"] == 1
    assert all(len(pyarrow.read(root / name)) == count for name, count in rows.items())
    head = yaml.safe_load((root / "README.md").read_text().split("---")[1])
    assert [config["config_name"] for config in head["configs"]] == [
        "nodes",
        "edges",
        "books",
        "decisions",
        "bench",
        "train",
    ]
    assert head["license"] == "other" and head["license_name"] == "CC-BY-4.0 and LicenseRef-closed"


def test_an_empty_table_has_no_configuration(make: Make, finished: Project) -> None:
    finished.store.write("merge/decided.jsonl", b"")
    root = make()
    assert manifest(root)["rows"]["data/decisions.parquet"] == 0
    assert "config_name: decisions" not in (root / "README.md").read_text()


def test_every_row_names_its_books_and_licences(make: Make) -> None:
    root = make()
    rows = {row["id"]: row for row in pyarrow.read(root / "data/nodes.parquet")}
    assert rows["s:concept:force"]["licenses"] == [OPEN] and rows["s:section:b:1.1"]["books"] == ["b"]
    assert rows["s:concept:force"]["formula"] == "F = m a" and rows["s:concept:force"]["confidence"] == 0.9
    assert rows["s:concept:force"]["provenance"][0]["quote"].startswith("A force is")
    items = {row["id"]: row for row in pyarrow.read(root / "bench/test.parquet")}
    assert items["prereq_1::work"]["books"] == ["a", "b"] and items["prereq_1::work"]["answer"] == ["A"]


def test_people_are_counted_and_not_named(make: Make) -> None:
    root = make()
    (row,) = pyarrow.read(root / "data/decisions.parquet")
    assert row["people"] == 2
    assert not [name for name, data in files(root).items() if b"bob" in data]


def test_a_book_without_a_licence_stops_the_build_unless_allowed(make: Make, finished: Project) -> None:
    silent = replace(finished, books=tuple(book.model_copy(update={"license": ""}) for book in finished.books))
    with pytest.raises(SettingsError, match="no licence known of a, b"):
        Release().plan(silent)
    assert len(Release(unlicensed=True).plan(silent)) == 1


def test_a_licence_that_is_no_spdx_id_is_refused(finished: Project) -> None:
    odd = replace(
        finished, books=tuple(book.model_copy(update={"license": "free for all!"}) for book in finished.books)
    )
    with pytest.raises(SettingsError, match="no SPDX id"):
        Release().plan(odd)


def test_only_books_under_a_named_licence_are_passed_on(make: Make) -> None:
    root = make(licenses=(OPEN,))
    made = manifest(root)
    assert [book["book"] for book in made["books"]] == ["a"]
    assert made["withheld"] == {"bench items": 1, "books": 1, "edges": 6, "nodes": 6, "training rows": 1}
    text = b"".join(data for name, data in files(root).items() if not name.endswith(".parquet")).decode()
    assert "Work is done" not in text and "s:concept:power" not in text and "s:book:b" not in text
    assert not (root / "explorer").exists()


def test_what_two_books_say_keeps_what_the_cleared_one_says(make: Make, finished: Project) -> None:
    rows = json.loads(finished.store.read_text("graph/nodes.json"))
    force = next(row for row in rows if row["id"] == "s:concept:force")
    force["provenance"].append({**force["provenance"][0], "book": "b", "quote": "Ein push; pull, sagt B."})
    force["properties"]["examples"] = ["a push", "words of the other book"]
    finished.store.write("graph/nodes.json", json.dumps(rows).encode())
    root = make(licenses=(OPEN,))
    kept = next(
        row for row in json.loads((root / "exports/textbook_kg/nodes.json").read_text()) if row["id"] == force["id"]
    )
    assert kept["properties"]["definition"] == "A force is a push or a pull that acts on a body."
    assert kept["properties"]["examples"] == ["a push"] and "formula" not in kept["properties"]
    assert [quote["book"] for quote in kept["provenance"]] == ["a"]


def test_a_licence_no_book_has_is_said_to_have_none(make: Make) -> None:
    with pytest.raises(SettingsError, match="no book is under one of these licences"):
        make(licenses=("MIT",))


def test_without_quotations_no_sentence_of_a_book_is_left_anywhere(make: Make, finished: Project) -> None:
    full = make()
    root = make(quotes="offsets")
    assert full == root
    text = b"".join(files(root).values()).decode("utf-8", "replace")
    for sentence in ("A force is a push", "Weight is the force", "Work is done when", "Lift 2 kg"):
        assert sentence not in text, sentence
    rows = {row["id"]: row for row in pyarrow.read(root / "data/nodes.parquet")}
    assert rows["s:concept:force"]["definition"] is None and rows["s:concept:force"]["formula"] == "F = m a"
    assert rows["s:concept:force"]["provenance"][0]["end"] > 0
    assert manifest(root)["withheld"] == {"training rows": 1}


def test_other_tools_read_as_many_nodes_and_edges(make: Make) -> None:
    root = make()
    rows = list(csv.reader(io.StringIO((root / "exports/neo4j/nodes.csv").read_text(), newline="")))
    assert len(rows) == 12 and rows[0][:3] == ["id:ID", ":LABEL", "name"]
    force = dict(zip(rows[0], next(row for row in rows if row[0] == "s:concept:force"), strict=True))
    assert force["aliases:string[]"] == "push, pull"
    graph = nx.read_graphml(root / "exports/graph.graphml")
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (11, 11)
    assert graph.nodes["s:concept:weight"]["definition"] == "Weight is the force of gravity <on> a body & more."
    package = json.loads((root / "exports/case.json").read_text())
    assert len(package["CFItems"]) == 10 and len(package["CFAssociations"]) == 10
    assert {row["associationType"] for row in package["CFAssociations"]} == {"isChildOf", "isPartOf", "precedes"}
    released = json.loads((root / "exports/k12_kgraph.json").read_text())
    assert len(released["nodes"]) == 11
    turtle = (root / "exports/graph.ttl").read_text()
    assert "<urn:textbook-kg:s:concept:weight> skos:broader <urn:textbook-kg:s:concept:force> ." in turtle


def test_trainers_find_their_data_sets_by_the_names_of_the_recipe(make: Make) -> None:
    root = make()
    info = json.loads((root / "exports/train/dataset_info.json").read_text())
    assert set(info) == {"own", "own_validation"}
    assert all((root / "exports/train" / entry["file_name"]).is_file() for entry in info.values())


def test_tasks_for_other_evaluators_stand_on_their_own(make: Make) -> None:
    root = make(harnesses=(LmEval(), Inspect()))
    assert "{{" not in (root / "inspect/task.py").read_text()
    compile((root / "inspect/task.py").read_text(), "task.py", "exec")
    assert len((root / "inspect/items.jsonl").read_text().splitlines()) == 2
    assert (root / "lm_eval/s.yaml").is_file()


def test_a_file_of_an_earlier_build_does_not_stay_behind(make: Make) -> None:
    root = make(harnesses=(LmEval(),))
    assert (root / "lm_eval").exists() and (root / "explorer/index.html").is_file()
    again = make(quotes="offsets")
    assert again == root
    assert not (root / "explorer/index.html").exists() and not list((root / "lm_eval").glob("*"))


@pytest.mark.parametrize("version", ["1", "1.0", "v1.0.0", "1.0.x"])
def test_a_version_has_three_numbers(finished: Project, version: str) -> None:
    with pytest.raises(SettingsError, match="is no version"):
        Release(version=version).plan(finished)
