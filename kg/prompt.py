"""Prompts: Markdown files beside the stage that sends them, filled in with values, versioned by their hash.

A file has a part for each role under a heading (`# system`, `# user`); `{{name}}` stands for a value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

from kg.errors import SettingsError
from kg.llm import Message
from kg.row import Row
from kg.store import sha256

_HEADING = re.compile(r"^# (\w+)[ \t]*$", re.MULTILINE)
_PLACE = re.compile(r"\{\{(\w+)\}\}")
ROLES: tuple[str, ...] = get_args(Message.model_fields["role"].annotation)


class Prompt(Row):
    """One prompt file."""

    name: str
    parts: tuple[Message, ...]
    """With their placeholders."""

    @property
    def fingerprint(self) -> str:
        """Changes with every character that is sent."""
        return sha256("\n".join(f"{part.role}:{part.content}" for part in self.parts))[:16]

    @property
    def places(self) -> frozenset[str]:
        """Names of the values it needs."""
        return frozenset(name for part in self.parts for name in _PLACE.findall(part.content))

    def messages(self, values: Mapping[str, str]) -> tuple[Message, ...]:
        """The messages with every placeholder filled in; braces inside values stay as they are.

        Raises KeyError naming a value that is missing.
        """
        return tuple(
            Message(role=part.role, content=_PLACE.sub(lambda hit: values[hit.group(1)], part.content))
            for part in self.parts
        )


def load(path: Path) -> Prompt:
    """The prompt in a file. Raises SettingsError if it is not there or has no parts."""
    if not path.is_file():
        raise SettingsError("no such prompt", where=str(path), remedy="name a Markdown file with `# system`, `# user`")
    pieces = _HEADING.split(path.read_text(encoding="utf-8"))
    pairs = list(zip(pieces[1::2], pieces[2::2], strict=True))
    wrong = [role for role, _ in pairs if role not in ROLES]
    if not pairs or wrong:
        what = f"no such role: {wrong[0]}" if wrong else "no parts"
        raise SettingsError(what, where=str(path), remedy=f"head each part with one of: {', '.join(ROLES)}")
    parts = tuple(Message.model_validate({"role": role, "content": text.strip()}) for role, text in pairs)
    return Prompt(name=path.stem, parts=parts)
