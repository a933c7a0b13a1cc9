"""From a question with chosen options to the record that is written: letters, order, origin.

In: questions with the options each shall have. Out: `kg.item.Item`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

from derive.draft import Draft, Gold
from derive.material import Material
from derive.options import OPTIONS, Distractor
from derive.view import Key
from kg.graph import Provenance
from kg.ids import digest
from kg.item import LETTERS, Choice, Item

Thing = TypeVar("Thing", Gold, Distractor)
QUOTES = 2
"""Most quotations per edge that an item carries."""
STRUCTURAL = frozenset({"two_hop", "outer_ring", "sibling"})
"""Layers whose distractors are at most two undirected steps from a gold."""


@dataclass(frozen=True)
class Chosen:
    """A question with its options."""

    draft: Draft
    question: str
    asked: str
    """The query as the question names it."""
    golds: tuple[Gold, ...]
    distractors: tuple[Distractor, ...]


class ItemMaker:
    """Gives letters so that every combination of letters is right equally often, and writes items."""

    def __init__(self, material: Material, seed: int, origin: Mapping[str, str]) -> None:
        self._m, self._seed, self._origin = material, seed, dict(origin)
        self._used: Counter[tuple[str, tuple[int, ...]]] = Counter()
        self._overall: Counter[tuple[int, ...]] = Counter()

    def item(self, chosen: Chosen) -> Item:
        """The record. The letters are the least used so far of their number, in the task and then over all."""
        draft = chosen.draft
        slots = self._slots(draft.task, draft.key, len(chosen.golds))
        golds = (self._gold(gold) for gold in self._shuffled(chosen.golds, draft.key))
        wrong = (self._wrong(chosen, other) for other in self._shuffled(chosen.distractors, draft.key))
        choices = {LETTERS[place]: next(golds if place in slots else wrong) for place in range(OPTIONS)}
        home = self._m.places.home(draft.query)
        book = self._m.places.book(home) if home else ""
        return Item(
            id=draft.key,
            question=chosen.question,
            options={letter: self._m.speak.option(choice.id) for letter, choice in choices.items()},
            answer=tuple(LETTERS[place] for place in slots),
            task=draft.task,
            family=draft.task.partition("_")[0],
            subject=self._subject(book),
            stage=self._m.places.stage(book),
            language=self._m.language.code,
            query=draft.query,
            choices=choices,
            provenance=self._provenance(chosen.golds),
            origin={**self._origin, "asked": chosen.asked, "golds": len(draft.golds), "seed": self._seed},
        )

    def _slots(self, task: str, key: str, right: int) -> tuple[int, ...]:
        every = list(combinations(range(OPTIONS), right))
        turn = {slots: digest(f"{self._seed}:{key}:{slots}") for slots in every}
        slots = min(every, key=lambda one: (self._used[task, one], self._overall[one], turn[one]))
        self._used[task, slots] += 1
        self._overall[slots] += 1
        return slots

    def _shuffled(self, things: Iterable[Thing], key: str) -> list[Thing]:
        return sorted(things, key=lambda thing: digest(f"{self._seed}:{key}:{thing.id}", 16))

    def _gold(self, gold: Gold) -> Choice:
        return Choice(id=gold.id, right=True, path=gold.path)

    def _wrong(self, chosen: Chosen, distractor: Distractor) -> Choice:
        path: tuple[Key, ...] = ()
        if distractor.layer in STRUCTURAL:
            found = (self._m.view.bridge(gold.id, distractor.id) for gold in chosen.draft.golds)
            path = next((bridge for bridge in found if bridge), ())
        return Choice(id=distractor.id, right=False, layer=distractor.layer, path=path)

    def _subject(self, book: str) -> str:
        return str(self._m.view.nodes[book].properties.get("subject") or "") if book else ""

    def _provenance(self, golds: Sequence[Gold]) -> tuple[Provenance, ...]:
        view = self._m.view
        keys = [key for gold in golds for key in gold.path]
        edges = [view.edge(view.schema.edges[kind].role, one, other) for kind, one, other in keys]
        quotes = {quote for edge in edges if edge for quote in edge.provenance[:QUOTES]}
        return tuple(sorted(quotes, key=Provenance.place))
