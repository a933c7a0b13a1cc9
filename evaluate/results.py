"""The result of an evaluation as data: what was asked, what came back, what it scores.

In: the parts. Out: `Results`, written as `results.json` and, one line per number, `scores.csv`. Percentages run from
0 to 100. Nothing in it depends on the time or on whether replies came from the cache.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence

from evaluate.bench import Bench
from evaluate.compare import Comparison
from evaluate.parse import UNREAD
from evaluate.predictions import Prediction
from evaluate.score import Table
from evaluate.settings import Protocol, Statistics
from kg.item import Item
from kg.llm import Usage
from kg.row import Row


class BenchFacts(Row):
    """What was evaluated on."""

    files: dict[str, str]
    """File name -> SHA-256."""
    items: int
    """Evaluated ones."""
    usable: int
    """Those in the files; more than `items` if these are a sample."""
    fingerprint: str
    unusable: int
    """Lines that are no usable item."""


class LetterUse(Row):
    """How often a letter is given and right, over the answered items."""

    given: int
    right: int


class Answers(Row):
    """What one answerer returned."""

    name: str
    items: int
    answered: int
    """Items that count; the others' calls failed."""
    complete: bool
    """Enough of them for the scores to stand for the benchmark."""
    unread: int
    """Replies in which no letters could be read; each scores 0."""
    readings: dict[str, int]
    """How replies were read, or why not."""
    cut: int
    """Replies that ran into the token limit."""
    letters: dict[str, LetterUse]
    failures: dict[str, int] = {}
    """Why items have no answer."""
    models: tuple[str, ...] = ()
    """Names by which the server called itself."""
    adapted: tuple[str, ...] = ()
    """What the server did not take as the protocol asks."""
    usage: Usage | None = None
    """Tokens of all replies."""


class Results(Row):
    """Everything about one evaluation."""

    bench: BenchFacts
    protocol: Protocol
    prompts: dict[str, str]
    """Language -> fingerprint of its prompt."""
    statistics: Statistics
    answers: tuple[Answers, ...]
    baselines: tuple[str, ...]
    scores: dict[str, Table]
    """Answerer or baseline -> group -> value -> scores."""
    comparison: Comparison | None = None


def bench_facts(bench: Bench) -> BenchFacts:
    """What the results say of the benchmark."""
    return BenchFacts(
        files=bench.files,
        items=len(bench.items),
        usable=bench.usable,
        fingerprint=bench.fingerprint,
        unusable=len(bench.failures),
    )


def answers_of(name: str, items: Sequence[Item], predictions: Mapping[str, Prediction], how: Statistics) -> Answers:
    """What the answers look like, apart from their scores."""
    answered = [(item, row) for item in items if (row := predictions.get(item.id)) and not row.failure]
    readings = Counter(row.how for _, row in answered)
    letters = sorted({letter for item, _ in answered for letter in item.options})
    return Answers(
        name=name,
        items=len(items),
        answered=len(answered),
        complete=len(answered) >= how.complete * len(items),
        unread=sum(readings[how] for how in UNREAD),
        readings=dict(sorted(readings.items())),
        cut=sum(row.finish == "length" for _, row in answered),
        letters={
            letter: LetterUse(
                given=sum(letter in row.letters for _, row in answered),
                right=sum(letter in item.answer for item, _ in answered),
            )
            for letter in letters
        },
        failures=dict(sorted(Counter(filter(None, (_missing(predictions.get(item.id)) for item in items))).items())),
    )


def _missing(prediction: Prediction | None) -> str:
    return "no answer in the file" if prediction is None else prediction.failure


def as_csv(results: Results) -> str:
    """One line per answerer, group and value."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = ("answerer", "group", "value", "items", "answered", "em", "em_low", "em_high", "f1", "f1_low", "f1_high")
    writer.writerow((*names, "precision", "recall"))
    for answerer, table in results.scores.items():
        for group, cells in table.items():
            for value, cell in cells.items():
                em, f1 = cell.em_interval or ("", ""), cell.f1_interval or ("", "")
                row = (answerer, group, value, cell.items, cell.answered, cell.em, *em, cell.f1, *f1)
                writer.writerow((*row, cell.precision, cell.recall))
    return out.getvalue()
