"""The files of the product can be read back as the graph they came from."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from emit.product import edges_json, nodes_json
from kg.graph import Edge, Node, Provenance

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
PROPERTIES = st.dictionaries(TEXTS, st.one_of(TEXTS, st.integers(), st.lists(TEXTS)), max_size=3)
EXACT = st.builds(
    Provenance,
    book=TEXTS,
    section=TEXTS,
    page=st.integers(0, 9),
    quote=TEXTS,
    start=st.integers(0, 9),
    end=st.integers(0, 9),
    match=st.just("fuzzy"),
    score=st.one_of(st.none(), st.floats(1, 100)),
    route=st.sampled_from(["", "ocr"]),
)
QUOTES = st.lists(EXACT, max_size=3).map(tuple)


@given(st.lists(st.builds(Node, id=TEXTS, label=TEXTS, name=TEXTS, properties=PROPERTIES, provenance=QUOTES)))
def test_nodes_read_back_are_the_nodes_written(nodes: list[Node]) -> None:
    assert [Node.model_validate(row) for row in json.loads(nodes_json(nodes))] == nodes


@given(st.lists(st.builds(Edge, source=TEXTS, target=TEXTS, type=TEXTS, properties=PROPERTIES, provenance=QUOTES)))
def test_edges_read_back_are_the_edges_written(edges: list[Edge]) -> None:
    assert [Edge.model_validate(row) for row in json.loads(edges_json(edges))] == edges


def test_the_file_reads_well_in_an_editor() -> None:
    text = nodes_json([Node(id="a", label="L", name="速度")]).decode("utf-8")
    assert (
        text
        == '[\n {\n  "id": "a",\n  "label": "L",\n  "name": "速度",\n  "properties": {},\n  "provenance": []\n }\n]\n'
    )
