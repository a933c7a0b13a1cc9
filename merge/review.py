"""Names that look alike or abbreviate each other, for people to decide on; nothing here merges.

In: nodes of a subject. Out: findings, each with the likeness of the names and of the descriptions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from kg.graph import Finding
from kg.text import is_cjk
from merge.candidates import near_pairs, same_forms
from merge.entities import Entity
from merge.rows import Unit
from merge.senses import Limits, likeness
from merge.vetoes import Vetoes


def look_alikes(entities: Sequence[Entity], vetoes: Vetoes, cutoff: float, limits: Limits) -> list[Finding]:
    """Questions to people about pairs of one type, sorted by the nodes' ids. Pairs with a veto are not asked about."""
    by_label: dict[str, list[Entity]] = defaultdict(list)
    for entity in sorted(entities, key=lambda entity: entity.id):
        by_label[entity.label].append(entity)
    found: list[Finding] = []
    for label in sorted(by_label):
        members = by_label[label]
        keys = [entity.members[0].unit.key for entity in members]
        for (i, j), (check, score) in pairs_to_ask(keys, vetoes, cutoff).items():
            if not named_together(members[i], members[j]):
                found.append(_question(check, score, (members[i], members[j]), limits))
    return found


def pairs_to_ask(keys: Sequence[str], vetoes: Vetoes, cutoff: float) -> dict[tuple[int, int], tuple[str, float]]:
    """Indices `i < j` of names that may be one, with the check that says so and the likeness in [0, 100]; sorted."""
    pairs = {(i, j): ("near_name", score) for i, j, score in near_pairs(keys, cutoff)}
    pairs |= {pair: ("near_name", 100.0) for pair in same_forms([vetoes.spelled(key) for key in keys], keys)}
    near = {(i, j): why for (i, j), why in pairs.items() if not vetoes.near(keys[i], keys[j])}
    return dict(sorted({**{pair: ("acronym", 100.0) for pair in _acronyms(keys)}, **near}.items()))


def _question(check: str, score: float, pair: tuple[Entity, Entity], limits: Limits) -> Finding:
    one, other = pair[0].members[0].unit, pair[1].members[0].unit
    like = likeness(one, other, limits)
    suggest = score >= 90 and like.words >= limits.compared and like.said >= 0.5
    return Finding(
        check=check,
        action="review",
        message=f"Are “{one.names[0][0]}” and “{other.names[0][0]}” one thing?",
        nodes=(pair[0].id, pair[1].id),
        details={"name_likeness": score, "described_alike": like.score(limits), "suggest": "merge" if suggest else ""},
    )


def _acronyms(keys: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of a short name and a name of several words with those initials, in a word perhaps one more letter."""
    short = {key: at for at, key in enumerate(keys) if 1 < len(key) < 6 and " " not in key and not is_cjk(key)}
    by_ends: dict[tuple[str, int], list[str]] = defaultdict(list)
    for key in short:
        by_ends[(key[0], len(key))].append(key)
    for at, key in enumerate(keys):
        words = key.split()
        if len(words) < 2:
            continue
        for short_name in (*by_ends[(key[0], len(words))], *by_ends[(key[0], len(words) + 1)]):
            if _abbreviates(short_name, words):
                i, j = sorted((at, short[short_name]))
                yield i, j


def _abbreviates(name: str, words: Sequence[str]) -> bool:
    """The name is the words' initials, or those and one letter from inside of a word."""
    initials = "".join(word[0] for word in words)
    if len(name) == len(words):
        return name == initials
    splits = range(1, len(name))
    return any(name[:at] + name[at + 1 :] == initials and name[at] in words[at - 1][1:] for at in splits)


def named_together(one: Entity, other: Entity) -> bool:
    """True if one quotation speaks of both: a text does not name one thing twice in different spellings."""
    return any(_speaks(unit, other) for unit in one.units()) or any(_speaks(unit, one) for unit in other.units())


def _speaks(unit: Unit, other: Entity) -> bool:
    names = {name.casefold() for name, _ in other.members[0].unit.names}
    own = {name.casefold() for name, _ in unit.names}
    for quote in unit.evidence:
        text = quote.quote.casefold()
        if any(name in text for name in names) and any(name in _without(text, names) for name in own):
            return True
    return False


def _without(text: str, names: set[str]) -> str:
    for name in sorted(names, key=lambda name: (-len(name), name)):
        text = text.replace(name, " ")
    return text
