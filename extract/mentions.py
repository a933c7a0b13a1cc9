"""Where known names are mentioned: the longest name at each place, found by words, not letters.

In: names of terms and tokens. Out: `Mention`s in text order that do not overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from extract.view import Token, name_tokens
from kg.language import Language

_END = ""
_JOINERS = " \n\t\u00a0-‐‑‒–—'’s"
"""What may stand between two words of one name (`s`: of a possessive)."""
LONGEST_ACRONYM = 4
"""Letters of a name in capitals that is told from a word by its case (`AC`, `SI`)."""


class Mention(NamedTuple):
    """Characters `start <= i < end` name the term `key`."""

    key: str
    start: int
    end: int


class Names:
    """A dictionary of names that finds them in texts."""

    def __init__(self, names: Iterable[tuple[str, str]], language: Language) -> None:
        """`names`: pairs (name, key of its term). Of two terms with one name the first keeps it."""
        self._root: dict[str, dict] = {}  # type: ignore[type-arg]
        self._language = language
        for name, key in names:
            self.add(name, key)

    def add(self, name: str, key: str) -> None:
        """The name is found from now on."""
        node = self._root
        for token in name_tokens(name, self._language):
            node = node.setdefault(token, {})
        if node is not self._root:
            node.setdefault(_END, (key, name if _cased(name) else ""))  # type: ignore[arg-type]

    def find(self, text_tokens: Sequence[Token], text: str, offset: int = 0) -> list[Mention]:
        """Mentions in tokens of `text`; `offset` is where `text` starts in the tokens' count."""
        found: list[Mention] = []
        at = 0
        while at < len(text_tokens):
            hit = self._longest(text_tokens, at, text, offset) if text_tokens[at].key in self._root else None
            if hit is None:
                at += 1
                continue
            key, length = hit
            found.append(Mention(key, text_tokens[at].start, text_tokens[at + length - 1].end))
            at += length
        return found

    def _longest(self, text_tokens: Sequence[Token], at: int, text: str, offset: int) -> tuple[str, int] | None:
        node, best = self._root, None
        for i in range(at, len(text_tokens)):
            token = text_tokens[i]
            step = node.get(token.key)
            if step is None or (i > at and not _joined(text[text_tokens[i - 1].end - offset : token.start - offset])):
                break
            node = step
            end = node.get(_END)
            if end is None:
                continue
            key, cased = end
            printed = text[text_tokens[at].start - offset : token.end - offset]
            if not cased or printed.rstrip("s") == cased.rstrip("s"):
                best = (str(key), i - at + 1)
        return best


def _joined(gap: str) -> bool:
    """True if words with this between them can belong to one name."""
    return not gap.strip(_JOINERS) and "\n\n" not in gap


def _cased(name: str) -> bool:
    return name.isascii() and name.isupper() and len(name) <= LONGEST_ACRONYM
