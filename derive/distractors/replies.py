"""JSON from a model: what does not fit goes back with what is wrong with it, a few times.

In: message lists, a reader of replies. Out: what was read for each, none where no reply would fit.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from derive.ask import Ask, Messages
from kg.llm import Message

T = TypeVar("T")
TRIES = 3
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


class AskJson(Protocol):
    """Asks for many JSON objects at once."""

    def __call__(self, many: Sequence[Messages], read: Callable[[Any], T]) -> list[T | None]:
        """One result per list of messages; `read` raises ValueError where a reply does not fit."""


def asked_json(ask: Ask, tries: int = TRIES) -> AskJson:
    """An `AskJson` by way of `ask`; every unreadable reply is answered with what is wrong, up to `tries` in all."""

    def asked(many: Sequence[Messages], read: Callable[[Any], T]) -> list[T | None]:
        found: list[T | None] = [None] * len(many)
        due = dict(enumerate(many))
        for _ in range(tries):
            if not due:
                break
            again: dict[int, Messages] = {}
            for (place, messages), reply in zip(due.items(), ask(list(due.values())), strict=True):
                if reply is None:
                    continue
                try:
                    found[place] = read(_object(reply))
                except ValueError as error:
                    said = f"That reply cannot be used: {error}. Reply again, with the JSON object only."
                    again[place] = (
                        *messages,
                        Message(role="assistant", content=reply),
                        Message(role="user", content=said),
                    )
            due = again
        return found

    return asked


def _object(reply: str) -> Any:
    hit = _OBJECT.search(reply)
    if hit is None:
        raise ValueError("there is no JSON object in it")
    try:
        return json.loads(hit.group())
    except ValueError as error:
        raise ValueError(f"it is not JSON ({error})") from None
