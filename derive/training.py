"""Training data: question–answer pairs about nodes, relations, exercises and what they test (paper §4.2).

In: topics, a writer, rules. Out: `TrainSet`: rows, and what was left out under which check.
The budget is drawn before anything is written, so that no call to a model is wasted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass as settings

from derive.checks import CheckRules, Checks
from derive.topics import PATHS, Path, Topic
from derive.write import Writer, Written
from kg.graph import Provenance
from kg.ids import digest
from kg.row import Row
from kg.store import sha256


def _paper_budget() -> dict[Path, int]:
    return {"exercise": 450, "assessment": 356, "node": 695, "relation": 766}


@settings(frozen=True, config=ConfigDict(extra="forbid"))
class TrainRules:
    """Settings of the training data."""

    budget: dict[Path, int] = field(default_factory=_paper_budget)
    """Rows per path; where the graph has fewer topics, all of them."""
    writer: Literal["template", "model"] = "template"
    """Who puts topics into words; where the model brings nothing that can be read, the template does."""
    crop: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Role -> properties that a question about it may use; the first says what the thing is."""
    boxed: tuple[str, ...] = ()
    """Properties that stand in a box at the head of an answer."""
    skip: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Role -> property values that rule a node out."""
    checks: CheckRules = field(default_factory=CheckRules)
    validation: float = Field(default=0.05, ge=0, lt=1)
    """Share of the rows that is held out; rows about the same thing stay together."""
    leakage: tuple[str, ...] = ()
    """Benchmark files (JSON lines) to look for shared passages in, besides our own."""
    name: str = "k12_train"
    """Name of the data set in `dataset_info.json`."""
    recipe: dict[str, Any] = field(default_factory=dict)
    """Training settings for LLaMA-Factory."""
    seed: int = 42


class TrainRow(Row):
    """One question and its answer."""

    id: str
    path: str
    kind: str
    question: str
    answer: str
    origin: str
    """`template`, or the model that wrote it."""
    language: str
    split: str
    """`train` or `validation`."""
    sources: tuple[str, ...]
    """Ids of the nodes it is about."""
    provenance: tuple[Provenance, ...] = ()


@dataclass
class TrainSet:
    """Rows sorted by path and id."""

    rows: list[TrainRow] = field(default_factory=list)
    topics: Counter[str] = field(default_factory=Counter)
    """Path -> topics in the graph."""
    dropped: Counter[str] = field(default_factory=Counter)
    """`path: check` -> topics that were written and left out."""


def build(
    topics: Mapping[Path, Sequence[Topic]], writer: Writer, checks: Checks, rules: TrainRules, language: str
) -> TrainSet:
    """The rows, path by path. A topic that fails a check is replaced by the next in line, while there is one."""
    made = TrainSet()
    for path in PATHS:
        made.topics[path] = len(topics[path])
        line = in_line(topics[path], rules.seed)
        missing = rules.budget.get(path, 0)
        while missing > 0 and line:
            turn, line = line[:missing], line[missing:]
            written = zip(turn, writer.write_all(turn), strict=True)
            rows = [row for topic, one in written if (row := _row(topic, one, checks, rules, made))]
            made.rows += [
                row.model_copy(update={"language": language, "origin": row.origin or writer.label}) for row in rows
            ]
            missing -= len(rows)
    made.rows.sort(key=lambda row: (PATHS.index(row.path), row.id))
    return made


def _row(topic: Topic, written: Written, checks: Checks, rules: TrainRules, made: TrainSet) -> TrainRow | None:
    fault = written.reason if written.pair is None else checks.fault(topic, written.pair)
    if fault or written.pair is None:
        made.dropped[f"{topic.path}: {fault}"] += 1
        return None
    return TrainRow(
        id=topic.key,
        path=topic.path,
        kind=topic.kind,
        question=written.pair.question,
        answer=written.pair.answer,
        origin=written.origin,
        language="",
        split=_split(topic.things[0].id, rules),
        sources=tuple(thing.id for thing in topic.things),
        provenance=topic.provenance,
    )


def _split(group: str, rules: TrainRules) -> str:
    """By lot over what the row is about first: no thing is asked about on both sides in the same role."""
    lot = int(sha256(f"{rules.seed}:split:{group}")[:8], 16) / 16**8
    return "validation" if lot < rules.validation else "train"


def in_line(topics: Sequence[Topic], seed: int) -> list[Topic]:
    """All topics in an order whose every beginning is even over kinds, and within a kind over chapters."""
    by_kind: dict[str, dict[str, list[Topic]]] = defaultdict(lambda: defaultdict(list))
    for topic in sorted(topics, key=lambda topic: digest(f"{seed}:{topic.key}", 24)):
        by_kind[topic.kind][topic.chapter].append(topic)
    kinds = [_dealt(list(chapters.values())) for _, chapters in sorted(by_kind.items())]
    return _dealt(kinds)


def _dealt(piles: Sequence[Sequence[Topic]]) -> list[Topic]:
    """One from each pile in turn, until all are gone."""
    longest = max(map(len, piles), default=0)
    return [pile[turn] for turn in range(longest) for pile in piles if turn < len(pile)]
