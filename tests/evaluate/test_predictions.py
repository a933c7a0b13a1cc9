"""Answers of any tool are read; what failed is a failure and never an answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from evaluate.parse import Reading, read
from evaluate.parse_k12 import read_first_line
from evaluate.predictions import Prediction, read_predictions, scored
from evaluate.settings import FieldNames
from evaluate.words import spoken_words
from kg.errors import SettingsError
from kg.language import load
from kg.stage import ROOT
from tests.evaluate.conftest import an_item

ITEMS = [an_item(1, "A"), an_item(2, "BC")]
SPOKEN = spoken_words(load(ROOT / "conf" / "language"))
FIELDS = FieldNames.model_validate(yaml.safe_load((ROOT / "conf/evaluate/config.yaml").read_text("utf-8"))["fields"])


def reader(reply: str, options: Mapping[str, str]) -> Reading:
    return read(reply, options, SPOKEN)


def write(path: Path, *rows: object) -> Path:
    path.write_text(
        "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows), encoding="utf-8"
    )
    return path


OURS = {"id": "i002", "letters": ["B"], "how": "list", "raw": "B,C"}
PEER = {"id": "i002", "gold": ["B", "C"], "pred": ["B"], "raw_output": "B，C", "exact_match": 0.0, "f1": 0.5}
HARNESS = {"doc_id": 0, "doc": {"id": "i002", "options": []}, "resps": [["B,C"]], "filtered_resps": ["B,C"]}


@pytest.mark.parametrize("row", [OURS, PEER, HARNESS], ids=["ours", "released", "lm-eval"])
def test_replies_of_every_tool_are_read_anew(row: object, tmp_path: Path) -> None:
    found, failures = read_predictions(write(tmp_path / "p.jsonl", row), ITEMS, FIELDS, reader)
    assert found["i002"].letters == ("B", "C") and failures == []


@pytest.mark.parametrize("said", [["C", "B"], "B,C", "B, C"])
def test_letters_without_a_reply_are_taken_as_they_are(said: object, tmp_path: Path) -> None:
    found, _ = read_predictions(write(tmp_path / "p.jsonl", {"id": "i002", "pred": said}), ITEMS, FIELDS, reader)
    assert found["i002"].letters == ("B", "C")


@pytest.mark.parametrize(
    "row", [{"id": "i001", "failure": "no connection"}, {"id": "i001", "raw_output": "__ERROR__: timeout", "pred": []}]
)
def test_a_failed_call_is_no_answer(row: object, tmp_path: Path) -> None:
    found, _ = read_predictions(write(tmp_path / "p.jsonl", row), ITEMS, FIELDS, reader)
    assert found["i001"].failure
    assert scored(ITEMS, found) == [None, None]


def test_an_empty_answer_is_an_answer_that_scores_nothing(tmp_path: Path) -> None:
    rows = [{"id": "i001", "pred": []}, {"id": "i002", "raw": "I do not know"}]
    found, _ = read_predictions(write(tmp_path / "p.jsonl", *rows), ITEMS, FIELDS, reader)
    assert [row.em for row in scored(ITEMS, found) if row] == [0.0, 0.0]
    assert (found["i001"].how, found["i002"].how) == ("empty", "refusal")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{broken", "no JSON"),
        ("[1]", "no id"),
        ('{"pred": "A"}', "no id"),
        ('{"id": "i001"}', "neither a reply nor letters"),
        ('{"id": "i001", "pred": ["E"]}', "letters that no option has: E"),
    ],
)
def test_a_bad_line_is_named_and_the_others_are_read(line: str, message: str, tmp_path: Path) -> None:
    path = write(tmp_path / "p.jsonl", line, OURS)
    found, [failure] = read_predictions(path, ITEMS, FIELDS, reader)
    assert set(found) == {"i002"}
    assert failure.item == "p.jsonl, line 1" and message in failure.what


def test_answers_to_items_that_are_not_evaluated_are_left_alone(tmp_path: Path) -> None:
    found, failures = read_predictions(
        write(tmp_path / "p.jsonl", {"id": "zzz", "pred": "A"}, OURS), ITEMS, FIELDS, reader
    )
    assert set(found) == {"i002"} and failures == []


@pytest.mark.parametrize("rows", [[], [{"id": "zzz", "pred": "A"}]])
def test_a_file_that_answers_nothing_is_one_clear_error(rows: list[object], tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="answers no item"):
        read_predictions(write(tmp_path / "p.jsonl", *rows), ITEMS, FIELDS, reader)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    row = Prediction(id="i002", letters=("B",), how="lead", raw="B, as …", finish="length")
    path = tmp_path / "p.jsonl"
    path.write_text(row.to_json() + "\n\n", encoding="utf-8")
    found, _ = read_predictions(path, ITEMS, FIELDS, reader)
    assert found == {"i002": row}


@pytest.mark.parametrize(
    ("reply", "letters"),
    [("B", "B"), ("The correct answer is B", "ABC"), ("I do not know", "D"), ("</think>\nA,C", "AC"), ("?!\nB", "B")],
)
def test_the_released_evaluator_reads_every_letter(reply: str, letters: str) -> None:
    assert "".join(read_first_line(reply, ITEMS[0].options).letters) == letters


def test_the_released_evaluator_finds_nothing_where_nothing_is() -> None:
    assert (read_first_line("", ITEMS[0].options).how, read_first_line("??", ITEMS[0].options).how) == (
        "empty",
        "unclear",
    )
