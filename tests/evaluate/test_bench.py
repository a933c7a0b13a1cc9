"""Benchmark files are read whole; a bad line costs only itself and is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from evaluate.bench import read_bench, sample
from evaluate.settings import TaskFormat
from kg.errors import SettingsError
from tests.evaluate.conftest import an_item

Write = Callable[..., Path]
GOOD = {
    "id": "task3::subtask3::biology_bx2_rjb_cpt91",
    "question": "?",
    "options": {"A": "x", "B": "y"},
    "answer": ["A"],
}


def test_a_released_item_has_four_fields_and_gets_the_rest_from_its_id(write_items: Write, k12: TaskFormat) -> None:
    [item] = read_bench([str(write_items([GOOD]))], k12).items
    assert (item.task, item.family, item.subject, item.query) == (
        "neighbor",
        "neighbor",
        "biology",
        "biology_bx2_rjb_cpt91",
    )


FAULTS = {
    "no json": "{no json",
    "no question": '{"id": "1", "options": {"A": "x", "B": "y"}, "answer": ["A"]}',
    "an unknown field": '{"id": "1", "question": "?", "options": {"A": "x", "B": "y"}, "answer": ["A"], "x": 1}',
    "an answer that is no option": '{"id": "1", "question": "?", "options": {"A": "x", "B": "y"}, "answer": ["C"]}',
    "no answer": '{"id": "1", "question": "?", "options": {"A": "x", "B": "y"}, "answer": []}',
    "an answer twice": '{"id": "1", "question": "?", "options": {"A": "x", "B": "y"}, "answer": ["A", "A"]}',
    "one option": '{"id": "1", "question": "?", "options": {"A": "x"}, "answer": ["A"]}',
    "odd letters": '{"id": "1", "question": "?", "options": {"A": "x", "C": "y"}, "answer": ["A"]}',
    "letters out of order": '{"id": "1", "question": "?", "options": {"B": "x", "A": "y"}, "answer": ["A"]}',
}


@pytest.mark.parametrize("line", FAULTS.values(), ids=FAULTS)
def test_a_bad_line_is_named_and_the_others_are_read(line: str, write_items: Write, k12: TaskFormat) -> None:
    bench = read_bench([str(write_items([GOOD, line, an_item(7)]))], k12)
    assert [item.id for item in bench.items] == ["i007", GOOD["id"]]
    [failure] = bench.failures
    assert failure.item == "bench.jsonl, line 2" and failure.what


def test_a_second_item_with_an_id_is_left_out_and_said(write_items: Write, k12: TaskFormat) -> None:
    bench = read_bench([str(write_items([an_item(1, "A"), an_item(1, "B")]))], k12)
    assert [item.answer for item in bench.items] == [("A",)]
    assert "second item with the id i001" in bench.failures[0].what


def test_a_folder_is_all_its_files_and_their_order_changes_nothing(write_items: Write, k12: TaskFormat) -> None:
    one, two = write_items([an_item(2)], "d/one.jsonl"), write_items([an_item(1)], "d/two.jsonl")
    folder = read_bench([str(one.parent)], k12)
    assert [item.id for item in folder.items] == ["i001", "i002"]
    assert folder.fingerprint == read_bench([str(two), str(one)], k12).fingerprint
    assert set(folder.files) == {"one.jsonl", "two.jsonl"}


def test_what_lies_beside_the_items_of_a_folder_is_no_bad_item(write_items: Write, k12: TaskFormat) -> None:
    write_items([{"reason": "alias", "node": "x"}], "d/dropped.jsonl")
    write_items([""], "d/empty.jsonl")
    write_items(["{broken", an_item(2)], "d/faulty.jsonl")
    folder = write_items([an_item(1)], "d/one.jsonl").parent
    bench = read_bench([str(folder)], k12)
    assert set(bench.files) == {"faulty.jsonl", "one.jsonl"}
    assert [failure.item for failure in bench.failures] == ["faulty.jsonl, line 1"]


@pytest.mark.parametrize("name", ["nowhere", "empty", "empty/none.jsonl"])
def test_nothing_to_evaluate_is_one_clear_error(name: str, tmp_path: Path, k12: TaskFormat) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(SettingsError, match="bench"):
        read_bench([str(tmp_path / name)], k12)


def test_a_file_without_any_good_line_says_what_is_wrong_with_the_first(write_items: Write, k12: TaskFormat) -> None:
    with pytest.raises(SettingsError, match=r"line 1: .*question"):
        read_bench([str(write_items([FAULTS["no question"]]))], k12)


def test_bytes_that_are_no_text_cost_one_line(tmp_path: Path, k12: TaskFormat) -> None:
    path = tmp_path / "b.jsonl"
    path.write_bytes(b"\xff\xfe\x00broken\n" + an_item(1).to_json().encode() + b"\n")
    bench = read_bench([str(path)], k12)
    assert (len(bench.items), len(bench.failures)) == (1, 1)


def test_a_sample_is_always_the_same_and_part_of_any_larger_one(write_items: Write, k12: TaskFormat) -> None:
    bench = read_bench([str(write_items([an_item(n) for n in range(50)]))], k12)
    ten, twenty = sample(bench, 10), sample(bench, 20)
    assert (len(ten.items), len(twenty.items), ten.usable) == (10, 20, 50)
    assert {item.id for item in ten.items} < {item.id for item in twenty.items}
    assert sample(bench, None) is bench and sample(bench, 50) is bench
