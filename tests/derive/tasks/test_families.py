"""What each task asks, what is right, and what a looser reading would accept."""

from __future__ import annotations

from typing import Any

from derive.draft import Draft
from derive.material import Material
from derive.tasks.catalogue import TASKS


def drafts(material: Material, task: str) -> dict[str, Draft]:
    return {draft.key: draft for draft in TASKS[task](material)}


def golds(draft: Draft) -> set[str]:
    return {gold.id for gold in draft.golds}


def test_every_gold_of_every_task_names_edges_of_the_graph(english_material: Material) -> None:
    edges = {edge.key() for edge in english_material.view.edges()}
    for task in TASKS:
        for draft in TASKS[task](english_material):
            assert draft.golds
            for gold in draft.golds:
                assert gold.path and set(gold.path) <= edges
                assert not any(gold.id in set(ids) for ids in (draft.surely_wrong,))


def test_an_exercise_is_asked_for_concepts_and_skills_apart(english_material: Material) -> None:
    found = drafts(english_material, "ground_1")
    assert golds(found["ground_1::e040::term"]) == {"k040", "k043"}
    assert golds(found["ground_1::e040::procedure"]) == {"p04"}
    assert "ground_1::e041::procedure" not in found


def test_the_exercises_of_a_concept_are_asked_for_and_those_of_its_neighbours_refused(
    english_material: Material,
) -> None:
    draft = drafts(english_material, "ground_2")["ground_2::k040"]
    assert golds(draft) == {"e040"}
    assert "e041" in draft.refused["union"]  # it tests a kind of k040


def test_the_closure_holds_remote_prerequisites_and_what_comes_later_is_surely_wrong(
    english_material: Material,
) -> None:
    draft = drafts(english_material, "prereq_1")["prereq_1::k030"]
    assert golds(draft) == {"k000", "k010", "k020"}
    assert [len(gold.path) for gold in draft.golds] == [3, 2, 1]
    assert "k050" in draft.surely_wrong and "k020" not in draft.surely_wrong
    assert "k022" in draft.refused["union"]  # another successor of a gold may be needed as well


def test_direct_successors_are_right_and_remote_ones_refused(english_material: Material) -> None:
    draft = drafts(english_material, "prereq_2")["prereq_2::k030"]
    assert golds(draft) == {"k032", "k040"}
    assert "k050" in draft.refused["closure"] and "k020" in draft.surely_wrong


def test_a_neighbour_by_kind_or_association_is_right_and_one_by_order_refused(english_material: Material) -> None:
    draft = drafts(english_material, "neighbor")["neighbor::k030"]
    assert golds(draft) == {"k031"}
    assert {"k020", "k040", "k032"} <= set(draft.refused["union"])


def test_experiments_and_what_they_verify_are_asked_both_ways(english_material: Material) -> None:
    assert golds(drafts(english_material, "evidence_1")["evidence_1::k031"]) == {"x03"}
    draft = drafts(english_material, "evidence_2")["evidence_2::x03"]
    assert golds(draft) == {"k031"}
    assert "k033" in draft.refused["same_section"]  # taught beside the experiment, so perhaps shown by it


def test_the_first_place_is_right_and_other_places_are_near(maker: Any, make_material: Any) -> None:
    made = maker()
    made.node("Book", "b", "b")
    made.node("Chapter", "c", "c")
    made.edge("is_part_of", "c", "b")
    for key in ("s1", "s2"):
        made.node("Section", key, key)
        made.edge("is_part_of", key, "c")
    made.node("Concept", "k", "k")
    made.edge("appears_in", "k", "s2")
    made.edge("appears_in", "k", "s1")
    draft = drafts(make_material(made.graph(), "en"), "locate_1")["locate_1::k"]
    assert golds(draft) == {"s1"}
    assert draft.layers[0].ids == {"s2"}
    assert set(draft.refused["same_place"]) == {"c", "b"}


def test_chapters_are_asked_for_by_edges_derived_from_prerequisites(english_material: Material) -> None:
    found = drafts(english_material, "locate_2")
    assert golds(found["locate_2::c3"]) == {"c2"}
    assert {"c0", "c1"} <= set(found["locate_2::c3"].refused["closure"])
    assert {"c4", "c5"} <= found["locate_2::c3"].surely_wrong
    assert "locate_2::c0" not in found


def test_what_lies_on_a_cycle_is_neither_asked_nor_an_answer(maker: Any, make_material: Any) -> None:
    made = maker()
    for key in "abcd":
        made.node("Concept", key, f"name {key}")
    for source, target in ("ab", "bc", "ca", "cd"):
        made.edge("prerequisites_for", source, target)
    material = make_material(made.graph(), "en")
    assert set(drafts(material, "prereq_1")) == {"prereq_1::d"}
    assert drafts(material, "prereq_2") == {}
