"""Questions about every node of the trees: three about what it is, three about how it belongs to something else.

In: `Thing`s with their definitions, the trees. Out: `Drawn` questions with a pool of wrong options each, by templates;
`choose` settles the options of all together, so that no rule that knows nothing pays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from derive.material import Material
from derive.probes import PROBES, chances, grams, sets_of, single
from derive.quotas import Menu, Quotas, surplus
from derive.taxonomy.definitions import Thing
from derive.taxonomy.pack import Pack
from derive.taxonomy.tree import TOP, Kind, Tree
from derive.view import Key
from kg.graph import Provenance
from kg.ids import digest
from kg.item import LETTERS, Choice, Item
from kg.schema import EdgeRole, NodeRole
from kg.similarity import Similarity, ngrams
from kg.text import fold, one_line

OPTIONS, EACH = 4, 3
POOL, DECOYS, FURTHER = 9, 3, 9
"""Wrong options to choose from, how many of them are there for their looks, how many further ones these come from."""
LOW, HIGH, ENOUGH = 0.19, 0.34, 60
"""Every probe shall be right at least and at most so often; from so many questions on those in the way are given up."""
NEAR_TEXT = 0.8
"""Options whose character 3-grams have at least this much in common are near-duplicates."""
NEAR_NAME = 0.4
"""Names this much alike may be names of one thing."""
NEAR_SAID = 0.25
"""So may definitions this much alike."""
LONGEST = 300
"""Most characters of an option."""
RELATIONS: tuple[EdgeRole, ...] = ("taxonomy", "prerequisite", "demonstration")
"""What a statement may be about. That two things are *not* closely related, no graph can prove."""
PLACE = "place_of"
OUTCOMES = ("conclusion", "phenomena")
KNOWN: tuple[NodeRole, ...] = ("term", "procedure", "activity")


@dataclass(frozen=True)
class Option:
    """A text that may be shown as an answer."""

    text: str
    node: str = ""
    why: str = ""
    """Of a wrong one: where it comes from."""


@dataclass(frozen=True)
class Drawn:
    """A question with its right option and what could stand beside it, near to far."""

    kind: str
    thing: Thing
    question: str
    right: Option
    wrong: tuple[Option, ...]
    path: tuple[Key, ...] = ()
    provenance: tuple[Provenance, ...] = ()
    quotes: tuple[str, ...] = field(default=())
    """What the book says for it, beside what it says of the thing."""

    @property
    def key(self) -> str:
        """Identity, on every run."""
        ends = [end for _, source, target in self.path for end in (source, target)] if self.related else []
        return "::".join((self.kind, self.thing.id, *ends))

    @property
    def related(self) -> bool:
        """True if it asks how the thing belongs to another."""
        return self.kind != PLACE and bool(self.path)


class Drawer:
    """Draws all questions by the language pack's wordings."""

    def __init__(self, material: Material, pack: Pack, trees: Mapping[Kind, Tree], said: Mapping[str, str]) -> None:
        """`said` has the definition of every node that has one."""
        self._m, self._pack, self._trees, self._said = material, pack, trees, said
        self._place = {node: at for at, node in enumerate(trees["structure"].order)}
        self._grams: dict[str, frozenset[str]] = {}
        self.dropped: Counter[str] = Counter()

    def all(self, things: Sequence[Thing]) -> list[Drawn]:
        """At most three questions of either sort per thing, each with at least three wrong options."""
        found: list[Drawn] = []
        for thing in things:
            if self._m.view.role(thing.id) in KNOWN:
                found += [*self._kept(self._basic(thing)), *self._kept(self._relations(thing))]
        return found

    def _kept(self, drawn: Iterator[Drawn]) -> list[Drawn]:
        kept: list[Drawn] = []
        for one in drawn:
            if len(one.wrong) < OPTIONS - 1:
                self.dropped["too_few_wrong_options"] += 1
            elif len(kept) < EACH:
                kept.append(one)
        return kept

    def _basic(self, thing: Thing) -> Iterator[Drawn]:
        meaning = self._said.get(thing.id, "")
        if meaning and len(meaning) <= LONGEST:
            near = islice(self._others(thing), POOL + FURTHER)
            names = [Option(self._m.speak.option(other), other, why) for other, why in near]
            right = Option(self._m.speak.option(thing.id), thing.id)
            yield self._drawn("name_of", thing, meaning, right, names)
            told = [Option(self._said[one.node], one.node, one.why) for one in names if one.node in self._said]
            yield self._drawn("meaning_of", thing, "", Option(meaning, thing.id), told)
        if outcome := self._outcome(thing.id):
            others = (Option(self._outcome(other), other, why) for other, why in self._others(thing))
            yield self._drawn("outcome_of", thing, "", Option(outcome, thing.id), (one for one in others if one.text))
        home = self._m.places.home(thing.id)
        if home and self._m.view.role(home) == "section":
            edge = self._m.view.edge("location", thing.id, home)
            path = (edge.key(),) if edge else ()
            right = Option(self._m.speak.option(home), home)
            yield self._drawn(PLACE, thing, "", right, self._other_places(thing, home), path)

    def _drawn(
        self, kind: str, thing: Thing, text: str, right: Option, wrong: Iterable[Option], path: tuple[Key, ...] = ()
    ) -> Drawn:
        question = self._pack.wording(kind).format(name=self._m.speak.asked(thing.id), text=text)
        found = self._m.view.nodes[thing.id].provenance[:2]
        return Drawn(kind, thing, question, right, self._pool(question, right, wrong), path, found)

    def _outcome(self, node: str) -> str:
        properties = self._m.view.nodes[node].properties
        texts = (one_line(str(properties.get(name) or "")) for name in OUTCOMES)
        return next((text for text in texts if 0 < len(text) <= LONGEST), "")

    def _others(self, thing: Thing) -> Iterator[tuple[str, str]]:
        """Nodes of its type that surely are something else, from the nearest branch on."""
        view, words = self._m.view, self._m.words
        own = words.keyed(f"{self._said.get(thing.id, '')} {thing.stated}")
        barred = view.kin(thing.id) | words.twins.get(thing.id, frozenset())
        for other, why in self._around(thing.id):
            theirs = words.keyed(self._said.get(other, ""))
            spoken = words.speaks_of(own, other) or words.speaks_of(theirs, thing.id)
            named = words.inside(thing.id, other) or self._alike(thing.name, view.nodes[other].name, NEAR_NAME)
            same = self._alike(thing.stated, self._said.get(other, ""), NEAR_SAID)
            if other not in barred and not (spoken or named or same):
                yield other, why

    def _around(self, node: str) -> Iterator[tuple[str, str]]:
        """Nodes of its type: first those with its own parent in either tree, then branch by branch."""
        view, seen = self._m.view, {node}
        for tree in (self._trees["concepts"], self._trees["structure"]):
            for place, above in enumerate(tree.ancestors(node)):
                if tree.kind == "concepts" and above == TOP:
                    continue
                start = tree.place[above]
                branch = tree.order[start : start + tree.size(above)]
                fresh = [one for one in branch if one not in seen and one in view.nodes]
                fresh = [one for one in fresh if view.nodes[one].label == view.nodes[node].label]
                seen.update(fresh)
                for one in sorted(fresh, key=lambda one: digest(f"{node}:{one}", 16)):
                    yield one, f"{tree.kind}_{place + 1}"

    def _other_places(self, thing: Thing, home: str) -> Iterator[Option]:
        places, words, view = self._m.places, self._m.words, self._m.view
        barred = {*places.where(thing.id), *(found.section for found in view.nodes[thing.id].provenance)}
        kind = view.nodes[home].properties.get("kind")
        at = places.order[home]
        for other in sorted(places.sections, key=lambda one: (abs(places.order[one] - at), one)):
            named = words.speaks_of(words.keyed(view.nodes[other].name), thing.id)
            quoted = words.speaks_of(words.quotes_in.get(other, ""), thing.id)
            alike = view.nodes[other].properties.get("kind") == kind
            if other not in barred and alike and not named and not quoted:
                yield Option(self._m.speak.option(other), other, "section")

    def _relations(self, thing: Thing) -> Iterator[Drawn]:
        view = self._m.view
        for role in RELATIONS:
            ends = [(thing.id, other, other) for other in view.after(thing.id, role)]
            ends += [(other, thing.id, other) for other in view.before(thing.id, role)]
            for source, target, _ in sorted(ends, key=lambda end: digest(f"{thing.id}:{end[2]}", 16)):
                if self._m.words.inside(source, target):
                    self.dropped["answer_in_name"] += 1
                elif source in view.closure(target, role, True):
                    self.dropped["goes_in_a_loop"] += 1
                else:
                    yield self._relation(thing, role, source, target)

    def _relation(self, thing: Thing, role: EdgeRole, source: str, target: str) -> Drawn:
        view = self._m.view
        edge = view.edge(role, source, target)
        other = target if source == thing.id else source
        turned = [Option(self._statement(role, target, source), why="turned_round")] if role != "demonstration" else []
        strangers = (
            Option(self._statement(role, *((thing.id, one) if source == thing.id else (one, thing.id))), one, why)
            for one, why in self._strangers(thing, other, role)
        )
        right = Option(self._statement(role, source, target), other)
        question = self._pack.wording("relation").format(name=self._m.speak.asked(thing.id))
        path = (edge.key(),) if edge else ()
        found = edge.provenance[:2] if edge else ()
        quotes = self._m.words.quoted([edge])
        return Drawn(
            f"{role}_of",
            thing,
            question,
            right,
            self._pool(question, right, chain(turned, strangers)),
            path,
            found,
            (quotes,),
        )

    def _statement(self, role: EdgeRole, source: str, target: str) -> str:
        speak = self._m.speak
        return self._pack.statements[role].format(source=speak.option(source), target=speak.option(target))

    def _strangers(self, thing: Thing, partner: str, role: EdgeRole) -> Iterator[tuple[str, str]]:
        """Nodes of the partner's type of which the graph, read as loosely as can be, does not say the same."""
        view, words = self._m.view, self._m.words
        barred = view.near(thing.id, partner) | view.kin(thing.id, partner) | {thing.id, partner}
        for direction in (True, False):
            barred |= view.closure(thing.id, role, direction) | view.closure(thing.id, "prerequisite", direction)
        barred |= view.both_ways(thing.id, role)
        for other, why in self._around(partner):
            spoken = words.speaks_of(words.said(thing.id), other) or words.speaks_of(words.said(other), thing.id)
            away = self._elsewhere(thing.id, other, role, partner)
            if other not in barred and away and not spoken and not words.inside(thing.id, other):
                yield other, why

    def _elsewhere(self, node: str, other: str, role: EdgeRole, partner: str) -> bool:
        """True if the course rules the relation out: of what is learned before, the order of sections; of what an
        experiment shows, another chapter. A graph that does not say so proves nothing."""
        places = self._m.places
        here, there = places.home(node), places.home(other)
        if role == "taxonomy" or here is None or there is None:
            return role == "taxonomy"
        if role == "demonstration":
            return places.scope(node, "chapter") != places.scope(other, "chapter")
        later = places.order[there] > places.order[here]
        return there != here and later == (partner in self._m.view.before(node, role))

    def _pool(self, question: str, right: Option, wrong: Iterable[Option]) -> tuple[Option, ...]:
        """The nearest wrong options, and of those further off the ones that look most like the question: without them
        the right one is what does. None is too long or a near-duplicate of another."""
        kept: list[Option] = []
        for one in wrong:
            if len(kept) >= POOL + FURTHER:
                break
            if len(one.text) <= LONGEST and not any(self._alike(one.text, other.text) for other in (right, *kept)):
                kept.append(one)
        asked = grams(question)
        near, far = kept[: POOL - DECOYS], kept[POOL - DECOYS :]
        far.sort(key=lambda one: -len(asked & grams(one.text)))
        return (*near, *far[:DECOYS])

    def _alike(self, one: str, other: str, least: float = NEAR_TEXT) -> bool:
        own, theirs = self._trigrams(one), self._trigrams(other)
        return len(own & theirs) >= least * len(own | theirs) > 0

    def _trigrams(self, text: str) -> frozenset[str]:
        if text not in self._grams:
            self._grams[text] = frozenset(ngrams(fold(text), (3,))) or frozenset({fold(text)})
        return self._grams[text]


@dataclass(frozen=True)
class Chosen:
    """A question with its options."""

    drawn: Drawn
    wrong: tuple[Option, ...]
    chances: NDArray[np.float64]
    """Of each probe to be right."""


def choose(
    drawn: Sequence[Drawn], similarity: Similarity, degree: Mapping[str, int], seed: int, nearness: float
) -> list[Chosen]:
    """Each question with the three wrong options that keep all probes even over all questions."""
    order = sorted(drawn, key=lambda one: digest(f"{seed}:{one.key}", 16))
    menus = {one.key: _menu(one, similarity, degree) for one in order}
    choice = Quotas(len(PROBES), nearness).choose(list(menus.values()))
    found: list[Chosen] = []
    for one in drawn:
        place = choice[one.key]
        row = sets_of(1, len(one.wrong), OPTIONS - 1)[place][1:]
        found.append(Chosen(one, tuple(one.wrong[at - 1] for at in row), menus[one.key].chances[place].astype(float)))
    return found


def in_the_way(kept: Sequence[Item], chosen: Sequence[Chosen]) -> frozenset[str]:
    """Ids of the questions to give up so that no probe pays; none where there are few questions."""
    ids = {item.id for item in kept}
    rates = {one.drawn.key: one.chances for one in chosen if one.drawn.key in ids}
    return frozenset(surplus(rates, LOW, HIGH)) if len(rates) >= ENOUGH else frozenset()


def _menu(one: Drawn, similarity: Similarity, degree: Mapping[str, int]) -> Menu:
    options = (one.right, *one.wrong)
    texts = [option.text for option in options]
    sets = sets_of(1, len(one.wrong), OPTIONS - 1)
    scores = single(one.question, texts, [degree.get(option.node, 0) for option in options])
    odds = chances(1, scores, similarity.vectors(texts), sets)
    cost = (sets[:, 1:] - 1).mean(axis=1) / len(one.wrong)
    return Menu(one.key, 1, odds.astype(np.float16), cost.astype(np.float32))


class Lettered:
    """Writes items; over all of them every letter is right equally often."""

    def __init__(self, material: Material, seed: int, origin: Mapping[str, object]) -> None:
        self._m, self._seed, self._origin = material, seed, origin
        self._used: Counter[str] = Counter()

    def item(self, one: Drawn, wrong: Sequence[Option]) -> Item:
        """The record; the right letter is the least used so far."""
        letters = LETTERS[:OPTIONS]
        slot = min(letters, key=lambda letter: (self._used[letter], digest(f"{self._seed}:{one.key}:{letter}")))
        self._used[slot] += 1
        rest = iter(sorted(wrong, key=lambda option: digest(f"{self._seed}:{one.key}:{option.text}", 16)))
        shown = {letter: one.right if letter == slot else next(rest) for letter in letters}
        return Item(
            id=one.key,
            question=one.question,
            options={letter: option.text for letter, option in shown.items()},
            answer=(slot,),
            task=one.kind,
            family="relation" if one.related else "basic",
            language=self._m.language.code,
            query=one.thing.id,
            choices={
                letter: Choice(id=option.node, right=letter == slot, layer=option.why, path=one.path * (letter == slot))
                for letter, option in shown.items()
            },
            provenance=one.provenance,
            origin={**self._origin, "seed": self._seed},
            level=1 if one.related else 0,
            mode="template",
            path=one.path if one.related else (),
        )


def passage(thing: Thing, quotes: Sequence[str], material: Material) -> str:
    """What a reader with an open book would see: the place, the record, the quotations."""
    home = material.places.home(thing.id)
    head = [material.speak.option(home)] if home else []
    return "\n".join([*head, f"{thing.name}: {thing.facts}", *quotes])
