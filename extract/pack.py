"""What the rule extractor must know about a language: the model of `parts.extract` in a language pack.

In: YAML data. Out: a `Pack` whose patterns are compiled once. Patterns are regular expressions that ignore
case; in patterns about a term, `@` stands for the term itself (and `#` for the other one of two).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from pydantic import field_validator

from kg.language import Language
from kg.row import Row

Role = Literal[
    "objectives",
    "key_terms",
    "key_equations",
    "summary",
    "lab",
    "materials",
    "safety",
    "steps",
    "observation",
    "conclusion",
    "example",
    "problem",
    "strategy",
    "solution",
    "discussion",
    "exercises",
    "answer",
    "skill",
    "aside",
]
"""What a headed part of a section is for; a part without a role is running text."""

TERM = "\ue000"
"""Stands in a sentence where the term was, while patterns are tried on it."""
OTHER = "\ue001"
"""Stands where the second term was."""


class RoleRule(Row):
    """Headings of one look and their role."""

    role: Role
    label: str
    """Pattern of the label a heading starts with."""
    whole: bool = False
    """The label must be the whole heading."""
    run_in: bool = False
    """The label may also open a paragraph, without being a heading."""
    student: int = 1
    """Of a lab: 1 if students do it themselves, 0 if they watch or simulate it."""


class LevelRule(Row):
    """How much a group heading or the stem's words make an exercise easier or harder."""

    pattern: str
    change: int
    where: Literal["group", "stem"] = "group"


class RelationRule(Row):
    """A sentence of this shape says that the term `@` and the other term `#` stand in a relation."""

    rule: str
    """Name in the extractor's table of rules."""
    pattern: str
    subject: bool = False
    """`@` must be what the sentence is about, not a word that a preposition governs."""


class PracticeRule(Row):
    """A method whose name looks like `skill` is practised by exercises whose stem looks like `stem`."""

    skill: str
    stem: str


class Pack(Row):
    """Rules of one language for the offline extractor."""

    roles: tuple[RoleRule, ...] = ()
    """Tried in order; the first that fits counts."""
    heading_cut: str = r"\s*[:：,，;；、]\s*"
    """Between the names in a heading."""
    boilerplate: str = r"(?!)"
    """Headings that name no idea."""
    caption: str = r"(?!)"
    """How the caption of a figure or table starts."""
    enumerator: str = r"(?!)"
    """Number in front of a heading."""
    not_a_term: str = r"(?!)"
    """Bold text that is a label, a cross reference or an emphasis."""
    separators: str = r"\s*(?:[:：]|[—–]|\s-\s)\s*"
    """Between a listed term and its definition."""
    define: tuple[str, ...] = ()
    """Sentences that define `@`, best first."""
    sure: int = 3
    """So many of them say what `@` is by naming what it presupposes; edges are read from these alone."""
    cues: tuple[str, ...] = ()
    """Sentences that introduce a name: group `name`."""
    points_back: str = r"(?!)"
    """Words a sentence starts with if one needs the sentence before to understand it."""
    subject: str = r"(?!)"
    """A sentence that starts with a name and says what it is: group `name`."""
    aliases: tuple[str, ...] = ()
    """Second names of `@`: group `alias`."""
    units: tuple[str, ...] = ()
    """Units of `@`: group `unit`."""
    examples: tuple[str, ...] = ()
    """Examples of `@`: group `example`."""
    kind_of: tuple[str, ...] = ()
    """Beginnings of a definition that name the wider term `#`."""
    not_a_kind: str = r"(?!)"
    """A definition that names the other term `#` like this does not say that the one is a kind of it."""
    short_forms: str = r"(?!)"
    """Names that are also used without their end: the group is what is left."""
    misuses: tuple[str, ...] = ()
    """Text around a word, which stands between two `@`, that shows that it is not meant as a name."""
    copula: str = r"(?!)"
    """Between the term `@` and what a sentence says it is."""
    relations: tuple[RelationRule, ...] = ()
    governed: str = r"(?!)"
    """Text before a term that ends in a preposition: the term is a circumstance (`at constant …`, `through a …`)."""
    not_needed: tuple[str, ...] = ()
    """A definition that names the other term `#` like this does not presuppose it: second names, units."""
    unit_term: str = r"(?!)"
    """The definition of a term that is a unit."""
    unit_words: str = r"(?!)"
    """What is a unit without saying so: a whole name."""
    formula_lead: str = r"(?!)"
    """A sentence that announces the formula of `@`."""
    formula_words: str = r"(?!)"
    """Words in a formula's name that are no part of the term's."""
    procedures: str = r"(?!)"
    """Verbs that open an objective about a method."""
    objective_cut: str = r"(?!)"
    """Where a compound objective goes on with another verb: group `verb`."""
    objective_tail: str = r"(?!)"
    """What is left at the end of an objective cut in two."""
    ability: str = r"(?!)"
    """What an objective says before the method (`be able to`)."""
    gerund: str = r"(?!)"
    """A title that names a method by itself."""
    practice: tuple[PracticeRule, ...] = ()
    """Tried in order; the first whose `skill` fits decides. A method that none fits is practised by any exercise."""
    general_objects: str = r"(?!)"
    """Objects of such a verb that say nothing by themselves."""
    tasks: str = r"(?!)"
    """How a task or question starts, as against an answer to choose."""
    place: str = r"\s*[(（\[]\s*\d+(?:[.\-–]\d+)*\s*[)）\]]"
    """Where a listed term is explained, between the term and its definition: `(2.1)`, `(p. 12)`."""
    groups: str = r"(?!)"
    """A line that heads a group of items without looking like a heading: `二、拓展应用`."""
    instructions: str = r"(?!)"
    """How a paragraph starts that says what to do in each of the items that follow."""
    difficulty: tuple[LevelRule, ...] = ()
    true_false: str = r"(?!)"
    blank: str = r"_{3,}|（\s*）|\(\s{2,}\)"
    """A gap to be filled in a stem."""
    correct_option: str = r"(?!)"
    """An answer that names an option: group `option`."""
    not_printed: str = "not printed in the book"
    """What an exercise without printed answer has for an answer."""
    media: str = r"(?!)"
    """What a simulation is run on, where no material is listed."""
    not_listed: str = "not listed in the book"
    """What an experiment without materials has for instruments."""
    aims: str = r"(?!)"
    """A sentence that says what an experiment is about."""
    shown: str = r"(?!)"
    """A lab's first sentence that says that it is a simulation or shown by the teacher."""
    by_students: str = r"(?!)"
    """A bracket at the end of a lab's title that says that students do it."""
    by_teacher: str = r"(?!)"
    """A bracket at the end of a lab's title that says that it is shown."""
    list_cut: str = r"\s*[,，、;；]\s*"
    """Between materials in one paragraph."""
    chapter_heading: str = r"(?!)"
    """Heading of a chapter's answers: group `number`."""
    numerals: Mapping[str, str] = {}
    """Words for chapter numbers."""
    head_stop: str = r"(?!)"
    """A name that ends in such a word group is not a kind of its last word."""

    @field_validator("*")
    @classmethod
    def _compiles(cls, value: object) -> object:
        for pattern in value if isinstance(value, tuple) else (value,):
            fields = [getattr(pattern, name, None) for name in ("pattern", "label", "skill", "stem")]
            for text in [pattern, *fields]:
                if isinstance(text, str):
                    compiled(text)
        return value


@lru_cache(maxsize=4096)
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern with `@` and `#` standing for the places of terms.

    Raises ValueError if it is no regular expression.
    """
    try:
        return re.compile(pattern.replace("@", TERM).replace("#", OTHER), re.IGNORECASE)
    except re.error as error:
        raise ValueError(f"not a regular expression: {pattern!r}: {error}") from None


def pack_of(language: Language) -> Pack:
    """The pack's part for this room."""
    return language.part("extract", Pack)
