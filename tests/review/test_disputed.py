"""Questions from outside of the graph: unproven proposals, and what two extractions disagree on."""

from __future__ import annotations

from typing import Any

import pytest

from kg.decisions import Decision, Outcome, node_content
from kg.errors import InputError
from kg.graph import Finding, Node
from kg.project import Project
from kg.proposal import proposed
from kg.schema import GraphSchema
from kg.store import jsonl
from review.disputed import DISAGREEMENTS
from review.stage import Review
from review.task import Task
from tests.review.conftest import concept, needs, quote

FOUND = "extract/physics-8/findings.jsonl"


def proposal(name: str = "caloric", **more: Any) -> Finding:
    details = {
        "label": "Concept",
        "name": name,
        "quote": "Caloric is a fluid.",
        "book": "physics-8",
        "section": "physics:section:physics-8:1.1",
        "extractor": "m",
        "language": "en",
        "properties": {"definition": "a fluid", "importance": "master"},
        "places": [quote("Heat is no fluid.").model_dump(mode="json")],
        **more,
    }
    return Finding(check="unaligned", action="review", message=f"“{name}” was proposed.", details=details)


def queue(project: Project, schema: GraphSchema, *outcomes: Outcome) -> tuple[list[Task], dict[str, int]]:
    """The questions about a graph of two terms and a relation that nothing doubts, and what the stage counts."""
    store, terms = project.store, [concept(schema, name, f"what {name} is") for name in ("mass", "force")]
    label = schema.node_type("question")
    question = Node(id="q", label=label, name="Its title", properties={schema.nodes[label].key: "What is mass?"})
    rows: dict[str, Any] = {
        "nodes": [*terms, question],
        "edges": [needs(schema, terms[0], terms[1])],
        "decided": outcomes,
    }
    for name, found in rows.items():
        store.write(f"merge/{name}.jsonl", jsonl(found))
    store.write("validate/findings.jsonl", jsonl([]))
    stage = Review(first=("disagreement", "unaligned"))
    (item,) = stage.plan(project)
    result = stage.run(item, stage.setup(project))
    store.write("review/queue.jsonl", result.files["review/queue.jsonl"])
    return list(store.read_rows("review/queue.jsonl", Task)), dict(result.counts)


def test_what_a_model_proposed_and_could_not_prove_is_asked_about(project: Project, schema: GraphSchema) -> None:
    edge = Finding(check="unaligned", action="review", message="An edge.", details={"type": "is_a", "source": "mass"})
    project.store.write(FOUND, jsonl([proposal(), proposal(), proposal("Mass"), edge]))
    (task,), counts = queue(project, schema)
    assert (task.about, task.check, task.kind) == (("physics:concept:caloric",), "unaligned", "node")
    assert task.reasons == ("“caloric” was proposed. The model quotes: “Caloric is a fluid.”",)
    assert task.cards[0].passages[0].quote == "Heat is no fluid." and ("definition", "a fluid") in task.cards[0].fields
    assert counts["questions"] == 1, "the second is the same, the third is in the graph, the fourth is an edge's"


@pytest.mark.parametrize(("said", "asked"), [("remove", 0), ("other words", 1)])
def test_a_proposal_that_people_refused_does_not_come_again(
    project: Project, schema: GraphSchema, said: str, asked: int
) -> None:
    node = proposed(proposal(), project.subject, project.languages)
    assert node is not None
    content = node_content(node, schema) if said == "remove" else "Concept “caloric”: something else"
    decision = Decision(kind="node", about=(node.id,), verdict="remove", content=content)
    project.store.write(FOUND, jsonl([proposal()]))
    tasks, counts = queue(project, schema, Outcome(decision=decision, outcome="vanished"))
    assert len(tasks) == asked
    assert counts["decisions that no longer fit"] == asked


def test_what_two_extractions_disagree_on_comes_first(project: Project, schema: GraphSchema) -> None:
    project.store.write(FOUND, jsonl([proposal()]))
    lines = [
        '{"book": "b", "section": "s", "kind": "edge", "only": "first",'
        ' "what": ["prerequisites_for", "Concept:mass", "Concept:force"]}',
        '{"book": "b", "section": "s", "kind": "edge", "only": "first",'
        ' "what": ["prerequisites_for", "Concept:force", "Concept:mass"]}',
        '{"book": "b", "section": "s", "kind": "node", "only": "second", "what": ["Concept", "force"]}',
        '{"book": "b", "section": "s", "kind": "node", "only": "second", "what": ["Concept", "ether"]}',
        '{"book": "b", "section": "s", "kind": "node", "only": "second", "what": ["Exercise", "what is mass"]}',
    ]
    project.store.write(DISAGREEMENTS, "\n".join(lines).encode())
    tasks, _ = queue(project, schema)
    assert [(task.check, task.kind) for task in tasks] == [
        ("disagreement", "edge"),
        ("disagreement", "node"),
        ("disagreement", "node"),
        ("unaligned", "node"),
    ]
    assert tasks[0].about[1:] == ("physics:concept:mass", "physics:concept:force")
    project.store.write(DISAGREEMENTS, b'{"kind": "node"}\n')
    with pytest.raises(InputError, match="book"):
        queue(project, schema)
