"""Corrections: only what differs, only what the schema allows."""

from __future__ import annotations

import pytest

from kg.schema import GraphSchema
from review.forms import relations, said
from review.task import Card, Task
from review.things import Things
from review.votes import Refused
from tests.review.conftest import an_edge_task, concept


@pytest.fixture
def node_task(schema: GraphSchema) -> Task:
    label = schema.node_type("term")
    change = {"name": "speed", "definition": "distance per time", "importance": "master", "aliases": "rate\nquickness"}
    return Task(
        id="t", kind="node", about=("physics:concept:speed",), check="all", type=label, content="c", change=change,
        cards=(Card(id="physics:concept:speed", type=label, name="speed"),), verdicts=("keep", "change", "remove"),
    )  # fmt: skip


def corrected(task: Task, **values: str) -> dict[str, str]:
    return {"verdict": "change", **{f"to_{name}": value for name, value in {**task.change, **values}.items()}}


def test_a_correction_holds_only_what_differs(node_task: Task, schema: GraphSchema) -> None:
    form = corrected(node_task, definition="distance travelled per time ", aliases="rate\r\n velocity \r\n\r\n")
    assert said(form, node_task, schema).change == {
        "definition": "distance travelled per time",
        "aliases": ["rate", "velocity"],
    }


def test_a_correction_that_changes_nothing_is_none(node_task: Task, schema: GraphSchema) -> None:
    with pytest.raises(Refused, match="nothing was changed"):
        said(corrected(node_task), node_task, schema)


@pytest.mark.parametrize(("field", "value"), [("definition", "  "), ("importance", "huge"), ("name", " ")])
def test_a_correction_that_does_not_fit_the_schema_is_refused(
    field: str, value: str, node_task: Task, schema: GraphSchema
) -> None:
    with pytest.raises(Refused):
        said(corrected(node_task, **{field: value}), node_task, schema)


def test_numbers_are_numbers(schema: GraphSchema) -> None:
    label = schema.node_type("question")
    change = {"name": "Why?", "stem": "Why?", "answer": "because", "difficulty": "2", "type": "open"}
    task = Task(
        id="t", kind="node", about=("q",), check="all", type=label, content="c", change=change,
        cards=(Card(id="q", type=label, name="Why?"),), verdicts=("keep", "change"),
    )  # fmt: skip
    assert said(corrected(task, difficulty="3"), task, schema).change == {"difficulty": 3}
    for wrong in ("9", "two"):
        with pytest.raises(Refused):
            said(corrected(task, difficulty=wrong), task, schema)


def test_a_relation_can_be_turned_round_or_get_another_type(schema: GraphSchema) -> None:
    task = an_edge_task(1)
    other = schema.edge_type("taxonomy")
    assert said({"verdict": "change", "to_type": task.type, "flip": "1"}, task, schema).change == {
        "source": task.about[2],
        "target": task.about[1],
    }
    assert said({"verdict": "change", "to_type": other}, task, schema).change == {"type": other}
    assert other in relations(task, schema) and schema.edge_type("location") not in relations(task, schema)


@pytest.mark.parametrize("kind", ["location", "demonstration"])
def test_a_relation_that_cannot_be_between_these_two_is_refused(kind: str, schema: GraphSchema) -> None:
    task = an_edge_task(1)
    with pytest.raises(Refused, match="schema"):
        said({"verdict": "change", "to_type": schema.edge_type(kind)}, task, schema)  # type: ignore[arg-type]


def test_a_verdict_that_is_not_offered_is_refused_and_comments_are_one_line(schema: GraphSchema) -> None:
    with pytest.raises(Refused):
        said({"verdict": "merge"}, an_edge_task(1), schema)
    with pytest.raises(Refused):
        said({}, an_edge_task(1), schema)
    assert said({"verdict": "keep", "comment": " a\n b " + "x" * 3000}, an_edge_task(1), schema).comment[:5] == "a b x"
    assert len(said({"verdict": "keep", "comment": "x" * 3000}, an_edge_task(1), schema).comment) == 2000


def test_a_relation_can_be_led_to_another_thing_by_name_or_id(schema: GraphSchema) -> None:
    task, energy = an_edge_task(1), concept(schema, "energy", "ability to do work")
    things = Things([energy, concept(schema, "heat", "energy that flows")])
    for text in ("Energy", energy.id):
        form = {"verdict": "change", "to_type": task.type, "to_source": task.cards[0].name, "to_target": text}
        assert said(form, task, schema, things).change == {"target": energy.id}
    turned = {"verdict": "change", "to_type": task.type, "to_target": "energy", "flip": "1"}
    assert said(turned, task, schema, things).change == {"source": energy.id, "target": task.about[1]}


def test_an_end_that_nothing_or_too_much_is_called_is_refused_with_what_might_be_meant(schema: GraphSchema) -> None:
    task = an_edge_task(1)
    one, other = concept(schema, "cell", "part of a plant"), concept(schema, "cell ", "part of a circuit")
    things = Things([one, other.model_copy(update={"id": "physics:concept:cell:2", "name": "cell"})])
    form = {"verdict": "change", "to_type": task.type}
    with pytest.raises(Refused, match="physics:concept:cell:2"):
        said({**form, "to_target": "cell"}, task, schema, things)
    with pytest.raises(Refused, match=r"no “cells”.*is it one of “cell”"):
        said({**form, "to_target": "cells"}, task, schema, things)
    with pytest.raises(Refused, match="from one thing to another"):
        said({**form, "to_target": task.about[1], "to_source": task.about[1]}, task, schema, Things([
            one.model_copy(update={"id": task.about[1]})
        ]))  # fmt: skip
