"""Settings are refused with their name, and ids of the released files say what they are."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from evaluate.settings import IdFacts, TaskFormat, settings_of
from kg.errors import SettingsError
from kg.item import Item

IDS = {
    "task1::subtask1::physics_bx3_rjb_exe3::skill": ("ground_1", "physics", "high", "physics_bx3_rjb_exe3"),
    "task1::subtask2::biology_xzxbx1_rjb_cpt145": ("ground_2", "biology", "high", "biology_xzxbx1_rjb_cpt145"),
    "task2::subtask1::biology_7b_rjb_cpt17": ("prereq_1", "biology", "middle", "biology_7b_rjb_cpt17"),
    "task2::subtask2::biology_bx1_rjb_cpt231": ("prereq_2", "biology", "high", "biology_bx1_rjb_cpt231"),
    "task3::subtask3::biology_bx2_rjb_cpt91": ("neighbor", "biology", "high", "biology_bx2_rjb_cpt91"),
    "task4::subtask1::physics_9_rjb_cpt145": ("evidence_1", "physics", "middle", "physics_9_rjb_cpt145"),
    "task4::subtask2::chemistry_9a_rjb_exp15": ("evidence_2", "chemistry", "middle", "chemistry_9a_rjb_exp15"),
    "task5::physics_xzxbx3_rjb_skl9": ("locate_1", "physics", "high", "physics_xzxbx3_rjb_skl9"),
    "task5::subtask2::math_3a_rjb_ch3": ("locate_2", "math", "primary", "math_3a_rjb_ch3"),
    "task6::math_7a_rjb_ch3": ("locate_2", "math", "middle", "math_7a_rjb_ch3"),
}


@pytest.mark.parametrize(("item_id", "facts"), IDS.items())
def test_an_id_of_the_released_files_says_task_subject_stage_and_query(
    item_id: str, facts: tuple[str, ...], k12: TaskFormat
) -> None:
    assert k12.facts(item_id) == IdFacts(*facts)


def test_an_id_that_says_nothing_says_nothing(k12: TaskFormat) -> None:
    assert k12.facts("q-17") == IdFacts()


def test_what_an_item_says_itself_counts_more_than_its_id(k12: TaskFormat) -> None:
    data = {"id": "task3::subtask3::biology_bx2_rjb_cpt91", "question": "?", "options": {"A": "x"}, "answer": ("A",)}
    item = k12.filled(Item.model_validate({**data, "subject": "physics"}))
    assert (item.subject, item.task, item.family, item.stage) == ("physics", "neighbor", "neighbor", "high")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"bench": "x", "languages": "l"}, "tasks"),
        ({"bench": "x", "languages": "l", "tasks": {"families": {}}, "limitt": 1}, "limitt"),
        ({"bench": "x", "languages": "l", "tasks": {"families": {}}, "limit": 0}, "limit"),
        ({"bench": "x", "languages": "l", "tasks": {"families": {}, "ids": {"a": "("}}}, "no regular expression"),
        ({"bench": "x", "languages": "l", "tasks": {"families": {}, "parts": "(?P<query>x)"}}, "needs the groups"),
    ],
)
def test_a_wrong_setting_is_named(data: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        settings_of(data)


def test_one_bench_may_be_given_without_a_list() -> None:
    tasks = TaskFormat(families={})
    assert settings_of({"bench": "x", "languages": "l", "tasks": tasks}).bench == ("x",)


def test_settings_are_frozen() -> None:
    settings = settings_of({"bench": "x", "languages": "l", "tasks": {"families": {}}})
    with pytest.raises(ValidationError):
        settings.limit = 3  # type: ignore[misc]
