"""Paths know their nodes, their edges and whether a book stands behind each."""

from __future__ import annotations

import pytest

from derive.path import Path, Step, steps
from derive.view import GraphView
from kg.graph import Edge, Graph, Node, Provenance
from kg.schema import GraphSchema


@pytest.fixture
def view(schema: GraphSchema) -> GraphView:
    said = Provenance(book="b", section="s", page=0, quote="q", start=0, end=1, match="exact")
    nodes = tuple(Node(id=name, label="Concept", name=name) for name in "abc")
    return GraphView(
        Graph(
            nodes=nodes,
            edges=(
                Edge(source="a", target="b", type="is_a", provenance=(said,)),
                Edge(source="c", target="b", type="prerequisites_for"),
            ),
        ),
        schema,
    )


def test_a_node_is_left_along_and_against_edges(view: GraphView) -> None:
    assert [(step.end, step.forward) for step in steps(view, "b", ("taxonomy", "prerequisite"))] == [
        ("a", False),
        ("c", False),
    ]
    assert list(steps(view, "a", ("taxonomy",))) == [Step("taxonomy", "a", "b", True)]


def test_a_path_names_its_nodes_and_edges_and_knows_what_is_not_evidenced(view: GraphView) -> None:
    path = Path((Step("taxonomy", "a", "b", True), Step("prerequisite", "b", "c", False)))
    assert path.nodes == ("a", "b", "c")
    assert path.keys(view) == (("is_a", "a", "b"), ("prerequisites_for", "c", "b"))
    assert not path.evidenced(view) and Path(path.steps[:1]).evidenced(view)


def test_a_step_that_is_no_edge_is_refused(view: GraphView) -> None:
    with pytest.raises(KeyError, match="no taxonomy edge b → a"):
        Step("taxonomy", "b", "a", True).edge(view)
