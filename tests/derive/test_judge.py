"""Who may stand as a wrong answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from derive.ask import Ask
from derive.draft import Draft, Gold
from derive.judge import Case, RuleJudge, TeacherJudge, Verdict
from derive.material import Material
from derive.tasks.catalogue import TASKS
from kg.llm import Message


def judged(material: Material, draft: Draft, candidate: str) -> Verdict:
    case = Case(draft, "?", ("gold",), candidate, "text")
    return RuleJudge(material).verdicts([case])[0]


@pytest.fixture
def forces(maker: Any, make_material: Any) -> Material:
    made = maker()
    made.node("Concept", "force", "force", definition="a push")
    made.node("Concept", "forces", "forces", definition="pushes")
    made.node("Concept", "weight", "weight", definition="how gravity pulls a mass")
    made.node("Concept", "mass", "mass", definition="what resists")
    made.node("Concept", "net", "net force", definition="the sum")
    made.node("Concept", "colour", "colour", definition="what the eye tells apart")
    made.node("Concept", "mood", "mood", definition="how heavy weight feels")
    made.edge("prerequisites_for", "force", "weight")
    made.edge("prerequisites_for", "weight", "colour")
    return make_material(made.graph(), "en")  # type: ignore[no-any-return]


def draft_of(material: Material, task: str, query: str) -> Draft:
    return next(draft for draft in TASKS[task](material) if draft.query == query)


def test_a_namesake_of_a_right_answer_is_refused(forces: Material) -> None:
    assert judged(forces, draft_of(forces, "prereq_1", "weight"), "forces") == Verdict(False, "same_name")


def test_what_the_query_itself_speaks_of_may_be_right(forces: Material) -> None:
    draft = draft_of(forces, "prereq_1", "weight")
    assert judged(forces, draft, "mass") == Verdict(False, "open_world_co_mention")


def test_what_comes_later_by_the_graph_is_surely_wrong(forces: Material) -> None:
    assert judged(forces, draft_of(forces, "prereq_1", "weight"), "colour").valid


def test_a_candidate_that_speaks_of_the_query_may_follow_it(forces: Material) -> None:
    draft = draft_of(forces, "prereq_2", "weight")
    assert judged(forces, draft, "mood") == Verdict(False, "open_world_co_mention")


def test_a_name_that_holds_the_query_s_name_is_refused(forces: Material) -> None:
    draft = draft_of(forces, "prereq_2", "force")
    assert judged(forces, draft, "net") == Verdict(False, "open_world_co_mention")


def test_an_exercise_with_the_instruction_of_a_right_one_is_refused(english_material: Material) -> None:
    draft = Draft(task="ground_2", template="ground_2", query="k000", golds=(Gold("e000", ()),), layers=())
    same = "e060"  # the products repeat after twelve exercises
    assert judged(english_material, draft, same) == Verdict(False, "open_world_same_task")
    assert judged(english_material, draft, "e040").valid


def test_an_earlier_section_that_speaks_of_the_query_may_be_its_first_place(maker: Any, make_material: Any) -> None:
    made = maker()
    made.node("Book", "b1", "b")
    made.node("Chapter", "c", "c")
    made.edge("is_part_of", "c", "b1")
    for number in range(3):
        made.node("Section", f"s{number:02}", f"s{number}", order=number + 1)
        made.edge("is_part_of", f"s{number:02}", "c")
    made.node("Concept", "force", "force", 1)
    made.node("Concept", "field", "a field of force", 0)
    made.node("Concept", "later", "a sum of force", 2)
    made.edge("appears_in", "force", "s01")
    material = make_material(made.graph(), "en")
    draft = draft_of(material, "locate_1", "force")
    assert judged(material, draft, "s00") == Verdict(False, "open_world_co_mention")
    assert judged(material, draft, "s02").valid


def test_a_section_of_another_kind_is_refused(maker: Any, make_material: Any) -> None:
    made = maker()
    made.node("Book", "b", "b")
    made.node("Chapter", "c", "c")
    made.edge("is_part_of", "c", "b")
    for key, kind in (("s1", "section"), ("s2", "summary")):
        made.node("Section", key, key, kind=kind)
        made.edge("is_part_of", key, "c")
    made.node("Concept", "k", "k")
    made.edge("appears_in", "k", "s1")
    material = make_material(made.graph(), "en")
    assert judged(material, draft_of(material, "locate_1", "k"), "s2") == Verdict(False, "other_kind_of_place")


def answer(text: str | None) -> Ask:
    return lambda many: [text for _ in many]


@pytest.mark.parametrize(
    ("reply", "valid"),
    [
        ("VALID", True),
        (" valid.\n", True),
        ("INVALID", False),
        ("VALID or INVALID", False),
        ("It is valid", False),
        ("", False),
        (None, False),
    ],
)
def test_a_teacher_passes_only_a_plain_valid(forces: Material, reply: str | None, valid: bool) -> None:
    draft = draft_of(forces, "prereq_1", "weight")
    teacher = TeacherJudge("teacher", answer(reply))
    assert teacher.verdicts([Case(draft, "?", ("force",), "colour", "colour")])[0].valid is valid


def test_a_teacher_is_told_question_golds_and_candidate(forces: Material) -> None:
    sent: list[tuple[Message, ...]] = []

    def ask(many: Sequence[tuple[Message, ...]]) -> list[str | None]:
        sent.extend(many)
        return ["VALID"] * len(many)

    case = Case(draft_of(forces, "prereq_1", "weight"), "What first?", ("force", "mass"), "colour", "colour")
    TeacherJudge("teacher", ask).verdicts([case])
    system, user = sent[0]
    assert system.role == "system" and "conservative" in system.content
    assert "What first?" in user.content and "force; mass" in user.content and "colour" in user.content
