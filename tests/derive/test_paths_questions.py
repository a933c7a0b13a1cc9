"""Any question set in one form; refusals and questions asked twice are gone, and nothing else is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.material import Material
from derive.paths.clean import Same, once, without_refusals
from derive.paths.pack import Pack
from derive.paths.questions import FileQuestions, Gathered, OwnQuestions, open_item
from derive.tasks.catalogue import TASKS
from kg.errors import InputError
from kg.item import Item
from kg.similarity import HashedNgrams
from kg.stage import ROOT

FIELDS = yaml.safe_load((ROOT / "conf/derive/paths.yaml").read_text(encoding="utf-8"))["fields"]
TRUTHFUL = """Question,Best Answer,Correct Answers,Incorrect Answers,Category
"What is work?","Force times distance","Force times distance<SEP>F d",Effort<SEP>A job,Physics
"What is luck?","I have no comment","I have no comment",Fate,Other
"""


def read(folder: Path, name: str, text: str, keep: Mapping[str, Any] | None = None) -> Gathered:
    (folder / name).write_text(text, encoding="utf-8")
    return FileQuestions(FIELDS, keep or {}, "<SEP>", "en").gather([folder / name])


def test_columns_of_known_sets_are_read_into_one_form(tmp_path: Path) -> None:
    first, _ = read(tmp_path, "truthful.csv", TRUTHFUL).items
    assert first.accepted == ("Force times distance", "F d") and first.options == {}
    assert first.origin["incorrect"] == ["Effort", "A job"] and first.origin["domain"] == "Physics"
    assert first.origin["source"] == "truthful" and first.language == "en"
    rows = {"id": "q7", "input": "Who?", "output": "Newton", "optional_output": "Isaac Newton<SEP>Sir Isaac"}
    (item,) = read(tmp_path, "multihal.json", json.dumps([rows])).items
    assert (item.id, item.accepted) == ("q7", ("Newton", "Isaac Newton", "Sir Isaac"))


def test_a_multiple_choice_row_loses_its_options_and_keeps_their_right_texts(tmp_path: Path) -> None:
    row = {"question": "Which?", "options": {"A": "mass", "B": "force"}, "answer": ["B"]}
    (item,) = read(tmp_path, "bench.jsonl", json.dumps(row)).items
    assert item.accepted == ("force",) and item.options == {} and item.origin["choices"]
    (item,) = read(tmp_path, "bench.jsonl", json.dumps({**row, "answer": "A, B"})).items
    assert item.accepted == ("mass", "force")


def test_only_rows_that_are_kept_by_their_label_stay(tmp_path: Path) -> None:
    rows = [{"question": "a?", "answer": "b", "label": "PASS"}, {"question": "c?", "answer": "d", "label": "FAIL"}]
    found = read(tmp_path, "halu.jsonl", "\n".join(map(json.dumps, rows)), {"label": ["pass"]})
    assert [item.question for item in found.items] == ["a?"]
    assert [drop.reason for drop in found.dropped] == ["not_kept"]


def test_a_bad_row_is_a_failure_and_the_others_go_on(tmp_path: Path) -> None:
    text = json.dumps([{"answer": "x"}, 3, {"question": "a?"}, {"question": "a?", "answer": "b"}])
    found = read(tmp_path, "odd.json", text)
    assert (
        len(found.items) == 1 and len(found.failures) == 2 and [drop.reason for drop in found.dropped] == ["no_answer"]
    )
    assert "fields.question" in str(found.failures[0])
    with pytest.raises(InputError, match="not readable"):
        read(tmp_path, "broken.json", "{")


def test_ids_that_occur_twice_are_told_apart(tmp_path: Path) -> None:
    rows = [{"id": 1, "question": "a?", "answer": "b"}, {"id": 1, "question": "c?", "answer": "d"}]
    assert len({item.id for item in read(tmp_path, "ids.json", json.dumps(rows)).items}) == 2


def test_a_graph_asks_by_itself(english_material: Material) -> None:
    pack = english_material.language.part("paths", Pack)
    found = OwnQuestions(english_material, pack, tuple(TASKS), {"answer_printed": 0}).gather()
    sources = {item.origin["source"] for item in found.items}
    assert sources == {"exercise", "benchmark"} and all(item.accepted and not item.options for item in found.items)
    assert {drop.reason for drop in found.dropped} == {"answer_not_printed"}
    exercises = [item for item in found.items if item.origin["source"] == "exercise"]
    assert len(exercises) == 18 and all(item.origin["subjects"] for item in exercises)
    assert not any("{" in item.question or "options" in item.question for item in found.items)


def items(*questions: str, source: str = "s") -> Gathered:
    made = [open_item(f"q{place}", text, [f"a{place}"], {"source": source}) for place, text in enumerate(questions)]
    return Gathered(items=made)


def test_only_a_whole_answer_is_a_refusal() -> None:
    found = Gathered(
        items=[
            open_item("a", "?", ["I have no comment."], {}),
            open_item("b", "?", ["Paris", "i have NO comment"], {}),
            open_item("c", "?", ["I have no comment on that"], {}),
        ]
    )
    without_refusals(found, ["I have no comment"])
    assert [(item.id, item.accepted) for item in found.items] == [
        ("b", ("Paris",)),
        ("c", ("I have no comment on that",)),
    ]
    assert [(drop.id, drop.reason) for drop in found.dropped] == [("a", "refusal")]


def test_questions_asked_twice_are_one_with_the_answers_of_both() -> None:
    found = items("What is the capital of France?", "what is the capital of  France?", "What is the capital of Spain?")
    once(found, HashedNgrams(), 0.99, ())
    assert [item.accepted for item in found.items] == [("a0", "a1"), ("a2",)]
    assert found.items[0].origin["merged"] == ["q1"] and [drop.reason for drop in found.dropped] == ["asked_before"]


def test_questions_with_other_numbers_and_exempt_sources_are_never_one() -> None:
    long = "A car drives with constant speed for a long time along the road and covers {} m. What is its speed?"
    found = items(long.format(20), long.format(21))
    once(found, HashedNgrams(), 0.9, ())
    assert len(found.items) == 2
    found = items("Same?", "Same?", source="ranking")
    once(found, HashedNgrams(), 0.9, ("ranking",))
    assert len(found.items) == 2


def test_questions_about_different_things_are_never_one_however_alike_their_wording() -> None:
    found = items("A very long wording about x that is the same", "A very long wording about y that is the same")
    once(found, HashedNgrams(), 0.8, (), lambda item: item.question[26])
    assert len(found.items) == 2
    once(found, HashedNgrams(), 0.8, ())
    assert len(found.items) == 1


class Chain:
    """A is like B and B like C, but A is not like C."""

    label = "chain"

    def vectors(self, texts: Any) -> Any:
        import numpy as np

        angles = np.array([{"A": 0.0, "B": 0.4, "C": 0.8}[text[0]] for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def test_likeness_is_passed_on_so_no_answer_of_a_chain_is_lost() -> None:
    found = items("A", "B", "C")
    once(found, Chain(), 0.9, ())
    assert [item.accepted for item in found.items] == [("a0", "a1", "a2")]


@given(st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=20))
@settings(max_examples=60)
def test_union_find_finds_the_connected_groups_whatever_the_order(pairs: list[tuple[int, int]]) -> None:
    def groups(some: list[tuple[int, int]]) -> list[int]:
        same = Same(12)
        for one, other in some:
            same.join(one, other)
        return [same.first(thing) for thing in range(12)]

    found = groups(pairs)
    assert found == groups(pairs[::-1]) and all(found[a] == found[b] for a, b in pairs)
    reached = {thing: {thing} for thing in range(12)}
    for _ in range(12):
        for a, b in pairs:
            reached[a] |= reached[b]
            reached[b] |= reached[a]
    assert found == [min(reached[thing]) for thing in range(12)]


@given(st.lists(st.sampled_from(["Who?", "who?", "What 1?", "What 2?", "Where?"]), max_size=12))
@settings(max_examples=40)
def test_kept_and_dropped_make_up_what_was_there(questions: list[str]) -> None:
    found = items(*questions)
    once(found, HashedNgrams(), 0.99, ())
    kept = [item.id for item in found.items]
    assert sorted(kept + [drop.id for drop in found.dropped]) == sorted(f"q{place}" for place in range(len(questions)))
    merged = [text for item in found.items for text in item.accepted]
    assert sorted(merged) == sorted(f"a{place}" for place in range(len(questions)))
    assert all(isinstance(item, Item) for item in found.items)
