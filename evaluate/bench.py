"""Reads benchmark files: our own, and those of the released K12-Bench.

In: folders and JSON-lines files. Out: `Bench`: the usable items sorted by id, and a line for everything unusable.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from evaluate.settings import TaskFormat
from kg.errors import Failure, SettingsError, first_problem
from kg.item import LETTERS, Item
from kg.store import file_sha256, sha256


@dataclass(frozen=True)
class Bench:
    """What is to be evaluated."""

    items: tuple[Item, ...]
    """Sorted by id, each id once, fit to be scored."""
    failures: tuple[Failure, ...]
    """Lines that are no usable item."""
    files: dict[str, str]
    """File name -> SHA-256."""
    usable: int
    """Items in the files; more than `items` if these are a sample."""

    @property
    def fingerprint(self) -> str:
        """The same for the same items, however they are spread over files."""
        return sha256("\n".join(item.to_json() for item in self.items))[:16]


def read_bench(paths: Sequence[str], tasks: TaskFormat) -> Bench:
    """All items of the files, and of every `*.jsonl` of the folders that does not begin with something else.

    Raises SettingsError if a path is not there or no usable item is found.
    """
    files = [file for path in paths for file in _files(Path(path).expanduser())]
    items: dict[str, Item] = {}
    failures: list[Failure] = []
    for file in files:
        for number, line in _lines(file):
            item, problem = _item(line, tasks)
            if item is not None and item.id in items:
                problem = f"a second item with the id {item.id}"
            if problem or item is None:
                failures.append(_failure(file, number, problem))
            else:
                items[item.id] = item
    if not items:
        first = f"; first problem: {failures[0].item}: {failures[0].what}" if failures else ""
        raise SettingsError(
            f"no usable item in {', '.join(paths)}{first}", where="bench", remedy="one JSON object per line"
        )
    ordered = tuple(items[key] for key in sorted(items))
    return Bench(ordered, tuple(failures), {file.name: file_sha256(file) for file in files}, len(items))


def sample(bench: Bench, limit: int | None) -> Bench:
    """At most `limit` items, drawn evenly and always the same ones; the whole if there is no limit."""
    if limit is None or limit >= len(bench.items):
        return bench
    drawn = sorted(bench.items, key=lambda item: hashlib.sha256(item.id.encode()).digest())[:limit]
    return Bench(tuple(sorted(drawn, key=lambda item: item.id)), bench.failures, bench.files, bench.usable)


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise SettingsError(f"no such file or folder: {path}", where="bench", remedy="name a benchmark: bench=PATH")
    found = [file for file in sorted(path.glob("*.jsonl")) if _holds_items(file)]
    if not found:
        raise SettingsError(
            f"no *.jsonl with items in {path}", where="bench", remedy="name the folder of the item files"
        )
    return found


def _holds_items(file: Path) -> bool:
    """Something else may lie beside the items: rows that are JSON objects and no questions at all."""
    first = next((line for _, line in _lines(file)), b"")
    try:
        row = json.loads(first)
    except ValueError:
        return bool(first)
    return not isinstance(row, dict) or not row.keys().isdisjoint(("question", "options", "answer"))


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    with file.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            if line.strip():
                yield number, line


def _item(line: bytes, tasks: TaskFormat) -> tuple[Item | None, str]:
    """The item of a line, or what is wrong with it."""
    try:
        item = Item.model_validate_json(line)
    except ValidationError as error:
        return None, first_problem(error).removeprefix(": ")
    problem = problem_of(item)
    return (None, problem) if problem else (tasks.filled(item), "")


def problem_of(item: Item) -> str:
    """Why the item cannot be scored; empty if it can."""
    letters = tuple(item.options)
    if len(letters) < 2:
        return "fewer than two options"
    if letters != tuple(LETTERS[: len(letters)]):
        return f"options must be lettered {', '.join(LETTERS[: len(letters)])}, in this order"
    if not item.answer:
        return "no right option"
    if len(set(item.answer)) < len(item.answer):
        return "a right option is named twice"
    missing = [letter for letter in item.answer if letter not in item.options]
    return f"the right option {missing[0]} is not among the options" if missing else ""


def _failure(file: Path, number: int, problem: str) -> Failure:
    return Failure(stage="evaluate", item=f"{file.name}, line {number}", what=problem, remedy="left out")
