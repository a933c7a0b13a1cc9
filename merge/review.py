"""Names that look alike or abbreviate each other, for people to decide on; nothing here merges.

In: nodes of a subject. Out: findings, each with the likeness of the names and of the descriptions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from kg.graph import Finding
from kg.text import is_cjk
from merge.candidates import near_pairs
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
        pairs = {(i, j): ("near_name", score) for i, j, score in near_pairs(keys, cutoff)}
        pairs = {**{pair: ("acronym", 100.0) for pair in _acronyms(keys)}, **pairs}
        for (i, j), (check, score) in sorted(pairs.items()):
            veto = "" if check == "acronym" else vetoes.near(keys[i], keys[j])
            if not veto and not _named_together(members[i], members[j]):
                found.append(_question(check, score, (members[i], members[j]), limits))
    return found


def _question(check: str, score: float, pair: tuple[Entity, Entity], limits: Limits) -> Finding:
    one, other = pair[0].members[0].unit, pair[1].members[0].unit
    like = likeness(one, other, limits)
    suggest = score >= 90 and like.comparable and like.said >= 0.5
    return Finding(
        check=check,
        action="review",
        message=f"Are “{one.names[0][0]}” and “{other.names[0][0]}” one thing?",
        nodes=(pair[0].id, pair[1].id),
        details={"name_likeness": score, "described_alike": like.score(), "suggest": "merge" if suggest else ""},
    )


def _acronyms(keys: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of a short name and a name of several words with those initials."""
    short = {key: at for at, key in enumerate(keys) if 1 < len(key) < 6 and " " not in key and not is_cjk(key)}
    for at, key in enumerate(keys):
        initials = "".join(word[0] for word in key.split())
        if len(initials) > 1 and initials in short and short[initials] != at:
            i, j = sorted((at, short[initials]))
            yield i, j


def _named_together(one: Entity, other: Entity) -> bool:
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
