"""Runs items on a Ray cluster, or on a Ray that is started on this machine for the run (extra `ray`).

In: stages and items, as `kg.engine`. Out: the same results. A cluster must see the output folder, the books and this
checkout under the same paths. Ray Core only; one item is one task.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from kg.engine import attempt, died, in_flight, stopping
from kg.errors import SettingsError
from kg.project import Project
from kg.stage import ROOT, Item, Result, Session, Stage

AHEAD = 2
"""Tasks handed out per worker: Ctrl-C has to wait for so many."""

_contexts: dict[str, Any] = {}
"""What each stage set up in this worker process, by stage name."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class RayEngine:
    """Ray Core."""

    address: str = ""
    """Of a running cluster (`auto`, `ray://HOST:10001`); empty: one is started here and ended with the run."""
    workers: int = 0
    """Of a Ray that is started here: processes; 0: one per core."""

    @contextmanager
    def session(self, project: Project) -> Iterator[Session]:
        """Connected to Ray until it is left. Raises SettingsError if Ray is missing or the cluster does not answer."""
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            import ray
        except ImportError:
            raise SettingsError("ray is not installed", where="engine", remedy="pip install -e '.[ray]'") from None
        there = {"address": self.address} if self.address else {"num_cpus": self.workers or None}
        env = {"env_vars": {"PYTHONPATH": str(ROOT), "RAY_USAGE_STATS_ENABLED": "0"}}
        try:
            ray.init(**there, include_dashboard=False, runtime_env=env, log_to_driver=False, logging_level="error")
        except (ConnectionError, ValueError) as error:
            what = f"no Ray at {self.address or 'this machine'}: {error}"
            raise SettingsError(what, where="engine.address") from None
        try:
            yield RaySession(ray, project)
        finally:
            ray.shutdown()


class RaySession:
    """Tasks on Ray. A worker that dies costs only its own item."""

    def __init__(self, ray: Any, project: Project) -> None:
        self.ray = ray
        self.project = ray.put(project)
        self.task = ray.remote(max_retries=0)(_attempt_there)
        self.most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))

    def map(self, stage: Stage, items: Sequence[Item]) -> Iterator[tuple[Item, Result]]:
        """Every item once, in the order in which they are done; one whose worker died is tried once more."""
        waiting, again = list(reversed(items)), set[str]()
        flying: dict[Any, Item] = {}
        with in_flight():
            while flying or (waiting and not stopping.is_set()):
                while waiting and len(flying) < self.most and not stopping.is_set():
                    item = waiting.pop()
                    flying[self.task.remote(self.project, stage, item)] = item
                (done,), _ = self.ray.wait(list(flying), num_returns=1)
                item = flying.pop(done)
                try:
                    yield item, self.ray.get(done)
                except self.ray.exceptions.RayError:
                    if item.key in again:
                        yield item, died(stage, item)
                    else:
                        again.add(item.key)
                        waiting.insert(0, item)
        if stopping.is_set():
            raise KeyboardInterrupt


def _attempt_there(project: Project, stage: Stage, item: Item) -> Result:
    if stage.name not in _contexts:
        _contexts[stage.name] = stage.setup(project)
    return attempt(stage, item, _contexts[stage.name])
