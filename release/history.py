"""What a release owes to the one before: ids that went, where they went, and a benchmark that stays as it was.

In: the material, the previous release. Out: forwarding entries, the frozen benchmark, its errata. Raises SettingsError
where the new version number promises less change than there is (data SemVer: major for ids, columns or meaning, minor
for more, patch for corrections under the same ids).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from kg.errors import SettingsError
from kg.graph import Graph, Node
from kg.item import Item
from kg.row import Row
from kg.text import squash
from release.folder import ERRATA, FORWARDING, Folder
from release.material import Material

_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")


class Forward(Row):
    """An id that a former release had and this one has not."""

    id: str
    to: str = ""
    """Id under which the same thing is found now; empty if it is gone."""
    since: str
    """First version without it."""
    why: str


class Erratum(Row):
    """An item of the frozen benchmark that no longer agrees with the graph, or that somebody reported."""

    id: str
    since: str
    """First version of the data in which it is known."""
    what: str


def numbers(version: str, where: str = "release.version") -> tuple[int, int, int]:
    """The three numbers of a version. Raises SettingsError if there are not three."""
    hit = _VERSION.fullmatch(version)
    if not hit:
        raise SettingsError(f"{version!r} is no version", where=where, remedy="three numbers, for example 1.0.0")
    major, minor, patch = (int(part) for part in hit.groups())
    return major, minor, patch


def opened(previous: str) -> Folder | None:
    """The previous release; none if none is named. Raises InputError if there is none at that place."""
    return Folder(Path(previous).expanduser()) if previous else None


def forwarding(material: Material, previous: Folder | None, version: str) -> list[Forward]:
    """Every id of any former release that is not in this one, with where it went, sorted by id."""
    if previous is None:
        return []
    _check_version(previous, version, [])
    now = {node.id for node in material.graph.nodes}
    old = [Forward.model_validate(row) for row in previous.lines(FORWARDING)]
    successor = _successors(previous.graph, material)
    gone = [node.id for node in previous.graph.nodes if node.id not in now]
    entries = {entry.id: entry for entry in old if entry.id not in now}
    for entry in list(entries.values()):
        if entry.to and entry.to not in now:
            entries[entry.id] = entry.model_copy(update={"to": successor.get(entry.to, ("", ""))[0]})
    for node in gone:
        to, why = successor.get(node, ("", "removed"))
        entries[node] = Forward(id=node, to=to, since=version, why=why)
    _check_version(previous, version, gone)
    return [entries[key] for key in sorted(entries)]


def _check_version(previous: Folder, version: str, gone: Sequence[str]) -> None:
    new, old = numbers(version), numbers(previous.version, "the previous release")
    if new <= old:
        raise SettingsError(
            f"{version} does not follow {previous.version}", where="release.version", remedy="name a greater one"
        )
    if gone and new[0] == old[0]:
        raise SettingsError(
            f"{len(gone)} ids of {previous.version} are gone, the first {gone[0]}: that is a major change",
            where="release.version",
            remedy=f"name it {old[0] + 1}.0.0",
        )


def check_readers(previous: Folder | None, quotes: str, licenses: Sequence[str]) -> None:
    """What is compared with and handed on from a release that had more would show what is to be withheld.

    Raises SettingsError if the previous release was made under other rules.
    """
    if previous is None:
        return
    rules = (previous.manifest.get("quotes"), sorted(previous.manifest.get("licenses", [])))
    if rules != (quotes, sorted(licenses)):
        raise SettingsError(
            "the previous release was made for other readers: its `quotes` or `licenses` differ",
            where="release.previous",
            remedy="name a release with the same two settings",
        )


def _successors(before: Graph, material: Material) -> dict[str, tuple[str, str]]:
    """Old id -> (new id, why): what merging joined it with; else the one node that quotes the same place, or bears
    the same name, and is of the same type."""
    now = {node.id for node in material.graph.nodes}
    by_place, by_name = _index(material.graph.nodes)
    found: dict[str, tuple[str, str]] = {}
    for node in before.nodes:
        if node.id in now:
            continue
        joined = material.joined.get(node.id, "")
        same_name = by_name.get((node.label, squash(node.name)), set())
        same_place = set.union(set(), *(by_place.get(place, set()) for place in _places(node)))
        if joined in now:
            found[node.id] = (joined, "joined")
        elif len(same_name) == 1:
            found[node.id] = (next(iter(same_name)), "same name")
        elif len(same_place) == 1:
            found[node.id] = (next(iter(same_place)), "same place")
    return found


Place = tuple[str, str, int, int]


def _index(nodes: Sequence[Node]) -> tuple[Mapping[Place, set[str]], Mapping[tuple[str, str], set[str]]]:
    by_place: dict[Place, set[str]] = defaultdict(set)
    by_name: dict[tuple[str, str], set[str]] = defaultdict(set)
    for node in nodes:
        by_name[node.label, squash(node.name)].add(node.id)
        for place in _places(node):
            by_place[place].add(node.id)
    return by_place, by_name


def _places(node: Node) -> set[Place]:
    return {(node.label, quote.section, quote.start, quote.end) for quote in node.provenance}


def frozen(material: Material, previous: Folder | None, bench_version: str) -> tuple[Item, ...]:
    """The items of this release: those of the previous one as they were, if it has the same benchmark version."""
    if previous is not None and previous.manifest.get("bench_version") == bench_version and previous.items:
        return previous.items
    return material.items


def errata(items: Sequence[Item], material: Material, previous: Folder | None, version: str) -> list[Erratum]:
    """Known faults of the items, sorted: those of former releases, and items the graph no longer supports."""
    ids = {item.id for item in items}
    old = [Erratum.model_validate(row) for row in previous.lines(ERRATA)] if previous else []
    entries = {entry.id: entry for entry in old if entry.id in ids}
    nodes = {node.id for node in material.graph.nodes}
    edges = {edge.key() for edge in material.graph.edges}
    for item in items:
        if item.id not in entries and (what := _fault(item, nodes, edges)):
            entries[item.id] = Erratum(id=item.id, since=version, what=what)
    return [entries[key] for key in sorted(entries)]


def _fault(item: Item, nodes: set[str], edges: set[tuple[str, str, str]]) -> str:
    named = [item.query, *(choice.id for choice in item.choices.values())]
    for node in named:
        if node and node not in nodes:
            return f"{node} is no longer in the graph"
    for letter, choice in item.choices.items():
        lost = next((step for step in choice.path if step not in edges), None) if choice.right else None
        if lost:
            return f"{letter} is no longer supported: {' '.join(lost)} is not in the graph"
    return ""
