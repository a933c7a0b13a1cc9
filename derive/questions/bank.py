"""What a graph allows to ask, with distractors to choose from; kept, so that another question set costs no search.

In: `Material`, settings. Out: `Bank`. It is kept under a name that says what it was made from: graph, settings, code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path as FilePath

from pydantic import ValidationError

from derive.draft import Draft, Gold, Layer
from derive.judge import RuleJudge, Verdict
from derive.material import Material
from derive.options import Distractor, Likeness, Open, PoolBuilder
from derive.path import Path, Step
from derive.questions.routes import CHAINS, Hop, Route, RouteFinder
from derive.questions.search import terms
from derive.questions.settings import Rules
from derive.questions.stems import Wording
from kg.graph_io import evidence
from kg.row import Row
from kg.schema import EdgeRole
from kg.stage import code_digest
from kg.store import Store, canonical, sha256

BATCH = 512
Walk = tuple[EdgeRole, str, str, bool]


class Entry(Row):
    """A route and what can stand beside its answers."""

    anchor: str
    hops: tuple[tuple[EdgeRole, bool], ...]
    paths: tuple[tuple[Walk, ...], ...]
    pool: tuple[tuple[str, str], ...] = ()
    """Distractors near to far: (node, layer)."""
    reason: str = ""
    """Why it cannot be asked; empty if it can."""

    @property
    def route(self) -> Route:
        """As it was found."""
        paths = tuple(Path(tuple(Step(*walk) for walk in path)) for path in self.paths)
        return Route(self.anchor, tuple(Hop(*hop) for hop in self.hops), paths)


class Head(Row):
    """First line of a kept bank."""

    made_from: str
    refused: dict[str, int]
    """Rows of relations that were walked and not kept, by level and reason."""
    distractors: dict[str, int]
    """Distractors that were looked at and left out, by reason."""


class RouteJudge(RuleJudge):
    """Refuses also what may be right by way of a step: whose record speaks of it, or who is named like it."""

    def _verdict(self, draft: Draft, candidate: str) -> Verdict:
        verdict = super()._verdict(draft, candidate)
        if not verdict.valid:
            return verdict
        words, view = self._m.words, self._m.view
        steps = sorted(draft.refused["on_the_way"])
        if any(words.speaks_of(words.said(candidate), step) for step in steps):
            return Verdict(False, "open_world_step_mention")
        shows = [view.role(node) == "activity" for node in (candidate, draft.query)]
        if any(shows) and any(self._named_like(node, candidate) for node in (draft.query, *steps)):
            return Verdict(False, "open_world_shared_word")
        return verdict

    def _named_like(self, one: str, other: str) -> bool:
        """True if the two names share a word: an experiment is named after what it shows."""
        names = (self._m.words.keyed(self._m.view.nodes[node].name) for node in (one, other))
        first, second = (set(terms(name, self._m.language)) for name in names)
        return bool(first & second)


@dataclass(frozen=True)
class Bank:
    """Everything that can be asked."""

    head: Head
    entries: tuple[Entry, ...]
    kept: bool
    """True if it was there already."""


def bank_of(material: Material, rules: Rules, likeness: Likeness, wording: Wording, graph: str) -> Bank:
    """The bank of a graph (its digest), from where it is kept or made anew and kept."""
    made_from = _made_from(material, rules, likeness, graph)
    store = Store(FilePath(rules.bank)) if rules.bank else None
    name = f"{made_from[:32]}.jsonl"
    if store and (known := _read(store, name, made_from)):
        return known
    head, entries = _made(material, rules, likeness, wording, made_from)
    if store:
        lines = "\n".join(row.to_json() for row in (head, *entries))
        store.write(name, f"{lines}\n".encode())
    return Bank(head, tuple(entries), kept=False)


def _made_from(material: Material, rules: Rules, likeness: Likeness, graph: str) -> str:
    code = [code_digest("kg"), code_digest("derive")]
    pool = {name: getattr(rules.pool, name) for name in rules.pool.__dataclass_fields__}
    chosen = [rules.budget, list(rules.relations), rules.evidence, pool, likeness.similarity.label]
    words = [material.view.schema.model_dump(mode="json"), material.language.model_dump(mode="json")]
    return sha256(canonical([graph, chosen, code, words]))


def _read(store: Store, name: str, made_from: str) -> Bank | None:
    """None if there is none or it cannot be read: then it is made again."""
    if not store.exists(name):
        return None
    try:
        first, *lines = store.read_text(name).splitlines()
        head = Head.model_validate_json(first)
        entries = tuple(Entry.model_validate_json(line) for line in lines)
    except (ValidationError, ValueError):
        return None
    return Bank(head, entries, kept=True) if head.made_from == made_from else None


def _made(
    material: Material, rules: Rules, likeness: Likeness, wording: Wording, made_from: str
) -> tuple[Head, list[Entry]]:
    finder = finder_of(material, rules)
    routes = finder.routes(rules.budget)
    builder = PoolBuilder(material, rules.pool, likeness, [RouteJudge(material)])
    entries: list[Entry] = []
    for start in range(0, len(routes), BATCH):
        batch = routes[start : start + BATCH]
        stems = [wording.stem(route) for route in batch]
        drafts = [draft_of(material, finder, route) for route in batch]
        vectors = likeness.similarity.vectors(stems)
        opened = builder.open_all(list(zip(drafts, stems, vectors, strict=True)))
        entries += [_entry(material, route, found) for route, found in zip(batch, opened, strict=True)]
    refused, distractors = dict(sorted(finder.refused.items())), dict(sorted(builder.refused.items()))
    return Head(made_from=made_from, refused=refused, distractors=distractors), entries


def finder_of(material: Material, rules: Rules) -> RouteFinder:
    """Searches the graph by the rules."""
    return RouteFinder(material.view, rules.relations, lambda edge: not rules.evidence or bool(evidence(edge)))


def draft_of(material: Material, finder: RouteFinder, route: Route) -> Draft:
    """The route as a question to be: what is right, where to look for what is wrong, and what a reader might accept."""
    view, words = material.view, material.words
    slim = slim_draft(material, route)
    keys = [key for gold in slim.golds for key in gold.path]
    edges = [view.edge(view.schema.edges[kind].role, source, target) for kind, source, target in keys]
    steps = {node for path in route.paths for node in path.nodes[1:-1]}
    refused = {
        "loose_reading": finder.loosely(route.anchor, route.hops),
        "on_the_way": steps,
        "closure": view.kin(*route.answers) if set(hop.role for hop in route.hops) & CHAINS else frozenset(),
    }
    if route.level == 1:
        refused["union"] = view.near(route.anchor)
    return replace(
        slim,
        layers=(
            Layer("two_hop", view.ring(route.answers, 2)),
            Layer("three_hop", view.ring(route.answers, 3)),
            Layer("sibling", view.siblings(*route.answers)),
        ),
        refused=refused,
        texts=words.said(route.anchor) + words.quoted(edges),
        silent=route.level == 1,
    )


def slim_draft(material: Material, route: Route) -> Draft:
    """What is asked about and what is right, when the options are found."""
    return Draft(
        task=f"level_{route.level}",
        template=f"level_{route.level}_{route.code}",
        query=route.anchor,
        golds=tuple(Gold(path.nodes[-1], path.keys(material.view)) for path in route.paths),
        layers=(),
    )


def _entry(material: Material, route: Route, found: Open | str) -> Entry:
    paths = tuple(tuple((s.role, s.start, s.end, s.forward) for s in path.steps) for path in route.paths)
    hops = tuple((hop.role, hop.forward) for hop in route.hops)
    reason, pool = "", tuple[tuple[str, str], ...]()
    if any(material.words.inside(route.anchor, answer) for answer in route.answers):
        # who can read sees that thermal efficiency is a kind of efficiency
        reason = "answer_named_like_what_is_asked_about"
    elif isinstance(found, str):
        reason = found
    elif len(found.golds) < len(route.answers):
        reason = "answers_cannot_be_shown_together"
    elif len(route.answers) not in found.feasible:
        reason = "too_few_distractors"
    else:
        pool = tuple((one.id, one.layer) for one in found.pool)
    return Entry(anchor=route.anchor, hops=hops, paths=paths, pool=pool, reason=reason)


def opened(draft: Draft, pool: Sequence[tuple[str, str]]) -> Open:
    """A draft with its pool as the choice of options takes it."""
    return Open(draft, draft.golds, tuple(Distractor(node, layer) for node, layer in pool))


def refusals(head: Head, level: int) -> Counter[str]:
    """Why rows of relations of the level were not kept."""
    mark = f"level_{level}_"
    return Counter({name.removeprefix(mark): n for name, n in head.refused.items() if name.startswith(mark)})
