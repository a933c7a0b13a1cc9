"""From a question to the paths that may support its answer: what it is about, what answers it, what connects them.

In: items, a `Linker`, a `Miner`, `Values`. Out: `Grounded`: links, typed answer, candidate paths.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from derive.linker import Linker
from derive.material import Material
from derive.paths.mine import Literal, Miner, Sentences, Trail
from derive.paths.value import Value, Values, normal
from kg.item import Item

GIVEN = "given"
ADDED = "added"
"""All that the answer adds to the question."""
REST = 2
"""Most further words (or Han characters) of such an answer that the question does not have."""
SURE = frozenset({GIVEN, "exact", "alias", ADDED, "value"})
"""Stages that leave no doubt what is meant."""
LONG = 200
"""Most characters of an answer that is looked through for names of nodes."""
SHORT = 60
"""Most characters of an alternative answer that is read as a value."""


@dataclass(frozen=True)
class Link:
    """A node or value that a text speaks of."""

    node: str
    stage: str
    """`given`, a stage of the linker, `context`, `value`."""
    value: Literal | None = None

    @property
    def end(self) -> tuple[str, str]:
        """As `Trail.end`."""
        return (self.node, self.value.text if self.value else "")


@dataclass(frozen=True)
class Candidate:
    """A path from a subject to an object."""

    trail: Trail
    subject: Link
    object: Link


@dataclass
class Grounded:
    """A question with all that was found for it."""

    item: Item
    value: Value
    subjects: tuple[Link, ...] = ()
    objects: tuple[Link, ...] = ()
    candidates: list[Candidate] = field(default_factory=list)
    """Sorted, each path once."""
    without_sentence: int = 0
    """Paths that were left out because one of their hops rests on no sentence."""


@dataclass(frozen=True)
class Reach:
    """How far to look."""

    links: int
    """Most nodes a text is linked to, given ones aside."""
    hops: int
    sentences: bool
    """Every hop must rest on a sentence."""


class Grounder:
    """Grounds one question after the other."""

    def __init__(self, material: Material, linker: Linker, miner: Miner, values: Values, reach: Reach) -> None:
        self._m, self._linker, self._miner, self._values, self._reach = material, linker, miner, values, reach

    def ground(self, item: Item, sentences: Sentences, typed: Shelf) -> Grounded:
        """The question with its links and candidate paths. `typed`: the values of the graph."""
        item, value = self.typed(item)
        subjects, objects = self._subjects(item), self._objects(item)
        objects = (*objects, *self._value_links(item, value, typed))
        found = Grounded(item, value, subjects, objects)
        avoid = {str(item.origin["node"])} if item.origin.get("node") else set()
        seen: dict[Trail, Candidate] = {}
        for one in subjects:
            for other in objects:
                # a thing and itself are no pair; its own value is
                if other.value is None and one.node == other.node:
                    continue
                for trail in self._trails(one, other, avoid):
                    seen.setdefault(trail, Candidate(trail, one, other))
        for trail in sorted(seen, key=lambda trail: (trail.hops, trail.steps, str(trail.value))):
            if self._reach.sentences and not all(hop.sentence for hop in sentences.hops(trail)):
                found.without_sentence += 1
            else:
                found.candidates.append(seen[trail])
        return found

    def typed(self, item: Item) -> tuple[Item, Value]:
        """The item with its type; a worked solution is joined by what it comes to."""
        value = self._values.read(item.accepted[0], choices=bool(item.origin.get("choices")))
        result = self._values.result(item.accepted[0]) if value.kind in ("entity", "expression") else None
        # a formula may end in "= 0"; it is a result where there is a unit, or words before
        if result and (result.dimension or value.kind == "entity"):
            item = item.model_copy(update={"accepted": (result.text, *item.accepted)})
            value = result
        return item.model_copy(update={"answer_type": value.kind}), value

    def _trails(self, one: Link, other: Link, avoid: set[str]) -> list[Trail]:
        if one.node in avoid or other.node in avoid:
            return []
        if other.value:
            return self._miner.to_value(one.node, other.value, self._reach.hops, avoid)
        return self._miner.between(one.node, other.node, self._reach.hops, avoid)

    def _subjects(self, item: Item) -> tuple[Link, ...]:
        found = self._given(item.origin.get("subjects", ()))
        if not found:
            found = self._linked(item.question)
            found += [link for link in self._context(item) if link.node not in {one.node for one in found}]
        return tuple(found)

    def _objects(self, item: Item) -> tuple[Link, ...]:
        given = self._given(item.origin.get("objects", ()))
        if given:
            return tuple(given)
        found: dict[str, Link] = {}
        for text in item.accepted:
            if len(text) <= LONG:
                for link in self._linked(text, item.question):
                    # a node that a number or formula only speaks of does not answer the question
                    if item.answer_type == "entity" or link.stage in ("exact", "alias"):
                        found.setdefault(link.node, link)
        return tuple(found.values())

    def _given(self, names: Sequence[object]) -> list[Link]:
        """Ids and names of nodes that the question set gives itself."""
        found: dict[str, Link] = {}
        for name in map(str, names):
            hit = None if name in self._m.view.nodes else self._linker.resolve(name)
            node = name if name in self._m.view.nodes else hit.node if hit else ""
            if node:
                found.setdefault(node, Link(node, GIVEN))
        return list(found.values())

    def _linked(self, text: str, question: str = "") -> list[Link]:
        """The best candidates; of an answer, a mention that is all it adds to the question is as good as a name."""
        found = []
        for one in self._linker.candidates(text, self._reach.links):
            sure = one.stage == "mention" and question and self._adds_only(text, question, one.node)
            found.append(Link(one.node, ADDED if sure else one.stage))
        return found

    def _adds_only(self, answer: str, question: str, node: str) -> bool:
        """True if the node is the only one that the answer names beyond the question, and little else is new."""
        asked = {mention.node for mention in self._linker.mentions(question)}
        new = [mention for mention in self._linker.mentions(answer) if mention.node not in asked]
        if not new or any(mention.name != new[0].name for mention in new) or node not in {one.node for one in new}:
            return False
        known = self._m.words.keyed(question) + self._m.words.keyed(new[0].name)
        if not self._m.language.spaces:
            return sum(sign not in known for sign in self._m.words.keyed(answer)) <= REST
        stop = {*self._m.language.stopwords, *known.split()}
        return sum(word not in stop for word in self._m.words.keyed(answer).split()) <= REST

    def _context(self, item: Item) -> list[Link]:
        """Nodes that the context names."""
        context = str(item.origin.get("context") or "")
        names = [
            one for one in self._linker.candidates(context, self._reach.links) if context and one.stage != "similar"
        ]
        return [Link(one.node, "context") for one in names]

    def _value_links(self, item: Item, value: Value, typed: Shelf) -> list[Link]:
        """The values of the graph that say what an accepted text says."""
        wanted = [value, *(self._values.read(text) for text in item.accepted[1:] if len(text) <= SHORT)]
        texts = {" ".join(text.split()).casefold() for text in item.accepted}
        return [Link(literal.node, "value", literal) for literal in typed.like(texts, wanted, self._values)]


def about(item: Item, linker: Linker, material: Material) -> tuple[frozenset[str], frozenset[str]]:
    """The nodes a question names, and, where words are spaced, those of its words that say something."""
    stop = set(material.language.stopwords)
    words = material.words.keyed(item.question).split() if material.language.spaces else ()
    named = frozenset(mention.node for mention in linker.mentions(item.question))
    return named, frozenset(word for word in words if word not in stop)


class Shelf:
    """The values of a graph, by what they say: looked up in the time of the few that are alike."""

    def __init__(self, literals: Sequence[Literal], values: Values) -> None:
        self._by_text: dict[str, list[Literal]] = defaultdict(list)
        numbers: list[tuple[float, Literal, Value]] = []
        for literal in literals:
            read = values.read(literal.text)
            for text in {literal.text.casefold(), normal(literal.text)}:
                self._by_text[text].append(literal)
            if read.number is not None:
                numbers.append((read.number, literal, read))
            elif read.date:
                self._by_text[str(read.date)].append(literal)
        self._numbers = sorted(numbers, key=lambda row: row[:2])
        self._keys = [number for number, _, _ in self._numbers]

    def like(self, texts: Collection[str], wanted: Sequence[Value], values: Values) -> list[Literal]:
        """Those that say one of the texts or values, sorted."""
        found = {literal for text in texts for literal in self._by_text.get(text, ())}
        for one in wanted:
            if one.number is not None:
                reach = abs(one.number) * values.tolerance * 1.1 + 1e-12
                first, last = bisect_left(self._keys, one.number - reach), bisect_right(self._keys, one.number + reach)
                found |= {literal for _, literal, read in self._numbers[first:last] if values.same(read, one)}
            elif one.kind != "entity":
                found |= {*self._by_text.get(normal(one.text), ()), *self._by_text.get(str(one.date), ())}
        return sorted(found)
