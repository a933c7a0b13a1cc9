"""Edges of the subject: links of all books between entities, and where each thing is taught.

In: `BookPart`s with the entity of each unit. Out: `Edge`s, one per type and ends with the claims of all books united;
findings for ends that no book knows and for edges whose two ends turned out to be one thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kg.graph import Edge, Finding, Provenance, Ref
from kg.schema import GraphSchema
from merge.desk import united
from merge.entities import Entity, Names
from merge.light import light
from merge.nodes import confidence
from merge.rows import BookPart, Link, Said

Settled = Sequence[tuple[BookPart, Sequence[Entity]]]
"""Books in curriculum order, each with the entities of its units."""


@dataclass(slots=True)
class Bundle:
    """All that is said for one edge. There are as many as edges: tuples, since empty ones weigh nothing."""

    said: tuple[tuple[str, Said], ...] = ()
    """Book and claim."""
    evidence: tuple[Provenance, ...] = ()
    properties: Mapping[str, Any] | None = None

    def edge(self, key: tuple[str, str, str]) -> Edge:
        """The edge; `support` counts the sections that say so."""
        trust = {
            "rules": sorted({said.rule for _, said in self.said}),
            "confidence": confidence(((book, said.section), said.confidence) for book, said in self.said),
            "support": len({(book, said.section) for book, said in self.said}),
        }
        properties = {**(self.properties or {}), **(trust if self.said else {})}
        quotes = united(self.evidence)
        return light(Edge(type=key[0], source=key[1], target=key[2], properties=properties, provenance=quotes))


class Weaver:
    """Collects edges."""

    def __init__(self, schema: GraphSchema, names: Names, keys: Mapping[str, Mapping[tuple[str, str], str]]) -> None:
        """`keys`: language -> (label, name as claimed) -> canonical key, for names a book does not know itself."""
        self.schema, self.names, self.keys = schema, names, keys
        self.bundles: dict[tuple[str, str, str], Bundle] = {}
        self.findings: list[Finding] = []

    def weave(self, books: Settled) -> None:
        """The links of all books are edges afterwards, or findings."""
        order = {part.book.slug: at for at, (part, _) in enumerate(books)}
        for part, entities in books:
            for link in part.links:
                source = self._end(link.source, part, entities, order)
                target = self._end(link.target, part, entities, order)
                if source is None or target is None:
                    self._unresolved(link, part)
                else:
                    self.add(link.type, (source, target), part.book.slug, link)
            self._locate(part, entities)

    def add(self, kind: str, ends: tuple[Entity, Entity], book: str, link: Link) -> None:
        """One more book says so; symmetric edges start at the smaller id."""
        source, target = ends[0].id, ends[1].id
        if source == target:
            self._same_ends(link, ends[0], book)
            return
        if kind in self.schema.edges and self.schema.edges[kind].symmetric and target < source:
            source, target = target, source
        bundle = self.bundles.setdefault((kind, source, target), Bundle())
        bundle.said += tuple((book, said) for said in link.said)
        bundle.evidence += link.evidence
        if link.properties:
            bundle.properties = {**link.properties, **(bundle.properties or {})}

    def _end(
        self, end: int | Ref, part: BookPart, entities: Sequence[Entity], order: Mapping[str, int]
    ) -> Entity | None:
        """The entity of an end: in this book, else in the nearest earlier book, else in a later one."""
        if isinstance(end, int):
            return entities[end]
        key = self.keys[part.language].get((end.label, end.name), end.name)
        here = order[part.book.slug]
        found = list(self.names.keyed(end.label, key)) or [entity for entity, _ in self.names.called(end.label, key)]
        return min(found, key=lambda entity: _distance(entity, order, here), default=None)

    def _locate(self, part: BookPart, entities: Sequence[Entity]) -> None:
        """Everything the schema wants located stands in every section that claims it."""
        section = self.schema.node_type("section")
        kinds = sorted(self.schema.edge_types("location"))
        known = {node.id for node in part.nodes}
        for unit, entity in zip(part.units, entities, strict=True):
            for kind in (kind for kind in kinds if self.schema.allows(kind, unit.label, section)):
                for at in (at for at in unit.sections if at in known):
                    bundle = self.bundles.setdefault((kind, entity.id, at), Bundle())
                    bundle.evidence += tuple(quote for quote in unit.evidence if quote.section == at)

    def _unresolved(self, link: Link, part: BookPart) -> None:
        ends = (link.source, link.target)
        names = [end.name if isinstance(end, Ref) else part.units[end].names[0][0] for end in ends]
        message = f"A statement about “{names[0]}” and “{names[1]}” names something that no book introduces."
        details = {"type": link.type, "book": part.book.slug, "section": link.section, "names": names}
        self._note("unresolved", "review", message, (), {**details, **_quotes(link.evidence)})

    def _same_ends(self, link: Link, entity: Entity, book: str) -> None:
        message = "A statement relates a thing to itself: its two names were found to mean one thing."
        details = {"type": link.type, "book": book, "section": link.section, **_quotes(link.evidence)}
        self._note("one_thing", "note", message, (entity.id,), details)

    def _note(self, check: str, action: Any, message: str, nodes: tuple[str, ...], details: dict[str, Any]) -> None:
        self.findings.append(Finding(check=check, action=action, message=message, nodes=nodes, details=details))


def edges_of(bundles: dict[tuple[str, str, str], Bundle]) -> list[Edge]:
    """All edges, sorted by type, source and target. No bundle is left: what was claimed has become edges."""
    return [bundles.pop(key).edge(key) for key in sorted(bundles)]


def names_asked(books: Iterable[BookPart]) -> Iterator[tuple[str, Ref]]:
    """Language and name of every link's end that its own book does not know."""
    for part in books:
        for link in part.links:
            for end in (link.source, link.target):
                if isinstance(end, Ref):
                    yield part.language, end


def _distance(entity: Entity, order: Mapping[str, int], here: int) -> tuple[bool, int]:
    """Earlier books before later ones, near ones before far ones."""
    gaps = [here - order[member.book] for member in entity.members if member.book in order]
    earlier = [gap for gap in gaps if gap >= 0]
    return (not earlier, min(earlier or [-gap for gap in gaps], default=0))


def _quotes(evidence: Sequence[Provenance]) -> dict[str, Any]:
    return {"quotes": [quote.quote for quote in evidence[:3]], "pages": [quote.page for quote in evidence[:3]]}
