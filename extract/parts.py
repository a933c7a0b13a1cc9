"""The parts of a section: what stands under which heading, and what it is for.

In: a section's blocks and the language's role rules. Out: `Part`s (boxes, labs, worked examples, exercise groups …)
nested in each other, and for every block the innermost part it belongs to.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from extract.pack import Pack, Role, RoleRule, compiled
from kg.document import Block
from kg.section import Section
from kg.text import one_line

HOSTS: frozenset[Role] = frozenset({"lab", "example", "skill", "exercises"})
GUESTS: frozenset[Role] = frozenset(
    {
        "materials",
        "safety",
        "steps",
        "observation",
        "conclusion",
        "problem",
        "strategy",
        "solution",
        "discussion",
        "answer",
    }
)
"""Roles that belong to the host before them, whatever level their heading has."""
RUN_IN_REACH = 8
"""Blocks that a part opened inside a paragraph may hold: nothing on paper says where it ends."""
_NUMBER = re.compile(r"^\s*(?:\d+(?:[.\-–]\d+)*[.):]?|[(（]?\d+[)）]|[A-Z]\.)\s+(?=\S)")
_AFTER_LABEL = re.compile(r"^[\s:：.。,，—–\-|]*(?:(?:no\.?\s*)?\d+(?:[.\-–]\d+)*[a-z]?\b)?[\s:：.。—–\-|]*")


@dataclass
class Part:
    """Blocks `first <= i < last` of a section, under a heading."""

    role: Role | None
    label: str
    """The words that gave it its role, as printed."""
    title: str
    """The heading without them."""
    heading: int
    """Index of the block with the heading."""
    first: int
    """Index of the first block of its content; the heading's own block where the label opens a paragraph."""
    last: int
    offset: int = 0
    """Characters of block `first` that are label, where `first == heading`."""
    level: int = 99
    box: bool = False
    student: int = 1
    parent: int = -1
    """Index of the part around it."""
    children: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Outline:
    """The parts of one section, in reading order."""

    parts: tuple[Part, ...]
    of_block: tuple[int, ...]
    """For every block the innermost part it belongs to (a heading belongs to the part it opens); -1 for none."""

    def around(self, block: int) -> Iterator[Part]:
        """The parts around a block, innermost first."""
        at = self.of_block[block]
        while at >= 0:
            yield self.parts[at]
            at = self.parts[at].parent

    def roles(self, block: int) -> set[Role]:
        """Roles of all parts around a block."""
        return {part.role for part in self.around(block) if part.role}

    def own_blocks(self, at: int) -> list[int]:
        """Blocks of part `at` that are not in one of its children."""
        part = self.parts[at]
        inside = range(part.first, part.last)
        return [i for i in inside if self.of_block[i] == at and (i != part.heading or part.first == i)]

    def child(self, at: int, *roles: Role) -> list[int]:
        """Parts anywhere inside part `at` that have one of the roles, in order."""
        found: list[int] = []
        for child in self.parts[at].children:
            if self.parts[child].role in roles:
                found.append(child)
            found += self.child(child, *roles)
        return found


def role_of(heading: str, pack: Pack, run_in: bool = False) -> tuple[RoleRule, str, str] | None:
    """Rule, label and remaining title of a heading; none if it has no role."""
    text = unicodedata.normalize("NFKC", one_line(heading))
    number = _NUMBER.match(text)
    bare = text[number.end() :] if number else text
    for rule in pack.roles:
        if run_in and not rule.run_in:
            continue
        hit = compiled(rule.label).match(bare)
        if hit is None or hit.end() == 0:
            continue
        rest = bare[hit.end() :]
        if rule.whole and rest.strip(" :：.。"):
            continue
        rest = _AFTER_LABEL.sub("", rest, count=1)
        return rule, bare[: hit.end()].strip(), rest.strip()
    return None


def outline(section: Section, pack: Pack) -> Outline:
    """The parts of a section."""
    return _Builder(section.blocks, pack).build()


class _Builder:
    """Reads blocks from first to last and keeps the parts that are open."""

    def __init__(self, blocks: Sequence[Block], pack: Pack) -> None:
        self.blocks, self.pack = blocks, pack
        self.parts: list[Part] = []
        self.open: list[int] = []
        self.of_block: list[int] = []
        self.index = {block.id: i for i, block in enumerate(blocks)}

    def build(self) -> Outline:
        """Every block has its part afterwards."""
        for i, block in enumerate(self.blocks):
            self._leave_boxes(block)
            self._leave_run_in(i)
            if block.label in {"section_header", "title"}:
                self._heading(i, block)
            else:
                self._paragraph(i, block)
            self.of_block.append(self.open[-1] if self.open else -1)
        self._close(0, len(self.blocks))
        return Outline(tuple(self.parts), tuple(self.of_block))

    def _leave_boxes(self, block: Block) -> None:
        """A block without the box's heading as parent stands outside the box."""
        at = len(self.of_block)
        for depth, part_index in enumerate(self.open):
            part = self.parts[part_index]
            if part.box and not self._inside(block, part):
                self._close(depth, at)
                return

    def _inside(self, block: Block, part: Part) -> bool:
        parent = block.parent
        while parent is not None:
            if parent == self.blocks[part.heading].id:
                return True
            at = self.index.get(parent)
            parent = self.blocks[at].parent if at is not None else None
        return False

    def _leave_run_in(self, at: int) -> None:
        for depth, part_index in enumerate(self.open):
            part = self.parts[part_index]
            if part.first == part.heading and at - part.first >= RUN_IN_REACH:
                self._close(depth, at)
                return

    def _heading(self, i: int, block: Block) -> None:
        found = role_of(block.text, self.pack)
        if self._titles_label(i) and (found is None or found[0].role in HOSTS):
            self.parts[self.open[-1]].title = one_line(block.text)
            return
        level = block.level or 99
        role = found[0].role if found else None
        self._make_room(i, level, role)
        box = "box" in block.flags and block.parent is None
        part = Part(role, "", one_line(block.text), i, i + 1, i + 1, level=level, box=box)
        if found is not None:
            part.label, part.title, part.student = found[1], found[2], found[0].student
        self._push(part)

    def _titles_label(self, i: int) -> bool:
        """True if the heading before this one was a label alone: this one is its title."""
        if not self.open:
            return False
        part = self.parts[self.open[-1]]
        labelled = part.role in HOSTS and part.role != "exercises" and not part.title
        return labelled and part.heading == i - 1 != part.first

    def _make_room(self, i: int, level: int, role: Role | None) -> None:
        """Closes what a heading of this level and role ends."""
        if role in GUESTS:
            for depth in range(len(self.open) - 1, -1, -1):
                if self.parts[self.open[depth]].role in HOSTS:
                    self._close(depth + 1, i)
                    return
        for depth, part_index in enumerate(self.open):
            part = self.parts[part_index]
            if part.box:
                continue
            if part.level >= level or part.first == part.heading:
                self._close(depth, i)
                return

    def _paragraph(self, i: int, block: Block) -> None:
        """A label may open a paragraph: `Solution: …`, `例1 …`."""
        if block.label not in {"text", "list_item"}:
            return
        found = role_of(block.text[:60], self.pack, run_in=True)
        if found is None:
            return
        rule, label, _ = found
        at = block.text.find(label)
        offset = at + len(label) if at >= 0 else 0
        offset += len(re.match(r"[\s:：.。]*", block.text[offset:]).group())  # type: ignore[union-attr]
        self._make_room_run_in(i, rule.role)
        self._push(Part(rule.role, label, "", i, i, i, offset=offset, level=99, student=rule.student))

    def _make_room_run_in(self, i: int, role: Role) -> None:
        hosts = [depth for depth, at in enumerate(self.open) if self.parts[at].role in HOSTS]
        if role in GUESTS:
            self._close(hosts[-1] + 1 if hosts else len(self.open), i)
            return
        for depth, part_index in enumerate(self.open):
            if self.parts[part_index].first == self.parts[part_index].heading:
                self._close(depth, i)
                return

    def _push(self, part: Part) -> None:
        part.parent = self.open[-1] if self.open else -1
        self.parts.append(part)
        at = len(self.parts) - 1
        if part.parent >= 0:
            self.parts[part.parent].children.append(at)
        self.open.append(at)

    def _close(self, depth: int, at: int) -> None:
        for part_index in self.open[depth:]:
            self.parts[part_index].last = at
        del self.open[depth:]
