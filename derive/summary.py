"""What a benchmark holds, what was left out and why, and what rules that know nothing would score on it.

In: a `Benchmark` and its material. Out: `BenchSummary`, written as `bench/summary.json`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from derive.ask import ModelUse
from derive.audit import HIGH, LOW, Audit, audit
from derive.benchmark import Benchmark, TaskLog
from derive.integrity import faults
from derive.material import Material
from derive.quotas import balance_k
from kg.item import Item
from kg.row import Row
from kg.similarity import Similarity


class TaskSummary(Row):
    """One subtask."""

    questions: int
    """Questions that the graph allows."""
    items: int
    feasible: dict[str, int]
    """Numbers of right options that a question could have -> questions."""
    right: dict[str, int]
    """Number of right options -> items."""
    best_right: dict[str, int]
    """The most even distribution that those questions allow."""
    at_best: float
    """Share of the items whose number of right options that distribution has room for."""
    dropped: dict[str, int]
    refused: dict[str, int]
    """Distractors that were looked at and left out, by reason."""
    layers: dict[str, int]
    """Where the distractors of the items come from."""
    audit: Audit | None
    """None where there is no item."""


class BenchSummary(Row):
    """All subtasks."""

    graph: str
    """SHA-256 of the graph."""
    nodes: int
    edges: int
    left_out: dict[str, int]
    """Parts of the graph that do not fit the schema, by reason."""
    language: str
    seed: int
    similarity: str
    judges: tuple[str, ...]
    model: ModelUse | None = None
    """What was asked of the teacher, where there is one."""
    range: tuple[float, float] = (LOW, HIGH)
    """Where every probe's rate on single-answer items should lie."""
    items: int
    faults: dict[str, int]
    tasks: dict[str, TaskSummary]
    audit: Audit | None


def summary(made: Benchmark, material: Material, similarity: Similarity, facts: Mapping[str, object]) -> BenchSummary:
    """The summary; `facts` are the fields that say what it was made from."""
    degree = material.view.degree

    def audited(items: Sequence[Item]) -> Audit | None:
        return audit(items, degree, similarity) if items else None

    own = {task: [item for item in made.items if item.task == task] for task in made.logs}
    return BenchSummary.model_validate(
        {
            **facts,
            "left_out": dict(sorted(material.view.problems.items())),
            "language": material.language.code,
            "similarity": similarity.label,
            "items": len(made.items),
            "faults": faults(made.items, material),
            "tasks": {task: _task(log, own[task], audited(own[task])) for task, log in made.logs.items()},
            "audit": audited(made.items),
        }
    )


def _task(log: TaskLog, items: Sequence[Item], found: Audit | None) -> TaskSummary:
    right = Counter(len(item.answer) for item in items)
    best = _best(log.feasible)
    kept = sum(best.values()) - sum(log.dropped[reason] for reason in ("shortcut_quota",))
    met = sum(min(right[k], best[k]) for k in best)
    return TaskSummary(
        questions=log.drafts,
        items=len(items),
        feasible=dict(sorted(log.feasible.items())),
        right={str(k): count for k, count in sorted(right.items())},
        best_right={str(k): count for k, count in sorted(best.items())},
        at_best=round(met / kept, 4) if kept else 1.0,
        dropped=dict(sorted(log.dropped.items())),
        refused=dict(sorted(log.refused.items())),
        layers=dict(sorted(log.layers.items())),
        audit=found,
    )


def _best(feasible: Mapping[str, int]) -> Counter[int]:
    questions = {
        f"{group}:{number}": tuple(map(int, group.split("/")))
        for group, count in feasible.items()
        for number in range(count)
    }
    return Counter(balance_k(questions).values())
