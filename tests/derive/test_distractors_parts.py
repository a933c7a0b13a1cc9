"""Reading question sets, walking, slips, accuracy: what each promises, on small made things."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.distractors.accuracy import accuracies, adjusted, chance, turned
from derive.distractors.avoid import answers_of, follow
from derive.distractors.mutate import kind_of, slips
from derive.distractors.replies import asked_json
from derive.distractors.source import Fields, read_sets
from derive.distractors.walk import KNOWLEDGE, Walker, WalkRules
from derive.material import Material
from derive.respond import Null, Oracle, Random, Responder
from kg.item import Item
from kg.llm import Message
from kg.similarity import HashedNgrams

SMALL = HashedNgrams(width=256)
FIELDS = Fields(columns=(("A", "B", "C", "D"), ("opa", "opb", "opc", "opd")))


def read(tmp_path: Path, name: str, text: str) -> tuple[list[Item], list[str]]:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    items, failures = read_sets([file], FIELDS)
    return items, [str(failure) for failure in failures]


FORMS = [
    {"question": "q", "options": {"A": "one", "B": "two"}, "answer": "two", "answer_idx": "B"},
    {"question": "q", "opa": "one", "opb": "two", "cop": 1},
    {"question": "q", "choices": ["one", "two"], "answer": 1},
    {
        "question": {"stem": "q", "choices": [{"text": "one", "label": "1"}, {"text": "two", "label": "2"}]},
        "answerKey": "2",
    },
    {"question": "q", "choices": {"text": ["one", "two"], "label": ["A", "B"]}, "answerKey": "B"},
    {"id": "x", "question": "q", "options": {"A": "one", "B": "two"}, "answer": ["B"]},
]


@pytest.mark.parametrize("form", FORMS)
def test_question_sets_of_many_forms_say_the_same(form: dict[str, Any], tmp_path: Path) -> None:
    items, failures = read(tmp_path, "set.jsonl", json.dumps(form))
    assert failures == []
    assert (items[0].question, items[0].options, items[0].answer) == ("q", {"A": "one", "B": "two"}, ("B",))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("[1]", "not an object"),
        ("{", "not readable as JSON"),
        ('{"options": ["a", "b"], "answer": "a"}', "no question"),
        ('{"question": "q", "options": ["a", "b"]}', "no answer"),
        ('{"question": "q", "options": ["a", "a"], "answer": "A"}', "the same"),
        ('{"question": "q", "options": ["a", ""], "answer": "A"}', "empty"),
        ('{"question": "q", "options": ["a"], "answer": "A"}', "cannot read the options"),
        ('{"question": "q", "options": 7, "answer": "A"}', "neither a list nor a record"),
        ('{"question": "q", "options": ["a", "b"], "answer": "AB"}', "every option is right"),
        ('{"question": "q", "options": ["a", "b"], "answer": 2}', "not among"),
        ('{"question": "q", "options": {"A": "x", "B": "y"}, "answer": ["C"]}', "among the options"),
    ],
)
def test_every_bad_line_has_a_line_and_the_next_is_read(line: str, problem: str, tmp_path: Path) -> None:
    items, failures = read(tmp_path, "set.jsonl", f'{line}\n{{"question": "q", "answer": "open"}}\n')
    assert len(items) == 1 and len(failures) == 1 and problem in failures[0] and "line 1" in failures[0]


def test_lists_of_questions_odd_files_and_doubles(tmp_path: Path) -> None:
    row = {"id": "1", "question": "q", "options": ["a", "b"], "answer": "a"}
    items, failures = read(tmp_path, "set.json", json.dumps([row, row]))
    assert len(items) == 1 and "a second question" in failures[0]
    assert "a list" in read(tmp_path, "set.json", "{}")[1][0]
    assert "JSON" in read(tmp_path, "set.json", "[")[1][0]
    (tmp_path / "bin.jsonl").write_bytes(b"\xff\xfe\x00")
    assert "UTF-8" in str(read_sets([tmp_path / "bin.jsonl"], FIELDS)[1][0])


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_walk_enters_nothing_barred_and_nothing_twice(english_material: Material, data: st.DataObject) -> None:
    nodes = english_material.view.with_role("term")
    start = data.draw(st.sampled_from(nodes))
    barred = frozenset(data.draw(st.lists(st.sampled_from(nodes), max_size=8))) - {start}
    steps, width = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3))
    walker = Walker(english_material, SMALL, WalkRules(steps=steps, width=width))
    found = walker.walk([start], barred, walker.guide("where is the amber arch?", ["beam"]), KNOWLEDGE)
    assert len(found) <= sum(width**step for step in range(1, steps + 1))
    assert len({one.path.nodes for one in found}) == len(found)
    for one in found:
        assert one.path.nodes[0] == start and not barred & set(one.path.nodes)
        assert len(set(one.path.nodes)) == len(one.path.nodes) <= steps + 1


def test_the_source_s_walk_has_one_length_and_may_come_back(english_material: Material) -> None:
    walker = Walker(english_material, SMALL, WalkRules(steps=2, exact=True, revisit=True, beam=2))
    start = english_material.view.with_role("term")[0]
    found = walker.walk([start], frozenset(), walker.guide("q", ["a"]), KNOWLEDGE)
    assert found and {len(one.path.steps) for one in found} == {2} and len(found) <= 2


def test_what_is_linked_in_the_same_way_is_an_answer_too(maker: Any, make_material: Any) -> None:
    made = maker()
    for name in ("whole", "left", "right", "far"):
        made.node("Concept", name, name, definition="d")
    for one, other in (("left", "whole"), ("right", "whole"), ("far", "left")):
        made.edge("is_a", one, other)
    view = make_material(made.graph(), "en").view
    assert answers_of(view, "whole", ["left"]) == {"left", "right", "far"}
    assert "right" in answers_of(view, "left", ["right"])
    assert follow(view, "far", [("taxonomy", True)]) == {"left", "whole"}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("20 m/s", "number"),
        ("-3.5", "number"),
        ("3.0 × 10^8 m/s", "number"),
        ("12%", "number"),
        ("E = mc^2", "expression"),
        ("2x + 3", "expression"),
        ("kinetic energy", "entity"),
        ("x-axis of the graph", "entity"),
        ("5 apples and one pear", "entity"),
        ("速度", "entity"),
    ],
)
def test_answers_have_a_kind(text: str, kind: str) -> None:
    assert kind_of(text) == kind


@settings(max_examples=80, deadline=None)
@given(
    st.decimals("-9999", "9999", places=2).map(str) | st.integers(-99999, 99999).map(str),
    st.sampled_from(["", " m", " m/s", "%"]),
)
def test_slips_of_numbers_are_different_numbers_with_a_unit(number: str, unit: str) -> None:
    found = slips(number + unit, "A car of 7 kg moves 30 m.", [["m", "cm", "km"]])
    texts = [slip.text for slip in found]
    assert len(set(texts)) == len(texts) >= 3 and number + unit not in texts
    assert all(kind_of(text) == "number" for text in texts)


def test_slips_of_formulas_have_names() -> None:
    found = {slip.kind: slip.text for slip in slips("v = s/t", "", [])}
    assert found["swapped"] == "v =t/s" or found["swapped"].replace(" ", "") == "v=t/s"
    assert "operation" in found and slips("energy", "") == []


@pytest.mark.parametrize("key", ["x = -4/3", "x = −4/3", "y = 2x − 1", "a < -5", "v = s/t", "KE = 1/2 mv^2"])
def test_no_slip_is_the_key_with_another_minus(key: str) -> None:
    plain = key.replace("−", "-").replace(" ", "")
    found = slips(key, "")
    assert found and all(slip.text.replace("−", "-").replace(" ", "") != plain for slip in found)
    assert not any(
        "2-" in slip.text.replace("−", "-").replace(" ", "")
        for slip in found
        if slip.kind == "factor_2" and "2-" not in plain
    )


def an_item(key: str, arm: str, options: int = 4) -> Item:
    texts = {letter: f"{arm} text {letter}" for letter in "ABCDEFGH"[:options]}
    return Item(id=key, question=f"question {key}?", options=texts, answer=("B",), task="set", mode=arm)


def test_accuracies_are_what_arithmetic_says() -> None:
    arms = {
        arm: [an_item(str(n), arm, 4 if arm == "original" else 3) for n in range(200)] for arm in ("original", "new")
    }
    arms["new"] = arms["new"][:-1]
    runs: dict[str, list[Responder]] = {
        "oracle": [Oracle()] * 3,
        "null": [Null()],
        "random": [Random(seed) for seed in range(3)],
    }
    rows = {(row.set, row.by, row.arm): row for row in accuracies(arms, runs, SMALL)}
    oracle, null = rows["all", "oracle", "new"], rows["all", "null", "new"]
    assert (oracle.accuracy, oracle.adjusted, oracle.sd, oracle.drop, oracle.questions) == (1.0, 1.0, 0.0, 0.0, 199)
    assert null.accuracy == 0.0 and null.adjusted == pytest.approx(-0.5)
    for arm, luck in (("original", 1 / 4), ("new", 1 / 3)):
        row = rows["set", "random", arm]
        assert row.chance == pytest.approx(luck, abs=1e-6) and abs(row.accuracy - luck) < 0.08
    # fewer options make guessing pay: raw accuracy rises, chance-adjusted accuracy does not
    assert adjusted(1 / 3, 1 / 3) == 0 and chance(an_item("x", "a")) == 0.25


def test_a_turned_item_has_the_same_right_text() -> None:
    item = an_item("7", "a")
    for turn in range(4):
        other = turned(item, turn)
        assert [other.options[one] for one in other.answer] == ["a text B"]
        assert sorted(other.options.values()) == sorted(item.options.values())


def test_a_reply_that_does_not_fit_is_asked_for_again() -> None:
    seen: list[int] = []

    def ask(many: Any) -> list[str | None]:
        seen.append(len(many))
        return [
            None if len(seen) == 1 and place == 2 else "no" if len(seen) == 1 else '{"a": 1}'
            for place in range(len(many))
        ]

    def read_a(reply: Any) -> int:
        return int(reply["a"])

    found = asked_json(ask)([(Message(role="user", content=str(n)),) for n in range(3)], read_a)
    assert found == [1, 1, None] and seen == [3, 2]
