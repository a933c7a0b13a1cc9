"""What deriving must know about a language: the model of `parts.derive` in a language pack.

In: YAML data. Out: `Pack`: how things are called in questions, the question templates, and the words to look for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cached_property

from kg.errors import SettingsError
from kg.graph import Graph
from kg.language import Language
from kg.row import Row


class Pack(Row):
    """Templates are filled with `str.format`; the fields they may use are named beside each."""

    subject: str = ""
    """`{subject}` put before a name in a question; used where the book tells its subject."""
    section: str = "{section} ({chapter}, {book})"
    chapter: str = "{chapter} ({book})"
    loose_section: str = "{section} ({book})"
    """A section outside chapters."""
    twin: str = "{name} ({place})"
    """A name that two queries share, told apart by chapter and book."""
    stages: tuple[tuple[str, str], ...] = ()
    """Pairs (pattern, school stage) tried on a book's grade and title."""
    not_alone: tuple[str, ...] = ()
    """Patterns of exercises that cannot be answered by themselves: they point to a figure, a table …"""
    questions: Mapping[str, tuple[str, ...]] = {}
    """Template id -> wordings; fields `{name}` and `{subject}`."""
    training: Mapping[str, tuple[str, ...]] = {}
    """Kind of training row -> wordings of its question; fields `{name}`, `{source}`, `{target}`, `{stem}`."""
    answers: Mapping[str, str] = {}
    """Part of an answer -> how it is put; the fields of the part."""
    negation: tuple[str, ...] = ()
    """Words that turn a relation round when they stand in its question."""
    page: Mapping[str, str] = {}
    """The texts of the page that shows benchmark and training data."""

    @cached_property
    def needs_more(self) -> re.Pattern[str]:
        """Matches an exercise that cannot be answered by itself."""
        return re.compile("|".join(f"(?:{pattern})" for pattern in self.not_alone) or r"(?!)", re.IGNORECASE)

    def wordings(self, template: str) -> tuple[str, ...]:
        """All wordings of a question. Raises SettingsError if there is none."""
        found = self.questions.get(template)
        if not found:
            raise SettingsError(f"no wording for the question {template!r}", where="parts.derive.questions")
        return found


def language_of(graph: Graph, languages: Mapping[str, Language], default: str = "en") -> str:
    """Code of the pack whose letters and frequent words fill most of the nodes' names and properties.

    The `default` (or the first pack) where nothing speaks for any; ties go to the smaller code.
    """
    values = (value for node in graph.nodes for value in (node.name, *node.properties.values()))
    sample = "\n".join(value for value in values if isinstance(value, str))[:200_000]
    found = Counter({code: _weight(sample, pack) for code, pack in languages.items()})
    best = max(sorted(found), key=lambda code: found[code])
    return best if found[best] else (default if default in languages else best)


def _weight(sample: str, pack: Language) -> int:
    letters = len(re.findall(pack.script, sample))
    known = set(pack.stopwords)
    if not pack.spaces:
        return letters
    return letters // 20 + sum(word in known for word in re.findall(r"\w+", sample.casefold()))
