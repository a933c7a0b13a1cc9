"""Who judges which task, and what they say: nothing is lost, nothing counts twice.

In: tasks of `review/queue.jsonl`, votes of people. Out: the next task of a person, progress, disagreements, rulings.
Each task is judged by exactly `judges` people who do not see each other's votes. A vote belongs to the content it was
given on: where that has changed, the task is asked again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine, Row, and_, bindparam, delete, func, insert, select, text, update
from sqlalchemy.exc import IntegrityError, OperationalError

from kg.errors import KgError
from kg.store import canonical, sha256
from review.database import assignment, happened, ruling, task, vote
from review.task import Task

T = TypeVar("T")
CANDIDATES = 8
"""Tasks tried when several people reach for the same one."""
ATTEMPTS = 10


class Refused(KgError):
    """What somebody asked for cannot be done as things stand now."""


class Said(NamedTuple):
    """A judgement."""

    verdict: str
    change: Mapping[str, Any] = {}
    comment: str = ""

    def same(self, other: Said) -> bool:
        """True if both mean the same, comments apart."""
        return self.verdict == other.verdict and dict(self.change) == dict(other.change)


class Vote(NamedTuple):
    """Who said what, and how long it took in seconds."""

    person: str
    said: Said
    seconds: float


@dataclass(frozen=True)
class Progress:
    """How far a person and everybody are."""

    mine: int
    """Tasks this person has judged."""
    judged: int
    """Tasks that have all their judges."""
    open: int
    """Tasks of the queue."""


@dataclass(frozen=True)
class Votes:
    """The votes on one subject."""

    engine: Engine
    subject: str
    judges: int = 3
    take_over: float = 3600.0
    """Seconds after which a task that somebody left unjudged goes to another person."""
    now: Callable[[], float] = field(default=time.time)
    _reached: dict[str, int] = field(default_factory=dict, repr=False)
    """How far down the queue each person was given tasks: nothing before that place is free, as a rule."""

    def load(self, tasks: Iterable[Task]) -> int:
        """The open tasks are these afterwards, in this order. Returns how many are new or ask about new content.

        Votes on content that has changed no longer count; they stay in the record of what happened.
        """
        rows = {
            row.id: {"place": place, "kind": row.kind, "type": row.type, "payload": row.to_json(), "content": seen(row)}
            for place, row in enumerate(tasks)
        }
        with self.engine.begin() as db:
            mine = task.c.subject == self.subject
            known = {row.id: row.content for row in db.execute(select(task.c.id, task.c.content).where(mine))}
            db.execute(update(task).where(mine).values(open=False))
            new = [{"id": key, "subject": self.subject, "open": True, **row} for key, row in rows.items()]
            fresh = [row for row in new if row["id"] not in known]
            if fresh:
                db.execute(insert(task), fresh)
            again = [{"key": row["id"], **row} for row in new if row["id"] in known]
            if again:
                db.execute(update(task).where(task.c.id == bindparam("key")), again)
            stale = [str(row["id"]) for row in new if known.get(row["id"], row["content"]) != row["content"]]
            for key in stale:
                for table in (assignment, vote, ruling):
                    db.execute(delete(table).where(table.c.task == key))
                db.execute(update(task).where(task.c.id == key).values(judged=0))
            live = select(task.c.id).where(task.c.id == assignment.c.task, task.c.open.is_(True)).exists()
            db.execute(update(assignment).where(assignment.c.subject == self.subject).values(live=live))
            db.execute(text("ANALYZE"))  # else SQLite takes the queue for a short table, and reads all of it every time
        self._reached.clear()
        return len(fresh) + len(stale)

    def task(self, key: str) -> Task | None:
        """The task; none if there is no such open one."""
        with self._reading() as db:
            found = db.execute(select(task.c.payload).where(self._open(), task.c.id == key)).scalar()
        return Task.model_validate_json(found) if found else None

    def holds(self, person: str, key: str) -> bool:
        """True if the task was given to this person."""
        with self._reading() as db:
            mine = and_(assignment.c.task == key, assignment.c.person == person)
            return db.execute(select(assignment.c.slot).where(mine)).first() is not None

    def next(self, person: str) -> Task | None:
        """A task the person was given and has not judged, else one that lacks judges; none at the end."""

        def turn(db: Connection) -> str | None:
            return self._given(db, person) or self._claimed(db, person)

        found = self._writing(turn)
        return Task.model_validate_json(found) if found else None

    def give(self, person: str, key: str) -> None:
        """The task is this person's. Raises Refused if it has all its judges."""

        def turn(db: Connection) -> None:
            rows = db.execute(select(assignment.c.slot, assignment.c.person).where(assignment.c.task == key)).all()
            if person in {row.person for row in rows}:
                return
            free = sorted(set(range(self.judges)) - {row.slot for row in rows})
            if not free:
                raise Refused("this task has all its judges")
            db.execute(insert(assignment).values(self._slot(key, free[0], person)))

        self._writing(turn)

    def cast(self, person: str, key: str, content: str, said: Said, seconds: float = 0.0) -> None:
        """The person's vote on the task is this one, whatever it was before; the same vote again changes nothing.

        Raises Refused if the task is not theirs, is gone, was about something else, or has been ruled on.
        """

        def turn(db: Connection) -> None:
            self._current(db, key, content, said)
            mine = and_(assignment.c.task == key, assignment.c.person == person)
            if db.execute(select(assignment.c.slot).where(mine)).first() is None:
                raise Refused("this task was given to somebody else")
            row = _columns(said) | {"content": content}
            old = db.execute(select(vote).where(vote.c.task == key, vote.c.person == person)).first()
            if old is not None and _said(old) == said:
                return
            if old is not None:
                db.execute(delete(vote).where(vote.c.task == key, vote.c.person == person))
            else:
                self._count(db, key, person, 1)
            at = self.now()
            db.execute(insert(vote).values(task=key, person=person, seconds=seconds, at=at, **row))
            db.execute(insert(happened).values(at=at, person=person, action="vote", task=key, **row))

        self._writing(turn)

    def undo(self, person: str) -> str | None:
        """The person's last vote is taken back and its task, whose id is returned, waits for them again.

        None if there is nothing to take back or it has been ruled on.
        """

        def turn(db: Connection) -> str | None:
            mine = select(vote).join(task, and_(task.c.id == vote.c.task, self._open()))
            last = db.execute(mine.where(vote.c.person == person).order_by(vote.c.at.desc()).limit(1)).first()
            if last is None or db.execute(select(ruling.c.task).where(ruling.c.task == last.task)).first():
                return None
            db.execute(delete(vote).where(vote.c.task == last.task, vote.c.person == person))
            self._count(db, last.task, person, -1)
            row = {"content": last.content, "verdict": last.verdict, "change": last.change, "comment": last.comment}
            db.execute(insert(happened).values(at=self.now(), person=person, action="undo", task=last.task, **row))
            return str(last.task)

        return self._writing(turn)

    def rule(self, person: str, key: str, content: str, said: Said) -> None:
        """The disagreement on the task is settled. Raises Refused if it is gone or was about something else."""

        def turn(db: Connection) -> None:
            self._current(db, key, content, said, ruled=True)
            row = _columns(said) | {"content": content}
            db.execute(delete(ruling).where(ruling.c.task == key))
            db.execute(insert(ruling).values(task=key, person=person, at=self.now(), **row))
            db.execute(insert(happened).values(at=self.now(), person=person, action="rule", task=key, **row))

        self._writing(turn)

    def votes(self, key: str) -> list[Vote]:
        """All votes on the task, by person. Show them to nobody before the task has all its judges."""
        with self._reading() as db:
            rows = db.execute(select(vote).where(vote.c.task == key).order_by(vote.c.person)).all()
        return [Vote(row.person, _said(row), row.seconds) for row in rows]

    def disagreements(self, most: int = 100) -> list[str]:
        """The first open tasks that have all their judges, who do not agree, and no ruling; most urgent first."""
        with self._reading() as db:
            rows = db.execute(
                select(task.c.id)
                .join(vote, vote.c.task == task.c.id)
                .outerjoin(ruling, ruling.c.task == task.c.id)
                .where(self._open(), task.c.judged >= self.judges, ruling.c.task.is_(None))
                .group_by(task.c.id, task.c.place)
                .having(func.count(func.distinct(vote.c.verdict + vote.c.change)) > 1)
                .order_by(task.c.place)
                .limit(most)
            )
            return list(rows.scalars())

    def progress(self, person: str) -> Progress:
        """How far the work is."""
        done = and_(self._live(person), assignment.c.done.is_(True))
        with self._reading() as db:
            total = db.execute(select(func.count()).select_from(task).where(self._open())).scalar_one()
            full = select(func.count()).select_from(task).where(self._open(), task.c.judged >= self.judges)
            mine = select(func.count()).select_from(assignment).where(done)
            return Progress(db.execute(mine).scalar_one(), db.execute(full).scalar_one(), total)

    def _open(self) -> Any:
        return and_(task.c.subject == self.subject, task.c.open.is_(True))

    def _live(self, person: str) -> Any:
        mine = and_(assignment.c.person == person, assignment.c.subject == self.subject)
        return and_(mine, assignment.c.live.is_(True))

    def _slot(self, key: str, slot: int, person: str) -> dict[str, Any]:
        row = {"task": key, "slot": slot, "person": person, "taken": self.now()}
        return {**row, "subject": self.subject, "live": True, "done": False}

    def _count(self, db: Connection, key: str, person: str, votes: int) -> None:
        """A vote has come or gone."""
        mine = and_(assignment.c.task == key, assignment.c.person == person)
        db.execute(update(assignment).where(mine).values(done=votes > 0))
        db.execute(update(task).where(task.c.id == key).values(judged=task.c.judged + votes))

    def _given(self, db: Connection, person: str) -> str | None:
        waiting = and_(self._live(person), assignment.c.done.is_(False))
        query = select(task.c.payload).join(assignment, assignment.c.task == task.c.id).where(waiting, self._open())
        return db.execute(query.order_by(task.c.place).limit(1)).scalar()

    def _claimed(self, db: Connection, person: str) -> str | None:
        """A task with a free slot becomes this person's."""
        found = self._claim(db, person, self._reached.get(person, 0)) or self._claim(db, person, 0)
        if found is None:
            late = and_(assignment.c.taken < self.now() - self.take_over, assignment.c.done.is_(False))
            if db.execute(delete(assignment).where(late, assignment.c.subject == self.subject)).rowcount:
                found = self._claim(db, person, 0)
        return found

    def _claim(self, db: Connection, person: str, start: int) -> str | None:
        mine = select(assignment.c.task).where(assignment.c.task == task.c.id, assignment.c.person == person)
        count = select(func.count()).select_from(assignment).where(assignment.c.task == task.c.id).scalar_subquery()
        lacking = and_(self._open(), task.c.place >= start, task.c.judged < self.judges)
        free = select(task.c.id, task.c.place, task.c.payload).where(lacking, ~mine.exists(), count < self.judges)
        for row in db.execute(free.order_by(task.c.place).limit(CANDIDATES)).all():
            taken = set(db.execute(select(assignment.c.slot).where(assignment.c.task == row.id)).scalars())
            slot = next(slot for slot in range(len(taken) + 1) if slot not in taken)
            if slot >= self.judges:
                continue
            try:
                with db.begin_nested():
                    db.execute(insert(assignment).values(self._slot(row.id, slot, person)))
            except IntegrityError:  # somebody else was faster
                continue
            self._reached[person] = row.place
            return str(row.payload)
        return None

    def _current(self, db: Connection, key: str, content: str, said: Said, ruled: bool = False) -> None:
        row = db.execute(select(task).where(self._open(), task.c.id == key)).first()
        if row is None:
            raise Refused("this task is no longer in the queue")
        if row.content != content:
            raise Refused("this task has changed since it was shown", remedy="look at it again")
        if said.verdict not in Task.model_validate_json(row.payload).verdicts:
            raise Refused(f"“{said.verdict}” cannot be said about this task")
        if not ruled and db.execute(select(ruling.c.task).where(ruling.c.task == key)).first():
            raise Refused("this task has been settled in the meantime")

    def _reading(self) -> Any:
        return self.engine.execution_options(writes=False).begin()

    def _writing(self, turn: Callable[[Connection], T]) -> T:
        """One transaction; tried again where two people came to the same row at the same time."""
        for attempt in range(ATTEMPTS):
            try:
                with self.engine.begin() as db:
                    return turn(db)
            except (IntegrityError, OperationalError):
                if attempt == ATTEMPTS - 1:
                    raise
        raise AssertionError("unreachable")


def seen(row: Task) -> str:
    """Fingerprint of what people judge; a vote holds as long as it stays the same."""
    return sha256(f"{row.content}\n{row.again}" if row.again else row.content)


def _columns(said: Said) -> dict[str, Any]:
    return {"verdict": said.verdict, "change": canonical(dict(said.change)), "comment": said.comment}


def _said(row: Row[Any]) -> Said:
    return Said(row.verdict, json.loads(row.change), row.comment)


def agreed(votes: Sequence[Vote]) -> bool:
    """True if all mean the same."""
    return all(vote.said.same(votes[0].said) for vote in votes)
