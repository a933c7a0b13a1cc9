"""A model chooses among parents that are equally deep; where it does not answer, the rules' choice stays.

In: `Tie`s. Out: a parent for each.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from derive.ask import Ask, Messages
from derive.material import Material
from derive.taxonomy.definitions import Things
from derive.taxonomy.tree import Tie
from kg.prompt import load


class ModelGolden:
    """Asks about all ties at once; the answer is a number in the list of parents."""

    def __init__(self, ask: Ask, material: Material) -> None:
        self._ask, self._m = ask, material
        self._things = Things(material, [])
        self.prompt = load(Path(__file__).parent / "prompts" / "golden.md")
        self.unread = 0
        """Ties whose answer was none."""

    def __call__(self, ties: Sequence[Tie]) -> list[str]:
        """One parent per tie."""
        replies = self._ask([self._messages(tie) for tie in ties])
        return [self._read(tie, reply or "") for tie, reply in zip(ties, replies, strict=True)]

    def _messages(self, tie: Tie) -> Messages:
        parents = [self._m.speak.option(parent) for parent in tie.parents]
        listed = "\n".join(
            f"{place}. {name}: {self._things.stated(parent)}".rstrip(": ")
            for place, (name, parent) in enumerate(zip(parents, tie.parents, strict=True), 1)
        )
        thing = self._things.of(tie.node)
        return self.prompt.messages({"name": thing.name, "facts": thing.facts or "-", "parents": listed})

    def _read(self, tie: Tie, reply: str) -> str:
        hit = re.fullmatch(r"\D*(\d{1,3})\D*", reply.strip())
        if hit and 0 < int(hit[1]) <= len(tie.parents):
            return tie.parents[int(hit[1]) - 1]
        self.unread += 1
        return tie.parents[0]
