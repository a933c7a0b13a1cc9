"""What training data holds, what was left out and why, and what of it a benchmark has seen.

In: a `TrainSet`, benchmark files. Out: `TrainSummary` and `Overlap`s, written under `train/`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from derive.ask import ModelUse
from derive.checks import CheckRules, overlapping
from derive.topics import PATHS
from derive.training import TrainRow, TrainRules, TrainSet
from kg.errors import SettingsError
from kg.row import Row

BENCH, TRAIN = "bench/summary.json", "train/summary.json"
SHOWN = 20


class PathSummary(Row):
    """One of the four paths."""

    topics: int
    """What the graph has to ask about."""
    budget: int
    rows: int
    kinds: dict[str, int]
    dropped: dict[str, int]
    """Check -> topics that were written and left out."""


class TrainSummary(Row):
    """All paths."""

    graph: str
    language: str
    seed: int
    origins: dict[str, int]
    """Who wrote the rows."""
    model: ModelUse | None = None
    """What was asked of a model, where one wrote."""
    replaced: dict[str, int] = {}
    """Why the template wrote in the model's place -> topics."""
    rows: int
    splits: dict[str, int]
    paths: dict[str, PathSummary]


class Overlap(Row):
    """Rows that share a passage with one benchmark file."""

    file: str
    items: int
    rows: int
    share: float
    """Of all rows."""
    examples: tuple[str, ...]
    """Ids of the first of these rows."""


def train_summary(made: TrainSet, rules: TrainRules, graph: str, language: str) -> TrainSummary:
    """The summary of a finished set."""
    return TrainSummary(
        graph=graph,
        language=language,
        seed=rules.seed,
        origins=_counted(row.origin for row in made.rows),
        rows=len(made.rows),
        splits=_counted(row.split for row in made.rows),
        paths={
            path: PathSummary(
                topics=made.topics[path],
                budget=rules.budget.get(path, 0),
                rows=sum(row.path == path for row in made.rows),
                kinds=_counted(row.kind for row in made.rows if row.path == path),
                dropped={
                    check.removeprefix(f"{path}: "): count
                    for check, count in sorted(made.dropped.items())
                    if check.startswith(f"{path}: ")
                },
            )
            for path in PATHS
        },
    )


def overlaps(rows: Sequence[TrainRow], files: Sequence[Path], rules: CheckRules) -> list[Overlap]:
    """One entry per file, in the order given. Raises SettingsError naming a file that is no benchmark."""
    texts = [f"{row.question} {row.answer}" for row in rows]
    found: list[Overlap] = []
    for file in files:
        items = _texts(file)
        shared = overlapping(texts, items, rules)
        ids = tuple(rows[index].id for index in shared[:SHOWN])
        share = round(len(shared) / len(rows), 4) if rows else 0.0
        found.append(Overlap(file=file.name, items=len(items), rows=len(shared), share=share, examples=ids))
    return found


def _texts(file: Path) -> list[str]:
    """The question with its options of every line."""
    try:
        records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        return [" ".join([record["question"], *record.get("options", {}).values()]) for record in records]
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        remedy = "name JSON-lines files whose lines have `question` and `options`"
        raise SettingsError(f"no benchmark file: {error}", where=str(file), remedy=remedy) from None


def _counted(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))
