"""A stage small enough to see through: it copies texts in upper case, and misbehaves when told to."""

from __future__ import annotations

import os
from typing import Any

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from kg.errors import InputError
from kg.project import Project
from kg.stage import Item, Result


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Upper:
    """Writes `upper/<item>.txt` for every `in/<item>.txt`, and `upper/all.txt` from all of them."""

    mark: str = "!"

    @property
    def name(self) -> str:
        return "upper"

    @property
    def reads(self) -> tuple[str, ...]:
        return ("in/*.txt",)

    @property
    def writes(self) -> tuple[str, ...]:
        return ("upper/*.txt",)

    def plan(self, project: Project) -> list[Item]:
        names = project.store.names("in/*.txt")
        return [Item(name[3:-4], project.store.read_text(name), {name: project.store.digest(name)}) for name in names]

    def setup(self, project: Project) -> Any:
        return project.store.root

    def run(self, item: Item, context: Any) -> Result:
        with (context / "calls.log").open("a") as log:
            log.write(item.key + "\n")
        if item.payload == "bad input":
            raise InputError("nothing to read", where=item.key, remedy="write something")
        if item.payload == "bug":
            raise ZeroDivisionError("planted")
        if item.payload == "die":
            os._exit(9)
        return Result({f"upper/{item.key}.txt": (item.payload.upper() + self.mark).encode()}, counts={"texts": 1})

    def collect(self, project: Project) -> Result | None:
        names = [name for name in project.store.names("upper/*.txt") if name != "upper/all.txt"]
        return Result({"upper/all.txt": "".join(project.store.read_text(name) for name in names).encode()})
