"""The queue of a run, taken in again when a run has rewritten it: annotators go on without a new start.

In: `review/queue.jsonl` and `merge/nodes.jsonl`. Out: open tasks in the votes' database, names in `Things`.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, field

from pydantic import ValidationError

from kg.graph import Node
from kg.store import Store
from review.task import Task
from review.things import Things
from review.votes import Votes

QUEUE, NODES = "review/queue.jsonl", "merge/nodes.jsonl"
Mark = tuple[int, int]
"""When a file was written, in ns, and its size: a cheap sign that its digest may have changed."""
_LOG = logging.getLogger(__name__)


@dataclass
class Live:
    """What of a run people work on."""

    store: Store
    votes: Votes
    things: Things = field(default_factory=Things)
    _mark: Mark = (0, 0)
    _digest: str = ""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self) -> tuple[list[Task], int]:
        """The tasks of the queue, which are the open ones afterwards, and how many ask something new."""
        self._mark, self._digest = self._now(), self.store.digest(QUEUE)
        tasks = list(self.store.read_rows(QUEUE, Task))
        self.things.fill(self.store.read_rows(NODES, Node) if self.store.exists(NODES) else ())
        return tasks, self.votes.load(tasks)

    def refresh(self) -> None:
        """The queue is the one on disk; a file that cannot be read leaves the one that was there, and says so once."""
        if self._now() == self._mark or not self._lock.acquire(blocking=False):
            return
        try:
            if self.store.digest(QUEUE) not in ("", self._digest):
                tasks, fresh = self.take()
                _LOG.warning("the queue has changed: %d questions, %d of them new", len(tasks), fresh)
            self._mark = self._now()
        except (OSError, ValidationError) as error:
            _LOG.warning("the new queue was not taken in: %s", str(error).splitlines()[0])
        finally:
            self._lock.release()

    def _now(self) -> Mark:
        try:
            found = self.store.path(QUEUE).stat()
        except FileNotFoundError:
            return self._mark
        return (found.st_mtime_ns, found.st_size)
