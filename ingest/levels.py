"""How deep each heading stands: what bookmarks, printed contents, numbers and type say, and who is believed.

In: the headings of a book. Out: `level` (1 is the highest in the book) and `votes` of each.
The bookmarks are believed first, then the printed contents, then the numbers, then the type; the witnesses' scales are
moved so that they agree on most of the headings they share. A number that comes again in smaller type (a section's
title over its review questions) says nothing there.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Literal

from ingest.contents import PAGE, shortened
from ingest.drafts import Draft
from ingest.rules import Rules
from kg.document import OutlineItem
from kg.text import squash

Witness = Literal["outline", "contents", "numbering", "style"]
ORDER: tuple[Witness, ...] = ("outline", "contents", "numbering")
ENOUGH = 2
"""A witness needs this many headings to set the scale."""
DEEPEST = 6
Key = tuple[float, bool, str, bool]
Votes = dict[Witness, dict[int, int]]


def votes(headings: Sequence[Draft], entries: Sequence[Draft], outline: Sequence[OutlineItem], rules: Rules) -> Votes:
    """What each witness says, by `id()` of the heading; headings that divide the book get the flag `main`."""
    found: Votes = {
        "outline": _outline_votes(headings, outline),
        "contents": _contents_votes(headings, entries, rules),
        "numbering": _numbering_votes(headings, rules),
    }
    _drop_repeats(headings, found, rules)
    for one in headings:
        depth = found["numbering"].get(id(one), 9)
        if id(one) in found["outline"] or id(one) in found["contents"] or depth <= 2:
            one.mark("main")
    return found


def resolve(drafts: Sequence[Draft], found: Votes) -> None:
    """Every heading has a level and votes afterwards; those of boxes are deeper than the heading they stand under."""
    every = [one for one in drafts if one.label == "section_header"]
    headings = [one for one in every if "box" not in one.flags]
    known = _agreed(found)
    styles = _style_levels(headings, known)
    low = min([*(known[id(one)] for one in headings if id(one) in known), *styles.values()], default=1)
    above = 0
    for one in every:
        if "box" in one.flags:
            one.level = above + 1 + (one.parent is not None)
            continue
        style = styles[_key(one)]
        above = one.level = max(1, min(known.get(id(one), style) - low + 1, DEEPEST + 2))
        spoken = [(witness, found[witness][id(one)]) for witness in ORDER if id(one) in found[witness]]
        every_vote: list[tuple[Witness, int]] = [*spoken, ("style", style)]
        one.votes = [(witness, max(1, level - low + 1)) for witness, level in every_vote]
    for one in every:
        one.unmark("main")


def _key(one: Draft) -> Key:
    """The type of the title; of a label over a title that of the title."""
    line = max(one.lines, key=lambda line: line.size)
    size, bold, face = line.style
    return (size, bold, face, one.text.isupper())


def _outline_votes(headings: Sequence[Draft], outline: Sequence[OutlineItem]) -> dict[int, int]:
    wanted: defaultdict[str, list[OutlineItem]] = defaultdict(list)
    for item in outline:
        if item.page is not None:
            wanted[squash(item.title)].append(item)
    best: dict[tuple[str, int], tuple[tuple[int, float], Draft, int]] = {}
    for one in headings:
        for title in _spellings(one):
            for item in wanted.get(title, []):
                away = abs(one.page - (item.page or 0))
                rank = (-away, max(line.size for line in one.lines))
                place = (title, item.page or 0)
                if away <= 1 and (place not in best or rank > best[place][0]):
                    best[place] = (rank, one, item.level)
    return {id(one): level for _, one, level in best.values()}


def _spellings(one: Draft) -> list[str]:
    """The heading's words, and the title alone where a label stands over it."""
    whole = squash(one.text)
    return [whole, squash(one.lines[-1].text)] if "label" in one.flags else [whole]


def _contents_votes(headings: Sequence[Draft], entries: Sequence[Draft], rules: Rules) -> dict[int, int]:
    """Entries further to the right are deeper; left edges are compared within one column."""
    if len(entries) < 3:
        return {}
    indents = _indents(entries, rules)
    wanted: dict[str, int] = {}
    for entry in entries:
        text = shortened(entry.text)
        title = squash(PAGE.sub("", text).replace("…", " "))
        if title:
            wanted.setdefault(title, indents[id(entry)])
    sizes: dict[str, float] = {}
    for one in headings:
        for title in _spellings(one):
            sizes[title] = max(sizes.get(title, 0.0), max(line.size for line in one.lines))
    return {
        id(one): wanted[title]
        for one in headings
        for title in reversed(_spellings(one))
        if title in wanted and max(line.size for line in one.lines) >= 0.97 * sizes[title]
    }


def _indents(entries: Sequence[Draft], rules: Rules) -> dict[int, int]:
    """Level of each entry by its left edge; entries with equal edges have the depth that most of their numbers have."""
    lefts: defaultdict[int, list[float]] = defaultdict(list)
    for entry in entries:
        lefts[entry.column].append(entry.lines[0].box[0])
    ranks: dict[int, int] = {}
    for entry in entries:
        own = sorted(lefts[entry.column])
        tolerance = 0.7 * entry.size
        steps = [own[0], *(b for a, b in itertools.pairwise(own) if b - a > tolerance)]
        ranks[id(entry)] = sum(entry.lines[0].box[0] >= step - 0.5 for step in steps)
    depths: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for entry in entries:
        number = rules.number_of(entry.text)
        if number is not None:
            depths[ranks[id(entry)]][number[1]] += 1
    levels: dict[int, int] = {}
    for rank in sorted(set(ranks.values())):
        own_depths = depths[rank]
        known = max(own_depths, key=lambda depth: (own_depths[depth], -depth)) if own_depths else 0
        levels[rank] = known if own_depths else levels.get(rank - 1, 0) + 1
    return {place: levels[rank] for place, rank in ranks.items()}


def _numbering_votes(headings: Sequence[Draft], rules: Rules) -> dict[int, int]:
    return {id(one): number[1] for one in headings if (number := rules.number_of(one.text)) is not None}


def _drop_repeats(headings: Sequence[Draft], votes: Votes, rules: Rules) -> None:
    """A number printed over several headings counts where the type is largest."""
    places: defaultdict[tuple[int, str], list[Draft]] = defaultdict(list)
    for one in headings:
        number = rules.number_of(one.text)
        if number is not None:
            places[(number[1], number[0])].append(one)
    for same in places.values():
        largest = max(max(line.size for line in one.lines) for one in same)
        for one in same:
            if max(line.size for line in one.lines) < 0.97 * largest:
                votes["numbering"].pop(id(one), None)
                votes["contents"].pop(id(one), None)


def _agreed(votes: Votes) -> dict[int, int]:
    """Levels on the scale of the first witness with enough to say; the scales of the others are moved to it."""
    scale: dict[int, int] = {}
    for witness in ORDER:
        own = votes[witness]
        if scale and own:
            shifts = Counter(scale[place] - level for place, level in own.items() if place in scale)
            shift = max(shifts, key=lambda value: (shifts[value], -abs(value))) if shifts else 0
            votes[witness] = own = {place: level + shift for place, level in own.items()}
        if len(own) >= ENOUGH or scale:
            for place, level in own.items():
                scale.setdefault(place, level)
    return scale


def _style_levels(headings: Sequence[Draft], known: dict[int, int]) -> dict[Key, int]:
    """For each type the level most of its headings have; an unknown one is deeper than the larger ones."""
    counts: defaultdict[Key, Counter[int]] = defaultdict(Counter)
    totals: Counter[Key] = Counter()
    for one in headings:
        key = _key(one)
        totals[key] += 1
        counts[key].update([known[id(one)]] if id(one) in known else [])
    levels: dict[Key, int] = {}
    deepest = 0
    last: Key | None = None
    for key in sorted(counts, key=lambda key: (-key[0], not key[1], not key[3], key[2])):
        own = counts[key]
        if own and sum(own.values()) >= 0.2 * totals[key]:
            levels[key] = max(own, key=lambda level: (own[level], -level))
        elif last is not None and last[:2] == key[:2] and last in levels:
            levels[key] = levels[last]
        else:
            levels[key] = min(deepest + 1, DEEPEST)
        deepest = max(deepest, levels[key])
        last = key
    return levels
