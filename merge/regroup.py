"""People's word on what is one thing: entities are joined, or taken apart, as decided.

In: a settled registry and decisions on pairs of nodes and on uses of a name. Out: the same books with other entities,
where replaced ids lead now, and what became of each decision. Decisions are followed in their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from kg.decisions import Decision, Outcome, pair_content, use_content
from kg.graph import Finding, Node
from merge.edges import Settled
from merge.entities import Entity, Member, Names, sense_id
from merge.nodes import Press
from merge.registry import Registry
from merge.rows import Join

PERSON = "person"
"""Rule of joins that people decided."""


@dataclass(frozen=True)
class Regrouped:
    """What is one thing, and who says so."""

    books: Settled
    forwards: Mapping[str, str]
    """Replaced id -> id of the node that has taken its place."""
    outcomes: tuple[Outcome, ...]
    pairs: frozenset[frozenset[str]]
    """Ids (as they were before) that people have spoken about."""
    uses: frozenset[tuple[str, str]]
    """Node and chapter of uses that people have spoken about."""


@dataclass
class _Desk:
    registry: Registry
    press: Press
    books: Settled
    forwards: dict[str, str] = field(default_factory=dict)
    moved: dict[int, Entity] = field(default_factory=dict)
    """Unit (by identity) -> its new entity."""
    apart: set[frozenset[str]] = field(default_factory=set)
    pairs: set[frozenset[str]] = field(default_factory=set)
    uses: set[tuple[str, str]] = field(default_factory=set)
    before: dict[str, Node] = field(default_factory=dict)
    """Nodes as they were before anybody joined them."""


def regrouped(registry: Registry, books: Settled, decisions: Iterable[Decision], press: Press) -> Regrouped:
    """The registry's entities, joins and names follow the decisions afterwards."""
    wanted = sorted(decisions, key=lambda decision: decision.kind == "pair")
    desk = _Desk(registry, press, books)
    desk.apart = {frozenset(decision.about) for decision in wanted if decision.verdict == "apart"}
    outcomes = [_use(desk, decision) if decision.kind == "use" else _pair(desk, decision) for decision in wanted]
    if desk.forwards or desk.moved:
        books = _settled(desk)
        registry.names = Names()
        for part, entities in books:
            for unit, entity in zip(part.units, entities, strict=True):
                registry.names.learn(entity, unit)
    last = {old: _last(desk.forwards, old) for old in desk.forwards}
    return Regrouped(books, last, tuple(outcomes), frozenset(desk.pairs), frozenset(desk.uses))


def unanswered(findings: Iterable[Finding], regroup: Regrouped) -> list[Finding]:
    """Questions about what is one thing that nobody has answered yet; replaced ids are forwarded."""
    return [_forwarded(found, regroup.forwards) for found in findings if not _answered(found, regroup)]


def _answered(finding: Finding, regroup: Regrouped) -> bool:
    if finding.action != "review" or finding.edge is not None or not finding.nodes:
        return False
    if len(finding.nodes) == 1:
        second = finding.details.get("second")
        return isinstance(second, dict) and (finding.nodes[0], second.get("chapter")) in regroup.uses
    pairs = [frozenset(pair) for pair in combinations(finding.nodes, 2)]
    one = len({regroup.forwards.get(node, node) for node in finding.nodes}) == 1
    return one or all(pair in regroup.pairs for pair in pairs)


def _forwarded(finding: Finding, forwards: Mapping[str, str]) -> Finding:
    if not any(node in forwards for node in finding.nodes):
        return finding
    nodes = tuple(dict.fromkeys(forwards.get(node, node) for node in finding.nodes))
    return finding.model_copy(update={"nodes": nodes})


def _last(forwards: Mapping[str, str], node: str) -> str:
    while node in forwards:
        node = forwards[node]
    return node


def _use(desk: _Desk, decision: Decision) -> Outcome:
    """The chapter's use of the name is a thing of its own afterwards, or confirmed to be the same."""
    node, chapter, name = decision.about
    entity = desk.registry.entities.get(node)
    if entity is None:
        return Outcome(decision=decision, outcome="vanished", why=f"no node {node}")
    uses = [member for member in entity.members if member.unit.chapter == chapter and _named(member, name)]
    if not uses or len(uses) == len(entity.members):
        why = f"{node} has no such use any more" if not uses else f"{node} has no other use any more"
        return Outcome(decision=decision, outcome="vanished", why=why)
    quotes = uses[0].unit.evidence
    if not decision.saw(use_content(desk.press.node(entity).name, quotes[0].quote if quotes else "")):
        return Outcome(decision=decision, outcome="changed", why="it is described in other words now")
    desk.uses.add((node, chapter))
    if decision.verdict == "apart":
        _split(desk, entity, uses)
    return Outcome(decision=decision, outcome="applied")


def _named(member: Member, name: str) -> bool:
    return any(printed == name for printed, _ in member.unit.names)


def _split(desk: _Desk, entity: Entity, uses: Sequence[Member]) -> None:
    registry = desk.registry
    own = sense_id(registry.subject, uses[0].unit, set(registry.entities))
    registry.entities[own] = other = Entity(own, entity.label, list(uses))
    gone = {id(member) for member in uses}
    entity.members = [member for member in entity.members if id(member) not in gone]
    desk.moved |= {id(member.unit): other for member in uses}
    places = {(member.book, member.unit.chapter, member.unit.names[0][0]) for member in uses}
    registry.joins = [
        join for join in registry.joins if join.id != entity.id or (join.book, join.chapter, join.name) not in places
    ]


def _pair(desk: _Desk, decision: Decision) -> Outcome:
    """The two are one afterwards, or stay two and are not asked about again."""
    entities = [desk.registry.entities.get(_last(desk.forwards, node)) for node in decision.about]
    one, other = entities[0], entities[1]
    if one is None or other is None:
        missing = next(node for node, entity in zip(decision.about, entities, strict=True) if entity is None)
        return Outcome(decision=decision, outcome="vanished", why=f"no node {missing}")
    now = [desk.press.node(one), desk.press.node(other)]
    before = [desk.before.get(node, at) for node, at in zip(decision.about, now, strict=True)]
    named = [at.model_copy(update={"id": node}) for node, at in zip(decision.about, now, strict=True)]
    schema = desk.press.schema
    if not any(decision.saw(pair_content(nodes[0], nodes[1], schema)) for nodes in (now, before, named)):
        return Outcome(decision=decision, outcome="changed", why="one of them is described in other words now")
    if decision.verdict == "merge" and one is not other:
        if blocked := _kept_apart(desk, one.id, other.id):
            return Outcome(decision=decision, outcome="changed", why=f"people keep {blocked} apart")
        desk.before |= dict(zip(decision.about, before, strict=True))
        _fuse(desk, one, other)
    desk.pairs.add(frozenset(decision.about))
    return Outcome(decision=decision, outcome="applied")


def _kept_apart(desk: _Desk, one: str, other: str) -> str:
    """A pair that is to stay two things and would become one; empty if there is none."""
    for pair in sorted(tuple(sorted(pair)) for pair in desk.apart):
        if {_last(desk.forwards, node) for node in pair} == {one, other}:
            return " and ".join(pair)
    return ""


def _fuse(desk: _Desk, one: Entity, other: Entity) -> None:
    """The one that was met first in the curriculum keeps its id and takes everything."""
    registry = desk.registry
    founded = {entity: place for place, entity in enumerate(registry.entities)}
    kept, gone = sorted((one, other), key=lambda entity: founded[entity.id])
    order = {part.book.slug: place for place, (part, _) in enumerate(desk.books)}
    members = [*kept.members, *gone.members]
    first, *rest = members
    kept.members = [first, *sorted(rest, key=lambda member: (order[member.book], member.unit.at))]
    del registry.entities[gone.id]
    desk.forwards[gone.id] = kept.id
    registry.joins = [
        join.model_copy(update={"id": kept.id}) if join.id == gone.id else join for join in registry.joins
    ]
    registry.joins += [_join(kept, gone, member) for member in gone.members]


def _join(kept: Entity, gone: Entity, member: Member) -> Join:
    return Join(
        id=kept.id,
        alone=gone.id,
        label=kept.label,
        rule=PERSON,
        score=1.0,
        book=member.book,
        chapter=member.unit.chapter,
        name=member.unit.names[0][0],
        evidence=member.unit.evidence[:1],
    )


def _settled(desk: _Desk) -> Settled:
    entities = desk.registry.entities
    settled = []
    for part, old in desk.books:
        moved = [desk.moved.get(id(unit), entity) for unit, entity in zip(part.units, old, strict=True)]
        settled.append((part, [entities[_last(desk.forwards, entity.id)] for entity in moved]))
    return settled
