"""Files of a run: written whole or not at all, read back as typed rows.

Everything lies under one folder, `outputs/<subject>/`; paths are relative to it and use `/`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

from kg.row import Row

R = TypeVar("R", bound=Row)


def canonical(value: Any) -> str:
    """JSON with sorted keys and no needless spaces: equal values, equal bytes."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def sha256(data: bytes | str) -> str:
    """Hexadecimal SHA-256 of bytes, or of a text's UTF-8."""
    return hashlib.sha256(data.encode("utf-8") if isinstance(data, str) else data).hexdigest()


def file_sha256(path: Path) -> str:
    """Hexadecimal SHA-256 of a file, read in pieces."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def jsonl(rows: Iterable[Row]) -> bytes:
    """Rows as JSON lines."""
    lines = BytesIO()
    for row in rows:
        lines.write(row.to_json().encode("utf-8"))
        lines.write(b"\n")
    return lines.getvalue()


class Store:
    """The folder of one run."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def path(self, name: str) -> Path:
        """Absolute path of the artefact `name`."""
        return self.root / name

    def exists(self, name: str) -> bool:
        """True if the artefact is there; `name` may be a glob pattern."""
        return next(self.root.glob(name), None) is not None

    def names(self, pattern: str) -> list[str]:
        """Names of all artefacts that match, sorted."""
        return sorted(path.relative_to(self.root).as_posix() for path in self.root.glob(pattern))

    def write(self, name: str, data: bytes) -> str:
        """The artefact holds exactly `data` afterwards, also if we are killed half-way. Returns its SHA-256."""
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(path.name + ".part")
        part.write_bytes(data)
        part.replace(path)
        return sha256(data)

    def digest(self, name: str) -> str:
        """SHA-256 of the artefact; empty if it is not there."""
        path = self.path(name)
        return file_sha256(path) if path.is_file() else ""

    def read_text(self, name: str) -> str:
        """The artefact as text."""
        return self.path(name).read_text(encoding="utf-8")

    def read_json(self, name: str) -> Any:
        """The artefact as plain JSON data."""
        return json.loads(self.read_text(name))

    def read_row(self, name: str, kind: type[R]) -> R:
        """The artefact as one row."""
        return kind.model_validate_json(self.path(name).read_bytes())

    def read_rows(self, name: str, kind: type[R]) -> Iterator[R]:
        """The rows of a JSON-lines artefact."""
        with self.path(name).open(encoding="utf-8") as stream:
            for line in stream:
                yield kind.model_validate_json(line)
