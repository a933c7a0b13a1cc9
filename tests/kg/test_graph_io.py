"""Graphs on disk, in our form and in the released one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kg.errors import InputError
from kg.graph import Edge, Graph, Node, Provenance
from kg.graph_io import evidence, graph_digest, read_graph, read_rows, released_json
from kg.schema import GraphSchema

RELEASED = {
    "nodes": [
        {"id": "b", "label": "Concept", "name": "负数", "properties": {"definition": "小于0的数"}},
        {"id": "a", "label": "Concept", "name": "正数"},
        {"id": "e", "label": "Exercise", "properties": {"stem": "写出三个负数。"}},
    ],
    "edges": [
        {
            "source": "e",
            "source_stem": "写出三个负数。",
            "type": "tests_concept",
            "target_name_to_ids": [{"target": "b", "target_name": "负数"}, {"target": "a", "target_name": "正数"}],
        },
        {"source": "a", "source_name": "正数", "target": "b", "target_name": "负数", "type": "relates_to",
         "properties": {"evidence": {"text": "负与正相对"}}},
    ],
}  # fmt: skip


def written(folder: Path, data: object, name: str = "graph.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    return path


def test_a_released_file_is_read_one_edge_per_target(tmp_path: Path) -> None:
    read = read_graph(written(tmp_path, RELEASED))
    assert read.failures == ()
    assert [node.id for node in read.graph.nodes] == ["a", "b", "e"]
    assert read.graph.nodes[2].name == "写出三个负数。"
    assert [edge.key() for edge in read.graph.edges] == [
        ("relates_to", "a", "b"),
        ("tests_concept", "e", "a"),
        ("tests_concept", "e", "b"),
    ]
    assert evidence(read.graph.edges[0]) == ["负与正相对"]


def test_a_graph_survives_the_released_form(tmp_path: Path, schema: GraphSchema) -> None:
    graph = read_graph(written(tmp_path, RELEASED)).graph
    again = tmp_path / "again.json"
    again.write_bytes(released_json(graph, schema))
    kept = read_graph(again)
    assert kept.graph.nodes == graph.nodes and [e.key() for e in kept.graph.edges] == [e.key() for e in graph.edges]
    record = json.loads(again.read_text(encoding="utf-8"))["edges"][-1]
    assert {end["target_name"] for end in record["target_name_to_ids"]} == {"正数", "负数"}


def test_our_folder_is_read_from_a_run_or_from_the_graph_itself(tmp_path: Path) -> None:
    quote = Provenance(book="b", section="s", page=3, quote="q", start=0, end=1, match="exact")
    node = Node(id="a", label="Concept", name="a", provenance=(quote,))
    (tmp_path / "graph").mkdir()
    written(tmp_path / "graph", [node.model_dump(mode="json")], "nodes.json")
    written(tmp_path / "graph", [], "edges.json")
    assert read_graph(tmp_path) == read_graph(tmp_path / "graph")
    assert read_graph(tmp_path).graph.nodes == (node,)


def test_the_digest_does_not_depend_on_the_order() -> None:
    one = Node(id="a", label="L", name="a"), Node(id="b", label="L", name="b")
    edge = Edge(source="a", target="b", type="t")
    assert graph_digest(Graph(nodes=one, edges=(edge,))) == graph_digest(Graph(nodes=one[::-1], edges=(edge,)))
    assert graph_digest(Graph(nodes=one, edges=())) != graph_digest(Graph(nodes=one, edges=(edge,)))


def test_records_that_fit_nothing_are_failures_and_the_others_are_read(tmp_path: Path) -> None:
    data = {
        "nodes": [{"id": "a", "label": "L"}, {"label": "L"}, "text", {"id": "a", "label": "L"}],
        "edges": [{"source": "a", "type": "t"}, {"source": "a", "target": "z", "type": "t", "provenance": [{"x": 1}]}],
    }
    read = read_graph(written(tmp_path, data))
    assert [node.id for node in read.graph.nodes] == ["a"] and read.graph.edges == ()
    said = [str(failure) for failure in read.failures]
    assert len(said) == 5
    assert "node 2" in said[0] and "node 3" in said[1] and "'target'" in said[2] and "twice" in said[4]


@pytest.mark.parametrize("content", ["", "{", "[1]", '{"nodes": [], "links": []}', '{"nodes": {}, "edges": []}'])
def test_what_is_no_graph_is_refused_with_its_place(tmp_path: Path, content: str) -> None:
    path = tmp_path / "graph.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"graph\.json"):
        read_graph(path)


def test_a_released_file_says_it_in_our_words_and_its_order_counts(tmp_path: Path) -> None:
    theirs = {
        "nodes": [
            {"id": "s2", "label": "Section", "name": "后"},
            {"id": "s1", "label": "Section", "name": "先"},
            {"id": "a", "label": "Concept", "name": "正数", "properties": {"importance": "掌握", "unit": None}},
            {"id": "x", "label": "Experiment", "name": "量", "properties": {"instrument": ["尺"]}},
        ],
        "edges": [],
    }
    rows = read_rows(written(tmp_path, theirs))
    assert [node.properties for node in rows.nodes] == [
        {"order": 1},
        {"order": 2},
        {"importance": "master", "unit": None},
        {"instruments": ["尺"]},
    ]
    assert [node.id for node in read_graph(tmp_path / "graph.json").graph.nodes] == ["a", "s1", "s2", "x"]


def test_rows_are_as_they_stand_in_the_file_twice_if_they_are_there_twice(tmp_path: Path) -> None:
    written(
        tmp_path, [{"id": "b", "label": "L", "name": "b"}, {"id": "a", "label": "L", "name": "a"}] * 2, "nodes.json"
    )
    written(tmp_path, [{"source": "a", "target": "b", "type": "t", "properties": {"importance": "掌握"}}], "edges.json")
    rows = read_rows(tmp_path)
    assert [node.id for node in rows.nodes] == ["b", "a", "b", "a"]
    assert rows.edges[0].properties == {"importance": "掌握"}
    assert [node.id for node in read_graph(tmp_path).graph.nodes] == ["a", "b"]


def test_a_missing_file_or_an_empty_folder_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(InputError, match="name a run's folder"):
            read_graph(path)
