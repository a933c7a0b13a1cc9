"""The whole benchmark: valid by construction, fair to those who know nothing, the same on every run."""

from __future__ import annotations

import random
from typing import Any

import pytest

from derive.audit import HIGH, LOW, audit
from derive.benchmark import Benchmark, BenchmarkBuilder, BenchRules
from derive.integrity import faults
from derive.judge import Case, Verdict
from derive.material import Material
from derive.options import PoolRules
from derive.summary import summary
from derive.tasks.catalogue import TASKS
from kg.errors import SettingsError
from kg.graph import Graph
from kg.similarity import HashedNgrams
from kg.store import jsonl

SIMILARITY = HashedNgrams()


def built(material: Material, **rules: Any) -> Benchmark:
    return BenchmarkBuilder(material, BenchRules(**rules), SIMILARITY).build({"graph": "x"})


@pytest.fixture(scope="module")
def bench(english_material: Material) -> Benchmark:
    return built(english_material)


def test_all_nine_tasks_have_questions(bench: Benchmark) -> None:
    assert {item.task for item in bench.items} == set(TASKS)
    assert len(bench.items) > 350


def test_nothing_that_must_never_be_wrong_is_wrong(bench: Benchmark, english_material: Material) -> None:
    assert set(faults(bench.items, english_material).values()) == {0}


def test_every_question_is_kept_or_dropped_with_a_reason(bench: Benchmark) -> None:
    for task, log in bench.logs.items():
        kept = sum(item.task == task for item in bench.items)
        assert kept + sum(log.dropped.values()) == log.drafts
    assert sum(sum(log.dropped.values()) for log in bench.logs.values()) == len(bench.dropped)


def test_rules_that_know_nothing_do_not_pay(bench: Benchmark, english_material: Material) -> None:
    found = audit(bench.items, english_material.view.degree, SIMILARITY)
    assert found.verdict == "fair"
    for name, rate in found.probes.items():
        if name not in ("always_all", "random"):
            assert rate.em_single is not None and LOW <= rate.em_single <= HIGH


def test_numbers_and_letters_of_right_options_are_even(bench: Benchmark) -> None:
    own = [item for item in bench.items if item.task == "prereq_1"]
    sizes = [sum(len(item.answer) == k for item in own) for k in (1, 2, 3)]
    assert max(sizes) - min(sizes) <= 2
    letters = ["".join(item.answer) for item in bench.items if len(item.answer) == 1 and item.task == "locate_1"]
    counts = [letters.count(letter) for letter in "ABCD"]
    assert max(counts) - min(counts) <= 1


def test_the_order_of_the_graph_s_records_changes_no_byte(make_graph: Any, make_material: Any) -> None:
    graph = make_graph("zh")
    nodes, edges = list(graph.nodes), list(graph.edges)
    random.Random(1).shuffle(nodes)
    random.Random(2).shuffle(edges)
    one = built(make_material(graph, "zh"))
    two = built(make_material(Graph(nodes=tuple(nodes), edges=tuple(edges)), "zh"))
    assert jsonl(one.items) == jsonl(two.items) and jsonl(one.dropped) == jsonl(two.dropped)


def test_another_seed_makes_other_choices_with_the_same_golds(english_material: Material, bench: Benchmark) -> None:
    other = built(english_material, seed=7)
    assert jsonl(other.items) != jsonl(bench.items)
    assert set(faults(other.items, english_material).values()) == {0}


def test_an_item_says_where_everything_comes_from(bench: Benchmark, english_material: Material) -> None:
    edges = {edge.key() for edge in english_material.view.edges()}
    for item in bench.items:
        assert item.query in english_material.view.nodes and item.origin["graph"] == "x"
        assert item.family and item.subject == "engineering" and item.language == "en"
        for letter, choice in item.choices.items():
            assert english_material.speak.option(choice.id) == item.options[letter]
            assert set(choice.path) <= edges
            assert bool(choice.layer) is not choice.right
    assert any(item.provenance for item in bench.items)


def test_a_section_as_an_option_names_its_chapter_and_book(bench: Benchmark) -> None:
    for item in bench.items:
        if item.task == "locate_1":
            assert all("Hall" in text and "Workshops" in text for text in item.options.values())


def test_queries_with_one_name_are_told_apart_by_their_place(maker: Any, make_graph: Any, make_material: Any) -> None:
    graph = make_graph("en")
    twin = next(node for node in graph.nodes if node.id == "k100")
    nodes = [node.model_copy(update={"name": "power"}) if node.id in ("k000", "k100") else node for node in graph.nodes]
    material = make_material(Graph(nodes=tuple(nodes), edges=graph.edges), "en")
    made = built(material)
    asked = [item.question for item in made.items if item.query in ("k000", "k100")]
    assert twin.name != "power" and asked and all("Bench" in question for question in asked)
    assert set(faults(made.items, material).values()) == {0}
    for item in made.items:
        assert sorted(item.options.values()).count("power") <= 1


def test_a_judge_that_refuses_everything_leaves_no_questions(english_material: Material) -> None:
    class Never:
        label = "never"

        def verdicts(self, cases: list[Case]) -> list[Verdict]:
            return [Verdict(False, "teacher") for _ in cases]

    builder = BenchmarkBuilder(english_material, BenchRules(tasks=("neighbor",)), SIMILARITY, [Never()])
    made = builder.build({})
    assert made.items == [] and builder.judges == ("rules", "never")
    assert made.logs["neighbor"].refused["teacher"] > 0
    assert made.logs["neighbor"].dropped == {"too_few_distractors": made.logs["neighbor"].drafts}


def test_questions_are_given_up_where_no_choice_of_options_is_fair(make_graph: Any, make_material: Any) -> None:
    graph = make_graph("en")
    # every section is called after what it introduces, so that the name gives the place away
    titled = {f"s{number:02}": f"About k{number:02}" for number in range(18)}
    nodes = [
        node.model_copy(
            update={
                "name": titled.get(
                    node.id, node.name if node.id[0] not in "kpx" else f"{node.id[:3]}ish {node.id} matter"
                )
            }
        )
        for node in graph.nodes
    ]
    made = built(
        make_material(Graph(nodes=tuple(nodes), edges=graph.edges), "en"), tasks=("locate_1",), give_up_from=10
    )
    assert made.logs["locate_1"].dropped["shortcut_quota"] > 10


def test_a_figure_or_a_long_text_cannot_stand_alone(make_graph: Any, make_material: Any) -> None:
    graph = make_graph("en")
    stems = {"e000": "What does the figure above show?", "e010": "word " * 400}
    nodes = [
        node.model_copy(update={"properties": {**node.properties, "stem": stems[node.id]}})
        if node.id in stems
        else node
        for node in graph.nodes
    ]
    made = built(make_material(Graph(nodes=tuple(nodes), edges=graph.edges), "en"), tasks=("ground_1", "ground_2"))
    texts = [item.question + "".join(item.options.values()) for item in made.items]
    assert not any("figure above" in text or "word word" in text for text in texts)
    assert made.logs["ground_1"].dropped["query_cannot_stand_alone"] == 4
    assert made.logs["ground_2"].dropped["no_gold_can_stand_alone"] >= 2


def test_near_duplicates_never_stand_together(make_graph: Any, make_material: Any) -> None:
    graph = make_graph("en")
    nodes = [
        node.model_copy(update={"name": f"static friction law {node.id}"}) if node.id.startswith("k") else node
        for node in graph.nodes
    ]
    material = make_material(Graph(nodes=tuple(nodes), edges=graph.edges), "en")
    made = built(material, tasks=("neighbor",), pool=PoolRules(near_text=0.6))
    assert made.items == [] and made.logs["neighbor"].dropped["no_gold_can_stand_alone"] > 0


def test_an_empty_graph_makes_an_empty_benchmark(make_material: Any) -> None:
    material = make_material(Graph(nodes=(), edges=()), "en")
    made = built(material)
    assert made.items == [] and made.dropped == []
    report = summary(made, material, SIMILARITY, {"graph": "", "nodes": 0, "edges": 0, "seed": 0, "judges": ()})
    assert report.audit is None and report.items == 0


def test_the_summary_counts_what_the_items_show(bench: Benchmark, english_material: Material) -> None:
    facts = {"graph": "x", "nodes": 1, "edges": 1, "seed": 0, "judges": ("rules",)}
    report = summary(bench, english_material, SIMILARITY, facts)
    assert report.items == len(bench.items) and set(report.faults.values()) == {0}
    for name, task in report.tasks.items():
        assert task.items == sum(item.task == name for item in bench.items)
        assert task.at_best == 1.0
        assert sum(task.layers.values()) == sum(
            not choice.right for item in bench.items if item.task == name for choice in item.choices.values()
        )


def test_an_unknown_task_is_named() -> None:
    with pytest.raises(SettingsError, match="juggling"):
        BenchRules(tasks=("juggling",))
