"""All checks together: a sound graph passes, every planted fault is found, what is left is sound."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.graph import Edge, Finding, Node
from kg.schema import GraphSchema
from tests.validate.conftest import QUOTE, Draft, checks, concept, edge
from validate.check import Limits, Verdict, check

LIMITS = Limits(min_confidence=0.3, seconds=10)


def verdict(draft: Draft) -> Verdict:
    """What the checks say."""
    return check(draft.view(), None, LIMITS)


def test_a_sound_graph_is_sound(draft: Draft) -> None:
    done = verdict(draft)
    assert done.findings == []
    assert done.report["sound"] is True
    assert len(done.left.edges) == len(draft.edges)


def test_each_fault_of_shape_is_found_and_set_aside(draft: Draft) -> None:
    draft.nodes.append(Node(id="x", label="Unicorn", name="x"))
    draft.nodes.append(Node(id="y", label="Concept", name="y", properties={"importance": "huge"}))
    draft.edges += [
        edge("prerequisites_for", "a", "nowhere"),
        edge("is_a", "a", "a"),
        edge("causes", "a", "b"),
        edge("verifies", "a", "b"),
        Edge(source="a", target="c", type="is_a"),
        edge("relates_to", "a", "b"),
        edge("relates_to", "b", "a"),
        edge("is_a", "d", "e", confidence=0.1),
    ]
    done = verdict(draft)
    found = set(checks(done.findings, "set_aside"))
    wanted = {"node_type", "fields", "dangling", "self_loop", "edge_type", "ends", "no_evidence", "doubtful"}
    assert found == wanted | {"symmetric_twice"}
    assert done.report["sound"] is False
    assert check(done.left, None, LIMITS).report["sound"] is True


def test_one_of_two_directions_of_a_symmetric_edge_stays(draft: Draft) -> None:
    draft.edges += [edge("relates_to", "a", "b"), edge("relates_to", "b", "a")]
    left = [item for item in verdict(draft).left.edges if item.type == "relates_to"]
    assert len(left) == 1


def test_duplicates_are_told(draft: Draft) -> None:
    draft.nodes.append(concept("a"))
    draft.edges.append(edge("prerequisites_for", "a", "b"))
    assert {"duplicate_node", "duplicate_edge"} <= set(checks(verdict(draft).findings, "review"))


def test_an_idea_without_a_place_and_a_question_without_a_link_are_set_aside(draft: Draft) -> None:
    properties = {"stem": "?", "answer": "!", "difficulty": 1, "type": "open"}
    draft.nodes += [concept("lost"), Node(id="q", label="Exercise", name="?", properties=properties)]
    draft.edges.append(edge("tests_concept", "q", "lost"))
    done = verdict(draft)
    assert checks(done.findings, "set_aside") == ["unanchored", "unlinked"]
    assert check(done.left, None, LIMITS).report["sound"] is True


def test_parts_must_form_a_tree(draft: Draft) -> None:
    draft.nodes.append(Node(id="c2", label="Chapter", name="C2", properties={"order": 2}))
    draft.edges.append(Edge(source="s1", target="c2", type="is_part_of"))
    done = verdict(draft)
    assert checks(done.findings) == ["tree", "tree"], "a chapter outside of any book, and a section in two chapters"
    assert [finding.edge for finding in done.findings if finding.edge] == [("is_part_of", "s1", "c2")]


def test_a_contradiction_is_shown_to_people(draft: Draft) -> None:
    draft.edges.append(edge("is_a", "a", "b"))
    (finding,) = [finding for finding in verdict(draft).findings if finding.check == "contradiction"]
    assert finding.nodes == ("a", "b")
    assert finding.action == "review"


def test_a_redundant_prerequisite_is_marked_and_stays(draft: Draft) -> None:
    draft.prerequisites(("a", "c"))
    done = verdict(draft)
    assert [(item.check, item.action, item.edge) for item in done.findings] == [
        ("redundant", "note", ("prerequisites_for", "a", "c"))
    ]
    assert done.report["sound"] is True


def test_findings_of_earlier_stages_are_carried_along(draft: Draft) -> None:
    earlier = Finding(check="homonym", action="review", message="?", nodes=("a", "b"))
    assert check(draft.view(), None, LIMITS, [earlier]).findings == [earlier]


def test_a_need_that_only_a_later_book_meets_is_shown(draft: Draft) -> None:
    draft.nodes += [
        Node(id="b2", label="Book", name="B2", properties={"subject": "physics"}),
        Node(id="c9", label="Chapter", name="C9", properties={"order": 1}),
        Node(id="s9", label="Section", name="s9", properties={"order": 1}),
        concept("late"),
    ]
    draft.edges += [
        Edge(source="c9", target="b2", type="is_part_of"),
        Edge(source="s9", target="c9", type="is_part_of"),
        Edge(source="late", target="s9", type="appears_in"),
    ]
    draft.prerequisites(("late", "a"))
    assert checks(verdict(draft).findings) == ["against_order"]


def test_the_report_tells_how_well_the_graph_is_connected(draft: Draft) -> None:
    draft.concepts("lonely")
    figures = verdict(draft).report["subject"]
    assert figures["nodes"]["Concept"] == 6
    assert figures["components"] == 2
    assert figures["isolated"] == 1
    assert figures["depth"] == 4
    assert figures["with_prerequisite"] == round(4 / 6, 4)
    assert figures["sections_with_ideas"] == 1.0
    assert figures["edges_with_evidence"] == 1.0
    assert verdict(draft).report["books"]["book"]["nodes"]["Section"] == 5


NAMES = st.sampled_from(["a", "b", "c", "d", "e", "f"])
KINDS = st.sampled_from(["prerequisites_for", "is_a", "relates_to", "verifies", "appears_in"])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    edges=st.lists(st.tuples(KINDS, NAMES, NAMES, st.floats(0, 1), st.booleans()), max_size=25),
    anchored=st.sets(NAMES),
)
def test_what_is_left_of_any_graph_is_sound(
    schema: GraphSchema, edges: list[tuple[str, str, str, float, bool]], anchored: set[str]
) -> None:
    draft = Draft(schema)
    draft.nodes += [concept(name) for name in "abcde"]
    draft.edges += [Edge(source=name, target="s1", type="appears_in") for name in sorted(anchored)]
    for kind, source, target, sure, quoted in edges:
        quotes = (QUOTE,) if quoted else ()
        draft.edges.append(
            Edge(source=source, target=target, type=kind, properties={"confidence": sure}, provenance=quotes)
        )
    done = verdict(draft)
    again = check(done.left, None, LIMITS)
    assert again.report["sound"] is True, checks(again.findings, "set_aside")
