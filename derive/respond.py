"""Who answers questions: nobody, a lot, who reads the path, who knows, a model; all asked in the same way.

In: items; of an item with options the answer is its letters (`AC`), of an open one a text. Out: for each item what
was answered, none where nothing was. What a responder is shown beside the question (a path in words, a passage)
stands in the item's `origin["shown"]`, its parts joined by `BETWEEN`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from derive.ask import Ask
from kg.ids import digest
from kg.item import Item
from kg.language import Language
from kg.prompt import Prompt
from kg.text import one_line

BETWEEN = "; "
SHOWN = "shown"
_FENCE = re.compile(r"^```\w*\s*|\s*```$")


class Responder(Protocol):
    """Answers many items at a time."""

    @property
    def label(self) -> str:
        """Who answers, for the record."""

    def answers(self, items: Sequence[Item]) -> list[str | None]:
        """One answer per item, in order."""


@dataclass(frozen=True)
class Null:
    """Says nothing: whatever it scores, the scorer gives away."""

    label: str = "null"

    def answers(self, items: Sequence[Item]) -> list[str | None]:
        """Nothing for each item."""
        return [None] * len(items)


@dataclass(frozen=True)
class Random:
    """Draws as many letters as are right, or one of all the texts that are right somewhere among the items.

    The draw hangs on the seed and the item's id and mode, not on its place.
    """

    seed: int = 0
    pool: tuple[str, ...] = ()
    """What open questions are answered with; empty: the first accepted text of each item."""
    label: str = "random"

    def answers(self, items: Sequence[Item]) -> list[str | None]:
        """One draw per item; none for an open item where there is nothing to draw."""
        pool = self.pool or tuple(sorted({item.accepted[0] for item in items if item.accepted}))
        return [self._draw(item, pool) for item in items]

    def _draw(self, item: Item, pool: Sequence[str]) -> str | None:
        lot = random.Random(digest(f"{self.seed}:{item.id}:{item.mode}", 16))
        if item.options:
            return "".join(sorted(lot.sample(sorted(item.options), k=min(len(item.answer), len(item.options)))))
        return lot.choice(pool) if pool else None


@dataclass(frozen=True)
class PathReader:
    """Repeats the end of what it is shown: what copying alone is worth. With options, those whose text that is."""

    label: str = "path reader"

    def answers(self, items: Sequence[Item]) -> list[str | None]:
        """The last part of what each item shows; none where nothing is shown or no option is that."""
        return [self._end(item) for item in items]

    def _end(self, item: Item) -> str | None:
        end = str(item.origin.get(SHOWN) or "").rpartition(BETWEEN)[2].strip()
        if not item.options or not end:
            return end or None
        letters = [letter for letter, text in item.options.items() if one_line(text) == one_line(end)]
        return "".join(letters) or None


@dataclass(frozen=True)
class Oracle:
    """Knows: whatever it misses, the scorer takes away."""

    label: str = "oracle"

    def answers(self, items: Sequence[Item]) -> list[str | None]:
        """The right letters, or the first accepted text."""
        return ["".join(item.answer) or next(iter(item.accepted), None) for item in items]


class ModelResponder:
    """Asks a model, each item in a call of its own; a failed call is no answer.

    The prompt may use the places `question`, `options`, `shown`, `language`. A reply to options is read as letters
    (`letters`), to an open question as its last non-empty line.
    """

    def __init__(self, label: str, ask: Ask, prompt: Prompt, language: Language) -> None:
        self.label = label
        self._ask, self._prompt, self._language = ask, prompt, language

    def answers(self, items: Sequence[Item]) -> list[str | None]:
        """What the model said; none where it failed or cannot be read."""
        replies = self._ask([self._prompt.messages(self._values(item)) for item in items]) if items else []
        return [None if reply is None else _read(item, reply) for item, reply in zip(items, replies, strict=True)]

    def _values(self, item: Item) -> dict[str, str]:
        options = "\n".join(f"{letter}. {text}" for letter, text in item.options.items())
        shown = str(item.origin.get(SHOWN) or "")
        return {"question": item.question, "options": options, "shown": shown, "language": self._language.name}


def _read(item: Item, reply: str) -> str | None:
    if item.options:
        return letters(reply, item.options) or None
    lines = [line.strip() for line in _FENCE.sub("", reply.strip()).splitlines() if line.strip()]
    # the prompts show the answer after a label; a colon further on belongs to the answer
    return re.sub(r"^\w{1,12}[:：]\s*", "", lines[-1]) or None if lines else None


def letters(reply: str, options: Sequence[str] | dict[str, str]) -> str:
    """The letters of options that stand alone in the last line that has any (`B`, `A, C`, `ACD`), in order."""
    known = "".join(sorted(options))
    lone = re.compile(rf"(?<![A-Za-z0-9])([{known}]+)(?![A-Za-z0-9'’])") if known else None
    for line in reversed(reply.splitlines()):
        found = {letter for hit in lone.findall(line) for letter in hit} if lone else set()
        if found:
            return "".join(sorted(found))
    return ""
