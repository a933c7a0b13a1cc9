"""What was set aside is out, and nothing hangs in the air."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from emit.accepted import accepted
from kg.graph import Edge, Finding, Node

NAMES = st.sampled_from("abcdef")
EDGES = st.builds(lambda s, t, k: Edge(source=s, target=t, type=k), NAMES, NAMES, st.sampled_from(["x", "y"]))
ACTIONS = st.sampled_from(["note", "review", "set_aside"])
ABOUT_NODES = st.builds(
    lambda action, nodes: Finding(check="c", action=action, message="m", nodes=tuple(nodes)), ACTIONS, st.lists(NAMES)
)
ABOUT_EDGES = st.builds(
    lambda action, edge: Finding(check="c", action=action, message="m", nodes=edge.key()[1:], edge=edge.key()),
    ACTIONS,
    EDGES,
)


def nodes(names: str) -> list[Node]:
    return [Node(id=name, label="L", name=name) for name in names]


def test_an_edge_that_is_set_aside_leaves_its_nodes() -> None:
    edge, other = Edge(source="a", target="b", type="x"), Edge(source="b", target="a", type="x")
    finding = Finding(check="cycle", action="set_aside", message="m", nodes=("a", "b"), edge=edge.key())
    left = accepted(nodes("ab"), [edge, other], [finding])
    assert [node.id for node in left.nodes] == ["a", "b"]
    assert left.edges == (other,)


def test_a_node_that_is_set_aside_takes_its_edges_along() -> None:
    kept = Edge(source="b", target="c", type="x")
    edges = [Edge(source="a", target="b", type="x"), Edge(source="c", target="a", type="x"), kept]
    left = accepted(nodes("abc"), edges, [Finding(check="shape", action="set_aside", message="m", nodes=("a",))])
    assert [node.id for node in left.nodes] == ["b", "c"]
    assert left.edges == (kept,) and left.loose == ()


def test_a_finding_that_only_asks_takes_nothing_away() -> None:
    edge = Edge(source="a", target="b", type="x")
    findings = [
        Finding(check="c", action="review", message="m", nodes=("a",)),
        Finding(check="c", action="note", message="m", edge=edge.key()),
    ]
    assert accepted(nodes("ab"), [edge], findings).edges == (edge,)


def test_an_edge_to_nowhere_is_named_and_left_out() -> None:
    lost = Edge(source="a", target="z", type="x")
    left = accepted(nodes("ab"), [lost], [])
    assert left.edges == () and left.loose == (lost,)


def test_what_is_there_twice_stays_once_as_it_was_first() -> None:
    first, second = (Edge(source="a", target="b", type="x", properties={"n": n}) for n in (1, 2))
    twice = [Node(id="a", label="L", name="first"), Node(id="a", label="L", name="second"), *nodes("b")]
    left = accepted(twice, [first, second], [])
    assert left.edges == (first,)
    assert [node.name for node in left.nodes] == ["first", "b"]


@given(st.lists(NAMES, unique=True), st.lists(EDGES), st.lists(st.one_of(ABOUT_NODES, ABOUT_EDGES)))
def test_what_is_left_is_whole_sorted_and_holds_nothing_set_aside(
    names: list[str], edges: list[Edge], findings: list[Finding]
) -> None:
    left = accepted(nodes("".join(names)), edges, findings)
    ids = [node.id for node in left.nodes]
    assert ids == sorted(ids)
    assert [edge.key() for edge in left.edges] == sorted(edge.key() for edge in left.edges)
    assert all(edge.source in ids and edge.target in ids for edge in left.edges)
    aside = [finding for finding in findings if finding.action == "set_aside"]
    assert not {finding.edge for finding in aside} & {edge.key() for edge in left.edges}
    assert not {node for finding in aside if finding.edge is None for node in finding.nodes} & set(ids)
