"""What can go wrong, said once: what happened, where, and what to do about it."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from kg.row import Row


class KgError(Exception):
    """An error a user can act on. `str()` gives one line: where, what, remedy."""

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        self.what, self.where, self.remedy = what, where, remedy
        super().__init__(what, where, remedy)

    def __str__(self) -> str:
        line = f"{self.where}: {self.what}" if self.where else self.what
        return f"{line} ({self.remedy})" if self.remedy else line

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (type(self), self.what, self.where, self.remedy))


def _rebuild(kind: type[KgError], what: str, where: str, remedy: str) -> KgError:
    """Keyword arguments survive the way back from a worker process."""
    return kind(what, where=where, remedy=remedy)


def first_problem(error: ValidationError) -> str:
    """Field and message of the first thing pydantic found, for one line of text."""
    problem = error.errors()[0]
    return f"{'.'.join(str(part) for part in problem['loc'])}: {problem['msg']}"


class SettingsError(KgError):
    """The settings are wrong: nothing runs, exit code 2."""


class InputError(KgError):
    """One input cannot be used: it is reported, the others go on, exit code 3."""


class DryRun(KgError):
    """Nothing was done, as asked: `what` says what would be. Exit code 0."""


class Failure(Row):
    """One unit of work that did not come through; everything else was delivered."""

    stage: str
    item: str
    what: str
    remedy: str = ""
    page: int | None = None
    """0-based physical page, where the failure belongs to one."""
    retry: bool = False
    """True where trying again may help (a server was down): the unit is then not stamped as done."""

    def __str__(self) -> str:
        place = f"{self.item}, page {self.page + 1}" if self.page is not None else self.item
        return f"{self.stage}: {place}: {self.what}" + (f" ({self.remedy})" if self.remedy else "")
