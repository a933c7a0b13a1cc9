"""Claims under one name in one chapter become one unit.

In: node claims in reading order. Out: `Unit`s in reading order, nothing of the claims lost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from kg.graph import EdgeClaim, NodeClaim, Provenance
from kg.names import key
from kg.text import one_line, squash
from merge.desk import Desk, said, united
from merge.rows import Alias, Unit, Value

ALIASES = "aliases"
"""The property that holds other names."""
EXAMPLES = "examples"
"""The property that holds instances; it does not say what a thing is."""

Group = tuple[str, str, str]
"""Label, key, chapter: what makes a unit."""


def units_of(
    desk: Desk, nodes: Sequence[NodeClaim], edges: Sequence[EdgeClaim]
) -> tuple[tuple[Unit, ...], dict[Group, int]]:
    """The units in reading order, and which group is which unit."""
    grouped: dict[Group, list[NodeClaim]] = defaultdict(list)
    for claim in nodes:
        grouped[(claim.label, _identity(desk, claim), desk.chapter(claim.section).id)].append(claim)
    company = _company(desk, nodes, edges, set(grouped))
    units = [_unit(desk, group, claims, company[group]) for group, claims in grouped.items()]
    numbered = sorted(zip(units, grouped, strict=True), key=lambda pair: (pair[0].at, pair[1]))
    return tuple(unit for unit, _ in numbered), {group: at for at, (_, group) in enumerate(numbered)}


def _identity(desk: Desk, claim: NodeClaim) -> str:
    """The key that tells the node from others. Questions with one stem and other options are other questions."""
    found = desk.name_key(claim.label, claim.name)
    kind = desk.schema.nodes.get(claim.label)
    if kind is None or kind.role != "question":
        return found
    stem = claim.properties.get(kind.key)
    found = desk.name_key(claim.label, stem) if isinstance(stem, str) and stem.strip() else found
    choices = [claim.properties.get(name) for name, field in kind.fields.items() if field.type == "list"]
    return " ".join([found, *(squash(str(item)) for items in choices if isinstance(items, list) for item in items)])


def _unit(desk: Desk, group: Group, claims: Sequence[NodeClaim], company: set[str]) -> Unit:
    label, found, chapter = group
    names: dict[str, int] = defaultdict(int)
    for claim in claims:
        names[one_line(claim.name)] += 1
    sections = list(dict.fromkeys(claim.section for claim in claims))
    own = desk.words.content(names)
    return Unit(
        label=label,
        key=found,
        chapter=chapter,
        chapter_title=desk.chapter(claims[0].section).title,
        names=tuple(names.items()),
        at=desk.place(claims[0]),
        sections=tuple(sections),
        values=_values(desk, claims),
        aliases=_aliases(desk, found, claims),
        evidence=united(quote for claim in claims for quote in claim.evidence),
        said=tuple(sorted({said(claim) for claim in claims})),
        words=tuple(sorted(desk.words.content(_descriptions(desk, claims)) - own)),
        context=tuple(sorted(company - own)),
    )


def _values(desk: Desk, claims: Sequence[NodeClaim]) -> dict[str, tuple[Value, ...]]:
    """Distinct values per property in reading order; of two claims with one value the surer one is kept."""
    found: dict[str, dict[str, Value]] = defaultdict(dict)
    for claim in claims:
        for name, content in sorted(claim.properties.items()):
            if name == ALIASES or content in ("", [], None):
                continue
            same = squash(str(content)) or str(content)
            known = found[name].get(same)
            if known is None or known.confidence < claim.confidence:
                value = Value(
                    value=content,
                    section=claim.section,
                    rule=claim.rule,
                    confidence=claim.confidence,
                    at=desk.place(claim),
                )
                found[name][same] = value
    return {name: tuple(sorted(values.values(), key=lambda value: value.at)) for name, values in sorted(found.items())}


def _descriptions(desk: Desk, claims: Sequence[NodeClaim]) -> list[str]:
    """All texts that say what the thing is: free texts and lists of the schema, without names and instances."""
    kind = desk.schema.nodes.get(claims[0].label)
    free = [name for name, field in kind.fields.items() if not field.values and field.type != "integer"] if kind else []
    telling = [name for name in free if name not in (ALIASES, EXAMPLES)]
    return [str(item) for claim in claims for name in telling for item in _listed(claim.properties.get(name) or [])]


def _listed(content: Any) -> list[Any]:
    return content if isinstance(content, list) else [content]


def _aliases(desk: Desk, own: str, claims: Sequence[NodeClaim]) -> tuple[Alias, ...]:
    """Other names the claims state, by key; names that differ only in spelling from the node's own are none."""
    found: dict[str, Alias] = {}
    for claim in claims:
        for name in _listed(claim.properties.get(ALIASES) or []):
            alias = key(str(name), desk.language)
            if alias and alias != own:
                quotes = [quote for quote in claim.evidence if squash(str(name)) in squash(quote.quote)]
                known = found.get(alias)
                evidence = united([*(known.evidence if known else ()), *(quotes or claim.evidence[:1])])
                found[alias] = Alias(name=known.name if known else one_line(str(name)), key=alias, evidence=evidence)
    return tuple(found[alias] for alias in sorted(found))


def _company(
    desk: Desk, nodes: Sequence[NodeClaim], edges: Sequence[EdgeClaim], groups: set[Group]
) -> dict[Group, set[str]]:
    """Content words around each unit: titles, terms of its sections, and all quotations of the book that name it.

    Where several chapters claim one name, a quotation counts for its own chapter only. Questions get none: they are
    told by their stems.
    """
    company: dict[Group, set[str]] = {group: set() for group in groups}
    of_section = _sections(desk, nodes, edges)
    for claim in nodes:
        if desk.schema.role(claim.label) != "question":
            group = (claim.label, _identity(desk, claim), desk.chapter(claim.section).id)
            company[group] |= of_section[claim.section]
    holders: dict[str, list[Group]] = defaultdict(list)
    for group in sorted(groups):
        if desk.schema.role(group[0]) != "question":
            holders[group[1]].append(group)
    for quote in _quotes(nodes, edges):
        chapter = desk.chapter(quote.section).id
        content = desk.words.content([quote.quote])
        for name in desk.reader.named(quote.quote, holders):
            at_home = [group for group in holders[name] if group[2] == chapter]
            for group in at_home or holders[name]:
                company[group] |= content
    return company


def _quotes(nodes: Sequence[NodeClaim], edges: Sequence[EdgeClaim]) -> list[Provenance]:
    """Each place that is quoted, once."""
    quotes = [quote for claims in (nodes, edges) for claim in claims for quote in claim.evidence]
    return list({(quote.section, quote.start, quote.end): quote for quote in quotes}.values())


def _sections(desk: Desk, nodes: Sequence[NodeClaim], edges: Sequence[EdgeClaim]) -> dict[str, set[str]]:
    """Content words of titles and named terms of every section."""
    term = desk.schema.node_type("term")
    known: dict[str, set[str]] = defaultdict(set)
    for claim in nodes:
        known[claim.section].update([claim.name] if claim.label == term else [])
    for edge in edges:
        known[edge.section].update(end.name for end in (edge.source, edge.target) if end.label == term)
    titles = {row.id: [row.section_title, desk.chapter(row.id).title] for row in desk.rows}
    found = {section: desk.words.content([*titles.get(section, []), *names]) for section, names in known.items()}
    return defaultdict(set, found)
