"""Edge claims of a book find their ends and are united by them.

In: edge claims in reading order, the book's units. Out: `Link`s.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from kg.graph import EdgeClaim, Ref
from merge.desk import Desk, said, united
from merge.rows import Link, Place, Unit
from merge.units import Group


class Ends:
    """Finds the unit that an end of an edge claim means: same section, same chapter, same book."""

    def __init__(self, desk: Desk, units: Sequence[Unit], groups: dict[Group, int]) -> None:
        self.desk, self.units = desk, units
        self.by_name: dict[tuple[str, str], list[int]] = defaultdict(list)
        self.by_alias: dict[tuple[str, str], list[int]] = defaultdict(list)
        for (label, found, _), at in sorted(groups.items(), key=lambda pair: pair[1]):
            self.by_name[(label, found.partition(" ")[0] if self._asks(label) else found)].append(at)
            for alias in units[at].aliases:
                self.by_alias[(label, alias.key)].append(at)

    def _asks(self, label: str) -> bool:
        return self.desk.schema.role(label) == "question"

    def find(self, ref: Ref, claim: EdgeClaim) -> int | Ref:
        """Index of the unit; the name itself where the book has none or several by that alias."""
        name = (ref.label, self.desk.name_key(ref.label, ref.name))
        if found := self.by_name.get(name):
            return self._nearest(found, claim)
        owners = {self.units[at].key for at in self.by_alias.get(name, [])}
        return self._nearest(self.by_alias[name], claim) if len(owners) == 1 else ref

    def _nearest(self, found: Sequence[int], claim: EdgeClaim) -> int:
        """The unit that is quoted; else of the same section; of the same chapter; the last before it; the first."""
        if len(found) == 1:
            return found[0]
        here, chapter = self.desk.place(claim), self.desk.chapter(claim.section).id
        spots = {(quote.section, quote.start) for quote in claim.evidence}

        def rank(at: int) -> tuple[bool, bool, bool, bool, Place | tuple[int, ...]]:
            unit = self.units[at]
            quoted = any((quote.section, quote.start) in spots for quote in unit.evidence)
            after = unit.at > here
            distance = unit.at if after else tuple(-part for part in unit.at)
            return (not quoted, claim.section not in unit.sections, unit.chapter != chapter, after, distance)

        return min(found, key=rank)


def links_of(desk: Desk, claims: Sequence[EdgeClaim], ends: Ends) -> tuple[Link, ...]:
    """Edge claims by type and ends."""
    grouped: dict[tuple[str, str, str], list[tuple[EdgeClaim, int | Ref, int | Ref]]] = defaultdict(list)
    for claim in claims:
        source, target = ends.find(claim.source, claim), ends.find(claim.target, claim)
        grouped[(claim.type, _end_key(source), _end_key(target))].append((claim, source, target))
    links = []
    for (kind, _, _), found in sorted(grouped.items()):
        properties: dict[str, Any] = {}
        for claim, _, _ in found:
            properties = {**claim.properties, **properties}
        first, source, target = found[0]
        links.append(
            Link(
                type=kind,
                source=source,
                target=target,
                section=first.section,
                properties=dict(sorted(properties.items())),
                evidence=united(quote for claim, _, _ in found for quote in claim.evidence),
                said=tuple(sorted({said(claim) for claim, _, _ in found})),
            )
        )
    return tuple(links)


def _end_key(end: int | Ref) -> str:
    return f"{end:09d}" if isinstance(end, int) else end.to_json()
