"""A look at what was made from the graph: some questions of the benchmark and some rows of the training data.

In: `bench/<task>.jsonl` and `train/<path>.jsonl`, where they are there. Out: plain data for the page.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any, TypeVar

from kg.item import Item
from kg.store import Store

BENCH, TRAIN = "bench/*.jsonl", "train/*.jsonl"
DROPPED = "bench/dropped.jsonl"

R = TypeVar("R")


def samples(store: Store, most: int) -> dict[str, list[list[Any]]]:
    """`bench`: [task, how many questions it has, some of them]; `train`: [path, how many rows, some of them].

    At most `most` of each, evenly spread over the file: the same for the same files.
    """
    bench = []
    for name in store.names(BENCH):
        items = list(store.read_rows(name, Item)) if name != DROPPED else []
        if items:
            bench.append([_stem(name), len(items), [_question(item) for item in spread(items, most)]])
    train = []
    for name in store.names(TRAIN):
        lines = [json.loads(line) for line in store.read_text(name).split("\n") if line]
        rows = [row for row in lines if "id" in row]  # the same rows in the forms of trainers have none
        if rows:
            train.append([_stem(name), len(rows), [_row(row) for row in spread(rows, most)]])
    return {"bench": bench, "train": train}


def spread(rows: Sequence[R], most: int) -> list[R]:
    """At most `most` of the rows, evenly spread, in order."""
    number = min(most, len(rows))
    return [rows[at * len(rows) // number] for at in range(number)]


def _stem(name: str) -> str:
    return PurePosixPath(name).stem


def _question(item: Item) -> dict[str, Any]:
    """Options are [letter, text, 1 if right else 0, id of the node or empty, where a wrong one was taken from]."""
    options = []
    for letter, text in item.options.items():
        choice = item.choices.get(letter)
        known = (choice.id, choice.layer) if choice else ("", "")
        options.append([letter, text, int(letter in item.answer), *known])
    quotes = [[found.book, found.page, found.quote] for found in item.provenance[:2]]
    return {"question": item.question, "options": options, "about": item.query, "quotes": quotes}


def _row(row: dict[str, Any]) -> dict[str, str]:
    return {key: str(row.get(key, "")) for key in ("question", "answer", "kind")}
