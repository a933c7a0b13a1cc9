"""The stage writes the product in the contract's form, the same bytes every time."""

from __future__ import annotations

import json
from typing import Any

import networkx as nx

from emit.stage import Emit
from kg.engine import Here
from kg.graph import Edge
from kg.project import Project
from kg.stage import Item, Stage, run_stage
from kg.store import jsonl

SPEED, KINETIC = "physics:concept:speed", "physics:concept:kinetic-energy"


def product(project: Project, item: Item) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    files = Emit().run(item, project).files
    return json.loads(files["graph/nodes.json"]), json.loads(files["graph/edges.json"])


def test_it_is_a_stage_that_makes_what_it_says(subject: Project) -> None:
    stage = Emit()
    assert isinstance(stage, Stage)
    report = run_stage(stage, subject, Here(subject), lambda done, total, key: None)
    assert report.failures == () and report.counts["nodes"] == 70
    assert all(subject.store.exists(name) for name in stage.writes)
    again = run_stage(stage, subject, Here(subject), lambda done, total, key: None)
    assert again.skipped == again.items == 1


def test_every_node_and_edge_has_exactly_the_fields_of_the_contract(subject: Project, item: Item) -> None:
    nodes, edges = product(subject, item)
    assert {tuple(node) for node in nodes} == {("id", "label", "name", "properties", "provenance")}
    assert {tuple(edge) for edge in edges} == {("source", "target", "type", "properties", "provenance")}
    quotes = [quote for row in [*nodes, *edges] for quote in row["provenance"]]
    assert {tuple(quote) for quote in quotes} == {("book", "section", "page", "quote", "start", "end", "match")}


def test_nodes_and_edges_are_sorted_and_every_end_is_a_node(subject: Project, item: Item) -> None:
    nodes, edges = product(subject, item)
    ids = [node["id"] for node in nodes]
    assert ids == sorted(set(ids))
    keys = [(edge["type"], edge["source"], edge["target"]) for edge in edges]
    assert keys == sorted(set(keys))
    assert {edge["source"] for edge in edges} | {edge["target"] for edge in edges} <= set(ids)


def test_all_node_and_edge_types_of_the_schema_are_in_the_product(subject: Project, item: Item) -> None:
    nodes, edges = product(subject, item)
    assert {node["label"] for node in nodes} == set(subject.schema.nodes)
    assert {edge["type"] for edge in edges} == set(subject.schema.edges)


def test_what_was_set_aside_is_out_and_the_rest_has_no_circle(subject: Project, item: Item) -> None:
    nodes, edges = product(subject, item)
    assert not [node for node in nodes if "phlogiston" in node["id"]]
    pairs = [(edge["source"], edge["target"]) for edge in edges if edge["type"] == "prerequisites_for"]
    assert (SPEED, KINETIC) in pairs and (KINETIC, SPEED) not in pairs
    assert nx.is_directed_acyclic_graph(nx.DiGraph(pairs))


def test_chapter_edges_are_derived_and_old_ones_forgotten(subject: Project, item: Item) -> None:
    old = Edge(source="physics:chapter:physics-9:2", target="physics:chapter:physics-8:1", type="leads_to")
    merged = [*subject.store.read_rows("merge/edges.jsonl", Edge), old]
    subject.store.write("merge/edges.jsonl", jsonl(sorted(merged, key=Edge.key)))
    _, edges = product(subject, item)
    found = [(edge["source"], edge["target"]) for edge in edges if edge["type"] == "leads_to"]
    assert ("physics:chapter:physics-8:3", "physics:chapter:physics-9:1") in found
    assert (old.source, old.target) not in found


def test_the_same_input_gives_the_same_bytes(subject: Project, item: Item) -> None:
    first = Emit().run(item, subject).files
    assert Emit().run(item, subject).files == first


def test_the_order_of_the_rows_does_not_matter_for_the_graph(subject: Project, item: Item) -> None:
    before = product(subject, item)
    rows = list(subject.store.read_rows("merge/edges.jsonl", Edge))
    subject.store.write("merge/edges.jsonl", jsonl(reversed(rows)))
    assert product(subject, item) == before


def test_an_edge_that_leads_nowhere_is_a_failure_and_everything_else_is_delivered(subject: Project, item: Item) -> None:
    lost = Edge(source=SPEED, target="physics:concept:nowhere", type="relates_to")
    merged = [*subject.store.read_rows("merge/edges.jsonl", Edge), lost]
    subject.store.write("merge/edges.jsonl", jsonl(merged))
    result = Emit().run(item, subject)
    assert [failure.item for failure in result.failures] == [SPEED]
    assert "nowhere" in result.failures[0].what
    assert result.counts["edges"] == len(json.loads(result.files["graph/edges.json"])) > 100


def test_an_empty_subject_still_gives_a_product(project: Project, item: Item) -> None:
    for name in ("merge/nodes.jsonl", "merge/edges.jsonl", "validate/findings.jsonl"):
        project.store.write(name, b"")
    assert product(project, item) == ([], [])
