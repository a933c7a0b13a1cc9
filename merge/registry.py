"""From books to the subject: each book's units join what earlier books know, or become new nodes.

In: `BookPart`s in curriculum order. Out: entities, the joins with their reasons, and findings for people.
Every decision depends only on the books up to that one: a book added later in the curriculum changes no id and
undoes no join. Names merge by canonical key or by an alias the text states; never because they look alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kg.graph import Finding
from merge.arrival import Arrival, Judge, telling
from merge.entities import Entity, Member, Names, plain_id, sense_id
from merge.nodes import described_by
from merge.rows import Alias, BookPart, Join, Unit
from merge.senses import Likeness
from merge.vetoes import Vetoes

Home = tuple[Entity, str, float, Alias | None]
"""The entity a block belongs to: by which rule, with what likeness, by which stated alias."""


class Registry:
    """All entities of a subject."""

    def __init__(self, subject: str, judge: Judge, vetoes: Mapping[str, Vetoes]) -> None:
        self.subject, self.judge, self.vetoes = subject, judge, vetoes
        self.names = Names()
        self.entities: dict[str, Entity] = {}
        self.joins: list[Join] = []
        self.findings: list[Finding] = []

    def add(self, part: BookPart) -> list[Entity]:
        """The entity of each of the book's units, in their order."""
        arrival = Arrival(part, self.judge, self.vetoes[part.language])
        of_block: dict[int, Entity] = {}
        for cluster in arrival.clusters:
            of_block.update(self._settle(arrival, cluster))
        of_unit = {at: of_block[i] for i, block in enumerate(arrival.blocks) for at in block}
        for at, unit in enumerate(part.units):
            of_unit[at].members.append(Member(part.book.slug, unit))
            self.names.learn(of_unit[at], unit)
        for doubt in arrival.doubts:
            nodes = (of_block[doubt.block].id, of_block[doubt.target].id)
            self._doubted(nodes, doubt.alias, doubt.reason, part.book.slug)
        return [of_unit[at] for at in range(len(part.units))]

    def _settle(self, arrival: Arrival, cluster: Sequence[int]) -> dict[int, Entity]:
        """The entity of each block of a cluster: what its own name means to earlier books, else its companions' one."""
        homes = {at: home for at in cluster if (home := self._by_name(arrival.units(at))) is not None}
        if not homes and (called := self._by_alias(arrival, cluster)):
            homes = {cluster[0]: called}
        known = list({id(home[0]): home[0] for home in homes.values()}.values())
        by_alias = [arrival.first(at) for at in cluster if at not in homes or homes[at][1] == "alias"]
        namesakes = [entity for unit in by_alias for entity in self.names.keyed(unit.label, unit.key)]
        involved = {id(entity): entity for entity in [*known, *namesakes]}
        if known and len(involved) > 1:
            self._two_nodes(list(involved.values()), arrival, cluster)
        hub = known[0] if known else self._founded(arrival.first(cluster[0]))
        settled = {}
        for at in cluster:
            first = hub, "", 1.0, None
            other = hub, "alias", 1.0, arrival.stated.get(at)
            entity, rule, score, alias = homes.get(at, first if at == cluster[0] and not known else other)
            settled[at] = entity
            self._explain(entity, arrival.units(at), arrival.part.book.slug, (rule, score, alias))
        return settled

    def _by_name(self, units: Sequence[Unit]) -> Home | None:
        """The entity of earlier books with this name and this meaning."""
        for entity in self.names.keyed(units[0].label, units[0].key):
            for unit in units:
                like = self.judge.alike(unit, entity.units())
                if like is not None:
                    self._compare(entity, unit, like)
                    return entity, "same_key", like.score(self.judge.limits), None
        return None

    def _by_alias(self, arrival: Arrival, cluster: Sequence[int]) -> Home | None:
        """The one entity of earlier books that goes by a name of the cluster, stated there or here."""
        found: list[tuple[Entity, Alias]] = []
        for unit in (unit for at in cluster for unit in arrival.units(at)):
            found += self.names.called(unit.label, unit.key) if telling(unit.key) else []
            for alias in unit.aliases:
                if telling(alias.key):
                    found += [(entity, alias) for entity in self.names.keyed(unit.label, alias.key)]
        if len({id(entity) for entity, _ in found}) != 1:
            self._ambiguous(arrival, cluster, found)
            return None
        entity, alias = found[0]
        unit = arrival.first(cluster[0])
        reasons = [self.judge.refuses(unit, other, arrival.vetoes) for other in entity.units()[:1]]
        if any(reasons):
            plain = plain_id(self.subject, unit, self.judge.schema)
            self._doubted((entity.id, plain), alias, reasons[0], arrival.part.book.slug)
            return None
        return entity, "alias", 1.0, alias

    def _founded(self, unit: Unit) -> Entity:
        """A new entity for the unit. If its name is taken, it is another sense of it, and people are told."""
        own = plain_id(self.subject, unit, self.judge.schema)
        taken = self.entities.get(own)
        if taken is not None:
            own = sense_id(self.subject, unit, set(self.entities))
            self._homonym(taken, own, unit)
        entity = self.entities[own] = Entity(own, unit.label)
        return entity

    def _explain(self, entity: Entity, units: Sequence[Unit], book: str, why: tuple[str, float, Alias | None]) -> None:
        """A join for every unit but one that founds the entity."""
        rule, score, alias = why
        for at, unit in enumerate(units):
            if at or rule:
                said = alias.evidence if alias else unit.evidence[:1]
                self.joins.append(
                    Join(
                        id=entity.id,
                        alone=plain_id(self.subject, unit, self.judge.schema),
                        label=unit.label,
                        rule="same_key" if at else rule,
                        score=self._own_score(units, at) if at else score,
                        book=book,
                        chapter=unit.chapter,
                        name=unit.names[0][0],
                        evidence=said,
                    )
                )

    def _own_score(self, units: Sequence[Unit], at: int) -> float:
        like = self.judge.alike(units[at], units[:at])
        return like.score(self.judge.limits) if like else 0.0

    def _compare(self, entity: Entity, unit: Unit, like: Likeness) -> None:
        """Asks people where one name was merged although the two descriptions share next to nothing."""
        if like.doubtful(self.judge.limits):
            message = (
                f"“{unit.names[0][0]}” is described in other words by two books; they were taken to mean the same."
            )
            self._ask("descriptions_differ", message, [entity.id], self._both(entity.units()[0], unit))

    def _homonym(self, taken: Entity, own: str, unit: Unit) -> None:
        message = f"“{unit.names[0][0]}” seems to mean two things; they are kept apart. Are they one?"
        first = taken.members[0].unit if taken.members else unit
        self._ask("homonym", message, [taken.id, own], self._both(first, unit))

    def _two_nodes(self, known: Sequence[Entity], arrival: Arrival, cluster: Sequence[int]) -> None:
        names = sorted({arrival.first(at).names[0][0] for at in cluster})
        message = f"A later book calls {' and '.join(f'“{name}”' for name in names)} one thing; earlier books have two."
        details = {"book": arrival.part.book.slug, "names": names}
        self._ask("alias_joins_two", message, [entity.id for entity in known], details)

    def _ambiguous(self, arrival: Arrival, cluster: Sequence[int], found: Sequence[tuple[Entity, Alias]]) -> None:
        if found:
            name = arrival.first(cluster[0]).names[0][0]
            message = f"“{name}” is another name of several things; it was joined to none of them."
            nodes = sorted({entity.id for entity, _ in found})
            self._ask("alias_ambiguous", message, nodes, {"book": arrival.part.book.slug, "name": name})

    def _doubted(self, nodes: Sequence[str], alias: Alias, reason: str, book: str) -> None:
        message = f"The text gives “{alias.name}” as another name, but the two look like different things ({reason})."
        quotes = [quote.quote for quote in alias.evidence]
        self._ask("alias_doubted", message, nodes, {"book": book, "reason": reason, "quotes": quotes})

    def _ask(self, check: str, message: str, nodes: Sequence[str], details: Mapping[str, Any]) -> None:
        finding = Finding(check=check, action="review", message=message, nodes=tuple(nodes), details=dict(details))
        self.findings.append(finding)

    def _both(self, one: Unit, other: Unit) -> dict[str, Any]:
        """What people need to compare two uses of a name."""
        return {"first": self._shown(one), "second": self._shown(other)}

    def _shown(self, unit: Unit) -> dict[str, Any]:
        kind = self.judge.schema.nodes.get(unit.label)
        said = unit.values.get(described_by(kind), ()) if kind else ()
        quote = unit.evidence[0] if unit.evidence else None
        return {
            "name": unit.names[0][0],
            "chapter": unit.chapter,
            "says": str(said[0].value) if said else "",
            "quote": quote.quote if quote else "",
            "page": quote.page if quote else None,
        }
