"""A book read by a model: nodes of all chunks, further passes over what they missed, then the edges between them.

In: a book's sections, an `Asker`. Out: a `Reading`: a `Leaf` per chunk with everything that was said about it, judged.
The edges of a chunk wait until it and everything before it have their nodes, so that they can lead to what was taught
earlier, and so that the same replies give the same questions whatever order they come in.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from extract.asking import Asker, Exchange
from extract.chunks import Chunk, chunks, halves
from extract.gate import Gate, Judged, Known, Trust
from extract.marked import Marked
from extract.mentions import Names
from extract.parts import READING
from extract.prompting import Turn
from extract.replies import Fault
from extract.support import Page
from kg.graph import NodeClaim
from kg.language import Language
from kg.names import key
from kg.schema import GraphSchema, NodeRole
from kg.section import Section

TAUGHT: tuple[NodeRole, ...] = ("term", "procedure", "activity", "question")
TESTED: tuple[NodeRole, ...] = ("question",)
"""What is taken from sections that do not teach."""
LINKABLE: tuple[NodeRole, ...] = ("term", "procedure")
"""What later chunks may lead edges to."""
AFTER_YOU = 0.02
"""Seconds before an answer is judged: the next question goes out first, and the server is never idle."""
State = Literal["judged", "split", "truncated", "unreadable", "unanswered", "edges_unanswered"]


@dataclass(frozen=True)
class Plan:
    """How a book is read."""

    title: str
    """Of the book, for the breadcrumb."""
    kinds: tuple[str, ...]
    """Kinds of sections that are read."""
    tokens: int
    """Most of a chunk; 0: whole sections."""
    calls: Literal["two", "one"]
    passes: int
    least_yield: float
    """Share of new nodes below which no further pass is made."""
    splits: int
    """How often a chunk whose reply broke off is cut in two."""
    known: int
    """Most nodes of earlier chunks that are offered as ends."""
    trust: Trust
    extractor: str


@dataclass
class Leaf:
    """One chunk and what came of it."""

    chunk: Chunk
    page: Page
    exchanges: list[Exchange] = field(default_factory=list)
    judged: Judged = field(default_factory=Judged)
    state: State = "judged"
    known: list[Known] = field(default_factory=list)
    """Its own nodes, with the ids they are offered under."""
    rejected: list[str] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        """True if something of it was not answered."""
        return any(exchange.failure is not None for exchange in self.exchanges)


@dataclass
class Reading:
    """A book as far as it was answered."""

    leaves: list[Leaf]
    """In reading order."""
    passes: list[dict[str, float]] = field(default_factory=list)
    """Per pass: chunks asked, nodes that are new, their share."""


class Reader:
    """Reads one book."""

    def __init__(
        self, asker: Asker, schema: GraphSchema, language: Language, plan: Plan, moved: Callable[[], None]
    ) -> None:
        """`moved` is called whenever a chunk is done with one of its questions."""
        self.asker, self.schema, self.language, self.plan, self.moved = asker, schema, language, plan, moved

    def chunks(self, sections: Sequence[Section]) -> list[Chunk]:
        """Everything that is read, in reading order."""
        kinds = self.plan.kinds
        read = [section for section in sections if section.row.kind in kinds]
        return [chunk for section in read for chunk in chunks(section, self.plan.tokens, self.language)]

    def turn(self, chunk: Chunk, marked: Callable[[], Marked]) -> Turn:
        """The first question about a chunk. `marked` is asked for only where it is needed."""
        if self.plan.calls == "one":
            return self.asker.prompts.whole(chunk, self.plan.title, marked().earlier(chunk)[: self.plan.known])
        roles = TAUGHT if chunk.section.row.kind in READING else TESTED
        return self.asker.prompts.nodes(chunk, self.plan.title, roles)

    async def read(self, sections: Sequence[Section], marked: Callable[[], Marked]) -> Reading:
        """The whole book; where something was not answered, later questions that depend on it were not put."""
        pages: dict[str, Page] = {}
        reading, relations = Reading([]), Relations(self)
        async with asyncio.TaskGroup() as group:
            waiting = []
            for chunk in self.chunks(sections):
                page = pages.setdefault(chunk.section.row.id, Page(chunk.section, self.language))
                waiting.append(group.create_task(self._first(Leaf(chunk, page), self.plan.splits, marked)))
            for first in waiting:
                leaves = await first
                reading.leaves += leaves
                if self.plan.passes == 1:
                    await relations.begin(leaves, group)
        if self.plan.passes > 1:
            if self.plan.calls == "two" and not any(leaf.failed for leaf in reading.leaves):
                await self._passes(reading, marked)
            async with asyncio.TaskGroup() as group:
                await relations.begin(reading.leaves, group)
        return reading

    async def _first(self, leaf: Leaf, splits: int, marked: Callable[[], Marked]) -> list[Leaf]:
        """The leaf; with those of its halves behind it, if its reply broke off."""
        async with self.asker.line.places:
            exchange = await self.asker.ask(self.turn(leaf.chunk, marked))
        await asyncio.sleep(AFTER_YOU)
        self._take(leaf, exchange)
        self.moved()
        if leaf.state != "truncated" or not splits:
            return [leaf]
        parts = halves(leaf.chunk, self.language)
        if not parts:
            return [leaf]
        leaf.state = "split"
        below = [self._first(Leaf(part, leaf.page), splits - 1, marked) for part in parts]
        return [leaf, *(one for leaves in await asyncio.gather(*below) for one in leaves)]

    def _take(self, leaf: Leaf, exchange: Exchange) -> None:
        """What was said is judged and kept with the leaf."""
        leaf.exchanges.append(exchange)
        if exchange.said is None:
            leaf.state = "unanswered"
            return
        if exchange.said.truncated:
            leaf.state = "truncated"
        elif not exchange.said.readable:
            leaf.state = "unreadable"
        gate = self._gate(leaf, exchange.rule)
        judged = gate.nodes(exchange.said.nodes)
        if self.plan.calls == "one":
            judged.add(gate.edges(exchange.said.edges, judged.ids))
        elif exchange.said.edges:
            what = f"{len(exchange.said.edges)} edges in a reply that was to have nodes only"
            judged.faults.append(Fault("not_asked", what))
        self._without_repeats(judged, leaf)
        judged.faults += exchange.said.faults
        leaf.rejected += exchange.said.rejected
        leaf.judged.add(judged)

    def _without_repeats(self, judged: Judged, leaf: Leaf) -> None:
        """What an earlier pass over the chunk brought in is not brought in again."""
        there = {self._identity(node) for node in leaf.judged.nodes}
        again = [node for node in judged.nodes if self._identity(node) in there]
        judged.nodes = [node for node in judged.nodes if node not in again]
        judged.faults += [Fault("duplicate", f"{node.label} {node.name[:60]} was accepted already") for node in again]

    def _identity(self, node: NodeClaim) -> tuple[str, str]:
        return (node.label, key(node.name, self.language))

    def _gate(self, leaf: Leaf, rule: str) -> Gate:
        shown = self.asker.prompts.example.squashed if self.asker.prompts.example else ""
        return Gate(leaf.page, self.schema, self.plan.trust, self.plan.extractor, rule, shown)

    async def _passes(self, reading: Reading, marked: Callable[[], Marked]) -> None:
        """Asks again where the book marks words that nothing covers, as long as that brings something in."""
        for _ in range(1, self.plan.passes):
            before = _count(reading)
            covered = self._covered(reading)
            due = []
            for leaf in reading.leaves:
                missing = marked().missing(leaf.chunk, leaf.page, covered) if leaf.state == "judged" else []
                if missing:
                    accepted = [f"{node.label}: {node.name}" for node in leaf.judged.nodes]
                    first = self.turn(leaf.chunk, marked)
                    due.append((leaf, self.asker.prompts.more(first, accepted, missing)))
            if not due:
                return
            exchanges = await asyncio.gather(*(self._again(turn) for _, turn in due))
            for (leaf, _), exchange in zip(due, exchanges, strict=True):
                self._take(leaf, exchange)
            new = _count(reading) - before
            share = round(new / before, 4) if before else 0.0
            reading.passes.append({"chunks": len(due), "new": new, "share": share})
            if share < self.plan.least_yield or any(leaf.failed for leaf in reading.leaves):
                return

    async def _again(self, turn: Turn) -> Exchange:
        async with self.asker.line.places:
            exchange = await self.asker.ask(turn)
        self.moved()
        return exchange

    def _covered(self, reading: Reading) -> set[str]:
        """Keys of every name that was accepted, and of every word that was found to be no term."""
        names = [name for leaf in reading.leaves for known in leaf.judged.nodes for name in _names(known)]
        rejected = [name for leaf in reading.leaves for name in leaf.rejected]
        return {key(name, self.language) for name in [*names, *rejected]}

    async def relate(self, leaf: Leaf, linked: Sequence[Known]) -> None:
        """The edges of one chunk, to `linked` nodes of earlier ones too; nothing is asked where none is possible."""
        async with self.asker.line.places:
            turn = self.asker.prompts.edges(leaf.chunk, self.plan.title, leaf.known, linked)
            if not turn.form["properties"]:
                return
            exchange = await self.asker.ask(turn)
        await asyncio.sleep(AFTER_YOU)
        known = {node.id: node for node in [*leaf.known, *linked]}
        self.moved()
        leaf.exchanges.append(exchange)
        if exchange.said is None or not (exchange.said.readable or exchange.said.truncated):
            leaf.state = "edges_unanswered" if exchange.said is None else "unreadable"
            leaf.judged.faults += exchange.said.faults if exchange.said else []
            return
        if exchange.said.truncated:
            leaf.state = "truncated"
        leaf.judged.add(self._gate(leaf, exchange.rule).edges(exchange.said.edges, known))
        leaf.judged.faults += exchange.said.faults


class Relations:
    """Puts the questions about edges, chunk by chunk in reading order, each as soon as the nodes it needs are known."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._taught = Taught(reader.schema, reader.language)
        self._whole = reader.plan.calls == "two"
        """Nothing is missing so far: else the questions would be others when it is there."""

    async def begin(self, leaves: Sequence[Leaf], group: asyncio.TaskGroup) -> None:
        """The next leaves in reading order; the group has their questions."""
        self._whole = self._whole and not any(leaf.failed for leaf in leaves)
        for leaf in leaves if self._whole else ():
            leaf.known = _numbered("n", _own(leaf, self.reader.language))
            if leaf.known and leaf.state in ("judged", "truncated"):
                linked = _numbered("k", self._taught.mentioned(leaf)[: self.reader.plan.known])
                group.create_task(self.reader.relate(leaf, linked))
            self._taught.add(leaf)
            await asyncio.sleep(0)  # many may be due at once, and the line is not to wait for that


class Taught:
    """The nodes of a book so far, and which of them a chunk mentions."""

    def __init__(self, schema: GraphSchema, language: Language) -> None:
        self.schema, self.language = schema, language
        self._first: dict[str, Known] = {}
        self._names = Names([], language)

    def add(self, leaf: Leaf) -> None:
        """Its nodes are taught from now on; who had a name first keeps it."""
        for node in leaf.known:
            one = key(node.name, self.language)
            if self.schema.role(node.label) in LINKABLE and one not in self._first:
                self._first[one] = node
                for name in node.names:
                    self._names.add(name, one)

    def mentioned(self, leaf: Leaf) -> list[Known]:
        """In the order of their mention; without what the chunk has itself."""
        own = {key(name, self.language) for node in leaf.known for name in node.names}
        here = leaf.page.tokens_in(leaf.chunk.start, leaf.chunk.end)
        found = dict.fromkeys(one.key for one in self._names.find(here, leaf.page.section.text))
        return [self._first[one] for one in found if one not in own]


def _own(leaf: Leaf, language: Language) -> list[Known]:
    """The leaf's nodes, each once."""
    found: dict[tuple[str, str], Known] = {}
    for node in leaf.judged.nodes:
        known = Known("", node.label, node.name, tuple(_names(node)), node.evidence)
        found.setdefault((node.label, key(node.name, language)), known)
    return list(found.values())


def _names(node: object) -> list[str]:
    properties = getattr(node, "properties", {})
    aliases = properties.get("aliases", [])
    return [str(getattr(node, "name", "")), *(str(name) for name in aliases if isinstance(aliases, list))]


def _numbered(letter: str, nodes: Sequence[Known]) -> list[Known]:
    return [
        Known(f"{letter}{at}", node.label, node.name, node.names, node.here) for at, node in enumerate(nodes, start=1)
    ]


def _count(reading: Reading) -> int:
    return sum(len(leaf.judged.nodes) for leaf in reading.leaves)


def states(reading: Reading) -> dict[str, int]:
    """Chunks by what became of them."""
    return dict(sorted(Counter(leaf.state for leaf in reading.leaves).items()))
