"""What grounding must know about a language: the model of `parts.paths` in a language pack.

In: YAML data. Out: `Pack`: how relations and questions are put, what cues a relation, how values are written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from kg.row import Row


class Pack(Row):
    """Patterns are searched without case; of two that fit, the first in the file counts."""

    questions: Mapping[str, tuple[str, ...]] = {}
    """Template of a task, or property of a node -> wordings of an open question; fields `{name}` and `{subject}`."""
    relations: Mapping[str, tuple[str, str]] = {}
    """Role of an edge -> what stands between its ends, walked along it and against it."""
    literals: Mapping[str, str] = {}
    """Property -> what stands between a node and its value."""
    cues: Mapping[str, tuple[str, ...]] = {}
    """Role with `>` (along) or `<` (against the edge, from what is asked about), or property -> patterns."""
    refusals: tuple[str, ...] = ()
    """Whole answers that say nothing."""
    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    """Words that agree and that deny; also true and false."""
    months: tuple[tuple[str, ...], ...] = ()
    """Names of each month, January first."""
    dates: tuple[str, ...] = ()
    """Patterns of dates with the groups `year`, `month`, `day`; a month may be a name."""
    units: Mapping[str, str] = {}
    """Names of units -> their symbols."""
    mask: str = "___"
    """What stands in place of an answer."""
    page: Mapping[str, str] = {}
    """Texts of the page."""

    @cached_property
    def cue_patterns(self) -> dict[str, re.Pattern[str]]:
        """Cue -> one pattern."""
        return {cue: re.compile("|".join(found), re.IGNORECASE) for cue, found in self.cues.items() if found}

    @cached_property
    def date_patterns(self) -> tuple[re.Pattern[str], ...]:
        """Compiled."""
        return tuple(re.compile(pattern, re.IGNORECASE) for pattern in self.dates)

    @cached_property
    def month_numbers(self) -> dict[str, int]:
        """Name in lower case -> 1 to 12."""
        return {name.casefold(): number for number, names in enumerate(self.months, 1) for name in names}

    def cued(self, question: str) -> frozenset[str]:
        """The relations that the question asks for."""
        return frozenset(cue for cue, pattern in self.cue_patterns.items() if pattern.search(question))
