"""The page's own words in the language of its readers.

In: `parts.emit` of the language packs. Out: `PageTexts`, complete as far as the fallback pack is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kg.errors import SettingsError
from kg.language import Language
from kg.row import Row

ROOM = "emit"


class PageTexts(Row):
    """All words of the page that do not come from books. `{name}` in a text is filled in by the page."""

    ui: Mapping[str, str] = {}
    """Headings, buttons, hints."""
    one: Mapping[str, str] = {}
    """Role of a node type -> what one such thing is called."""
    many: Mapping[str, str] = {}
    """Role of a node type -> what several are called."""
    relations: Mapping[str, str] = {}
    """`role.out` and `role.in` -> heading of the neighbours an edge of that role leads to, or comes from."""
    says: Mapping[str, str] = {}
    """Role of an edge type -> a sentence with `{source}` and `{target}`."""
    fields: Mapping[str, str] = {}
    """Property -> its heading."""
    values: Mapping[str, Mapping[str, str]] = {}
    """Property -> value -> what it is called."""
    kinds: Mapping[str, str] = {}
    """Kind of a section -> what it is called where it has no title."""
    checks: Mapping[str, str] = {}
    """Code of a check -> heading of its findings."""
    actions: Mapping[str, str] = {}
    """What became of the thing a finding is about."""
    measures: Mapping[str, str] = {}
    """Measure of the report of the checks -> what it is called."""
    made: Mapping[str, str] = {}
    """Benchmark task or kind of training data -> what it is called."""
    layers: Mapping[str, str] = {}
    """Where a wrong option was taken from -> how that is said."""
    files: Mapping[str, str] = {}
    """Kind of a file -> what is in it."""
    matches: Mapping[str, str] = {}
    """How a quotation was found."""
    routes: Mapping[str, str] = {}
    """How the page of a quotation was read, where it was not a plain text layer."""


def page_texts(languages: Mapping[str, Language], code: str, fallback: str) -> PageTexts:
    """The texts of pack `code`; what it lacks comes from pack `fallback`.

    Raises SettingsError if there is no such pack or its texts do not fit.
    """
    for wanted in (code, fallback):
        if wanted not in languages:
            have = ", ".join(sorted(languages))
            raise SettingsError(f"no language pack {wanted!r}", where="emit.language, emit.fallback", remedy=have)
    own = languages[code].part(ROOM, PageTexts).model_dump()
    other = languages[fallback].part(ROOM, PageTexts).model_dump()
    return PageTexts.model_validate(_united(other, own))


def _united(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """`base` with everything `over` says instead, level by level."""
    both = dict(base)
    for key, value in over.items():
        both[key] = _united(both[key], value) if isinstance(value, Mapping) and key in both else value
    return both
