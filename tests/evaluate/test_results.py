"""The result says what was answered, how it was read, and what was not answered and why."""

from __future__ import annotations

import csv
import io

from evaluate.predictions import Prediction
from evaluate.results import BenchFacts, LetterUse, Results, answers_of, as_csv
from evaluate.score import tables
from evaluate.settings import Protocol, Statistics
from tests.evaluate.conftest import an_item
from tests.evaluate.test_score import rows

HOW = Statistics(resamples=50)
ITEMS = [an_item(1, "A"), an_item(2, "AB"), an_item(3, "C"), an_item(4, "D")]
SAID = {
    "i001": Prediction(id="i001", letters=("A",), how="list", raw="A"),
    "i002": Prediction(id="i002", how="unclear", raw="hm", finish="length"),
    "i003": Prediction(id="i003", failure="no connection"),
}


def test_answers_are_counted_by_how_they_were_read() -> None:
    row = answers_of("m", ITEMS, SAID, HOW)
    assert (row.items, row.answered, row.unread, row.cut) == (4, 2, 1, 1)
    assert row.readings == {"list": 1, "unclear": 1}
    assert row.failures == {"no answer in the file": 1, "no connection": 1}
    assert row.letters["A"] == LetterUse(given=1, right=2)


def test_a_result_is_complete_only_if_nearly_all_was_answered() -> None:
    assert not answers_of("m", ITEMS, SAID, HOW).complete
    assert answers_of("m", ITEMS, SAID, HOW.model_copy(update={"complete": 0.5})).complete


def results() -> Results:
    scores = tables(ITEMS, {"m": rows(ITEMS, "A.-D"), "always A": rows(ITEMS, "AAAA")}, HOW)
    return Results(
        bench=BenchFacts(files={"b.jsonl": "0" * 64}, items=4, usable=4, fingerprint="f", unusable=0),
        protocol=Protocol(),
        prompts={"en": "1"},
        statistics=HOW,
        answers=(answers_of("m", ITEMS, SAID, HOW),),
        baselines=("always A",),
        scores=scores,
    )


def test_the_csv_has_a_line_per_answerer_group_and_value() -> None:
    lines = list(csv.DictReader(io.StringIO(as_csv(results()))))
    mine = [row for row in lines if row["answerer"] == "m" and row["group"] == "overall"]
    assert [(row["items"], row["answered"], row["em"]) for row in mine] == [("4", "3", "66.6667")]
    assert {row["group"] for row in lines} == {"overall", "family", "task", "subject", "stage", "k"}
    assert float(mine[0]["em_low"]) <= 66.6667 <= float(mine[0]["em_high"])


def test_results_are_read_back_as_they_were_written() -> None:
    assert Results.model_validate_json(results().model_dump_json()) == results()
