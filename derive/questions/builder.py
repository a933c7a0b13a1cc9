"""Makes a question set: what a bank holds, put into words, with options no ignorant rule profits from, validated.

In: `Material`, `Bank`, settings. Out: `Made`: items, and every question that was dropped with its reason.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from derive.benchmark import Dropped
from derive.choose import Asked, ChoiceRules, OptionChooser, Picked
from derive.items import ItemMaker
from derive.material import Material
from derive.options import Likeness, cosine
from derive.questions.bank import Bank, opened, slim_draft
from derive.questions.routes import Route
from derive.questions.scope import Scope
from derive.questions.settings import Rules
from derive.questions.stems import Stems, Wording
from derive.questions.validate import Finished, Validator
from derive.quotas import surplus
from derive.rubric import ModelRater, Rating, RubricCase
from kg.graph_io import evidence
from kg.ids import digest
from kg.item import Item
from kg.similarity import ngrams
from kg.text import fold

Ready = tuple[Asked, Route, tuple[tuple[str, str], ...]]
"""A question in words, its route, its distractors."""


@dataclass
class Made:
    """A question set."""

    items: list[Item] = field(default_factory=list)
    """Sorted by level and id; those with one right answer and those with several."""
    before: list[Item] = field(default_factory=list)
    """The same questions with the nearest distractors instead, those with one right answer."""
    routes: dict[str, Route] = field(default_factory=dict)
    """Id of an item -> what it asks for."""
    asked: Counter[int] = field(default_factory=Counter)
    """Level -> questions that the settings ask for."""
    dropped: list[Dropped] = field(default_factory=list)


class Builder:
    """Builds one question set."""

    def __init__(self, material: Material, rules: Rules, likeness: Likeness, wording: Wording) -> None:
        self._m, self._rules, self._likeness, self._wording = material, rules, likeness, wording
        self._chooser = OptionChooser(material, likeness, ChoiceRules(rules.seed, rules.nearness, rules.budget))

    def build(
        self,
        bank: Bank,
        scope: Scope,
        origin: Mapping[str, str],
        stems: Stems,
        validator: Validator,
        model: ModelRater | None = None,
    ) -> Made:
        """The question set; `origin` goes into every item, `model` looks after the rules have."""
        made = Made()
        ready = self._distinct(self._asked(self._due(bank, scope, made), stems), made)
        ready = self._limited(ready, made)
        routes = {asked.draft.key: route for asked, route, _ in ready}
        pairs = [(asked, opened(asked.draft, pool)) for asked, _, pool in ready]
        right = {asked.draft.key: len(asked.draft.golds) for asked, _, _ in ready}
        picked = self._chooser.picked(pairs, right)
        ratings = self._rated(self._items(picked, routes, origin), routes, validator, model)
        for key, found in ratings.items():
            if bad := next((rating for rating in found if not rating.ok), None):
                why = bad.reason if bad.reason in ("call_failed", "not_json") else "+".join(bad.failed)
                made.dropped.append(_drop(picked.pop(key), f"validation_{why}"))
        self._give_up(picked, made)
        made.items = [_checked(item, ratings[item.id]) for item in self._items(picked, routes, origin)]
        made.routes = {key: routes[key] for key in picked}
        near = self._chooser.picked(pairs, right, even=False)
        first = {key: one for key, one in near.items() if key in picked and right[key] == 1}
        made.before = self._items(first, routes, origin)
        made.dropped.sort(key=lambda one: (one.task, one.id))
        return made

    def _due(self, bank: Bank, scope: Scope, made: Made) -> list[tuple[Route, tuple[tuple[str, str], ...]]]:
        """What the settings ask for and the bank can give."""
        due = []
        for entry in bank.entries:
            route = entry.route
            several = len(route.answers) > 1
            if route.level not in self._rules.levels or route.mode not in self._rules.modes:
                continue
            if (several and not self._rules.multiselect) or not scope.covers(route.anchor, route.answers):
                continue
            made.asked[route.level] += 1
            if entry.reason:
                made.dropped.append(Dropped(id=_key(route), task=_task(route), reason=entry.reason))
            else:
                due.append((route, entry.pool))
        return due

    def _asked(self, due: Sequence[tuple[Route, tuple[tuple[str, str], ...]]], stems: Stems) -> list[Ready]:
        """In words, in an order that has nothing to do with the graph's."""
        turn = sorted(due, key=lambda one: digest(f"{self._rules.seed}:{_key(one[0])}", 24))
        texts = stems.write([route for route, _ in turn])
        ready: list[Ready] = []
        for (route, pool), text in zip(turn, texts, strict=True):
            ready.append((Asked(slim_draft(self._m, route), text, self._m.speak.asked(route.anchor)), route, pool))
        return ready

    def _distinct(self, ready: Sequence[Ready], made: Made) -> list[Ready]:
        """No two ask the same: from one node to the same answers only one row of relations, no two stems alike."""
        kept: list[Ready] = []
        pairs: set[tuple[str, tuple[str, ...]]] = set()
        texts: set[str] = set()
        rows: dict[tuple[str, ...], list[int]] = defaultdict(list)
        counts: Counter[tuple[int, tuple[str, ...]]] = Counter()
        grams = [frozenset(ngrams(fold(asked.question), (3,))) for asked, _, _ in ready]
        for number, (asked, route, pool) in enumerate(ready):
            others = rows[route.answers]
            alike = max((cosine(grams[number], grams[other]) for other in others), default=0.0)
            if asked.question.casefold() in texts:
                # namesakes in one section
                made.dropped.append(_dropped(asked, "repeated_question"))
            elif (route.anchor, route.answers) in pairs:
                made.dropped.append(_dropped(asked, "same_pair"))
            elif alike >= self._rules.near_stem:
                made.dropped.append(_dropped(asked, "near_duplicate"))
            elif counts[route.level, route.answers] >= self._rules.per_answer:
                made.dropped.append(_dropped(asked, "answers_asked_for_before"))
            else:
                counts[route.level, route.answers] += 1
                pairs.add((route.anchor, route.answers))
                texts.add(asked.question.casefold())
                others.append(number)
                kept.append((asked, route, pool))
        return kept

    def _limited(self, ready: Sequence[Ready], made: Made) -> list[Ready]:
        """The first so many of every level, of those with one right answer and of those with several."""
        if not self._rules.limit:
            return list(ready)
        kept: list[Ready] = []
        counts: Counter[tuple[int, bool]] = Counter()
        for one in ready:
            group = (one[1].level, len(one[1].answers) > 1)
            counts[group] += 1
            if counts[group] <= self._rules.limit:
                kept.append(one)
            else:
                made.dropped.append(_dropped(one[0], "over_limit"))
        return kept

    def _rated(
        self, items: Iterable[Item], routes: Mapping[str, Route], validator: Validator, model: ModelRater | None
    ) -> dict[str, list[Rating]]:
        """What the rules say of every item, and the model of those that pass and are drawn."""
        cases = validator.cases([Finished(item, routes[item.id]) for item in items], shown=model is not None)
        found = {case.key: [rating] for case, rating in zip(cases, validator.by_rules.rate(cases), strict=True)}
        if model is not None:
            drawn: list[RubricCase] = [case for case in cases if found[case.key][0].ok and validator.sampled(case)]
            for case, rating in zip(drawn, model.rate(drawn), strict=True):
                found[case.key].append(rating)
        return found

    def _give_up(self, picked: dict[str, Picked], made: Made) -> None:
        """Takes out single-answer questions that keep a probe's rate out of range, of a level and then of all."""
        singles = {key: one for key, one in picked.items() if one.right == 1}
        for task in (*(f"level_{level}" for level in self._rules.levels), ""):
            own = {key: one.chances for key, one in singles.items() if task in ("", one.chosen.draft.task)}
            if len(own) >= self._rules.give_up_from:
                for key in surplus(own, self._rules.low, self._rules.high):
                    made.dropped.append(_drop(picked[key], "shortcut_quota"))
                    del picked[key], singles[key]

    def _items(
        self, picked: Mapping[str, Picked], routes: Mapping[str, Route], origin: Mapping[str, str]
    ) -> list[Item]:
        """Finished records, sorted; the letters are given in the order of the lot."""
        maker = ItemMaker(self._m, self._rules.seed, origin)
        items = [self._item(maker.item(one.chosen), routes[key]) for key, one in picked.items()]
        return sorted(items, key=lambda item: (item.level, item.id))

    def _item(self, item: Item, route: Route) -> Item:
        view = self._m.view
        hops = [
            {"says": self._wording.hop(step), **_source(step.edge(view).provenance, evidence(step.edge(view)))}
            for step in dict.fromkeys(step for path in route.paths for step in path.steps)
        ]
        single = route.paths[0].keys(view) if len(route.paths) == 1 else ()
        return item.model_copy(
            update={
                "family": "questions",
                "level": route.level,
                "mode": route.mode,
                "path": single,
                "origin": {**item.origin, "relations": route.code, "hops": hops},
            }
        )


def _source(provenance: Sequence[object], quotes: Sequence[str]) -> dict[str, object]:
    """Where a hop is said: sentence, book and page (0-based); a released graph knows the sentence only."""
    first = next(iter(provenance), None)
    place = {name: getattr(first, name) for name in ("book", "section", "page")} if first else {}
    return {"quote": quotes[0] if quotes else "", **place}


def _checked(item: Item, ratings: Sequence[Rating]) -> Item:
    """Who passed it on which criterion."""
    by: dict[str, list[str]] = defaultdict(list)
    for rating in ratings:
        for name, passed in rating.passed.items():
            mark = ("YES" if name in rating.scores else "NA") if passed else "NO"
            by[name].append(f"{mark} ({rating.by})")
    return item.model_copy(update={"checks": {name: ", ".join(said) for name, said in by.items()}})


def _task(route: Route) -> str:
    return f"level_{route.level}"


def _key(route: Route) -> str:
    return f"{_task(route)}::{route.anchor}::{route.code}"


def _dropped(asked: Asked, reason: str) -> Dropped:
    return Dropped(id=asked.draft.key, task=asked.draft.task, reason=reason)


def _drop(picked: Picked, reason: str) -> Dropped:
    return Dropped(id=picked.chosen.draft.key, task=picked.chosen.draft.task, reason=reason)
