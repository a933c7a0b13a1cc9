"""Definitions for all nodes of the trees: those the book gives, and those that are missing or not good enough.

In: a `Material` and its trees. Out: a `DefinitionRow` per node with every attempt and what was said of it. Rules write
and judge; a model may do either in their place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import Literal

from derive.ask import Ask, Messages
from derive.material import Material
from derive.refine import Attempt, Critic, Critique, Generator, Refined, Task, refine
from derive.rubric import Criterion, Rater, Rating, Rubric, RubricCase, Rule
from derive.taxonomy.pack import Pack, content
from derive.taxonomy.tree import PLACES, TOP, Tree
from derive.words import SHORTEST
from kg.graph_io import evidence
from kg.ids import digest
from kg.names import key
from kg.prompt import load
from kg.row import Row
from kg.schema import described_by
from kg.text import one_line, squash

PROMPTS = Path(__file__).parent / "prompts"
ABOUT = {
    "accuracy": "it describes the thing correctly and leaves out nothing essential",
    "clarity": "it is precise and can be read in one way only",
    "non_circularity": "it uses neither the name nor a synonym of it",
    "scope": "it says what belongs to it, neither too broadly nor too narrowly",
    "conciseness": "it is as short as completeness allows",
}
DIMENSIONS = tuple(ABOUT)
FORM = ("clarity", "non_circularity", "conciseness")
"""What rules can tell for sure; a model is asked about what passes these."""
RULES = Rubric("definition", tuple(Criterion(name, about) for name, about in ABOUT.items()))
SCALE = Rubric("definition", tuple(Criterion(name, about, 1, 5, 4) for name, about in ABOUT.items()))
GROUNDED = 0.6
"""Least share of content words that the graph says of the thing."""
MOST_CHILDREN, MOST_QUOTES = 8, 4
LONG = 4
"""Letters from which the beginning of a word is told from a name."""


@dataclass(frozen=True)
class Thing:
    """What is to be defined, and all the graph knows of it."""

    id: str
    name: str
    label: str
    names: tuple[str, ...]
    """Name and aliases."""
    place: bool
    stated: str
    """The graph's own definition; empty if it has none."""
    parents: tuple[str, ...]
    """Names: what it is a kind of, then where it is taught."""
    children: tuple[tuple[str, str], ...]
    """Names and stated definitions; terms and places first."""
    quotes: tuple[str, ...]

    @property
    def facts(self) -> str:
        """Its own record and quotations, for a prompt or a reader."""
        return "\n".join(dict.fromkeys(text for text in (self.stated, *self.quotes) if text))


class DefinitionRow(Row):
    """The definition of one node."""

    id: str
    name: str
    label: str
    stated: str = ""
    definition: str = ""
    """What passed; empty if nothing did."""
    origin: Literal["book", "completed", "none"]
    stop: str
    before: dict[str, bool] = {}
    """Criterion -> whether the stated definition meets it."""
    history: tuple[Attempt, ...] = ()


class Things:
    """Collects what the graph knows of the nodes of the trees."""

    def __init__(self, material: Material, trees: Sequence[Tree]) -> None:
        self._m, self._trees = material, trees

    def all(self) -> list[Thing]:
        """One per node that is in a tree, sorted by id."""
        return [self.of(node) for node in sorted({node for tree in self._trees for node in tree.above})]

    def of(self, node: str) -> Thing:
        """What the graph knows of the node."""
        view = self._m.view
        record = view.nodes[node]
        aliases = record.properties.get("aliases") or ()
        parents = [tree.above[node] for tree in self._trees if tree.above.get(node, TOP) != TOP]
        children = [child for tree in self._trees for child in tree.below.get(node, ())]
        children.sort(key=lambda child: view.role(child) not in (*PLACES, "term"))
        return Thing(
            id=node,
            name=record.name,
            label=record.label,
            names=(record.name, *(alias for alias in aliases if isinstance(alias, str) and alias.strip())),
            place=view.role(node) in PLACES,
            stated=self.stated(node),
            parents=tuple(view.nodes[parent].name for parent in dict.fromkeys(reversed(parents))),
            children=tuple((view.nodes[child].name, self.stated(child)) for child in dict.fromkeys(children)),
            quotes=self._quotes(node),
        )

    def stated(self, node: str) -> str:
        """The node's own definition or description in the graph."""
        record = self._m.view.nodes[node]
        return one_line(str(record.properties.get(described_by(self._m.view.schema.nodes[record.label])) or ""))

    def _quotes(self, node: str) -> tuple[str, ...]:
        own = [found.quote for found in self._m.view.nodes[node].provenance]
        near = [quote for edge in self._edges.get(node, ()) for quote in evidence(edge)]
        return tuple(dict.fromkeys(one_line(quote) for quote in (*own, *near)))[:MOST_QUOTES]

    @cached_property
    def _edges(self):  # type: ignore[no-untyped-def]
        found: dict[str, list[object]] = {}
        for edge in self._m.view.edges():
            for end in (edge.source, edge.target):
                found.setdefault(end, []).append(edge)
        return found


def circular(material: Material, thing: Thing, text: str) -> bool:
    """True if one of the thing's names stands in the text; what a name has in brackets is no name of it."""
    bound = " " if material.language.spaces else ""
    said = f"{material.words.keyed(text)}{bound}{key(text, material.language)}{bound}"
    keys = [key(name, material.language) for name in thing.names]
    # a dash lost in print joins the name to what is said of it
    if any(len(name) > LONG and squash(text).startswith(squash(name)) for name in keys):
        return True
    return any(len(name) >= SHORTEST and f"{bound}{name}{bound}" in said for name in keys)


class RuleWriter:
    """Writes one after the other: what the book says, that without the name, its first clauses, what belongs to it."""

    def __init__(self, material: Material, pack: Pack) -> None:
        self._m, self._pack = material, pack

    def write(self, tasks: Sequence[Task[Thing]]) -> list[str | None]:
        """The next text that was not tried; none where there is none left."""
        return [self._next(task) for task in tasks]

    def _next(self, task: Task[Thing]) -> str | None:
        tried = {attempt.text for attempt in task.history}
        return next((text for text in self._texts(task.thing) if text and text not in tried), None)

    def _texts(self, thing: Thing) -> Iterator[str]:
        if not thing.place:
            yield thing.stated
            yield self._pack.unnamed(thing.stated, thing.names)
            yield self._clauses(thing)
            yield from (self._pack.unnamed(quote, thing.names) for quote in thing.quotes)
        if thing.place or not thing.stated:
            yield self._composed(thing)

    def _clauses(self, thing: Thing) -> str:
        """As many of the first clauses as do without the name."""
        parts = re.split(r"(?<=[;；。])|(?<=\.)(?= )", thing.stated)
        clean = list(takewhile(lambda part: not circular(self._m, thing, part), parts))
        return "".join(clean).strip().rstrip(";；") if len(clean) < len(parts) else ""

    def _composed(self, thing: Thing) -> str:
        template = self._pack.composed.get("place" if thing.place else "term", "")
        names = [name for name, _ in thing.children if not circular(self._m, thing, name)][:MOST_CHILDREN]
        return template.format(children=self._pack.listed(names)) if names else ""


class ModelWriter:
    """Asks a model, with what was wrong with the last attempt; quotations follow once the first attempt has failed."""

    def __init__(self, ask: Ask, language: str) -> None:
        self._ask, self._language = ask, language
        self.prompt = load(PROMPTS / "definition.md")

    def write(self, tasks: Sequence[Task[Thing]]) -> list[str | None]:
        """What the model wrote, on one line; none where the call failed. What the book says is tried first."""
        due = [task for task in tasks if not self._own(task)]
        replies = iter(self._ask([self._messages(task) for task in due]) if due else [])
        return [self._own(task) or one_line(next(replies) or "") or None for task in tasks]

    def _own(self, task: Task[Thing]) -> str:
        return "" if task.history or task.thing.place else task.thing.stated

    def _messages(self, task: Task[Thing]) -> Messages:
        last = task.history[-1] if task.history else None
        values = shown(task.thing) | {"language": self._language}
        values["facts"] = (task.thing.facts if last else task.thing.stated) or "-"
        values["feedback"] = f"{last.text}\n{last.critique.feedback}" if last else "-"
        return self.prompt.messages(values)


def shown(thing: Thing) -> dict[str, str]:
    """The values of a thing for a prompt."""
    children = [f"- {name}: {said}" if said else f"- {name}" for name, said in thing.children[:MOST_CHILDREN]]
    return {
        "name": thing.name,
        "label": thing.label,
        "parents": "; ".join(thing.parents) or "-",
        "children": "\n".join(children) or "-",
        "facts": thing.facts or "-",
    }


class Rules:
    """The five criteria as far as rules can see them; `subject` of a case is (thing, text)."""

    def __init__(self, material: Material, pack: Pack, things: Sequence[Thing]) -> None:
        self._m, self._pack = material, pack
        self._stop = frozenset(material.language.stopwords)
        self._stated = Counter(thing.stated for thing in things if thing.stated)

    def by_name(self) -> Mapping[str, Rule]:
        """Criterion -> rule."""
        return {
            "accuracy": self._accuracy,
            "clarity": self._clarity,
            "non_circularity": self._non_circularity,
            "scope": self._scope,
            "conciseness": self._conciseness,
        }

    def _accuracy(self, case: RubricCase) -> bool:
        """Most content words are said of the thing by the graph."""
        thing, text = case.subject
        known = [*thing.facts.splitlines(), *thing.parents, *(part for child in thing.children for part in child)]
        allowed = self._set(*known, *self._pack.composed.values())
        said = self._words(text)
        return bool(said) and sum(word in allowed for word in said) >= GROUNDED * len(said)

    def _clarity(self, case: RubricCase) -> bool:
        """It can be understood alone, and its brackets and quotation marks are closed."""
        _, text = case.subject
        closed = all(text.count(one) == text.count(other) for one, other in ("()", "（）", "“”", "[]"))
        return closed and not self._pack.points_elsewhere.search(text)

    def _non_circularity(self, case: RubricCase) -> bool:
        """Its own name does not stand in it."""
        thing, text = case.subject
        return not circular(self._m, thing, text)

    def _scope(self, case: RubricCase) -> bool:
        """It says more than what it is a kind of, and nothing else is defined so."""
        thing, text = case.subject
        others = self._stated[text] - (text == thing.stated)
        return others == 0 and bool(self._set(text) - self._set(*thing.parents, *self._pack.composed.values()))

    def _conciseness(self, case: RubricCase) -> bool:
        _, text = case.subject
        size = len(re.findall(r"\w+", text)) if self._m.language.spaces else len(re.sub(r"\W", "", text))
        return self._pack.shortest <= size <= self._pack.longest

    def _set(self, *texts: str) -> set[str]:
        return {word for text in texts for word in self._words(text)}

    def _words(self, text: str) -> list[str]:
        return content(self._m.words.keyed(text), self._stop)


class RubricCritic:
    """A critic that lets pass what a rater passes on every criterion."""

    def __init__(self, rater: Rater) -> None:
        self._rater = rater
        self.scores: dict[tuple[str, str], Rating] = {}
        """What was said of (thing, text)."""

    def criticise(self, cases: Sequence[tuple[Thing, str]]) -> list[Critique]:
        """One critique per case; a rating that failed as a whole is FAIL."""
        asked = [RubricCase(thing.id, shown(thing) | {"text": text}, (thing, text)) for thing, text in cases]
        ratings = self._rater.rate(asked)
        self.scores |= {(thing.id, text): rating for (thing, text), rating in zip(cases, ratings, strict=True)}
        return [self._critique(rating) for rating in ratings]

    def _critique(self, rating: Rating) -> Critique:
        if rating.ok:
            return Critique(verdict="PASS", by=rating.by)
        wrong = "; ".join(f"{name}: {ABOUT[name]}" for name in rating.failed)
        verdict: Literal["FAIL", "NEEDS_IMPROVEMENT"] = "NEEDS_IMPROVEMENT" if any(rating.passed.values()) else "FAIL"
        return Critique(verdict=verdict, feedback=rating.reason or wrong, failed=rating.failed, by=rating.by)


class InTurn:
    """A critic who is asked only about what another one lets pass."""

    def __init__(self, first: Critic[Thing], second: Critic[Thing]) -> None:
        self._first, self._second = first, second

    def criticise(self, cases: Sequence[tuple[Thing, str]]) -> list[Critique]:
        """The first no, or the second's word."""
        said = self._first.criticise(cases)
        passed = [case for case, critique in zip(cases, said, strict=True) if critique.verdict == "PASS"]
        later = iter(self._second.criticise(passed) if passed else [])
        return [next(later) if critique.verdict == "PASS" else critique for critique in said]


def complete(
    things: Sequence[Thing], writer: Generator[Thing], critic: Critic[Thing], rules: RubricCritic, rounds: int
) -> list[DefinitionRow]:
    """A row per thing. `rules` also judges what the book states, before anything is written."""
    given = [(thing, thing.stated) for thing in things if thing.stated]
    rules.criticise(given)
    before = {thing.id: dict(rules.scores[thing.id, thing.stated].passed) for thing, _ in given}
    return [_row(found, before.get(found.thing.id, {})) for found in refine(things, writer, critic, rounds)]


def _row(found: Refined[Thing], before: dict[str, bool]) -> DefinitionRow:
    thing, text = found.thing, found.text or ""
    origin: Literal["book", "completed", "none"] = "none"
    if text:
        origin = "book" if text == thing.stated else "completed"
    return DefinitionRow(
        id=thing.id,
        name=thing.name,
        label=thing.label,
        stated=thing.stated,
        definition=text,
        origin=origin,
        stop=found.stop,
        before=before,
        history=found.history if found.stop != "passed" or len(found.history) > 1 else (),
    )


class SheetRow(Row):
    """Two definitions of one thing, in an order drawn by lot, for a reader who does not know which is whose."""

    id: str
    name: str
    a: str
    b: str
    a_is: str
    """`book` or `completed`; keep this column from the reader."""


def sheet(rows: Sequence[DefinitionRow], seed: int) -> list[SheetRow]:
    """All things with a stated and a different, completed definition."""
    found: list[SheetRow] = []
    for row in rows:
        if row.stated and row.origin == "completed":
            pair = [("book", row.stated), ("completed", row.definition)]
            if int(digest(f"{seed}:{row.id}", 4), 36) % 2:
                pair.reverse()
            found.append(SheetRow(id=row.id, name=row.name, a=pair[0][1], b=pair[1][1], a_is=pair[0][0]))
    return found
