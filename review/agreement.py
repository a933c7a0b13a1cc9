"""How far annotators agree before anybody adjudicates: Fleiss' κ and shares, by subject and type (Table 9).

In: votes. Out: one row per subject and type, and rows for everything. Only tasks with all their judges count; where
κ is not defined the row says why. Method: Fleiss (1971), as computed by statsmodels.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from sqlalchemy import Engine, select

from kg.row import Row
from review.database import task, vote

OVERALL = ""
"""Subject or type of a row over all of them."""


class Ballot(NamedTuple):
    """All votes on one task."""

    subject: str
    kind: str
    type: str
    verdicts: tuple[str, ...]


class Agreement(Row):
    """One cell of the table."""

    subject: str
    kind: str
    """`node`, `edge`, `pair` or `use`."""
    type: str
    tasks: int
    """With all their judges."""
    incomplete: int
    """Begun and not judged by all: not counted."""
    unanimous: float | None = None
    """Share of tasks on which all say the same, in [0, 1]."""
    pairwise: float | None = None
    """Share of pairs of judges who say the same, in [0, 1]."""
    kappa: float | None = None
    """Fleiss' κ, at most 1; none where it is not defined."""
    why: str = ""
    """`no_tasks` or `one_verdict` (there is no chance agreement to compare with), where κ is not defined."""


def ballots(engine: Engine) -> list[Ballot]:
    """All votes of a database that still hold, by task; of a person the last."""
    query = select(vote.c.task, task.c.subject, task.c.kind, task.c.type, vote.c.verdict)
    with engine.execution_options(writes=False).begin() as db:
        rows = db.execute(query.join(task, task.c.id == vote.c.task).order_by(vote.c.task, vote.c.at)).all()
    found: dict[str, list[str]] = defaultdict(list)
    facts = {row.task: (row.subject, row.kind, row.type) for row in rows}
    for row in rows:
        found[row.task].append(row.verdict)
    return [Ballot(*facts[key], tuple(verdicts)) for key, verdicts in found.items()]


def table(votes: Sequence[Ballot], judges: int) -> list[Agreement]:
    """A row per subject, kind and type; then per kind and type over all subjects; then one per kind over all types.

    A task with more votes than `judges` counts with the earliest ones.
    """
    cells: dict[tuple[str, str, str], list[Ballot]] = defaultdict(list)
    for ballot in votes:
        cells[(ballot.subject, ballot.kind, ballot.type)].append(ballot)
        cells[(ballot.subject, ballot.kind, OVERALL)].append(ballot)
    if len({ballot.subject for ballot in votes}) > 1:
        for ballot in votes:
            cells[(OVERALL, ballot.kind, ballot.type)].append(ballot)
            cells[(OVERALL, ballot.kind, OVERALL)].append(ballot)
    order = sorted(cells, key=lambda cell: (cell[0] == OVERALL, cell[0], cell[1], cell[2] == OVERALL, cell[2]))
    return [_row(cell, cells[cell], judges) for cell in order]


def _row(cell: tuple[str, str, str], votes: Sequence[Ballot], judges: int) -> Agreement:
    full = [ballot.verdicts[:judges] for ballot in votes if len(ballot.verdicts) >= judges]
    row = Agreement(
        subject=cell[0], kind=cell[1], type=cell[2], tasks=len(full), incomplete=len(votes) - len(full), why="no_tasks"
    )
    if not full or judges < 2:
        return row
    pairs = [one == other for verdicts in full for one, other in combinations(verdicts, 2)]
    value = kappa(full)
    shares = {
        "unanimous": sum(len(set(verdicts)) == 1 for verdicts in full) / len(full),
        "pairwise": sum(pairs) / len(pairs),
    }
    return row.model_copy(update={**shares, "kappa": value, "why": "" if value is not None else "one_verdict"})


def kappa(full: Sequence[Sequence[str]]) -> float | None:
    """Fleiss' κ of tasks that all have the same number of votes; none if only one verdict was ever given."""
    from statsmodels.stats.inter_rater import fleiss_kappa  # late: it brings pandas, which takes seconds

    verdicts = sorted({verdict for votes in full for verdict in votes})
    if len(verdicts) < 2:
        return None
    counts = [[Counter(votes)[verdict] for verdict in verdicts] for votes in full]
    value = float(fleiss_kappa(counts))
    return value if math.isfinite(value) else None
