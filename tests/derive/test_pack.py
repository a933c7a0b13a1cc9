"""The language packs' part for this room."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from derive.pack import Pack, language_of
from derive.tasks.catalogue import TASKS
from derive.topics import RELATIONS
from kg.errors import SettingsError
from kg.graph import Graph
from kg.language import Language


@pytest.mark.parametrize("code", ["en", "zh"])
def test_every_task_and_every_kind_of_row_has_a_wording(languages: Mapping[str, Language], code: str) -> None:
    pack = languages[code].part("derive", Pack)
    templates = [*TASKS, "ground_1_term", "ground_1_procedure"]
    templates.remove("ground_1")
    for template in templates:
        for wording in pack.wordings(template):
            assert "{name}" in wording
    kinds = [f"relation_{kind}" for kind in RELATIONS] + ["node_term", "node_procedure", "node_activity"]
    assert all(pack.training[kind] for kind in [*kinds, "exercise_question", "assessment_term", "assessment_procedure"])


def test_both_languages_know_the_same_texts(languages: Mapping[str, Language]) -> None:
    one, two = (languages[code].part("derive", Pack) for code in ("en", "zh"))
    for field in ("questions", "training", "answers", "page"):
        assert set(getattr(one, field)) == set(getattr(two, field)), field


def test_a_missing_wording_is_named(english: Language) -> None:
    with pytest.raises(SettingsError, match="juggling"):
        english.part("derive", Pack).wordings("juggling")


@pytest.mark.parametrize(
    ("code", "stem"),
    [
        ("en", "What is shown in the figure above?"),
        ("en", "Use this figure to find the speed."),
        ("en", "Repeat the previous problem for 3 kg."),
        ("zh", "如图，求角的度数。"),
        ("zh", "根据下表填空。"),
        ("zh", "例2：整理图书……应先安排多少人？"),
    ],
)
def test_exercises_that_point_elsewhere_cannot_stand_alone(
    languages: Mapping[str, Language], code: str, stem: str
) -> None:
    assert languages[code].part("derive", Pack).needs_more.search(stem)


@pytest.mark.parametrize(("code", "stem"), [("en", "Graph y = 2x."), ("zh", "画出函数的图象。")])
def test_other_exercises_can(languages: Mapping[str, Language], code: str, stem: str) -> None:
    assert not languages[code].part("derive", Pack).needs_more.search(stem)


def test_the_language_of_a_graph_is_recognised(make_graph: Any, languages: Mapping[str, Language]) -> None:
    assert language_of(make_graph("en"), languages) == "en"
    assert language_of(make_graph("zh"), languages) == "zh"
    assert language_of(Graph(nodes=(), edges=()), languages) == "en"
