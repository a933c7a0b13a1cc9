"""Replies kept on disk: what was asked once is never paid for twice, and a run can be replayed without a server.

In: requests and replies. Out: one SQLite file (write-ahead log, safe for several processes), and JSON lines to carry
replies to another machine. Keys say nothing of the server's address or key.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import TracebackType

from pydantic import ValidationError

from kg.errors import InputError, SettingsError, first_problem
from kg.llm import Reply, Request
from kg.row import Row

MEMORY = ":memory:"
"""As a path: kept as long as the cache is open."""


class Kept(Row):
    """One line of an export."""

    request: Request
    reply: Reply


class Cache:
    """Replies by request. Every `put` is on disk when it returns."""

    def __init__(self, path: str) -> None:
        """Opens or creates the file. Raises SettingsError if that cannot be done."""
        self.path = path
        try:
            if path != MEMORY:
                Path(path).parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(path, timeout=30, isolation_level=None)
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=NORMAL")
            self._base.execute("CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, request TEXT, reply TEXT)")
        except (OSError, sqlite3.Error) as error:
            raise SettingsError(
                f"cannot open the cache of replies: {error}", where=path, remedy="name another file in llm.cache"
            ) from None

    def __enter__(self) -> Cache:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Nothing is open afterwards."""
        self._base.close()

    def __len__(self) -> int:
        return int(self._base.execute("SELECT count(*) FROM replies").fetchone()[0])

    def get(self, request: Request) -> Reply | None:
        """The reply kept for this request."""
        row = self._base.execute("SELECT reply FROM replies WHERE key = ?", (request.key(),)).fetchone()
        return Reply.model_validate_json(row[0]) if row else None

    def put(self, request: Request, reply: Reply) -> None:
        """The reply is kept, in place of an earlier one."""
        self._base.execute(
            "INSERT OR REPLACE INTO replies VALUES (?, ?, ?)", (request.key(), request.to_json(), reply.to_json())
        )

    def forget(self, request: Request) -> None:
        """No reply is kept for this request afterwards."""
        self._base.execute("DELETE FROM replies WHERE key = ?", (request.key(),))

    def export(self, path: Path) -> int:
        """Writes all replies as JSON lines in the order of their keys; returns how many."""
        count = 0
        part = path.with_name(path.name + ".part")
        with part.open("w", encoding="utf-8") as stream:
            for asked, said in self._base.execute("SELECT request, reply FROM replies ORDER BY key"):
                kept = Kept(request=Request.model_validate_json(asked), reply=Reply.model_validate_json(said))
                stream.write(kept.to_json() + "\n")
                count += 1
        part.replace(path)
        return count

    def load(self, path: Path) -> int:
        """Keeps all replies of an export; returns how many. Raises InputError naming the first bad line."""
        rows = []
        with path.open(encoding="utf-8") as stream:
            for number, line in enumerate(stream, start=1):
                try:
                    rows.append(Kept.model_validate_json(line))
                except ValidationError as error:
                    raise InputError(first_problem(error), where=f"{path}, line {number}") from None
        self._base.execute("BEGIN")
        for kept in rows:
            self.put(kept.request, kept.reply)
        self._base.execute("COMMIT")
        return len(rows)
