"""One book on its own: which of its units mean one thing.

In: a book's units. Out: blocks (one name, one meaning) and clusters of blocks (names the book itself calls one thing).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kg.schema import GraphSchema
from kg.text import is_cjk
from merge.rows import Alias, BookPart, Unit
from merge.senses import Likeness, Limits, best, likeness
from merge.vetoes import Vetoes

Block = list[int]
"""Units of one book with one name and one meaning, in reading order."""
SAME = Likeness(1.0, 1.0, 1.0, 0)


@dataclass(frozen=True)
class Judge:
    """Decides whether names and uses of a name belong together."""

    schema: GraphSchema
    limits: Limits

    def alike(self, unit: Unit, others: Sequence[Unit]) -> Likeness | None:
        """The likeness to the others of that name; none if the unit means another thing. Questions are their stems."""
        if self.schema.role(unit.label) == "question":
            return SAME
        return best(unit, others, self.limits)

    def refuses(self, one: Unit, other: Unit, vetoes: Vetoes) -> str:
        """Why two names are not one thing although the text may say so; empty if nothing speaks against it."""
        if reason := vetoes.stated(one.key, other.key):
            return reason
        return "described as two things" if likeness(one, other, self.limits).apart(self.limits) else ""


@dataclass(frozen=True)
class Doubt:
    """An alias that was not followed."""

    block: int
    target: int
    alias: Alias
    reason: str


class Arrival:
    """A book whose units have been sorted out."""

    def __init__(self, part: BookPart, judge: Judge, vetoes: Vetoes) -> None:
        self.part, self.judge, self.vetoes = part, judge, vetoes
        self.blocks = self._blocks()
        self.doubts: list[Doubt] = []
        self.stated: dict[int, Alias] = {}
        """Of blocks in a cluster with others: the alias that says so."""
        self.clusters = self._clusters()

    def units(self, block: int) -> list[Unit]:
        """The units of a block in reading order."""
        return [self.part.units[at] for at in self.blocks[block]]

    def first(self, block: int) -> Unit:
        """The block's first unit."""
        return self.part.units[self.blocks[block][0]]

    def _blocks(self) -> list[Block]:
        senses: dict[tuple[str, str], list[Block]] = defaultdict(list)
        for at, unit in enumerate(self.part.units):
            known = senses[(unit.label, unit.key)]
            fitting = (block for block in known if self.judge.alike(unit, [self.part.units[i] for i in block]))
            home = next(fitting, None)
            if home is None:
                known.append([at])
            else:
                home.append(at)
        return sorted(block for blocks in senses.values() for block in blocks)

    def _clusters(self) -> list[list[int]]:
        """Blocks that the book calls one thing, the first in reading order first."""
        members = {at: [at] for at in range(len(self.blocks))}
        leader = list(range(len(self.blocks)))
        for at, target, alias in self._statements():
            one, other = sorted((leader[at], leader[target]))
            if one == other:
                continue
            if reason := self._refused(members[one], members[other]):
                self.doubts.append(Doubt(at, target, alias, reason))
                continue
            for moved in members[other]:
                leader[moved] = one
            members[one] = sorted([*members[one], *members.pop(other)])
            self.stated.setdefault(at, alias)
            self.stated.setdefault(target, alias)
        return [members[at] for at in sorted(members)]

    def _refused(self, one: Sequence[int], other: Sequence[int]) -> str:
        """Why the clusters stay two: any pair of members may object, so that no chain joins strangers."""
        for a in one:
            for b in other:
                if reason := self.judge.refuses(self.first(a), self.first(b), self.vetoes):
                    return reason
        return ""

    def _statements(self) -> Iterator[tuple[int, int, Alias]]:
        """Aliases that are the name of exactly one other block, and stated for one name only."""
        named: dict[tuple[str, str], list[int]] = defaultdict(list)
        owners: dict[tuple[str, str], set[str]] = defaultdict(set)
        for at in range(len(self.blocks)):
            named[(self.first(at).label, self.first(at).key)].append(at)
            for unit in self.units(at):
                for alias in unit.aliases:
                    owners[(unit.label, alias.key)].add(unit.key)
        for at in range(len(self.blocks)):
            for unit in self.units(at):
                for alias in unit.aliases:
                    targets = named.get((unit.label, alias.key), [])
                    if len(targets) == 1 and len(owners[(unit.label, alias.key)]) == 1 and telling(alias.key):
                        yield at, targets[0], alias


def telling(alias: str) -> bool:
    """False for single letters, which are symbols and stand for many things."""
    return len(alias) > 1 or is_cjk(alias)
