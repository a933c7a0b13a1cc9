"""The page shows everything, needs nothing from outside, and runs nothing that a model or a book wrote."""

from __future__ import annotations

import re

from evaluate.compare import compare
from evaluate.page import page
from evaluate.predictions import Prediction
from evaluate.results import Results
from evaluate.score import tables
from tests.evaluate.test_results import HOW, ITEMS, SAID, results
from tests.evaluate.test_score import rows


def without_answers() -> Results:
    floor = tables(ITEMS, {"always A": rows(ITEMS, "AAAA")}, HOW)
    return results().model_copy(update={"answers": (), "scores": floor})


def test_an_incomplete_result_is_marked_as_such() -> None:
    text = page(results(), ITEMS, [SAID])
    assert "Incomplete:" in text and "2 of 4 items" in text and "no connection" in text


def test_the_floor_stands_beside_the_model() -> None:
    text = page(results(), ITEMS, [SAID])
    assert "always A" in text and text.count("<svg") == 2 and 'class="floor"' in text


def test_baselines_alone_make_a_page_too() -> None:
    text = page(without_answers(), ITEMS, [])
    assert "<title>Baselines on 4 items</title>" in text and text.count("<svg") == 2


def test_nothing_is_loaded_from_outside() -> None:
    text = page(results(), ITEMS, [SAID])
    assert not re.search(r"(?:src|href)\s*=|@import|url\(|<script", text)


def test_what_models_and_books_write_is_shown_and_never_run() -> None:
    evil = "<script>alert(1)</script>"
    items = [ITEMS[0].model_copy(update={"question": evil, "options": {"A": evil, "B": "y"}}), *ITEMS[1:]]
    said = {"i001": Prediction(id="i001", letters=("B",), how="list", raw=evil, finish="")}
    text = page(results(), items, [said | {"i002": Prediction(id="i002", how="unclear", raw=evil)}])
    assert "<script>" not in text and text.count("&lt;script&gt;") >= 3


def test_wrong_and_unread_replies_can_be_read_one_by_one() -> None:
    said = SAID | {"i001": Prediction(id="i001", letters=("C",), how="list", raw="C, of course")}
    text = page(results(), ITEMS, [said])
    assert "C, of course" in text and "Replies that could not be read" in text and "Wrong answers" in text


def test_two_models_are_compared() -> None:
    both = compare(ITEMS, ("m", rows(ITEMS, "A.-D")), ("n", rows(ITEMS, "BBBB")), HOW)
    scores = tables(ITEMS, {"m": rows(ITEMS, "A.-D"), "n": rows(ITEMS, "BBBB"), "always A": rows(ITEMS, "AAAA")}, HOW)
    answers = (results().answers[0], results().answers[0].model_copy(update={"name": "n"}))
    whole = results().model_copy(update={"answers": answers, "scores": scores, "comparison": both})
    text = page(whole, ITEMS, [SAID, SAID])
    assert "m against n, item by item" in text and 'class="s1"' in text


def test_the_page_follows_the_readers_theme() -> None:
    assert "prefers-color-scheme: dark" in page(without_answers(), ITEMS, [])
