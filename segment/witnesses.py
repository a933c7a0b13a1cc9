"""What each witness says about a heading's depth, and the rule that makes one depth of it.

Depth is counted from the chapter: 0 a chapter, -1 and less a part or unit above it, 1 a section, 2 and more what
is inside sections. Four witnesses speak, in this order of weight:

    numbering 3   its word (`Chapter`, 第…节) or number (`2.1`), if the number counts up through the book
    outline   2   the bookmark's level
    contents  2   the indent of the printed contents
    style     1   the look that most chapters, or most sections, have

The depth with the largest sum of weights holds; the earlier witness wins a tie. The levels of outline and
contents mean what the numbering says of most of their entries.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from segment.contents import Entry
from segment.pack import RANKS, Rank
from segment.titles import Title

Witness = Literal["outline", "contents", "numbering", "style"]
WEIGHTS: Mapping[Witness, int] = {"numbering": 3, "outline": 2, "contents": 2, "style": 1}
SHOWN: tuple[Witness, ...] = ("outline", "contents", "numbering", "style")
"""The order in which witnesses are written down."""
AGREED = 0.8
"""Share of a level's numbered entries that must agree on what the level means."""


@dataclass(frozen=True)
class Scheme:
    """How a book names its chapters: by a word of some rank, by a plain number, or not at all."""

    chapter: Rank | Literal["number", ""]

    def depth(self, title: Title) -> int | None:
        """What numbering says about a title's depth; none if nothing."""
        if title.rank in RANKS:
            return self._depth_of_rank(RANKS.index(title.rank))
        if title.rank is None and len(title.key) > 1:
            return len(title.key) - 1
        if title.rank is None and len(title.key) == 1 and self.chapter == "number":
            return 0
        return None

    def _depth_of_rank(self, rank: int) -> int:
        if self.chapter in ("number", ""):
            return (-2, -1, 0, 1)[rank]
        return min(1, rank - RANKS.index(self.chapter))


def scheme_of(listed: Sequence[Title], shown: Sequence[Title]) -> Scheme:
    """The scheme of a book from the titles in its lists and the headings in its body."""
    words: dict[str, set[str]] = defaultdict(set)
    dotted: set[int] = set()
    for title in [*listed, *shown]:
        if title.rank:
            words[title.rank].add(title.number)
        elif len(title.key) > 1:
            dotted.add(title.key[0])
    bare = _bare(listed if any(title.number for title in listed) else shown)
    headed = bare & dotted
    if len(words["chapter"]) > 1 or (words["chapter"] and len(headed) < 2):
        return Scheme("chapter")
    if headed and 2 * len(headed) >= len(dotted) and not _covers(words["unit"], dotted, headed):
        return Scheme("number")
    if words["unit"]:
        return Scheme("unit")
    if len(bare) > 1:
        return Scheme("number")
    if words["part"]:
        return Scheme("part")
    return Scheme("section" if len(words["section"]) > 1 and not dotted else "")


def _bare(titles: Iterable[Title]) -> set[int]:
    return {title.key[0] for title in titles if title.rank is None and len(title.key) == 1}


def _covers(units: set[str], dotted: set[int], headed: set[int]) -> bool:
    """The units are the chapters: they carry the numbers that the dotted ones begin with."""
    return bool(units) and {str(number) for number in dotted} <= units and headed != dotted


def depths_of(entries: Sequence[Entry], scheme: Scheme) -> list[int]:
    """Depth of every entry by its level.

    A level means what the numbering says of most entries on it; where these disagree (all entries stand at one
    edge), each numbered entry keeps its own. A level without numbers is as deep below or above its nearest
    neighbour as it is printed. Without any number, level 1 is the chapter, or level 2 if level 1 holds one
    title that everything else stands under.
    """
    votes: dict[int, Counter[int]] = defaultdict(Counter)
    own = _own_depths(entries, scheme)
    for entry, depth in zip(entries, own, strict=True):
        if depth is not None:
            votes[entry.level][depth] += 1
    meaning = {level: min(count.items(), key=lambda item: (-item[1], item[0]))[0] for level, count in votes.items()}
    mixed = {level for level, count in votes.items() if max(count.values()) < AGREED * count.total()}
    if not meaning:
        top = min((entry.level for entry in entries), default=1)
        alone = sum(entry.level == top for entry in entries) == 1 and len(entries) > 2
        meaning = {top: -1 if alone else 0}
    depths = []
    for entry, depth in zip(entries, own, strict=True):
        near = min(meaning, key=lambda level: (abs(level - entry.level), level))
        by_level = meaning[near] + entry.level - near
        depths.append(depth if depth is not None and entry.level in mixed else by_level)
    return depths


def _own_depths(entries: Sequence[Entry], scheme: Scheme) -> list[int | None]:
    """Depth of every entry by its number; none where the list only repeats an earlier one (under its summary, its
    answers), which it does deeper down, with the same title or with none."""
    first: dict[tuple[Rank | None, str], Entry] = {}
    depths = []
    for entry in entries:
        depth = scheme.depth(entry.title)
        known = first.setdefault((entry.title.rank, entry.title.number), entry)
        repeats = known is not entry and entry.title.plain in ("", known.title.plain)
        depths.append(None if repeats or entry.level > known.level else depth)
    return depths


def decided(votes: Mapping[Witness, int]) -> int:
    """The depth that the rule above makes of the votes (at least one)."""
    sums: Counter[int] = Counter()
    for witness, depth in votes.items():
        sums[depth] += WEIGHTS[witness]
    order = list(WEIGHTS)
    first = {depth: min(order.index(w) for w, d in votes.items() if d == depth) for depth in sums}
    return min(sums, key=lambda depth: (-sums[depth], first[depth]))
