"""How stages run: a plan of items, a pure function on each, one writer, and a stamp per item for the next time.

A stage is cheap to plan, does its work item by item in worker processes, returns errors as data, and never
writes by itself. A rerun does only the items whose inputs, settings, code or outputs have changed.
"""

from __future__ import annotations

import dataclasses
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from kg.errors import Failure, SettingsError
from kg.ids import digest, slug
from kg.project import Project
from kg.row import Row
from kg.store import Store, canonical, sha256

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {".py", ".md", ".html", ".css", ".js", ".txt"}
COLLECT = "(collect)"
"""Key of the stamp of a stage's last step."""


@dataclass(frozen=True)
class Item:
    """One unit of work."""

    key: str
    """Unique within the stage; a book's slug, or `book/section`."""
    payload: Any
    """What `run` needs; picklable."""
    inputs: Mapping[str, str]
    """Everything the result depends on besides settings, code, schema and language packs: name -> fingerprint."""


@dataclass(frozen=True)
class Result:
    """What came out of one item."""

    files: Mapping[str, bytes] = field(default_factory=dict)
    """Artefact name -> content."""
    failures: tuple[Failure, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)


@runtime_checkable
class Stage(Protocol):
    """A frozen pydantic dataclass whose fields are its settings."""

    @property
    def name(self) -> str:
        """Name of its room."""

    @property
    def reads(self) -> tuple[str, ...]:
        """Glob patterns of the artefacts it needs."""

    @property
    def writes(self) -> tuple[str, ...]:
        """Glob patterns of the artefacts it makes."""

    def plan(self, project: Project) -> list[Item]:
        """The items, from what is on disk."""

    def setup(self, project: Project) -> Any:
        """Made once per worker and handed to every `run`."""

    def run(self, item: Item, context: Any) -> Result:
        """Pure: item in, files out. A KgError becomes a failure of this item."""

    def collect(self, project: Project) -> Result | None:
        """What is made from all items together, read from the store; none if nothing is."""


@runtime_checkable
class Together(Protocol):
    """A stage that waits more than it works (for a server): it runs its items itself, many at once, in this process."""

    def together(
        self, items: Sequence[Item], context: Any, progress: Callable[[int, int, str], None]
    ) -> Iterator[tuple[Item, Result]]:
        """Every item once, in any order; `context` is what `setup` made, `progress` may be told of parts of items."""


class Session(Protocol):
    """An engine at work for one run."""

    def map(self, stage: Stage, items: Sequence[Item]) -> Iterator[tuple[Item, Result]]:
        """Every item once, in any order."""


class Engine(Protocol):
    """Runs items, here or elsewhere."""

    def session(self, project: Project) -> AbstractContextManager[Session]:
        """Ready for the stages of one run; everything it started has ended when it is left."""


class Stamp(Row):
    """What an item was made from and what it made."""

    fingerprint: str
    files: dict[str, str]
    failures: tuple[Failure, ...] = ()
    counts: dict[str, int] = {}
    base: str = ""
    """Fingerprint of settings, code, schema and language packs."""
    inputs: dict[str, str] = {}
    """Those of the item."""


@dataclass(frozen=True)
class StageReport:
    """What a stage did in this run."""

    stage: str
    items: int
    skipped: int
    seconds: float
    counts: dict[str, int]
    failures: tuple[Failure, ...]


Progress = Callable[[int, int, str], None]
"""Called with done, total and the key of the item that was finished last."""


def check_order(stages: Sequence[Stage], store: Store) -> None:
    """What a stage reads is written earlier in the chain or exists on disk.

    Raises SettingsError naming the stage and what it misses.
    """
    written: set[str] = set()
    for stage in stages:
        for pattern in stage.reads:
            if pattern not in written and not store.exists(pattern):
                raise SettingsError(
                    f"{stage.name} needs {pattern}, which no earlier stage writes and which is not on disk",
                    where="stages",
                    remedy="add the stage that writes it, or run the whole chain once",
                )
        written.update(stage.writes)


def run_stage(stage: Stage, project: Project, session: Session, progress: Progress) -> StageReport:
    """The stage's artefacts are on disk and fit their inputs afterwards; what had not changed was left alone."""
    began = time.perf_counter()
    base = fingerprint(stage, project)
    items = stage.plan(project)
    stamps: dict[str, Stamp] = {}
    due: list[tuple[Item, str]] = []
    for item in items:
        wanted = sha256(canonical([base, item.key, dict(item.inputs)]))
        stamp = _valid_stamp(project.store, stage.name, item.key, wanted)
        if stamp is None:
            due.append((item, wanted))
        else:
            stamps[item.key] = stamp
    skipped = len(items) - len(due)
    progress(skipped, len(items), "")
    wanted_of = {item.key: wanted for item, wanted in due}
    for item, result in _done(stage, project, session, [item for item, _ in due], progress):
        stamp = _keep(project.store, stage.name, item.key, wanted_of[item.key], result, (base, item.inputs))
        stamps[item.key] = stamp
        progress(len(stamps), len(items), item.key)
    _forget(project.store, stage.name, {item.key for item in items})
    last = _collect(stage, project, base, [stamps[item.key] for item in items])
    every = [stamps[key] for key in sorted(stamps)] + ([last] if last else [])
    counts: Counter[str] = Counter()
    for stamp in every:
        counts.update(stamp.counts)
    failures = tuple(failure for stamp in every for failure in stamp.failures)
    seconds = time.perf_counter() - began
    return StageReport(stage.name, len(items), skipped, seconds, dict(counts), failures)


def _done(
    stage: Stage, project: Project, session: Session, items: Sequence[Item], progress: Progress
) -> Iterator[tuple[Item, Result]]:
    """Every item with its result, as they come."""
    if items and isinstance(stage, Together):
        return stage.together(items, stage.setup(project), progress)
    return session.map(stage, items)


def _collect(stage: Stage, project: Project, base: str, stamps: list[Stamp]) -> Stamp | None:
    """The stamp of the stage's last step, which is skipped if no item's files have changed."""
    wanted = sha256(canonical([base, COLLECT, [stamp.files for stamp in stamps]]))
    stamp = _valid_stamp(project.store, stage.name, COLLECT, wanted)
    if stamp is not None:
        return stamp
    result = stage.collect(project)
    if result is None:
        return None
    return _keep(project.store, stage.name, COLLECT, wanted, result)


def fingerprint(stage: Stage, project: Project) -> str:
    """Changes with the stage's settings, its code and prompts, the schema and the language packs."""
    settings = dataclasses.asdict(stage)  # type: ignore[call-overload]
    code = [code_digest("kg"), code_digest(type(stage).__module__.partition(".")[0])]
    return sha256(canonical([stage.name, _plain(settings), code, project.fingerprint()]))


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


@cache
def code_digest(package: str) -> str:
    """SHA-256 over the source files and prompts of a package of this repository."""
    files = sorted(path for path in (ROOT / package).rglob("*") if path.suffix in SOURCES)
    return sha256("".join(f"{path.name}:{sha256(path.read_bytes())}\n" for path in files))


def _stamp_name(stage: str, key: str) -> str:
    return f".stamps/{stage}/{slug(key) or 'item'}-{digest(key)}.json"


def _valid_stamp(store: Store, stage: str, key: str, wanted: str) -> Stamp | None:
    name = _stamp_name(stage, key)
    if not store.exists(name):
        return None
    stamp = store.read_row(name, Stamp)
    if stamp.fingerprint != wanted or any(failure.retry for failure in stamp.failures):
        return None
    intact = all(store.digest(file) == sha for file, sha in stamp.files.items())
    return stamp if intact else None


def why_due(store: Store, stage: str, item: Item, base: str) -> str:
    """Why the item would be done; empty if it would be skipped. `base`: the stage's fingerprint."""
    name = _stamp_name(stage, item.key)
    if not store.exists(name):
        return "not done yet"
    stamp = store.read_row(name, Stamp)
    changed = sorted(
        key for key in stamp.inputs.keys() | item.inputs.keys() if stamp.inputs.get(key) != item.inputs.get(key)
    )
    if any(failure.retry for failure in stamp.failures):
        return "failed, and may succeed now"
    if stamp.base != base:
        return "its settings, code, schema or language packs have changed"
    if changed:
        return f"{changed[0]} has changed" + (f", and {len(changed) - 1} other inputs" if changed[1:] else "")
    lost = sorted(file for file, sha in stamp.files.items() if store.digest(file) != sha)
    return f"{lost[0]} is missing or was changed" if lost else ""


def _keep(
    store: Store, stage: str, key: str, wanted: str, result: Result, made_from: tuple[str, Mapping[str, str]] = ("", {})
) -> Stamp:
    """Files first, the stamp last: a stamp on disk means that everything it names is there."""
    files = {name: store.write(name, data) for name, data in sorted(result.files.items())}
    stamp = Stamp(
        fingerprint=wanted,
        files=files,
        failures=result.failures,
        counts=dict(result.counts),
        base=made_from[0],
        inputs=dict(made_from[1]),
    )
    store.write(_stamp_name(stage, key), stamp.model_dump_json().encode("utf-8"))
    return stamp


def _forget(store: Store, stage: str, keys: set[str]) -> None:
    """Files and stamps of items that are no longer planned (a book was taken out) are removed."""
    known = {_stamp_name(stage, key) for key in [*keys, COLLECT]}
    for name in store.names(f".stamps/{stage}/*.json"):
        if name not in known:
            for file in store.read_row(name, Stamp).files:
                store.path(file).unlink(missing_ok=True)
            store.path(name).unlink()
