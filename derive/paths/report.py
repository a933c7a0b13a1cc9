"""What responders make of the arms: per question, with intervals that draw whole questions.

In: trials and answers. Out: rows and `ArmScore`s, `PathsSummary`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from pydantic import Field

from derive.ask import ModelUse
from derive.paths.arms import ARMS, Trial
from derive.paths.grade import Grader
from derive.respond import SHOWN, Responder
from derive.statistics import Correlation, Estimate, clustered, spearman
from kg.row import Row


class Answered(Row):
    """One answer."""

    question: str
    """Id of the question."""
    id: str
    """Of the question and the path shown."""
    arm: str
    responder: str
    shown: str
    answer: str | None
    right: bool
    """By its type."""
    likeness: float
    """With the accepted text it is most like."""
    follows: bool | None = None
    """Of a wrong path: the answer is its end."""
    score: int = 0
    """Of the path shown."""
    groups: dict[str, str] = Field(default={}, exclude=True)
    """Source, answer type, domain of the question."""


class ArmScore(Row):
    """One responder under one condition; every question counts once."""

    questions: int
    trials: int
    answered: Estimate | None
    right: Estimate | None
    likeness: Estimate | None
    contradicts: Estimate | None
    """Answered, but not right."""
    follows: Estimate | None = None
    """Of wrong paths: answers that are their end."""


class Reader(Row):
    """One responder."""

    arms: dict[str, ArmScore]
    copy_gap: Estimate | None
    """Right with the path, less right with the answer masked; per question."""
    judged: Correlation
    """Spearman's correlation of a path's score with the likeness of the answer it led to."""
    groups: dict[str, dict[str, dict[str, tuple[float, float, int]]]]
    """Source, type or domain -> value -> arm -> (right, likeness, questions)."""


class PathsSummary(Row):
    """The whole recipe."""

    graph: str
    """SHA-256 of the graph."""
    language: str
    seed: int
    similarity: str
    produced: int
    """Questions that were read or made."""
    questions: int
    """Those with at least one kept path."""
    sources: dict[str, int]
    types: dict[str, int]
    linked: dict[str, int]
    """Stage -> links of the questions and answers."""
    mined: int
    """Paths with a sentence for every hop."""
    selected: int
    judged: dict[str, int]
    """Score -> paths."""
    kept: int
    hops: dict[str, int]
    with_page: int
    """Kept paths whose every hop has a page."""
    shortfall: int
    """Paths that a selection should have had and no judge named; none was filled in."""
    foreign: int
    """Lines of a selection that are no path of their question."""
    dropped: dict[str, int]
    judges: tuple[str, ...]
    untranslated: dict[str, int]
    """Language -> kept paths of which a name has no word in it."""
    readers: dict[str, Reader]
    model: ModelUse | None = None


def answer(trials: Sequence[Trial], responder: Responder, grader: Grader) -> list[Answered]:
    """One row per trial."""
    said = responder.answers([trial.item for trial in trials])
    alike = grader.likeness([(trial.item, text) for trial, text in zip(trials, said, strict=True)])
    return [
        Answered(
            question=str(trial.item.origin["question"]),
            id=trial.item.id,
            arm=trial.arm,
            responder=responder.label,
            shown=str(trial.item.origin[SHOWN]),
            answer=text,
            right=grader.right(trial.item, text, [trial.wrong] if trial.wrong else []),
            likeness=likeness,
            follows=_follows(trial, text, grader) if trial.wrong else None,
            score=trial.score,
            groups=_groups(trial),
        )
        for trial, text, likeness in zip(trials, said, alike, strict=True)
    ]


def _follows(trial: Trial, text: str | None, grader: Grader) -> bool:
    """True if the answer is what the wrong path says and not right; a wrong name may stand in the right one."""
    kind = trial.item.answer_type
    mistaken = trial.item.model_copy(
        update={"accepted": (trial.wrong,), "id": f"{trial.item.id}~{trial.wrong}", "origin": {}, "answer_type": kind}
    )
    return grader.right(mistaken, text) and not grader.right(trial.item, text)


def _groups(trial: Trial) -> dict[str, str]:
    origin = trial.item.origin
    found = {"source": origin.get("source"), "type": trial.item.answer_type, "domain": origin.get("domain")}
    return {name: str(value) for name, value in found.items() if value}


def reader(rows: Sequence[Answered], seed: int) -> Reader:
    """What one responder made of all trials."""
    arms = {arm: [row for row in rows if row.arm == arm] for arm in ARMS}
    shown = [*arms["gold"], *arms["low"]]
    judged = spearman(
        [float(row.score) for row in shown], [row.likeness for row in shown], [row.question for row in shown], seed
    )
    gold, masked = (_by_question(arms[arm], lambda row: row.right) for arm in ("gold", "masked"))
    gaps = {name: [_mean(gold[name]) - _mean(masked[name])] for name in sorted(gold.keys() & masked.keys())}
    return Reader(
        arms={arm: _score(some, seed) for arm, some in arms.items() if some},
        copy_gap=clustered(gaps, seed),
        judged=judged,
        groups={name: _table(rows, name) for name in ("source", "type", "domain")},
    )


def _score(rows: Sequence[Answered], seed: int) -> ArmScore:
    def estimate(value: Callable[[Answered], float], some: Sequence[Answered] = rows) -> Estimate | None:
        return clustered(_by_question(some, value), seed)

    wrong = [row for row in rows if row.follows is not None]
    return ArmScore(
        questions=len({row.question for row in rows}),
        trials=len(rows),
        answered=estimate(lambda row: row.answer is not None),
        right=estimate(lambda row: row.right),
        likeness=estimate(lambda row: row.likeness),
        contradicts=estimate(lambda row: row.answer is not None and not row.right),
        follows=estimate(lambda row: bool(row.follows), wrong) if wrong else None,
    )


def _by_question(rows: Iterable[Answered], value: Callable[[Answered], float]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        found[row.question].append(float(value(row)))
    return dict(found)


def _table(rows: Sequence[Answered], group: str) -> dict[str, dict[str, tuple[float, float, int]]]:
    cells: dict[str, dict[str, list[Answered]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row.groups.get(group):
            cells[row.groups[group]][row.arm].append(row)
    return {value: {arm: _cell(arms[arm]) for arm in ARMS if arm in arms} for value, arms in sorted(cells.items())}


def _cell(rows: Sequence[Answered]) -> tuple[float, float, int]:
    right, alike = _by_question(rows, lambda row: row.right), _by_question(rows, lambda row: row.likeness)
    return round(_mean(_means(right)), 4), round(_mean(_means(alike)), 4), len(right)


def _means(groups: Mapping[str, Sequence[float]]) -> list[float]:
    return [_mean(values) for values in groups.values()]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
