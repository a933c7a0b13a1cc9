"""Language packs: everything a room must know about a language, as data in `conf/language/<code>.yaml`.

A pack has general facts (used everywhere) and one part per room, which that room reads with its own
pydantic model: `language.part("segment", SegmentRules)`. A new language is a new file.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from kg.errors import SettingsError, first_problem
from kg.row import Row

R = TypeVar("R", bound=BaseModel)
# libyaml reads a pack in a tenth of the time, at every start of every command
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Language(Row):
    """One pack."""

    code: str
    name: str
    script: str
    """A regular-expression class of its letters, for example `[a-zA-Z]`; used to recognise a book's language."""
    stopwords: tuple[str, ...]
    """Frequent function words; for telling languages of one script apart and for weighing names."""
    spaces: bool = True
    """Words are separated by spaces; lines are joined with one."""
    sentence_end: str
    """Regular expression for the place after which a new sentence starts."""
    abbreviations: tuple[str, ...] = ()
    """Endings after which no sentence starts, in lower case with their full stop."""
    plural: tuple[tuple[str, str], ...] = ()
    """Pairs (regular expression, replacement) that turn a plural noun into its singular; the first that matches."""
    irregular: Mapping[str, str] = {}
    """Plural nouns and their singulars that no rule covers."""
    invariant: tuple[str, ...] = ()
    """Nouns the plural rules must leave alone."""
    articles: tuple[str, ...] = ()
    """Words that may stand before a name and are no part of it."""
    parts: Mapping[str, Mapping[str, Any]] = {}
    """Rules of the rooms, by room."""

    def __hash__(self) -> int:
        """By code, so that caches can go by the pack."""
        return hash(self.code)

    def part(self, room: str, model: type[R]) -> R:
        """The rules of one room.

        Raises SettingsError naming the file and the field if they do not fit `model`.
        """
        try:
            return model.model_validate(self.parts.get(room, {}))
        except ValidationError as error:
            raise SettingsError(first_problem(error), where=f"conf/language/{self.code}.yaml, parts.{room}") from None


def load(folder: Path) -> dict[str, Language]:
    """All packs of a folder by code.

    Raises SettingsError if there is none or one does not fit.
    """
    packs: dict[str, Language] = {}
    for path in sorted(folder.glob("*.yaml")):
        try:
            data = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)
            packs[path.stem] = Language.model_validate({"code": path.stem, **data})
        except (ValidationError, yaml.YAMLError) as error:
            what = first_problem(error) if isinstance(error, ValidationError) else str(error)
            raise SettingsError(what, where=str(path)) from None
    if not packs:
        raise SettingsError("no language packs found", where=str(folder), remedy="check language_dir")
    return packs
