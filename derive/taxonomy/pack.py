"""What this recipe must know about a language: the model of `parts.taxonomy` in a language pack.

In: YAML data. Out: `Pack`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from kg.errors import SettingsError
from kg.row import Row
from kg.text import is_cjk, words


class Pack(Row):
    """Templates are filled with `str.format`."""

    root: Mapping[str, str] = {}
    """Kind of tree -> what its root is called."""
    heads: tuple[str, ...] = ()
    """Patterns of what stands between a name and what is said of it at the start of a sentence: `is a`."""
    unclear: tuple[str, ...] = ()
    """Patterns of texts that cannot be understood alone: they point elsewhere, or begin with a pronoun."""
    dangling: tuple[str, ...] = ()
    """Patterns of questions that speak of their passage: `the article`."""
    tails: tuple[str, ...] = ()
    """Patterns of what stands between what is said and the name it gets: `is called`."""
    titles: tuple[str, ...] = ()
    """Patterns of titles of pages that are no articles: `File:`, `Template:`."""
    composed: Mapping[str, str] = {}
    """What a thing is by what belongs to it ({children}): of a `term`, of a `place`."""
    joiner: str = "; "
    last: str = "; "
    """Between the last two of a list."""
    shortest: int = 3
    """Least words of a definition (of unspaced languages: characters) …"""
    longest: int = 60
    """… and most."""
    questions: Mapping[str, str] = {}
    """Kind of question -> wording; fields `{name}` and `{text}`."""
    statements: Mapping[str, str] = {}
    """Role of an edge -> what it says; fields `{source}` and `{target}`."""
    mask: str = "…"
    """Stands for a name that is left out."""
    page: Mapping[str, str] = {}

    @cached_property
    def points_elsewhere(self) -> re.Pattern[str]:
        """Matches a text that cannot be understood alone."""
        return _any(self.unclear)

    @cached_property
    def speaks_of_passage(self) -> re.Pattern[str]:
        """Matches a question that needs its passage."""
        return _any(self.dangling)

    @cached_property
    def no_title(self) -> re.Pattern[str]:
        """Matches the title of a page that is no article."""
        return _any(self.titles)

    def wording(self, kind: str) -> str:
        """How a question of this kind is asked. Raises SettingsError if the pack has none."""
        if kind not in self.questions:
            raise SettingsError(f"no wording for the question {kind!r}", where="parts.taxonomy.questions")
        return self.questions[kind]

    def listed(self, names: list[str]) -> str:
        """The names as a list in a sentence."""
        return self.joiner.join(names[:-1]) + self.last + names[-1] if len(names) > 1 else "".join(names)

    def unnamed(self, text: str, names: tuple[str, ...]) -> str:
        """What the text says of one of the names it begins or ends with (`… is called …`); empty if it has none so."""
        lead = f"(?:{'|'.join(self.heads)})"
        for name in sorted(names, key=len, reverse=True):
            said = re.escape(name)
            for head in self.heads:
                before = rf"\W*(?:{lead}\s*)?{said}\s*(?:[(（][^)）]*[)）]\s*)?(?:{head})[\s,，:：]*(?=\w)"
                if hit := re.match(before, text, re.IGNORECASE):
                    return text[hit.end() :].strip()
            for tail in self.tails:
                if hit := re.match(rf"(.+?)[\s,，]*(?:{tail})\W*{said}", text, re.IGNORECASE):
                    return hit[1].strip()
        return ""


def _any(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns) or r"(?!)", re.IGNORECASE)


def content(text: str, stopwords: frozenset[str]) -> list[str]:
    """Words but the frequent ones; of Han text, pairs of characters."""
    found: list[str] = []
    for word in words(text):
        if is_cjk(word):
            found += [word[start : start + 2] for start in range(max(1, len(word) - 1))]
        elif word not in stopwords:
            found.append(word)
    return found
