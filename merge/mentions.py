"""Which names a text mentions.

In: a text, canonical keys of names. Out: the keys that occur in it, the longest name at each place.
"""

from __future__ import annotations

from collections.abc import Container
from functools import lru_cache

from kg.language import Language
from kg.names import singular
from kg.text import is_cjk, words

LONGEST = 8
"""Words (or three times as many Han characters) of a name that is looked for."""


class Reader:
    """Finds names in texts of one language."""

    def __init__(self, language: Language) -> None:
        self.joiner = " " if language.spaces else ""
        self.longest = LONGEST if language.spaces else 3 * LONGEST
        self._base = lru_cache(maxsize=100_000)(lambda word: singular(word, language))

    def named(self, text: str, names: Container[str], begins: Container[str] | None = None) -> list[str]:
        """Canonical keys that the text names, each once, in the order of the text; the longest at each place.

        `begins`: those of all names, where many texts are read for the same ones.
        """
        tokens: list[str] = []
        for word in words(text):
            tokens += word if is_cjk(word) else [self._base(word)]
        found: dict[str, None] = {}
        at = 0
        while at < len(tokens):
            if begins is not None and tokens[at] not in begins:
                at += 1
                continue
            name, longest, after = "", "", at + 1
            for end in range(at, min(len(tokens), at + self.longest)):
                name = f"{name}{self.joiner}{tokens[end]}" if name else tokens[end]
                if name in names:
                    longest, after = name, end + 1
            if longest:
                found[longest] = None
            at = after
        return list(found)

    def begins(self, name: str) -> set[str]:
        """What the first token of a text that names it may be: its first word, or where its characters begin."""
        if self.joiner:
            return {name.partition(self.joiner)[0]}
        latin = next((at for at, character in enumerate(name) if is_cjk(character)), len(name))
        return {name[: at + 1] for at in range(max(1, latin))}
