"""What asking in several hops must know about a language: the model of `parts.questions` in a language pack.

In: YAML data. Out: `Pack`. A hop is a predicate about `{x}`, said of what it leads to: `is a kind of {x}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from kg.row import Row


class Noun(Row):
    """What a thing of some kind is called."""

    bare: str
    one: str
    """With its article, where the language has one."""


class Pack(Row):
    """Everything is filled with `str.format`; keys are roles of the schema."""

    names: Mapping[str, str] = {}
    """Role of a node -> how it is named in a question, with `{name}`; key `any` for the others."""
    nouns: Mapping[str, Noun] = {}
    """Role of a node -> noun; `any` for things of several roles."""
    predicates: Mapping[str, tuple[str, ...]] = {}
    """`taxonomy>`, `taxonomy<` … -> wordings, with `{x}`."""
    clause: str = "{one} that {predicate}"
    """A thing on the way; fields `{one}`, `{bare}`, `{predicate}`."""
    question: str = "Which {bare} {predicate}?"
    several: str = "{question}"
    """Of a question with several right answers."""
    sentence: str = "{name} {predicate}."
    marks: str = "?"
    """What a question may end with."""
    blocked: tuple[str, ...] = ()
    """Patterns of what must not stand in a question for schools."""
    page: Mapping[str, str] = {}
    sheet: Mapping[str, str] = {}
    """Heads of the columns people fill in."""
    yes: tuple[str, ...] = ("y", "1")
    no: tuple[str, ...] = ("n", "0")
    """What people may write there."""

    @cached_property
    def unfit(self) -> re.Pattern[str]:
        """Matches what must not stand in a question."""
        return re.compile("|".join(f"(?:{pattern})" for pattern in self.blocked) or r"(?!)", re.IGNORECASE)
