"""Where items run: in this process, or in a pool of worker processes that lives as long as the run."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.process import BaseProcess, active_children
from typing import Any

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from kg.errors import Failure, KgError
from kg.project import Project
from kg.stage import Item, Result, Session, Stage

BUG = "internal error"
PATIENCE = 2.0
"""Seconds without a result after which the workers are counted."""
stopping = threading.Event()
"""Set when the run is to end: what is in flight is finished and kept, nothing new is begun."""
busy = threading.Event()
"""Set while items are in flight here."""

_project: list[Project] = []
"""The project this worker process serves."""
_contexts: dict[str, Any] = {}
"""What each stage set up in this worker process, by stage name."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class LocalEngine:
    """A pool of processes on this machine."""

    workers: int = 0
    """0: one per core. 1: everything in this process, where a crash in a parser ends the run."""

    @contextmanager
    def session(self, project: Project) -> Iterator[Session]:
        """Workers for the stages of one run; they are started when the first item is due."""
        workers = self.workers or os.cpu_count() or 1
        if workers == 1:
            yield Here(project)
            return
        pool = Pool(project, workers)
        try:
            yield pool
        finally:
            pool.close()


@contextmanager
def in_flight() -> Iterator[None]:
    """Items are at work: Ctrl-C now lets them finish."""
    busy.set()
    try:
        yield
    finally:
        busy.clear()


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that are started meanwhile never hear Ctrl-C: what is ignored stays ignored in a new program."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class Here:
    """One item after the other, in this process."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def map(self, stage: Stage, items: Sequence[Item]) -> Iterator[tuple[Item, Result]]:
        """Every item once, in order."""
        context = stage.setup(self.project) if items else None
        with in_flight():
            for item in items:
                if stopping.is_set():
                    raise KeyboardInterrupt
                yield item, attempt(stage, item, context)


class Pool:
    """Worker processes. One that dies costs only its own item."""

    def __init__(self, project: Project, workers: int) -> None:
        self.project, self.workers = project, workers
        self._running: ProcessPoolExecutor | None = None
        self._others: set[BaseProcess] = set()
        """Processes that were there before ours."""
        self._seen: set[BaseProcess] = set()
        """All processes of the running pool."""

    def close(self) -> None:
        """No process is left; items that have not begun are not begun."""
        if self._running is not None:
            self._running.shutdown(cancel_futures=True)
            self._running = None

    def _abandon(self) -> None:
        """No process is left, whatever it does: a process that was just being started when another died is never
        told to end by the library, which would wait for it for ever."""
        for worker in set(active_children()) - self._others:
            worker.kill()
        self.close()

    def map(self, stage: Stage, items: Sequence[Item]) -> Iterator[tuple[Item, Result]]:
        """Every item once, in the order in which they are done."""
        lost = yield from self._together(stage, items)
        for item in lost:
            gone = yield from self._together(stage, [item])
            for culprit in gone:
                yield culprit, died(stage, culprit)

    def _together(self, stage: Stage, items: Sequence[Item]) -> Generator[tuple[Item, Result], None, list[Item]]:
        """Yields what was done; returns the items that were in flight or waiting when a worker died."""
        lost: list[Item] = []
        with in_flight():
            futures = self._submitted(stage, items, lost)
            for future in self._done(futures):
                for waiting in futures if stopping.is_set() else ():
                    waiting.cancel()
                try:
                    result = future.result(timeout=0)
                except CancelledError:
                    continue
                except (BrokenProcessPool, TimeoutError):
                    lost.append(futures[future])
                else:
                    yield futures[future], result
        if lost:
            self._abandon()
        if stopping.is_set():
            raise KeyboardInterrupt
        return lost

    def _done(self, futures: Iterable[Future[Result]]) -> Iterator[Future[Result]]:
        """The futures as they are done; after the death of a worker also those that the pool has forgotten."""
        left = set(futures)
        while left:
            done, left = wait(left, timeout=PATIENCE, return_when=FIRST_COMPLETED)
            if not done and any(not worker.is_alive() for worker in self._seen):
                done, left = left, set()
            yield from done

    def _submitted(self, stage: Stage, items: Sequence[Item], lost: list[Item]) -> dict[Future[Result], Item]:
        """The items as futures; those a broken pool did not take are added to `lost`."""
        futures: dict[Future[Result], Item] = {}
        with _deaf():
            for item in items:
                try:
                    futures[self._executor().submit(_attempt_there, stage, item)] = item
                except BrokenProcessPool:
                    lost.append(item)
        self._seen |= set(active_children()) - self._others
        return futures

    def _executor(self) -> ProcessPoolExecutor:
        if self._running is None:
            spawn = multiprocessing.get_context("spawn")
            self._others, self._seen = set(active_children()), set()
            self._running = ProcessPoolExecutor(self.workers, spawn, initializer=_begin, initargs=(self.project,))
        return self._running


def _begin(project: Project) -> None:
    """Runs once in every worker. It ends with its parent, even if that was killed, and not by Ctrl-C: the parent
    decides what is still finished."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    _project.append(project)


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


def _attempt_there(stage: Stage, item: Item) -> Result:
    if stage.name not in _contexts:
        _contexts[stage.name] = stage.setup(_project[0])
    return attempt(stage, item, _contexts[stage.name])


def attempt(stage: Stage, item: Item, context: Any) -> Result:
    """The item's result; what went wrong comes back as data, so that the other items go on."""
    try:
        return stage.run(item, context)
    except KgError as error:
        failure = Failure(stage=stage.name, item=item.key, what=error.what, remedy=error.remedy)
        return Result(failures=(failure,))
    except Exception as error:  # noqa: BLE001 - a bug in one item must not cost the others; it is reported and exits 1
        trace = traceback.format_exc()
        what = f"{BUG}: {type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
        log = f"errors/{stage.name}-{item.key.replace('/', '-')}.log"
        failure = Failure(stage=stage.name, item=item.key, what=what, remedy=f"see {log}", retry=True)
        return Result(files={log: trace.encode()}, failures=(failure,))


def died(stage: Stage, item: Item) -> Result:
    """What is said of an item whose worker died each time it was tried."""
    what = "the worker process died (out of memory, or a crash in a parser)"
    return Result(failures=(Failure(stage=stage.name, item=item.key, what=what, remedy="try another parser"),))
