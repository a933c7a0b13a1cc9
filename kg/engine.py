"""Where items run: in this process, or in a pool of worker processes."""

from __future__ import annotations

import multiprocessing
import os
import threading
import traceback
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess
from typing import Any

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from kg.errors import Failure, KgError
from kg.project import Project
from kg.stage import Item, Result, Stage

_worker: dict[str, Any] = {}
"""Stage and context of this worker process."""

BUG = "internal error"


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class LocalEngine:
    """A pool of processes on this machine."""

    workers: int = 0
    """0: one per core. 1: everything in this process."""

    def map(self, stage: Stage, project: Project, items: Sequence[Item]) -> Iterator[tuple[Item, Result]]:
        """Every item once, in the order in which they are done. A worker that dies costs only its own item."""
        workers = min(self.workers or os.cpu_count() or 1, len(items))
        if workers <= 1:
            context = stage.setup(project) if items else None
            for item in items:
                yield item, attempt(stage, item, context)
            return
        lost = yield from _pool(stage, project, items, workers)
        for item in lost:
            gone = yield from _pool(stage, project, [item], 1)
            for culprit in gone:
                yield culprit, _died(stage, culprit)


def _pool(
    stage: Stage, project: Project, items: Sequence[Item], workers: int
) -> Generator[tuple[Item, Result], None, list[Item]]:
    """Yields what was done; returns the items that were in flight or waiting when a worker died."""
    lost: list[Item] = []
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, spawn, initializer=_begin, initargs=(stage, project)) as pool:
        futures: dict[Future[Result], Item] = {pool.submit(_attempt_here, item): item for item in items}
        for future in as_completed(futures):
            try:
                result = future.result()
            except BrokenProcessPool:
                lost.append(futures[future])
            else:
                yield futures[future], result
    return lost


def _begin(stage: Stage, project: Project) -> None:
    """Runs once in every worker. It ends with its parent, even if that was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    _worker["stage"], _worker["context"] = stage, stage.setup(project)


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


def _attempt_here(item: Item) -> Result:
    return attempt(_worker["stage"], item, _worker["context"])


def attempt(stage: Stage, item: Item, context: Any) -> Result:
    """The item's result; what went wrong comes back as data, so that the other items go on."""
    try:
        return stage.run(item, context)
    except KgError as error:
        return Result(failures=(Failure(stage=stage.name, item=item.key, what=error.what, remedy=error.remedy),))
    except Exception:  # noqa: BLE001 - a bug in one item must not cost the others; it is reported and exits 1
        trace = traceback.format_exc()
        what = f"{BUG}: {trace.strip().splitlines()[-1]}"
        failure = Failure(stage=stage.name, item=item.key, what=what, remedy="see errors.log", retry=True)
        return Result(
            files={f"errors/{stage.name}-{item.key.replace('/', '-')}.log": trace.encode()}, failures=(failure,)
        )


def _died(stage: Stage, item: Item) -> Result:
    what = "the worker process died (out of memory, or a crash in a parser)"
    return Result(failures=(Failure(stage=stage.name, item=item.key, what=what, remedy="try another parser"),))
