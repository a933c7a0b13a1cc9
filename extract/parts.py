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
from kg.section import Kind, Section
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
READING: frozenset[Kind] = frozenset({"section", "introduction"})
"""Kinds of sections whose text teaches."""
FLOATS = {"picture", "table", "caption"}
FLOAT_REACH = 3
"""Blocks after a figure or table that are looked at for the rest of its box."""
LONGEST_LABEL = 60
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

    def label_end(self, block: int) -> int:
        """Characters of the block that are the label of the part it opens; 0 for most."""
        at = self.of_block[block]
        part = self.parts[at] if at >= 0 else None
        return part.offset if part is not None and part.first == part.heading == block else 0

    def around(self, block: int) -> Iterator[Part]:
        """The parts around a block, innermost first."""
        at = self.of_block[block]
        while at >= 0:
            yield self.parts[at]
            at = self.parts[at].parent

    def roles(self, block: int) -> set[Role]:
        """Roles of the parts around a block; what stands in a box has nothing to do with what is around the box."""
        return {part.role for part in self._inside_box(block) if part.role}

    def host(self, block: int) -> Part | None:
        """The innermost lab, worked example, strategy or exercise part around a block."""
        return next((part for part in self._inside_box(block) if part.role in HOSTS), None)

    def _inside_box(self, block: int) -> Iterator[Part]:
        for part in self.around(block):
            yield part
            if part.box:
                return

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
    return _Builder(section.blocks, pack, section.row.kind in READING).build()


class _Builder:
    """Reads blocks from first to last and keeps the parts that are open."""

    def __init__(self, blocks: Sequence[Block], pack: Pack, teaches: bool) -> None:
        self.blocks, self.pack, self.teaches = blocks, pack, teaches
        self.parts: list[Part] = []
        self.open: list[int] = []
        self.of_block: list[int] = []
        self.index = {block.id: i for i, block in enumerate(blocks)}

    def build(self) -> Outline:
        """Every block has its part afterwards."""
        for i, block in enumerate(self.blocks):
            if self._floats_in_box(i):
                self.of_block.append(-1)
                continue
            self._leave_boxes(block)
            self._leave_run_in(i)
            self._leave_objectives(i, block)
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

    def _floats_in_box(self, i: int) -> bool:
        """A figure or table that was set between two blocks of one box does not end the box."""
        boxes = [part for at in self.open if (part := self.parts[at]).box]
        if not boxes or self.blocks[i].label not in FLOATS or self._inside(self.blocks[i], boxes[-1]):
            return False
        return any(self._inside(block, boxes[-1]) for block in self.blocks[i + 1 : i + 1 + FLOAT_REACH])

    def _inside(self, block: Block, part: Part) -> bool:
        """True if the block stands in the box that the part's heading opens, or stands in."""
        heading = self.blocks[part.heading]
        return block.parent is not None and block.parent in {heading.id, heading.parent}

    def _leave_run_in(self, at: int) -> None:
        for depth, part_index in enumerate(self.open):
            part = self.parts[part_index]
            if part.first == part.heading and at - part.first >= RUN_IN_REACH:
                self._close(depth, at)
                return

    def _leave_objectives(self, i: int, block: Block) -> None:
        """A paragraph after a list of objectives is the text they announce, whatever their heading's level."""
        at = self.open[-1] if self.open else -1
        if at < 0 or self.parts[at].role != "objectives" or block.label != "text" or self.parts[at].box:
            return
        if any(self.blocks[b].label == "list_item" for b in range(self.parts[at].first, i)):
            self._close(len(self.open) - 1, i)

    def _heading(self, i: int, block: Block) -> None:
        found = role_of(block.text, self.pack)
        if self._titles_label(i) and (found is None or found[0].role in HOSTS):
            self.parts[self.open[-1]].title = one_line(block.text)
            return
        level = block.level or 99
        role = found[0].role if found else None
        twin = self._close_twin(i, role)
        self._make_room(i, level, role)
        if role is None and self.teaches and not self._holds_items(i):
            self._close_role("exercises", i)
        box = "box" in block.flags and (block.parent is None or twin)
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
        empty = all(self.of_block[at] < 0 for at in range(part.heading + 1, i))
        return labelled and empty and part.first != part.heading

    def _close_twin(self, i: int, role: Role | None) -> bool:
        """Labs, examples and strategies do not stand in their like: a second one ends the first."""
        return role in HOSTS and role != "exercises" and self._close_role(role, i)

    def _close_role(self, role: Role | None, i: int) -> bool:
        """Closes the outermost open part of this role outside the innermost box; true if there was one."""
        for depth in range(len(self.open)):
            if self.parts[self.open[depth]].role == role:
                self._close(depth, i)
                return True
        return False

    def _holds_items(self, i: int) -> bool:
        """True if numbered or bold items follow the heading, as in a group of exercises."""
        for block in self.blocks[i + 1 :]:
            if block.label in {"text", "list_item"} and block.text.strip():
                told = compiled(self.pack.instructions).match(one_line(block.text))
                return block.label == "list_item" or bool(told or _NUMBER.match(block.text))
            if block.label == "section_header":
                return False
        return False

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
        bold = next(
            (span for span in block.spans if span.style == "bold" and not block.text[: span.start].strip()), None
        )
        opening = block.text[bold.start : bold.end].rstrip(" .:：。—–") if bold else block.text[:LONGEST_LABEL]
        found = role_of(opening, self.pack, run_in=True) or role_of(block.text[:LONGEST_LABEL], self.pack, run_in=True)
        if found is None:
            return
        rule, label, _ = found
        if rule.role in GUESTS and not any(self.parts[at].role in HOSTS for at in self.open):
            return
        at = block.text.find(label)
        offset = at + len(label) if at >= 0 else 0
        offset = len(block.text) - len(block.text[offset:].lstrip(" \n\t:：.。—–"))
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
