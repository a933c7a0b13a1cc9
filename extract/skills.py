"""Skills: methods from strategy boxes and from objectives that name a procedure.

In: parts of the roles `skill` and `objectives`. Out: `Skill`s.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from extract.pack import compiled
from extract.view import BookView, SectionView, name_tokens
from kg.graph import Provenance
from kg.text import is_cjk, one_line

LEAST_WORDS = 2
"""Words besides the verb and function words that an objective needs to name a method."""
LONGEST_LEAD = 200
"""Characters of the lines that say what a box is for."""


@dataclass
class Skill:
    """A transferable method."""

    view: SectionView
    name: str
    description: str
    rule: str
    start: int
    end: int
    """Characters that name and describe it."""
    evidence: list[Provenance] = field(default_factory=list)


def skills(book: BookView) -> Iterator[Skill]:
    """The book's skills, in order; one name once a section."""
    for view in book.sections:
        seen: set[str] = set()
        for skill in [*_boxes(view), *_objectives(view)]:
            if skill.name.casefold() not in seen:
                seen.add(skill.name.casefold())
                yield skill


def _boxes(view: SectionView) -> Iterator[Skill]:
    """Strategy boxes: the heading names the method, its text describes it."""
    for part in view.outline.parts:
        if part.role != "skill" or part.first == part.heading:
            continue
        inside = [i for i in range(part.first, part.last) if view.blocks[i].label in {"text", "list_item", "formula"}]
        description = view.content(inside)
        if not description:
            continue
        name = part.title or _announced(view, inside[0]) or _untitled(one_line(view.blocks[part.heading].text), view)
        if not _names_something(name, view):
            continue
        start, end = view.span(part.heading)[0], view.span(inside[0])[1]
        yield Skill(view, name, description, "strategy_box", start, end, [view.quote(start, end)])


def _announced(view: SectionView, first: int) -> str:
    """The method that the first lines of a box without title name: `Given two points, determine the slope …`."""
    block = view.blocks[first]
    if block.label != "text" or len(block.text) > LONGEST_LEAD:
        return ""
    return next(_methods(one_line(block.text), view), "")


def _untitled(label: str, view: SectionView) -> str:
    """A name for a box that has only a label: its section's title, with the label if that is no method by itself."""
    title = view.row.section_title
    return title if compiled(view.pack.gerund).match(title) else f"{title}: {label.lower()}"


def _names_something(name: str, view: SectionView) -> bool:
    """True if more than letters of a list are in the name."""
    return is_cjk(name) or any(len(word) > 2 for word in name_tokens(name, view.language))


def _objectives(view: SectionView) -> Iterator[Skill]:
    """Objectives that start with a verb of doing; compound ones are cut before each verb."""
    for i, block in enumerate(view.blocks):
        if "objectives" not in view.outline.roles(i) or block.label not in {"list_item", "text"}:
            continue
        start, end = view.span(i)
        lead = len(block.number) if block.number and block.text.startswith(block.number) else 0
        objective = one_line(block.text[lead:].strip(" •●▪◦‣■·-–\t"))
        for name in _methods(objective, view):
            yield Skill(view, name, objective, "objective", start, end, [view.quote(start, end)])


def _methods(objective: str, view: SectionView) -> Iterator[str]:
    """The methods one objective names."""
    text = one_line(objective).rstrip(".。;；")
    cuts = [0, *(hit.start("verb") for hit in compiled(view.pack.objective_cut).finditer(text)), len(text)]
    for start, end in pairwise(cuts):
        clause = compiled(view.pack.objective_tail).sub("", text[start:end].strip()).strip(" ,;.，；、。")
        clause = compiled(view.pack.ability).sub("", clause, count=1)
        hit = compiled(view.pack.procedures).match(clause)
        if hit is None:
            continue
        rest = [word for word in name_tokens(clause[hit.end() :], view.language) if word not in view.language.stopwords]
        if len(rest) >= LEAST_WORDS and not compiled(view.pack.general_objects).fullmatch(clause[hit.end() :].strip()):
            yield clause[:1].upper() + clause[1:]
