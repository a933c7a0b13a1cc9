"""What people agreed on becomes lines in the file of decisions, which is only ever added to.

In: votes and rulings. Out: `kg.decisions.Decision`s: one per task on which all judges said the same or which somebody
ruled on. A decision that is taken back is withdrawn by a line of its own.
"""

from __future__ import annotations

import datetime as dt
import json
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, insert, select

from kg.decisions import Decision, read
from review.database import ruling, task, vote, written
from review.task import Task
from review.votes import Votes


def write(votes: Votes, path: Path) -> int:
    """The file holds everything that is decided by now; what it held before is untouched. Returns the lines added.

    Raises InputError if the file is there and no text.
    """
    last = {decision.subject(): decision for decision in read(path)[0]}
    with votes.engine.begin() as db:
        mine = (
            select(task.c.id, task.c.payload).where(task.c.subject == votes.subject).order_by(task.c.place, task.c.id)
        )
        tasks = {row.id: Task.model_validate_json(row.payload) for row in db.execute(mine)}
        ours = set(db.execute(select(written.c.task)).scalars())
        now = _settled(db, votes, tasks)
        due = list(_due(tasks, last, now, ours))
        if due:
            _append(path, [line for _, line in due])
        for key, line in due:
            db.execute(delete(written).where(written.c.task == key))
            if line.verdict != "withdraw":
                db.execute(insert(written).values(task=key))
    return len(due)


def _due(
    tasks: Mapping[str, Task], last: Mapping[tuple[str, ...], Decision], now: Mapping[str, Decision], ours: set[str]
) -> Iterator[tuple[str, Decision]]:
    """What the file does not say yet, in the order of the queue."""
    for key, asked in tasks.items():
        old, new = last.get((asked.kind, *asked.about)), now.get(key)
        if new is not None and (old is None or not _same(old, new)):
            yield key, new
        # Only people withdraw: a decision stays where its subject has changed, or it is asked about once more.
        elif new is None and old is not None and key in ours and _taken_back(old, asked):
            undone = {"verdict": "withdraw", "change": {}, "by": (), "date": _today(), "comment": ""}
            yield key, old.model_copy(update=undone)


def _taken_back(old: Decision, asked: Task) -> bool:
    return old.verdict != "withdraw" and old.saw(asked.content) and not asked.again


def _same(one: Decision, other: Decision) -> bool:
    fields = ("kind", "about", "verdict", "content", "change")
    return all(getattr(one, name) == getattr(other, name) for name in fields)


def _settled(db: Connection, votes: Votes, tasks: Mapping[str, Task]) -> dict[str, Decision]:
    """Decision per task that has one: the ruling, else what all judges say."""
    here = and_(task.c.id == vote.c.task, task.c.subject == votes.subject)
    cast: dict[str, list[Row[Any]]] = defaultdict(list)
    for row in db.execute(select(vote).join(task, here).order_by(vote.c.person)):
        cast[row.task].append(row)
    ruled = {row.task: row for row in db.execute(select(ruling)) if row.task in tasks}
    found = {}
    for key, asked in tasks.items():
        said = cast.get(key, [])
        whole = len(said) >= votes.judges and len({(row.verdict, row.change) for row in said}) == 1
        if key in ruled:
            found[key] = _decision(asked, ruled[key], (ruled[key].person,), [ruled[key].comment])
        elif whole:
            found[key] = _decision(asked, said[0], tuple(row.person for row in said), [row.comment for row in said])
    return found


def _decision(asked: Task, row: Row[Any], by: tuple[str, ...], comments: list[str]) -> Decision:
    return Decision(
        kind=asked.kind,
        about=asked.about,
        verdict=row.verdict,
        content=asked.content,
        change=json.loads(row.change),
        by=by,
        date=dt.datetime.fromtimestamp(row.at, dt.UTC).date().isoformat(),
        comment=" / ".join(comment for comment in comments if comment),
    )


def _today() -> str:
    return dt.datetime.now(dt.UTC).date().isoformat()


def _append(path: Path, lines: list[Decision]) -> None:
    """Whole lines at the end of the file, on the disk when this returns."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(line.to_json() + "\n" for line in lines)
    with path.open("a+b") as stream:
        if stream.tell() and _last_byte(path) != b"\n":
            text = "\n" + text
        stream.write(text.encode("utf-8"))
        stream.flush()
        os.fsync(stream.fileno())


def _last_byte(path: Path) -> bytes:
    with path.open("rb") as stream:
        stream.seek(-1, os.SEEK_END)
        return stream.read(1)
