"""What the page says: in the language of its readers, as far as a pack has words for it."""

from __future__ import annotations

import string
from collections.abc import Mapping

import pytest

from kg.graph import Edge, Finding, Node
from kg.language import Language
from kg.project import Project
from kg.schema import GraphSchema
from review.passages import Shelf
from review.queue import STALE, Choices, Queue
from review.task import Fact, Task
from review.texts import Texts, texts_of
from tests.review.conftest import an_edge_task, concept, edge_finding, needs

MESSAGE = "force → work goes in a circle."
STATED = {"name": "n", "first": {}, "reason": "kind"}


@pytest.fixture
def chinese(languages: Mapping[str, Language]) -> Texts:
    return texts_of(languages, "zh")


def asked(schema: GraphSchema, project: Project, check: str, nodes: list[Node], edge: Edge | None) -> Task:
    """The task that a finding of this check makes."""
    ids = tuple(node.id for node in nodes)
    finding = Finding(check=check, action="review", message=MESSAGE, nodes=ids, details=STATED)
    if edge is not None:
        finding = edge_finding(check, edge, circle=list(ids)).model_copy(update={"message": MESSAGE})
    choices = Choices(first=(), pairs=(), uses=(), everything=False)
    shelf = Shelf(project.store, around=0, most=1)
    (task,) = Queue(nodes, [edge] if edge else [], schema, choices, shelf).tasks([finding], [])
    return task


def test_a_circle_is_told_in_chinese_with_the_names_of_the_book(
    chinese: Texts, schema: GraphSchema, project: Project
) -> None:
    nodes = [concept(schema, name, f"{name}的定义") for name in ("力", "功")]
    task = asked(schema, project, "cycle", nodes, needs(schema, *nodes))
    (said,) = chinese.reasons(task, schema)
    assert "“力” → “功” → “力”" in said and "须先于" in said and "prerequisites_for" not in said


def test_every_message_of_a_pack_can_be_filled_from_what_its_check_states(
    languages: Mapping[str, Language], schema: GraphSchema, project: Project
) -> None:
    nodes = [concept(schema, name, f"{name}的定义") for name in ("力", "功")]
    for code in languages:
        texts = texts_of(languages, code)
        assert set(texts.messages) <= set(texts.checks)
        for check, template in texts.messages.items():
            if check == STALE:  # comes from an outcome, not from a finding
                assert "{" not in template
                continue
            wanted = {name for _, name, _, _ in string.Formatter().parse(template) if name}
            edge = needs(schema, *nodes) if wanted & {"relation", "circle", "confidence"} else None
            (said,) = texts.reasons(asked(schema, project, check, nodes, edge), schema)
            assert said != MESSAGE and "{" not in said, check


def test_what_the_pack_has_no_words_for_is_said_as_the_check_put_it(chinese: Texts, schema: GraphSchema) -> None:
    task = an_edge_task(1)
    assert chinese.reasons(task, schema) == list(task.reasons), "a queue without facts"
    for fact in (Fact(check="unheard_of"), Fact(check="near_name")):
        assert chinese.reasons(task.model_copy(update={"facts": (fact,)}), schema) == list(task.reasons)


def test_types_are_words_and_unknown_ones_stay_as_they_are(
    chinese: Texts, languages: Mapping[str, Language], schema: GraphSchema
) -> None:
    english = texts_of(languages, "en")
    for name in (*schema.nodes, *schema.edges):
        assert english.type(name, schema) != name and chinese.type(name, schema) != english.type(name, schema)
    for name in schema.edges:
        assert english.gloss(name, schema) != chinese.gloss(name, schema)
        assert Texts().gloss(name, schema) == schema.edges[name].about
    assert (english.type("odd", schema), english.gloss("odd", schema)) == ("odd", "")


def test_a_button_says_what_it_means_for_the_kind_of_task(languages: Mapping[str, Language]) -> None:
    for code in languages:
        texts = texts_of(languages, code)
        assert texts.verdict("pair", "merge") == texts.verdicts["merge"] != texts.verdict("use", "merge")
