"""Planted faults are all found."""

from __future__ import annotations

from typing import Any

import pytest

from derive.benchmark import BenchmarkBuilder, BenchRules
from derive.integrity import faults
from derive.material import Material
from kg.item import Item
from kg.similarity import HashedNgrams


@pytest.fixture(scope="module")
def item(english_material: Material) -> Item:
    rules = BenchRules(tasks=("neighbor",))
    items = BenchmarkBuilder(english_material, rules, HashedNgrams()).build({}).items
    return next(item for item in items if len(item.answer) == 1)


def spoilt(item: Item, fault: str, material: Material) -> list[Item]:
    (right,) = item.answer
    wrong = next(letter for letter in item.options if letter != right)
    choices: dict[str, Any] = dict(item.choices)
    if fault == "duplicate_option":
        return [item.model_copy(update={"options": {**item.options, wrong: item.options[right]}})]
    if fault == "gold_missing":
        return [item.model_copy(update={"answer": (wrong,)})]
    if fault == "alias_as_distractor":
        choices[wrong] = choices[wrong].model_copy(update={"id": item.query})
    if fault == "gold_as_distractor":
        gold = choices[right].id
        other = next(n for n in material.view.near(item.query) if n != gold and "k" in n)
        kind = choices[right].path[0][0]
        material.view.add([_edge(item.query, other, kind)])
        choices[wrong] = choices[wrong].model_copy(update={"id": other})
        choices[right] = choices[right].model_copy(update={"path": ((kind, item.query, gold),)})
    if fault == "without_path":
        choices[right] = choices[right].model_copy(update={"path": ()})
    if fault in ("repeated_question", "repeated_id"):
        field = "id" if fault == "repeated_question" else "question"
        return [item, item.model_copy(update={field: "other"})]
    return [item.model_copy(update={"choices": choices})]


def _edge(source: str, target: str, kind: str) -> Any:
    from kg.graph import Edge

    return Edge(source=source, target=target, type=kind)


@pytest.mark.parametrize(
    "fault",
    [
        "duplicate_option",
        "gold_missing",
        "alias_as_distractor",
        "gold_as_distractor",
        "repeated_question",
        "repeated_id",
        "without_path",
    ],
)
def test_a_planted_fault_is_found(item: Item, fault: str, make_graph: Any, make_material: Any) -> None:
    material = make_material(make_graph("en"), "en")
    assert faults([item], material)[fault] == 0
    assert faults(spoilt(item, fault, material), material)[fault] >= 1
