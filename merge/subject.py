"""From books to the subject: all `BookPart`s become one graph.

In: the parts, in any order. Out: nodes, edges, joins and findings, the same bytes for the same parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kg.decisions import Decision, Outcome
from kg.graph import Edge, Finding, Node
from kg.names import key
from kg.project import Project
from kg.similarity import Similarity
from kg.subject import curriculum_order
from kg.text import fold
from merge.arrival import Judge
from merge.crosslinks import Crosslinks
from merge.decided import decided, in_force, misfits
from merge.edges import Bundle, Settled, Weaver, edges_of, names_asked
from merge.entities import Entity
from merge.light import compared, emptied, light_part
from merge.meaning import same_meanings
from merge.nodes import Press
from merge.registry import Registry
from merge.regroup import regrouped, unanswered
from merge.review import look_alikes
from merge.rows import BookPart, Join
from merge.senses import Limits
from merge.vetoes import Vetoes


@dataclass(frozen=True)
class Choices:
    """Settings of the subject level."""

    preferred: tuple[str, ...]
    near: float
    limits: Limits
    crosslink_confidence: float
    similarity: Similarity | None = None
    """Compares descriptions; none: only names are compared."""
    meaning: float = 0.8


@dataclass(frozen=True)
class Merged:
    """The subject's graph before it is checked."""

    nodes: list[Node]
    edges: list[Edge]
    joins: list[Join]
    findings: list[Finding]
    outcomes: list[Outcome]
    """What became of people's decisions."""


def merged(project: Project, parts: Iterable[BookPart], choices: Choices, decisions: Iterable[Decision] = ()) -> Merged:
    """One graph of all books, independent of their order, with people's decisions applied."""
    kept, outcomes = in_force(decisions)
    read = _read(project, parts, choices, kept)
    edges = [*edges_of(read.bundles), *read.edges]
    press = Press(project.schema, choices.preferred)
    nodes = [*map(press.node, emptied(read.entities)), *read.nodes]
    graph = decided(nodes, edges, kept, project.schema, read.forwards)
    outcomes += [*read.outcomes, *graph.outcomes]
    findings = [*read.findings, *graph.findings, *misfits(outcomes, graph.nodes, graph.edges)]
    return Merged(
        sorted(graph.nodes.values(), key=lambda node: node.id),
        sorted(graph.edges.values(), key=Edge.key),
        sorted(read.joins, key=lambda join: (join.id, join.book, join.chapter, join.to_json())),
        sorted(findings, key=lambda finding: (finding.check, finding.nodes, finding.to_json())),
        outcomes,
    )


@dataclass(frozen=True)
class _Read:
    """What all books say, sorted out; the books themselves are no longer needed."""

    entities: list[Entity]
    bundles: dict[tuple[str, str, str], Bundle]
    nodes: list[Node]
    """Of the books' structure."""
    edges: list[Edge]
    joins: list[Join]
    findings: list[Finding]
    forwards: Mapping[str, str]
    outcomes: tuple[Outcome, ...]


def _read(project: Project, parts: Iterable[BookPart], choices: Choices, decisions: Sequence[Decision]) -> _Read:
    ordered = sorted(map(light_part, parts), key=lambda part: curriculum_order(part.book))
    languages = {part.language: project.languages[part.language] for part in ordered}
    vetoes = {code: Vetoes(language) for code, language in languages.items()}
    registry = Registry(project.subject, Judge(project.schema, choices.limits), vetoes)
    books: Settled = [(part, registry.add(part)) for part in ordered]
    press = Press(project.schema, choices.preferred)
    regroup = regrouped(registry, books, (row for row in decisions if row.kind in ("pair", "use")), press)
    books = regroup.books
    weaver = _woven(project, registry, books)
    if choices.crosslink_confidence > 0:
        for needed in Crosslinks(project.schema, languages, choices.crosslink_confidence).find(books):
            weaver.add(needed.link.type, (needed.source, needed.target), needed.book, needed.link)
    findings = [*registry.findings, *weaver.findings, *(finding for part in ordered for finding in part.findings)]
    findings += _alike(project, registry.entities.values(), books, vetoes, choices)
    for part in ordered:
        compared(part)
    return _Read(
        list(registry.entities.values()),
        weaver.bundles,
        [node for part in ordered for node in part.nodes],
        [edge for part in ordered for edge in part.edges],
        registry.joins,
        unanswered(findings, regroup),
        regroup.forwards,
        regroup.outcomes,
    )


def _woven(project: Project, registry: Registry, books: Settled) -> Weaver:
    keys: dict[str, dict[tuple[str, str], str]] = {part.language: {} for part, _ in books}
    for code, ref in names_asked(part for part, _ in books):
        asks = project.schema.role(ref.label) == "question"
        found = "".join(fold(ref.name).split()) if asks else key(ref.name, project.languages[code])
        keys[code][(ref.label, ref.name)] = found
    weaver = Weaver(project.schema, registry.names, keys)
    weaver.weave(books)
    return weaver


def _alike(
    project: Project, entities: Iterable[Entity], books: Settled, vetoes: dict[str, Vetoes], choices: Choices
) -> list[Finding]:
    """Questions about similar names and descriptions, language by language; exercises have stems, not names."""
    asks = {label for label, kind in project.schema.nodes.items() if kind.role == "question"}
    of_book = {part.book.slug: part.language for part, _ in books}
    found: list[Finding] = []
    for code in sorted(vetoes):
        members: Sequence[Entity] = [
            entity for entity in entities if entity.label not in asks and of_book[entity.members[0].book] == code
        ]
        found += look_alikes(members, vetoes[code], choices.near, choices.limits)
        if choices.similarity is not None:
            asked = {frozenset(finding.nodes) for finding in found}
            more = same_meanings(members, project.schema, vetoes[code], choices.similarity, choices.meaning)
            found += [finding for finding in more if frozenset(finding.nodes) not in asked]
    return found
