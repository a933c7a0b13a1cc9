"""What a book takes for granted: a definition that names a term introduced in an earlier book needs that term.

In: `BookPart`s with the entity of each unit, in curriculum order. Out: prerequisite links with the defining sentence as
evidence. A section-by-section extractor cannot see these; inside one book the extractor links by itself.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from kg.graph import Provenance, Ref
from kg.language import Language
from kg.schema import GraphSchema
from kg.text import is_cjk
from merge.edges import Settled
from merge.entities import Entity
from merge.mentions import Reader
from merge.nodes import described_by
from merge.pack import Words
from merge.rows import BookPart, Link, Said, Unit, Value

RULE = "earlier_book_defines"


@dataclass(frozen=True)
class Needed:
    """A definition names an earlier term."""

    source: Entity
    target: Entity
    book: str
    link: Link


@dataclass(frozen=True)
class _Either:
    """Names (or beginnings of names) of this book or of an earlier one."""

    own: Container[str]
    earlier: Container[str]

    def __contains__(self, name: object) -> bool:
        return name in self.own or name in self.earlier


@dataclass(frozen=True)
class _Dictionary:
    """What the terms of earlier books are called."""

    names: dict[str, Entity] = field(default_factory=dict)
    begins: set[str] = field(default_factory=set)


class Crosslinks:
    """Finds names of earlier books in definitions of later ones."""

    def __init__(self, schema: GraphSchema, languages: Mapping[str, Language], confidence: float) -> None:
        """`confidence`: measured share of such links that hold, in [0, 1]."""
        self.schema, self.languages, self.confidence = schema, languages, confidence
        self.term = schema.node_type("term")
        self.field = described_by(schema.nodes[self.term])
        self.type = schema.edge_type("prerequisite")
        self.readers = {code: Reader(language) for code, language in languages.items()}
        self.words = {code: Words(language) for code, language in languages.items()}

    def find(self, books: Settled) -> list[Needed]:
        """All links, in curriculum order. A term that the later book claims itself is left to the extractor."""
        known = {code: _Dictionary() for code in self.languages}
        found: list[Needed] = []
        for part, entities in books:
            dictionary = known[part.language]
            if dictionary.names:
                found += self._in_book(part, entities, dictionary)
            self._learn(part, entities, dictionary)
        return found

    def _in_book(self, part: BookPart, entities: Sequence[Entity], earlier: _Dictionary) -> Iterator[Needed]:
        reader = self.readers[part.language]
        keys, own = {unit.key for unit in part.units}, {entity.id for entity in entities}
        names = _Either(keys, earlier.names)
        begins = _Either({begin for name in keys for begin in reader.begins(name)}, earlier.begins)
        for at, unit in enumerate(part.units):
            if unit.label != self.term:
                continue
            for value in unit.values.get(self.field, ()):
                for name in reader.named(str(value.value), names, begins):
                    source = earlier.names.get(name)
                    if source is None or source.id in own:
                        continue
                    if quote := _quoting(unit, value, name, reader):
                        yield Needed(source, entities[at], part.book.slug, self._link(name, at, value, quote))

    def _link(self, name: str, target: int, value: Value, quote: Provenance) -> Link:
        said = Said(section=value.section, extractor="merge", rule=RULE, confidence=self.confidence)
        source = Ref(label=self.term, name=name)
        return Link(
            type=self.type, source=source, target=target, section=value.section, evidence=(quote,), said=(said,)
        )

    def _learn(self, part: BookPart, entities: Sequence[Entity], dictionary: _Dictionary) -> None:
        """Names of the book's terms; a name of two things names neither, an everyday word names nothing."""
        idle, reader = self.words[part.language].idle, self.readers[part.language]
        for unit, entity in zip(part.units, entities, strict=True):
            if unit.label == self.term:
                for name in [unit.key, *(alias.key for alias in unit.aliases)]:
                    if name not in idle and (len(name) > 2 or is_cjk(name)):
                        dictionary.names.setdefault(name, entity)
                        dictionary.begins.update(reader.begins(name))


def _quoting(unit: Unit, value: Value, name: str, reader: Reader) -> Provenance | None:
    """The quotation of the unit that names the earlier term: from the value's own section if there is one."""
    quotes, begins = sorted(unit.evidence, key=lambda quote: quote.section != value.section), reader.begins(name)
    return next((quote for quote in quotes if name in reader.named(quote.quote, {name}, begins)), None)
