"""What the evaluator knows of languages: the words around an answer, and the marks around the thing asked about.

In: language packs (`parts.evaluate`). Out: `Words` for the parser, patterns for the overlap baseline.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pydantic import field_validator

from evaluate.parse import Words, words
from kg.errors import SettingsError
from kg.language import Language
from kg.row import Row

THOUGHTS = ("think", "thinking", "thought", "reasoning")
"""Tags by which models mark their reasoning; they belong to models, not to languages."""


class EvaluateRules(Row):
    """The part of a language pack; the lists are explained at `evaluate.parse.Words`."""

    labels: tuple[str, ...] = ()
    joiners: tuple[str, ...] = ()
    articles: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    negations: tuple[str, ...] = ()
    correct: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    every: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()
    query: tuple[str, ...] = ()
    """Patterns whose first group is what a question asks about."""

    @field_validator("*")
    @classmethod
    def _compiles(cls, patterns: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in patterns:
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"{pattern!r} is no regular expression: {error}") from None
        return patterns


def rules_of(languages: Mapping[str, Language]) -> dict[str, EvaluateRules]:
    """The part of every pack. Raises SettingsError naming the file and the field that is wrong."""
    return {code: pack.part("evaluate", EvaluateRules) for code, pack in sorted(languages.items())}


def spoken_words(languages: Mapping[str, Language]) -> Words:
    """What replies may say in any of the languages."""
    parts = [rules.model_dump() for rules in rules_of(languages).values()]
    return words([*parts, {"thoughts": THOUGHTS}])


def language_of(text: str, languages: Mapping[str, Language]) -> str:
    """The language whose script most of the text is written in; the first by code among equals.

    Raises SettingsError if there are no languages.
    """
    if not languages:
        raise SettingsError("no language packs", where="languages")
    counts = {code: len(re.findall(pack.script, text)) for code, pack in sorted(languages.items())}
    return max(counts, key=lambda code: counts[code])
