"""The headings that open chapters and sections, chosen by all witnesses together.

In: headings, the two lists with what they list, the scheme of the book. Out: `Part`s in order, each with its
depth and its witnesses. A heading is chosen if a list names it or if its number counts up through the book;
of several headings with one number (a chapter's own outline, its summary and its exercises repeat them) the
one that is listed, looks most like its peers and has most text below it is taken.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from segment.chain import Point, heaviest_chain
from segment.contents import Entry
from segment.headings import UNMARKED, Heading
from segment.titles import Title
from segment.witnesses import SHOWN, Scheme, Witness, decided, depths_of

ROOM = 1000
"""Characters below a heading that make it half as weighty as much text would."""
GAP = 3
"""Chapter numbers that an unlisted plain number may skip."""


@dataclass(frozen=True)
class Listing:
    """One list of headings, and which headings it lists."""

    witness: Witness
    entries: Sequence[Entry]
    depths: Sequence[int]
    matches: Mapping[int, int]
    """Entry -> heading."""


@dataclass(frozen=True)
class Part:
    """A place where a part, chapter or section begins."""

    at: int
    """Body block."""
    end: int
    """Body block after its heading; `at` where no heading is printed."""
    depth: int
    title: Title
    look: int
    votes: Mapping[Witness, int]
    """Depth by witness; empty for what no heading or list shows."""
    listed: bool

    @property
    def found_by(self) -> str:
        """The witnesses that agree with the depth: `outline+numbering`."""
        return "+".join(w for w in SHOWN if self.votes.get(w) == self.depth)


def listing(witness: Witness, entries: Sequence[Entry], matches: Mapping[int, int], scheme: Scheme) -> Listing:
    """A list with the depths its levels mean."""
    return Listing(witness, entries, depths_of(entries, scheme), matches)


def skeleton(headings: Sequence[Heading], listings: Sequence[Listing], scheme: Scheme) -> list[Part]:
    """The chosen headings in order."""
    headings = _completed(headings, listings)
    named: dict[int, dict[Witness, int]] = defaultdict(dict)
    for one in listings:
        for i, j in one.matches.items():
            named[j][one.witness] = one.depths[i]
    chain = _numbered(headings, named, scheme, _open(headings, named, listings))
    chosen: dict[int, dict[Witness, int]] = {}
    echoes = _echoes(headings, chain, scheme)
    for j in sorted((set(chain) | set(named) | set(_above(headings, scheme))) - echoes):
        chosen[j] = dict(named.get(j, {}))
        depth = chain.get(j, scheme.depth(headings[j].title))
        if depth is not None:
            chosen[j]["numbering"] = depth
    parts = [_part(headings[j], votes, j in named) for j, votes in chosen.items() if votes]
    return _styled(parts)


def _completed(headings: Sequence[Heading], listings: Sequence[Listing]) -> list[Heading]:
    """The headings, those printed without their number or title with that of the list."""
    whole = list(headings)
    for one in listings:
        for i, j in one.matches.items():
            own, listed = whole[j].title, one.entries[i].title
            if listed.number and not own.number and own.kind is None:
                own = replace(own, number=listed.number, rank=listed.rank, rule=listed.rule, named=listed.named)
            if listed.text and not own.text:
                own = replace(own, text=listed.text)
            whole[j] = replace(whole[j], title=own)
    return whole


def _part(heading: Heading, votes: Mapping[Witness, int], listed: bool) -> Part:
    return Part(heading.at, heading.end, decided(votes), heading.title, heading.look, votes, listed)


def _styled(parts: Sequence[Part]) -> list[Part]:
    """The parts with the vote of their looks: a look means the depth that most parts of that look have."""
    looks: dict[int, Counter[int]] = defaultdict(Counter)
    for part in parts:
        if part.title.kind is None:
            looks[part.look][part.depth] += 1
    styled = []
    for part in parts:
        votes = dict(part.votes)
        if part.look < UNMARKED and looks[part.look]:
            votes["style"] = min(looks[part.look].items(), key=lambda item: (-item[1], item[0]))[0]
        styled.append(replace(part, votes=votes, depth=decided(votes)))
    return styled


def _echoes(headings: Sequence[Heading], chain: Mapping[int, int], scheme: Scheme) -> set[int]:
    """Headings outside the chain that repeat the number of one in it, with its title or none."""
    titles: dict[tuple[int | None, tuple[int, ...]], set[str]] = defaultdict(lambda: set())
    for k in chain:
        title = headings[k].title
        titles[scheme.depth(title), title.key] |= {title.plain, ""}
    return {
        j
        for j, heading in enumerate(headings)
        if j not in chain and heading.title.plain in titles.get((scheme.depth(heading.title), heading.title.key), ())
    }


def _above(headings: Sequence[Heading], scheme: Scheme) -> list[int]:
    """The first marked heading of every part and unit."""
    first: dict[tuple[int, str], int] = {}
    for j, heading in enumerate(headings):
        depth = scheme.depth(heading.title)
        if depth is not None and depth < 0 and heading.marked:
            first.setdefault((depth, heading.title.number), j)
    return list(first.values())


def _open(headings: Sequence[Heading], named: Mapping[int, object], listings: Sequence[Listing]) -> list[int]:
    """Headings whose number may count: not those below end matter, and not plain text with a number that a list
    has but finds elsewhere or nowhere (a chapter's own outline)."""
    listed = {entry.title.key for one in listings for entry in one.entries}
    return [
        j
        for j, heading in enumerate(headings)
        if j in named or not (heading.repeats or (not heading.marked and heading.title.key in listed))
    ]


def _numbered(
    headings: Sequence[Heading], named: Mapping[int, object], scheme: Scheme, open_: Sequence[int]
) -> dict[int, int]:
    """Headings among `open_` whose numbers count up -> depth 0 or 1."""
    depth_of = {j: scheme.depth(heading.title) for j, heading in enumerate(headings)}
    chapters = [j for j in open_ if depth_of[j] == 0]
    dotted = [j for j in open_ if depth_of[j] == 1 and len(headings[j].title.key) == 2]
    weigh = _weigher(headings, named, [*chapters, *dotted], depth_of)
    numbers = {headings[j].title.key[0] for j in chapters}
    prefixed = not numbers or any(headings[j].title.key[0] in numbers for j in dotted)
    first = chapters + (dotted if prefixed else [])
    chain = _best_chain(headings, first, weigh, scheme)
    found = {j: depth for j in chain if (depth := depth_of[j]) is not None}
    if scheme.chapter == "number":
        found = _plain_chapters(headings, found, named)
    starts = sorted(j for j, depth in found.items() if depth == 0)
    for low, high in zip([-1, *starts], [*starts, len(headings)], strict=True):
        span = [j for j in open_ if low < j < high and j not in found]
        found |= _in_chapter(headings, span, named, depth_of, any(found.get(j) == 1 for j in range(low + 1, high)))
    return found


def _weigher(
    headings: Sequence[Heading], named: Mapping[int, object], among: Sequence[int], depth_of: Mapping[int, int | None]
) -> Callable[[int], float]:
    """Weight of a heading in a chain: named by a list, marked, looking like its peers, followed by much text before
    the next of them."""
    order = sorted(among)
    ends = [*(headings[j].start for j in order[1:]), headings[-1].start + ROOM if headings else 0][: len(order)]
    room = {j: end - headings[j].start for j, end in zip(order, ends, strict=True)}
    peers: dict[int, int] = {}
    for depth in {depth_of[j] for j in among}:
        own = [j for j in among if depth_of[j] == depth]
        known = [j for j in own if j in named] or own
        looks = Counter(headings[j].look for j in known)
        best = min(looks) if known is own else min(looks, key=lambda look: (-looks[look], look))
        peers |= {j: best for j in own}

    def weigh(j: int) -> float:
        heading = headings[j]
        witnesses = named.get(j)
        lists = len(witnesses) if isinstance(witnesses, dict) else 0
        look = max(0.0, 1 - 0.25 * abs(heading.look - peers.get(j, heading.look)))
        return 2.0 * lists + (1.0 if heading.marked else 0.2) + look + 1.5 * room[j] / (room[j] + ROOM)

    return weigh


def _best_chain(
    headings: Sequence[Heading], among: Sequence[int], weigh: Callable[[int], float], scheme: Scheme
) -> list[int]:
    """The heaviest chain by number; numbers may begin anew in every part if that saves two headings or more."""
    order = sorted(among)
    plain = _chain(order, [(0, *headings[j].title.key) for j in order], weigh)
    parts = {j: rank for rank, j in enumerate(_above(headings, scheme), start=1)}
    if not parts:
        return plain
    ordinal = [sum(start < j for start in parts) for j in order]
    keys = [(part, *headings[j].title.key) for part, j in zip(ordinal, order, strict=True)]
    anew = _chain(order, keys, weigh)
    return anew if len(anew) >= len(plain) + 2 else plain


def _chain(order: Sequence[int], keys: Sequence[tuple[int, ...]], weigh: Callable[[int], float]) -> list[int]:
    ranks = {key: rank for rank, key in enumerate(sorted(set(keys)))}
    points: list[Point] = [(j, ranks[key], weigh(j)) for j, key in zip(order, keys, strict=True)]
    return [points[at][0] for at in heaviest_chain(points)]


def _plain_chapters(
    headings: Sequence[Heading], found: Mapping[int, int], named: Mapping[int, object]
) -> dict[int, int]:
    """The chain without plain numbers that are no chapters: `100 Years of Flight`, or question 9 after chapter 8.

    If lists name chapters, they must name it. Otherwise it looks like the most prominent one or has a section of
    its number, and skips few numbers.
    """
    chapters = [j for j, depth in found.items() if depth == 0]
    covered = any(j in named for j in chapters)
    best = min((headings[j].look for j in chapters), default=0)
    sectioned = {headings[j].title.key[0] for j, depth in found.items() if depth == 1}
    kept: dict[int, int] = {}
    last: int | None = None
    for j in sorted(found):
        number = headings[j].title.key[0]
        if found[j] == 0 and j not in named:
            stands_out = headings[j].look == best or number in sectioned
            if covered or not stands_out or (last is not None and number - last > GAP):
                continue
        kept[j] = found[j]
        last = number
    return kept


def _in_chapter(
    headings: Sequence[Heading],
    span: Sequence[int],
    named: Mapping[int, object],
    depth_of: Mapping[int, int | None],
    sectioned: bool,
) -> dict[int, int]:
    """Sections of one chapter whose numbers begin anew in it: 第一节, `Lesson 1`, or plain numbers."""
    families: dict[tuple[int, int], list[int]] = defaultdict(list)
    for j in span:
        title = headings[j].title
        if depth_of[j] == 1 and title.rank is not None:
            families[title.rule, 0].append(j)
        elif depth_of[j] == 1 and not sectioned:
            families[-1, len(title.key)].append(j)
    if not families and not sectioned:
        families[-1, 1] = _plain_numbers(headings, span, named)
    found: dict[int, int] = {}
    for _, members in sorted(families.items()):
        weigh = _weigher(headings, named, members, depth_of)
        found |= dict.fromkeys(_chain(members, [headings[j].title.key for j in members], weigh), 1)
    return found


def _plain_numbers(headings: Sequence[Heading], span: Sequence[int], named: Mapping[int, object]) -> list[int]:
    """Headings `1 …`, `2 …` of a chapter, if a list names one or none of its headings looks more prominent."""
    single = [j for j in span if headings[j].title.rank is None and len(headings[j].title.key) == 1]
    if any(j in named for j in single):
        return single
    open_looks = [headings[j].look for j in span if headings[j].marked and headings[j].title.kind is None]
    best = min(open_looks, default=0)
    prominent = [j for j in single if headings[j].look == best and headings[j].marked]
    return prominent if len(prominent) > 1 else []
