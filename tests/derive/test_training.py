"""Training rows: what is written, what is held back, and why."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
import yaml

from derive import formats
from derive.checks import CheckRules, Checks, overlapping, shingles
from derive.material import Material, material_of
from derive.pack import Pack
from derive.topics import PATHS, Thing, Topic, TopicFinder
from derive.training import TrainRules, TrainSet, build, in_line
from derive.write import ModelWriter, Pair, TemplateWriter, Written
from kg.language import Language
from kg.llm import Message
from kg.schema import GraphSchema
from kg.stage import ROOT

SETTINGS = yaml.safe_load((ROOT / "conf/derive/all.yaml").read_text(encoding="utf-8"))["train"]


def rules(**changes: Any) -> TrainRules:
    return TrainRules(**{**SETTINGS, **changes})


def finder(material: Material) -> TopicFinder:
    own = rules()
    return TopicFinder(material, own.crop, own.skip)


def template_writer(material: Material) -> TemplateWriter:
    return TemplateWriter(material.pack, material.language, frozenset(rules().boxed))


def checks_of(material: Material) -> Checks:
    return Checks(CheckRules(), material.pack, material.language)


def made(material: Material, **changes: Any) -> TrainSet:
    own = rules(**changes)
    topics = finder(material).topics()
    return build(topics, template_writer(material), checks_of(material), own, material.language.code)


@pytest.mark.parametrize("code", ["en", "zh"])
def test_every_path_has_rows_in_both_languages(make_graph: Any, make_material: Any, code: str) -> None:
    rows = made(make_material(make_graph(code), code)).rows
    assert Counter(row.path for row in rows).keys() == set(PATHS)
    assert {row.origin for row in rows} == {"template"} and {row.language for row in rows} == {code}
    assert len({row.id for row in rows}) == len(rows)


def test_a_relation_is_explained_with_both_definitions(english_material: Material) -> None:
    row = next(row for row in made(english_material).rows if row.kind == "taxonomy")
    for source in row.sources:
        node = english_material.view.nodes[source]
        assert node.name in row.question and node.properties["definition"] in row.answer


def test_only_the_cropped_properties_reach_a_row(english_material: Material) -> None:
    for row in made(english_material).rows:
        assert "master" not in row.answer


def test_exercises_without_a_printed_answer_are_not_taught_but_may_be_assessed(english_material: Material) -> None:
    topics = finder(english_material).topics()
    taught = {topic.things[0].id for topic in topics["exercise"]}
    assert all(key.endswith("1") for key in taught) and len(taught) == 18
    assert any(topic.things[0].id.endswith("0") for topic in topics["assessment"])


def test_options_belong_to_the_text_of_an_exercise(maker: Any, schema: GraphSchema, english: Language) -> None:
    made_graph = maker()
    made_graph.node("Exercise", "e", "Which?", stem="Which unit is it?", answer="b", options=["metre", "second"])
    made_graph.node("Concept", "k", "time", definition="what clocks show")
    made_graph.edge("tests_concept", "e", "k")
    topic = finder(material_of(made_graph.graph(), schema, english, "options")).topics()["assessment"][0]
    assert topic.things[0].name == "Which unit is it?\n(a) metre\n(b) second"


def test_the_budget_is_drawn_evenly_over_kinds_and_chapters(english_material: Material) -> None:
    rows = made(english_material, budget={"node": 18, "relation": 0, "exercise": 0, "assessment": 3}).rows
    assert Counter(row.path for row in rows) == {"node": 18, "assessment": 3}
    kinds = Counter(row.kind for row in rows if row.path == "node")
    assert kinds == {"term": 6, "procedure": 6, "activity": 6}
    terms = [row for row in rows if row.kind == "term"]
    assert len({english_material.places.scope(row.sources[0], "chapter") for row in terms}) == 6


def test_no_more_is_written_than_the_budget_needs(english_material: Material) -> None:
    class Counting(TemplateWriter):
        calls = 0

        def write(self, topic: Topic) -> Written:
            Counting.calls += 1
            return super().write(topic)

    writer = Counting(english_material.pack, english_material.language, frozenset())
    own = rules(budget={"node": 5})
    build(finder(english_material).topics(), writer, checks_of(english_material), own, "en")
    assert Counting.calls == 5


def test_a_row_that_fails_is_replaced_by_the_next(english_material: Material) -> None:
    class Fickle(TemplateWriter):
        calls = 0

        def write(self, topic: Topic) -> Written:
            Fickle.calls += 1
            return Written(None, "call_failed") if Fickle.calls % 2 else super().write(topic)

    writer = Fickle(english_material.pack, english_material.language, frozenset())
    own = rules(budget={"node": 5})
    found = build(finder(english_material).topics(), writer, checks_of(english_material), own, "en")
    assert len(found.rows) == 5 and found.dropped == {"node: call_failed": 5}


def test_about_the_wanted_share_is_held_out_and_things_stay_together(english_material: Material) -> None:
    rows = made(english_material, validation=0.3).rows
    share = sum(row.split == "validation" for row in rows) / len(rows)
    assert 0.15 < share < 0.45
    for first in {row.sources[0] for row in rows}:
        assert len({row.split for row in rows if row.sources[0] == first}) == 1
    assert {row.split for row in made(english_material, validation=0).rows} == {"train"}


def test_the_line_holds_every_topic_once(english_material: Material) -> None:
    topics = finder(english_material).topics()["relation"]
    assert sorted(topic.key for topic in in_line(topics, 1)) == [topic.key for topic in topics]


def relation(kind: str, source: str = "mass", target: str = "weight") -> Topic:
    things = (
        Thing("a", "Concept", "term", source, {"definition": "how hard a body is to speed up"}),
        Thing("b", "Concept", "term", target, {"definition": "the pull of gravity on a body"}),
    )
    return Topic("relation", kind, things, "", quotes=("gravity pulls a mass",))


GOOD = "A mass is how hard a body is to speed up; the pull of gravity on a body is its weight."


@pytest.mark.parametrize(
    ("question", "answer", "fault"),
    [
        ("Why should mass be learned before weight?", GOOD, ""),
        ("Why should mass be learned before weight?", "  ", "empty"),
        ("为什么先学质量再学重量？", GOOD, "language"),
        ("Why should mass be learned before weight?", "Einstein bent spacetime near planets.", "grounded"),
        ("Why should weight be learned before mass?", GOOD, "direction"),
        ("Why is mass not learned before weight?", GOOD, "direction"),
        ("Why should this be learned?", GOOD, "direction"),
        (
            "Why should mass be learned before weight?",
            "Therefore mass should be learned before weight.",
            "says_nothing",
        ),
    ],
)
def test_each_check_finds_its_fault(english_material: Material, question: str, answer: str, fault: str) -> None:
    pair = Pair(question=question, answer=answer)
    assert checks_of(english_material).fault(relation("prerequisite"), pair) == fault


def test_a_symmetric_relation_has_no_direction(english_material: Material) -> None:
    pair = Pair(question="How are weight and mass related?", answer=GOOD)
    assert checks_of(english_material).fault(relation("association"), pair) == ""


def test_a_name_inside_the_other_is_not_taken_for_it(english_material: Material) -> None:
    topic = relation("taxonomy", "net force", "force")
    right = Pair(question="Why is net force a kind of force?", answer=GOOD)
    wrong = Pair(question="Why is force a kind of net force?", answer=GOOD)
    assert checks_of(english_material).fault(topic, right) == ""
    assert checks_of(english_material).fault(topic, wrong) == "direction"


def test_the_same_question_is_asked_once(english_material: Material) -> None:
    checks = checks_of(english_material)
    pair = Pair(question="Why should mass be learned before weight?", answer=GOOD)
    assert checks.fault(relation("prerequisite"), pair) == ""
    assert checks.fault(relation("prerequisite"), pair) == "duplicate"


def test_a_shared_passage_is_found_in_both_scripts() -> None:
    own = CheckRules()
    text = "the quick brown fox jumps over the lazy dog today"
    assert overlapping([text, "something else entirely"], [f"They say {text}!"], own) == [0]
    chinese = "把无限循环小数写成分数形式并检验结果"
    assert overlapping([chinese], [f"题目：{chinese}。"], own) == [0]
    assert shingles("too short", own) == set()


def model(reply: str | None, english: Language, sent: list[tuple[Message, ...]] | None = None) -> ModelWriter:
    def ask(many: Sequence[tuple[Message, ...]]) -> list[str | None]:
        if sent is not None:
            sent.extend(many)
        return [reply] * len(many)

    return ModelWriter("some-model", ask, english.part("derive", Pack), english)


def test_a_model_s_object_is_taken_from_its_reply(english: Language) -> None:
    reply = 'Here it is:\n```json\n{"question": "Why?", "answer": "So."}\n```'
    assert model(reply, english).write(relation("taxonomy")).pair == Pair(question="Why?", answer="So.")


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (None, "call_failed"),
        ("no object", "not_json"),
        ('{"question": 3}', "not_json"),
        ('{"question": "x"', "not_json"),
    ],
)
def test_a_reply_that_cannot_be_read_leaves_no_row(english: Language, reply: str | None, reason: str) -> None:
    assert model(reply, english).write(relation("taxonomy")) == Written(None, reason)


def test_a_model_is_told_both_definitions_and_the_evidence(english: Language) -> None:
    sent: list[tuple[Message, ...]] = []
    writer = model("{}", english, sent)
    writer.write(relation("prerequisite"))
    text = sent[0][0].content
    assert "how hard a body is to speed up" in text and "the pull of gravity" in text and "gravity pulls a mass" in text
    assert "English" in text and len(writer.prompt("relation").fingerprint) == 16


def test_facts_are_never_left_to_a_model(english: Language, english_material: Material) -> None:
    topic = finder(english_material).topics()["assessment"][0]
    sent: list[tuple[Message, ...]] = []
    assert model(None, english, sent).write(topic).pair is not None and sent == []


def test_a_kind_without_a_wording_is_left_out(english_material: Material) -> None:
    assert template_writer(english_material).write(relation("juggling")) == Written(None, "no_wording")


def test_all_formats_hold_the_same_rows(english_material: Material) -> None:
    found = made(english_material, validation=0.3)
    files = formats.files(found.rows, rules(validation=0.3))
    for split in ("train", "validation"):
        lines = {
            name: files[f"{split}.{name}.jsonl"].decode().splitlines() for name in ("alpaca", "sharegpt", "messages")
        }
        for alpaca, sharegpt, chat in zip(*lines.values(), strict=True):
            one, two, three = json.loads(alpaca), json.loads(sharegpt), json.loads(chat)
            assert one["instruction"] == two["conversations"][0]["value"] == three["messages"][0]["content"]
            assert one["output"] == two["conversations"][1]["value"] == three["messages"][1]["content"]
    info = json.loads(files["dataset_info.json"])
    assert all(entry["file_name"] in files for entry in info.values())


def test_the_recipe_has_every_value_of_the_paper_s_table() -> None:
    recipe: Mapping[str, Any] = yaml.safe_load(formats.recipe(rules()))
    wanted = {
        "finetuning_type": "full",
        "cutoff_len": 32768,
        "per_device_train_batch_size": 1,
        "gradient_accumulation_steps": 4,
        "optim": "adamw_torch",
        "learning_rate": 5e-6,
        "lr_scheduler_type": "cosine",
        "warmup_ratio": 0.1,
        "num_train_epochs": 3.0,
        "bf16": True,
        "seed": 42,
        "dataset": "k12_train",
        "eval_dataset": "k12_train_validation",
    }
    assert wanted.items() <= recipe.items() and "z3" in recipe["deepspeed"]
    assert "eval_dataset" not in yaml.safe_load(formats.recipe(rules(validation=0)))
