"""JSON as models write it: between prose and fences, with LaTeX in strings, commas too many, or cut off.

In: a reply's text. Out: `Written`: every value that could be read, and what had to be mended. A value that was cut off
keeps the array items that were complete; nothing half-written is ever taken for a whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

_REASONING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_OPENING = re.compile(r'\{\s*["}]|\[\s*[{\[\]]')
"""An object, or an array of objects; a bracket in prose is neither."""
_ESCAPES = frozenset('"\\/bfnrtu')
_LATEX = re.compile(
    "\x0c(?=[a-z])|\x08(?=[a-z])"
    r"|\t(?=heta|imes|ext|an\b|anh|au\b|o\b|riangle|frac|ilde)|\n(?=abla|eq\b|u\b|ot\b|e\b)|\r(?=ho\b|ight|angle)"
)
_LETTERS = {"\x0c": "\\f", "\x08": "\\b", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_CLOSING = {"{": "}", "[": "]"}


@dataclass
class Written:
    """What a reply holds."""

    values: list[Any] = field(default_factory=list)
    """Objects and arrays, in order."""
    mended: set[str] = field(default_factory=set)
    """What was not as it should be: `prose`, `escape`, `quote`, `comma`, `latex`, `reasoning`, `several`."""
    truncated: bool = False
    """The last value broke off; what was complete in it is among the values."""


def read(text: str) -> Written:
    """Every object or array in the text; strings and numbers outside of them are prose."""
    found = Written()
    bare = _REASONING.sub("", text)
    if bare != text:
        found.mended.add("reasoning")
    taken = 0
    opening = _OPENING.search(bare)
    while opening is not None:
        scan = _Scan(bare, opening.start())
        value = _loaded(scan.text(), found)
        if value is not None:
            found.values.append(value)
            found.mended |= scan.mended
            taken += scan.end - opening.start()
        if scan.truncated:
            found.truncated = True
            break
        opening = _OPENING.search(bare, scan.end if value is not None else opening.start() + 1)
    if len(bare.strip()) > taken and found.values:
        found.mended.add("prose")
    if len(found.values) > 1:
        found.mended.add("several")
    return found


def _loaded(text: str, found: Written) -> Any:
    """The value; none if it cannot be read or holds no object or array worth reading."""
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    if not value or (isinstance(value, list) and not isinstance(value[0], dict | list)):
        return None if text.strip() not in ("{}", "[]") else value
    return _restored(value, found)


def _restored(value: Any, found: Written) -> Any:
    """The value with LaTeX commands whose backslash was read as an escape (`\\frac`, `\\times`) put right."""
    if isinstance(value, str):
        whole = _LATEX.sub(lambda hit: _LETTERS[hit.group()], value)
        if whole != value:
            found.mended.add("latex")
        return whole
    if isinstance(value, list):
        return [_restored(item, found) for item in value]
    if isinstance(value, dict):
        return {key: _restored(item, found) for key, item in value.items()}
    return value


class _Scan:
    """Reads one value from its opening bracket to its end, or to the end of the text."""

    def __init__(self, text: str, start: int) -> None:
        self.source, self.end = text, start
        self.mended: set[str] = set()
        self.truncated = False
        self._out: list[str] = []
        self._open: list[str] = []
        self._whole = (0, "")
        """Pieces written, and brackets open, when an array's item was last complete."""
        self._run()

    def text(self) -> str:
        """Strict JSON if the value was near enough to it; without what was not complete."""
        if not self.truncated:
            return "".join(self._out)
        pieces, brackets = self._whole
        return "".join(self._out[:pieces]) + "".join(_CLOSING[bracket] for bracket in reversed(brackets))

    def _run(self) -> None:
        for token in self._tokens():
            self._out.append(token)
            if token in _CLOSING:
                self._open.append(token)
            elif token in ("}", "]"):
                if not self._open or _CLOSING[self._open[-1]] != token:
                    return
                self._open.pop()
                if not self._open:
                    return
                self._complete()
            elif token.startswith('"'):
                self._complete()
        self.truncated = True

    def _complete(self) -> None:
        """Something was written to its end: it is an item, unless it belongs to one that is not."""
        if self._open.count("[") == 1 and self._open[-1] == "[":
            self._whole = (len(self._out), "".join(self._open))

    def _tokens(self) -> Iterator[str]:
        """Brackets, strings and what is between them; a string that breaks off is left out."""
        while self.end < len(self.source):
            character = self.source[self.end]
            if character == '"':
                string = self._string()
                if string is None:
                    return
                yield string
                continue
            self.end += 1
            if character == "," and self._next(self.end) in ("}", "]"):
                self.mended.add("comma")
                continue
            yield character

    def _next(self, at: int) -> str:
        """The next character that is no white space; empty at the end."""
        while at < len(self.source) and self.source[at].isspace():
            at += 1
        return self.source[at : at + 1]

    def _string(self) -> str | None:
        """The string at the current place, what has to be escaped in it escaped; none if it breaks off."""
        out, at = ['"'], self.end + 1
        while at < len(self.source):
            character = self.source[at]
            if character == "\\":
                pair = self.source[at : at + 2]
                hexadecimal = pair != "\\u" or re.match(r"[0-9a-fA-F]{4}", self.source[at + 2 : at + 6])
                if pair[1:] in _ESCAPES and hexadecimal:
                    out.append(pair)
                    at += 2
                    continue
                self.mended.add("escape")
                out.append("\\\\")
            elif character == '"':
                if self._next(at + 1) in ("", ",", ":", "}", "]"):
                    self.end = at + 1
                    return "".join(out) + '"'
                self.mended.add("quote")
                out.append('\\"')
            else:
                out.append(character)
            at += 1
        self.end = at
        return None
