"""The page comes last: it shows samples of what was made, quality in numbers, and what can be taken away."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from emit.downloads import downloads
from emit.explorer import Explorer
from emit.samples import spread
from kg.engine import Here
from kg.errors import SettingsError
from kg.graph import Finding, Node
from kg.item import Choice, Item
from kg.project import Project
from kg.stage import Stage, run_stage
from kg.store import jsonl
from tests.emit.conftest import page_files, quote, term_id
from tests.emit.test_page import Elements, data_of

HOSTILE = "</script><img src=x onerror=alert(1)>"


def question(number: int, text: str = "What comes first?") -> Item:
    right = Choice(id=term_id("speed"), right=True)
    return Item(
        id=f"q{number:02}",
        question=f"{number} {text}",
        options={"A": "speed", "B": HOSTILE},
        answer=("A",),
        query=term_id("velocity"),
        choices={"A": right, "B": Choice(right=False, layer="two_hop")},
    )


def with_products(subject: Project) -> Project:
    """A benchmark, training data, a report and an agreement are in the store."""
    store = subject.store
    store.write("bench/prereq_1.jsonl", jsonl(question(number) for number in range(20)))
    store.write("bench/dropped.jsonl", b'{"reason": "none of these is a question"}\n')
    rows = [{"id": f"r{number}", "question": f"{number}?", "answer": HOSTILE, "kind": "term"} for number in range(3)]
    store.write("train/node.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())
    store.write("train/train.messages.jsonl", b'{"messages": []}\n')
    measures = {"nodes": {"Concept": 2}, "depth": 7, "tested": 0.5, "isolated": None}
    store.write("validate/report.json", json.dumps({"subject": measures, "books": {"b": {"depth": 3}}}).encode())
    told = {"subject": "physics", "kind": "edge", "type": "", "tasks": 9, "unanimous": 0.5, "kappa": 0.25}
    store.write("review/agreement.json", json.dumps([told]).encode())
    return subject


def shown(subject: Project, **settings: Any) -> dict[str, Any]:
    return data_of(page_files(subject, **settings)["index.html"].decode("utf-8"))


def test_it_is_a_stage_that_is_skipped_until_something_it_shows_changes(subject: Project) -> None:
    page_files(with_products(subject))
    stage = Explorer()
    assert isinstance(stage, Stage)

    def skipped() -> int:
        return run_stage(stage, subject, Here(subject), lambda done, total, key: None).skipped

    assert [skipped(), skipped()] == [0, 1]
    subject.store.write("bench/prereq_1.jsonl", jsonl([question(1, "What else?")]))
    assert [skipped(), skipped()] == [0, 1]
    subject.store.write("review/agreement.json", b"[]")
    assert [skipped(), skipped()] == [0, 1]


def test_the_page_is_the_same_for_the_same_run_and_stands_without_what_is_made_from_the_graph(subject: Project) -> None:
    bare = page_files(subject)["index.html"]
    assert page_files(subject)["index.html"] == bare
    data = data_of(bare.decode("utf-8"))
    assert data["samples"] == {"bench": [], "train": []}
    assert data["quality"]["measures"] == [] and data["quality"]["agreement"] == []


def test_samples_are_questions_and_rows_only_evenly_spread(subject: Project) -> None:
    made = shown(with_products(subject), samples=4)["samples"]
    ((task, number, questions),) = made["bench"]
    assert (task, number) == ("prereq_1", 20)
    assert [row["question"].split()[0] for row in questions] == ["0", "5", "10", "15"]
    assert questions[0]["options"][0] == ["A", "speed", 1, term_id("speed"), ""]
    assert questions[0]["options"][1][2:] == [0, "", "two_hop"]
    ((path, number, rows),) = made["train"]
    assert (path, number, len(rows)) == ("node", 3, 3)


@given(st.lists(st.integers(), unique=True, max_size=30), st.integers(0, 40))
def test_a_sample_keeps_the_order_begins_with_the_first_and_is_as_large_as_it_can_be(
    rows: list[int], most: int
) -> None:
    found = spread(rows, most)
    assert len(found) == len(set(found)) == min(len(rows), most)
    assert found == sorted(found, key=rows.index)
    assert found[:1] == (rows[:1] if most else [])


def test_quality_is_what_the_checks_and_the_annotators_say(subject: Project) -> None:
    told = shown(with_products(subject))["quality"]
    assert told["measures"] == [
        ["", {"depth": [7, 0], "tested": [0.5, 1], "isolated": [None, 0]}],
        ["b", {"depth": [3, 0]}],
    ]
    assert told["agreement"][0]["kappa"] == 0.25
    nodes, edges = (subject.store.read_json(f"graph/{name}.json") for name in ("nodes", "edges"))
    assert sum(told["matches"].values()) == sum(len(row["provenance"]) for row in [*nodes, *edges])


def test_downloads_are_files_that_are_there_each_once(subject: Project) -> None:
    page = page_files(with_products(subject))["index.html"].decode("utf-8")
    (listed, _) = [data for kind, data in Elements(page).raw if kind == "application/json"]
    files = json.loads(listed)
    assert [tuple(row) for row in files] == downloads(subject.store)
    names = [name for name, _, _ in files]
    assert len(names) == len(set(names)) and names[-1] == "run.json"
    assert {"graph/nodes.json", "bench/prereq_1.jsonl", "train/node.jsonl", "validate/findings.jsonl"} <= set(names)
    for name, what, size in files[:-1]:
        assert subject.store.path(name).stat().st_size == size
        assert (what == "dropped") == (name == "bench/dropped.jsonl")


def test_what_a_hostile_benchmark_says_is_text(subject: Project) -> None:
    page = page_files(with_products(subject))["index.html"].decode("utf-8")
    assert HOSTILE not in page and HOSTILE in json.dumps(data_of(page)["samples"], ensure_ascii=False)


def test_findings_of_merging_are_shown_beside_those_of_checking_once(subject: Project) -> None:
    extra = Finding(check="look_alike", action="review", message="Two names, one thing?", nodes=(term_id("speed"),))
    known = list(subject.store.read_rows("validate/findings.jsonl", Finding))
    subject.store.write("merge/findings.jsonl", jsonl([known[0], extra]))
    page = page_files(subject)["index.html"].decode()
    assert page.count("Two names, one thing?") == 1
    assert page.count(known[0].message) == 1


def test_a_change_of_a_title_or_an_input_makes_it_run_again(subject: Project) -> None:
    page_files(subject)
    before = Explorer().plan(subject)[0].inputs
    assert Explorer().plan(replace(subject, title="Other"))[0].inputs != before
    subject.store.write("validate/findings.jsonl", b"")
    assert Explorer().plan(subject)[0].inputs != before


def test_an_unknown_setting_is_refused_by_name() -> None:
    with pytest.raises(ValidationError, match="qoutes"):
        Explorer(qoutes=3)  # type: ignore[call-arg]


def test_a_language_without_a_pack_is_refused_by_name(subject: Project) -> None:
    with pytest.raises(SettingsError, match="xx"):
        page_files(subject, language="xx")


def test_exercises_that_were_set_aside_are_told_in_the_order_of_the_books(subject: Project) -> None:
    asked = [
        Node(id=f"x{place}", label="Exercise", name=f"Why {place}?", provenance=(quote(f"Why {place}?", *where),))
        for place, where in enumerate([("physics-9", "2.1"), ("physics-8", "2.2")])
    ]
    nodes = sorted([*subject.store.read_rows("merge/nodes.jsonl", Node), *asked], key=lambda node: node.id)
    unlinked = [Finding(check="unlinked", action="set_aside", message="?", nodes=(node.id,)) for node in asked]
    subject.store.write("merge/nodes.jsonl", jsonl(nodes))
    subject.store.write("validate/findings.jsonl", jsonl(unlinked))
    data = shown(subject)
    assert [name for name, _ in data["aside"]] == ["Why 1?", "Why 0?"]
    section, _, words, *_ = data["aside"][0][1][0]
    assert data["sections"][section][1].endswith("physics-8:2.2") and data["quotes"][words] == "Why 1?"
