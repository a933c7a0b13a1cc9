"""Experiments: boxes and headings with a lab label, or with a list of materials.

In: parts of the role `lab`, and parts with materials and steps. Out: `Lab`s with instruments, process, phenomena and
conclusion in the book's words.
`is_student` is what the language pack says about the label; 0 where the first paragraph says that it is a simulation
or that the teacher shows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from extract.numbered import asks
from extract.pack import compiled
from extract.parts import Part, role_of
from extract.view import BookView, SectionView
from kg.graph import Provenance
from kg.text import one_line

LONGEST_NAME = 100
LONGEST_ITEM = 160
GUESTS = ("materials", "steps", "observation", "conclusion", "discussion")
_NUMBER = re.compile(r"\s*[(（]?\d+[.)、．]")
_LAST_BRACKET = re.compile(r"\s*[(（\[]([^()（）\[\]]+)[)）\]]\s*$")
TEXTS = {"text", "list_item", "table", "formula"}


@dataclass
class Lab:
    """An experiment, demonstration or simulation."""

    view: SectionView
    name: str
    student: int
    instruments: list[str]
    process: str = ""
    phenomena: str = ""
    conclusion: str = ""
    title: tuple[int, int] = (0, 0)
    """Characters of its title, without the label."""
    purpose: tuple[int, int] = (0, 0)
    """Characters of its heading and first paragraph."""
    ending: list[tuple[int, int]] = field(default_factory=list)
    """Characters of its conclusion, or of its observation where it draws none."""
    last: int = 0
    """Offset after its last character."""
    evidence: list[Provenance] = field(default_factory=list)


def labs(book: BookView) -> Iterator[Lab]:
    """The book's experiments, in order; a heading without any text under it is none."""
    for view in book.sections:
        if view.row.kind in {"answers", "index", "contents", "front_matter", "glossary"}:
            continue
        for at, part in enumerate(view.outline.parts):
            if part.role == "lab" or (part.role is None and _lists_materials(view, at)):
                lab = _lab(view, at)
                if lab is not None:
                    yield lab


def _lists_materials(view: SectionView, at: int) -> bool:
    """True if materials and steps stand directly under the heading."""
    roles = {view.outline.parts[child].role for child in view.outline.parts[at].children}
    return {"materials", "steps"} <= roles


def _lab(view: SectionView, at: int) -> Lab | None:
    part = view.outline.parts[at]
    own = [i for i in view.outline.own_blocks(at) if view.blocks[i].label in {"text", "list_item"}]
    intro = [i for i in own if view.blocks[i].label == "text"] or own
    children = {role: _blocks(view, at, role) for role in GUESTS}
    if not own and not any(children.values()):
        return None
    first = view.said(intro[0]) if intro else view.span(part.heading)
    title, student = _title(view, part)
    name = title or _first_words(view.line(*view.sentence(first[0])))
    if student is None:
        lead = view.line(*view.sentence(first[0]))
        student = 0 if compiled(view.pack.shown).search(lead) else part.student
    children["materials"] = children["materials"] or _bulleted(view, at)
    numbered = _numbered(view, children["materials"])
    if len(numbered) < len(children["materials"]):
        children["materials"] = [i for i in children["materials"] if i not in numbered]
        children["steps"] = children["steps"] or numbered
    steps = children["steps"] or [i for i in _items(view, own) if i not in children["materials"]]
    lab = Lab(view, name[:LONGEST_NAME], student, _instruments(view, children["materials"]) or _medium(view, part, own))
    lab.process = view.content(steps)
    lab.phenomena = view.content(children["observation"])
    lab.conclusion = view.content(children["conclusion"] or children["discussion"])
    lab.purpose = (view.span(part.heading)[0], first[1])
    at = view.text.find(title, lab.purpose[0], first[1]) if title else -1
    lab.title = (at, at + len(title)) if at >= 0 else (first[0], first[0])
    lab.ending = [view.said(i) for i in children["conclusion"] or children["observation"]]
    lab.last = view.span(max(part.last - 1, part.heading))[1]
    stop = view.sentence(first[0])[1] if intro else first[1]
    lab.evidence = [view.quote(lab.purpose[0], stop)]
    if children["materials"]:
        blocks = children["materials"]
        lab.evidence.append(view.quote(view.span(blocks[0])[0], view.span(blocks[-1])[1]))
    return lab


def _title(view: SectionView, part: Part) -> tuple[str, int | None]:
    """The title without a label or a bracket that says who does it, and what that bracket says."""
    labelled = role_of(part.title, view.pack)
    title = labelled[2] if labelled and labelled[0].role == "lab" and labelled[2] in part.title else ""
    title = title or part.title
    hit = _LAST_BRACKET.search(title)
    for pattern, student in ((view.pack.by_students, 1), (view.pack.by_teacher, 0)):
        if hit and compiled(pattern).search(hit.group(1)):
            return title[: hit.start()].strip(), student
    return title, None


def _blocks(view: SectionView, at: int, role: str) -> list[int]:
    """Text blocks of the parts of this role inside the lab."""
    found = []
    for child in view.outline.child(at, role):  # type: ignore[arg-type]
        found += [i for i in view.outline.own_blocks(child) if view.blocks[i].label in TEXTS]
    return found


def _items(view: SectionView, blocks: list[int]) -> list[int]:
    return [i for i in blocks if view.blocks[i].label == "list_item"]


def _numbered(view: SectionView, blocks: list[int]) -> list[int]:
    """Numbered items: steps, where the materials before them have bullets."""
    return [i for i in _items(view, blocks) if _NUMBER.match(view.blocks[i].text)]


def _bulleted(view: SectionView, at: int) -> list[int]:
    """Materials without a heading: things, not sentences, in items without a number before the first step."""
    found: list[int] = []
    for i in view.outline.own_blocks(at):
        block = view.blocks[i]
        if block.label != "list_item":
            if found or block.label == "section_header":
                break
            continue
        bare = _unmarked(block.text, block.number)
        if _NUMBER.match(block.text) or bare.endswith((".", "。", "?", "？")) or asks(bare, view):
            break
        found.append(i)
    return found


def _instruments(view: SectionView, blocks: list[int]) -> list[str]:
    """The listed materials: one an item, or several with commas between them."""
    found: list[str] = []
    for i in blocks:
        block, text = view.blocks[i], view.blocks[i].text
        text = text[view.outline.label_end(i) :]
        item = block.label == "list_item"
        pieces = [_unmarked(text, block.number)] if item else re.split(view.pack.list_cut, text)
        found += [one_line(piece).strip(" .;,。；，、•") for piece in pieces]
    return list(dict.fromkeys(item for item in found if item and len(item) <= LONGEST_ITEM))


def _unmarked(text: str, number: str | None) -> str:
    bare = text[len(number) :] if number and text.startswith(number) else text
    return bare.strip(" •●▪◦‣■·-–\t")


def _medium(view: SectionView, part: Part, blocks: list[int]) -> list[str]:
    """What the text says it is run on, where nothing is listed."""
    hits = compiled(view.pack.media).findall(view.content([part.heading, *blocks]))
    found = list(dict.fromkeys(one_line(hit).lower() for hit in hits))
    return found[:3] or [view.pack.not_listed]


def _first_words(text: str) -> str:
    line = one_line(text).rstrip(".。")
    return line if len(line) <= 80 else line[:80].rsplit(" ", 1)[0] + "…"
