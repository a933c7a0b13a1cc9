"""One thing with everything that is said about it, and the index by which names find it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from kg.ids import digest, node_id, slug
from kg.schema import GraphSchema
from merge.rows import Alias, Unit


@dataclass(frozen=True, slots=True)
class Member:
    """One unit and the book it comes from."""

    book: str
    unit: Unit


@dataclass(slots=True)
class Entity:
    """A node in the making; its members are in curriculum order."""

    id: str
    label: str
    members: list[Member] = field(default_factory=list)

    def units(self) -> list[Unit]:
        """Its units in curriculum order."""
        return [member.unit for member in self.members]


class Names:
    """Who goes by which name."""

    def __init__(self) -> None:
        self._by_key: dict[tuple[str, str], list[Entity]] = defaultdict(list)
        self._by_alias: dict[tuple[str, str], list[tuple[Entity, Alias]]] = defaultdict(list)

    def keyed(self, label: str, key: str) -> list[Entity]:
        """Entities that some book calls by this name, in the order in which they were met."""
        return self._by_key.get((label, key), [])

    def called(self, label: str, key: str) -> list[tuple[Entity, Alias]]:
        """Entities that some book states this other name for."""
        return self._by_alias.get((label, key), [])

    def learn(self, entity: Entity, unit: Unit) -> None:
        """The entity goes by the unit's name and aliases from now on."""
        keyed = self._by_key[(unit.label, unit.key)]
        if not any(known is entity for known in keyed):
            keyed.append(entity)
        for alias in unit.aliases:
            called = self._by_alias[(unit.label, alias.key)]
            if not any(known is entity for known, _ in called):
                called.append((entity, alias))


def plain_id(subject: str, unit: Unit, schema: GraphSchema) -> str:
    """The id of a node with this unit's key and no other sense beside it."""
    if schema.role(unit.label) == "question":
        stem = slug(unit.names[0][0])
        return f"{subject}:{unit.label.lower()}:{stem}-{digest(unit.key, 8)}".replace(":-", ":")
    return node_id(subject, unit.label, unit.key)


def sense_id(subject: str, unit: Unit, taken: set[str]) -> str:
    """The id of a further sense of a name: the chapter it is first met in tells it from the others."""
    sense = slug(unit.chapter_title, words=4) or digest(unit.chapter)
    found = node_id(subject, unit.label, unit.key, sense)
    return found if found not in taken else node_id(subject, unit.label, unit.key, f"{sense}-{digest(unit.chapter, 4)}")
