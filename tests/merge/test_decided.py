"""People's decisions are replayed on every run: applied, forwarded, or reported; never silently dropped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kg.decisions import ACCEPTED, Decision, edge_content, node_content, pair_content, use_content
from kg.graph import Edge, Finding, Node
from kg.project import Project
from kg.schema import GraphSchema
from merge.stage import DECISIONS, Merge
from merge.subject import Merged, merged
from tests.merge.conftest import CHOICES, Part
from tests.merge.shelf import ABook, energy, mechanics, shelved

SPEED, AVERAGE, FORCE = "physics:concept:speed", "physics:concept:average-speed", "physics:concept:force"
LENS, ENGINE = "physics:concept:power", "physics:concept:power:energy"
IS_A = ("is_a", AVERAGE, SPEED)

Deciding = Callable[..., Merged]


@pytest.fixture
def deciding(project: Project, part: Part) -> Deciding:
    """The two books merged with these decisions."""

    def make(*decisions: Decision, books: tuple[ABook, ...] | None = None) -> Merged:
        parts = [part(book) for book in (books or (mechanics(), energy()))]
        return merged(project, parts, CHOICES, decisions)

    return make


def node(graph: Merged, key: str) -> Node:
    return next(node for node in graph.nodes if node.id == key)


def edge(graph: Merged, key: tuple[str, str, str]) -> Edge | None:
    return next((edge for edge in graph.edges if edge.key() == key), None)


def aside(graph: Merged) -> list[Finding]:
    return [finding for finding in graph.findings if finding.check == "people"]


def reported(graph: Merged) -> list[Finding]:
    return [finding for finding in graph.findings if finding.check == "decision"]


def names(graph: Merged) -> dict[str, str]:
    return {node.id: node.name for node in graph.nodes}


def on_node(graph: Merged, schema: GraphSchema, key: str, verdict: str, **change: object) -> Decision:
    facts = {"kind": "node", "about": (key,), "verdict": verdict, "change": change}
    return Decision.model_validate({**facts, "content": node_content(node(graph, key), schema)})


def on_pair(graph: Merged, schema: GraphSchema, one: str, other: str, verdict: str) -> Decision:
    content = pair_content(node(graph, one), node(graph, other), schema)
    about = tuple(sorted((one, other)))
    return Decision.model_validate({"kind": "pair", "about": about, "verdict": verdict, "content": content})


def test_no_decisions_change_nothing(deciding: Deciding) -> None:
    assert deciding().outcomes == []


def test_a_kept_edge_is_marked_as_accepted_and_a_removed_one_is_set_aside(deciding: Deciding) -> None:
    keep = Decision(kind="edge", about=IS_A, verdict="keep")
    kept = edge(deciding(keep), IS_A)
    assert kept is not None and kept.properties[ACCEPTED] is True
    graph = deciding(Decision(kind="edge", about=IS_A, verdict="remove", by=("Ada",), comment="not a kind"))
    (finding,) = aside(graph)
    assert (finding.action, finding.edge, finding.details["comment"]) == ("set_aside", IS_A, "not a kind")
    assert edge(graph, IS_A) is not None, "nothing is lost"


def test_a_removed_node_is_set_aside_with_its_reason(deciding: Deciding, schema: GraphSchema) -> None:
    graph = deciding(on_node(deciding(), schema, SPEED, "remove"))
    (finding,) = aside(graph)
    assert (finding.action, finding.nodes, finding.edge) == ("set_aside", (SPEED,), None)


def test_a_correction_changes_the_node_and_keeps_its_id(deciding: Deciding, schema: GraphSchema) -> None:
    change = {"name": "pace", "definition": "way per time"}
    graph = deciding(on_node(deciding(), schema, SPEED, "change", **change))
    changed = node(graph, SPEED)
    assert (changed.name, changed.properties["definition"], changed.properties[ACCEPTED]) == (
        "pace",
        "way per time",
        True,
    )
    assert [row.outcome for row in graph.outcomes] == ["applied"]


@pytest.mark.parametrize("change", [{"importance": "huge"}, {"definition": ""}, {"name": " "}])
def test_a_correction_that_breaks_the_schema_is_reported_and_not_applied(
    change: dict[str, object], deciding: Deciding, schema: GraphSchema
) -> None:
    before = deciding()
    graph = deciding(on_node(before, schema, SPEED, "change", **change))
    assert node(graph, SPEED) == node(before, SPEED)
    assert [finding.nodes for finding in reported(graph)] == [(SPEED,)]


def test_a_relation_that_was_turned_round_takes_its_evidence_along(deciding: Deciding) -> None:
    about = ("prerequisites_for", SPEED, AVERAGE)
    turned = ("prerequisites_for", AVERAGE, SPEED)
    graph = deciding(Decision(kind="edge", about=about, verdict="change", change={"source": AVERAGE, "target": SPEED}))
    new, old = edge(graph, turned), edge(graph, about)
    assert new is not None and old is not None
    assert new.provenance == old.provenance and new.properties[ACCEPTED]
    assert [finding.edge for finding in aside(graph)] == [about]


def test_a_relation_changed_into_one_that_is_there_unites_with_it(deciding: Deciding) -> None:
    about = ("prerequisites_for", SPEED, AVERAGE)
    change = {"type": "is_a", "source": AVERAGE, "target": SPEED}
    graph = deciding(Decision(kind="edge", about=about, verdict="change", change=change))
    united = edge(graph, IS_A)
    assert united is not None and united.properties[ACCEPTED]
    assert len([edge for edge in graph.edges if edge.key() == IS_A]) == 1


@pytest.mark.parametrize(
    "change",
    [{"target": AVERAGE}, {"target": "physics:concept:ghost"}, {"type": "verifies"}, {"type": "no_such_type"}],
)
def test_a_relation_changed_into_nonsense_is_reported(change: dict[str, object], deciding: Deciding) -> None:
    graph = deciding(Decision(kind="edge", about=IS_A, verdict="change", change=change))
    assert [finding.edge for finding in reported(graph)] == [IS_A]
    assert [row.outcome for row in graph.outcomes] == ["changed"]


def test_a_decision_on_other_words_is_reported_and_not_applied(deciding: Deciding) -> None:
    gone = Decision(kind="node", about=("physics:concept:phlogiston",), verdict="keep", content="Concept “phlogiston”")
    changed = Decision(kind="node", about=(SPEED,), verdict="remove", content="Concept “speed”: a drug")
    edges = Decision(kind="edge", about=("is_a", SPEED, FORCE), verdict="keep")
    graph = deciding(gone, changed, edges)
    assert [row.outcome for row in graph.outcomes] == ["vanished", "changed", "vanished"]
    assert len(reported(graph)) == 3 and aside(graph) == []


def test_a_decision_follows_its_content_to_another_id(deciding: Deciding, schema: GraphSchema) -> None:
    before = deciding()
    moved = on_node(before, schema, SPEED, "remove").model_copy(update={"about": ("physics:concept:old-id",)})
    old = ("is_a", "physics:concept:old-id", SPEED)
    content = edge_content(Edge(type="is_a", source=AVERAGE, target=SPEED), names(before))
    graph = deciding(moved, Decision(kind="edge", about=old, verdict="remove", content=content))
    assert [row.outcome for row in graph.outcomes] == ["moved", "moved"]
    assert [row.about for row in graph.outcomes] == [(SPEED,), IS_A]
    assert {(finding.nodes, finding.edge) for finding in aside(graph)} == {((SPEED,), None), ((), IS_A)}


def test_the_last_decision_on_a_subject_counts_and_withdrawing_restores_the_machine(deciding: Deciding) -> None:
    remove, keep = (Decision.model_validate({"kind": "edge", "about": IS_A, "verdict": v}) for v in ("remove", "keep"))
    graph = deciding(remove, keep)
    assert aside(graph) == [] and [row.outcome for row in graph.outcomes] == ["superseded", "applied"]
    back = deciding(remove, remove.model_copy(update={"verdict": "withdraw"}))
    assert back.findings == deciding().findings and back.edges == deciding().edges


def test_two_nodes_that_people_call_one_are_one_with_everything_of_both(
    deciding: Deciding, schema: GraphSchema
) -> None:
    before = deciding()
    graph = deciding(on_pair(before, schema, LENS, ENGINE, "merge"))
    assert ENGINE not in names(graph)
    power = node(graph, LENS)
    assert {quote.book for quote in power.provenance} == {"physics-8", "physics-9"}
    assert len(power.properties["definitions"]) == 2
    assert edge(graph, ("prerequisites_for", "physics:concept:work", LENS)) is not None
    (join,) = [join for join in graph.joins if join.rule == "person"]
    assert (join.id, join.alone) == (LENS, ENGINE)
    assert not any(finding.check == "homonym" for finding in graph.findings)
    assert all(edge.source != ENGINE and edge.target != ENGINE for edge in graph.edges)


def test_two_nodes_that_people_keep_apart_are_not_asked_about_again(deciding: Deciding, schema: GraphSchema) -> None:
    before = deciding()
    assert any(finding.check == "homonym" for finding in before.findings)
    graph = deciding(on_pair(before, schema, LENS, ENGINE, "apart"))
    assert graph.nodes == before.nodes
    assert not any(finding.check == "homonym" for finding in graph.findings)


def test_decisions_on_a_node_that_was_merged_away_reach_the_one_it_became(
    deciding: Deciding, schema: GraphSchema
) -> None:
    before = deciding()
    about = ("prerequisites_for", "physics:concept:work", ENGINE)
    content = edge_content(Edge(type=about[0], source=about[1], target=about[2]), names(before))
    removal = Decision(kind="edge", about=about, verdict="remove", content=content)
    graph = deciding(removal, on_pair(before, schema, LENS, ENGINE, "merge"))
    assert [finding.edge for finding in aside(graph)] == [("prerequisites_for", "physics:concept:work", LENS)]


def test_merging_two_things_that_people_keep_apart_by_way_of_a_third_is_reported(
    deciding: Deciding, schema: GraphSchema
) -> None:
    before = deciding()
    apart = on_pair(before, schema, SPEED, FORCE, "apart")
    graph = deciding(
        apart, on_pair(before, schema, SPEED, LENS, "merge"), on_pair(before, schema, LENS, FORCE, "merge")
    )
    assert {SPEED, FORCE} <= set(names(graph)) and LENS not in names(graph)
    assert sorted(row.outcome for row in graph.outcomes) == ["applied", "applied", "changed"]


def test_a_use_that_means_something_else_becomes_a_thing_of_its_own(deciding: Deciding) -> None:
    before = deciding()
    (join,) = [join for join in before.joins if join.id == FORCE]
    content = use_content("force", join.evidence[0].quote)
    about = (FORCE, join.chapter, join.name)
    graph = deciding(Decision(kind="use", about=about, verdict="apart", content=content))
    first, second = sorted((found for found in graph.nodes if found.name == "force"), key=lambda found: found.id)
    assert first.id == FORCE and second.id.startswith(f"{FORCE}:")
    assert [{quote.book for quote in found.provenance} for found in (first, second)] == [{"physics-8"}, {"physics-9"}]
    assert not [join for join in graph.joins if join.id == FORCE]
    same = deciding(Decision(kind="use", about=about, verdict="merge", content=content))
    assert same.nodes == before.nodes
    for wrong in (
        (FORCE, "c", "force"),
        ("ghost", join.chapter, "force"),
        (SPEED, "physics:chapter:physics-8:1", "speed"),
    ):
        assert deciding(Decision(kind="use", about=wrong, verdict="apart")).outcomes[0].outcome == "vanished"
    other = Decision(kind="use", about=about, verdict="apart", content="“force”: in other words")
    assert deciding(other).outcomes[0].outcome == "changed"


def test_pairs_that_vanished_or_changed_are_reported(deciding: Deciding) -> None:
    gone = Decision(kind="pair", about=("physics:concept:ghost", SPEED), verdict="merge")
    changed = Decision(kind="pair", about=(LENS, ENGINE), verdict="merge", content="two other things")
    graph = deciding(gone, changed)
    assert sorted(row.outcome for row in graph.outcomes) == ["changed", "vanished"]
    assert len(reported(graph)) == 2 and ENGINE in names(graph)


def test_the_order_of_books_does_not_matter_with_decisions_either(deciding: Deciding, schema: GraphSchema) -> None:
    before = deciding()
    decisions = [
        on_pair(before, schema, LENS, ENGINE, "merge"),
        Decision(kind="edge", about=IS_A, verdict="keep"),
        on_node(before, schema, FORCE, "remove"),
    ]
    first, second = deciding(*decisions), deciding(*decisions, books=(energy(), mechanics()))
    assert first == second


def test_the_stage_reads_the_file_and_works_anew_when_it_changes(project: Project, tmp_path: Path) -> None:
    file = tmp_path / "physics.decisions.jsonl"
    books = shelved(project, mechanics(), energy())
    stage = Merge(decisions=str(file))
    assert DECISIONS not in {item.key for item in stage.plan(books)}
    file.write_text(Decision(kind="edge", about=IS_A, verdict="keep").to_json() + "\nnonsense\n", encoding="utf-8")
    (item,) = [item for item in stage.plan(books) if item.key == DECISIONS]
    result = stage.run(item, stage.setup(books))
    assert result.counts == {"decisions": 1} and len(result.failures) == 1
    file.write_text("", encoding="utf-8")
    assert [again.inputs for again in stage.plan(books) if again.key == DECISIONS] != [item.inputs]
