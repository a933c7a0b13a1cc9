"""The two trees of a graph: where things are taught, and what is a kind of what.

In: a `Material`. Out: `Tree`s. An edge whose parent a node does not hang from is a link, with the reason.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from derive.material import Material
from derive.taxonomy.rectify import ROOT, Fate, Loops, Untangled, untangle
from derive.view import GraphView, Key
from kg.row import Row
from kg.schema import EdgeRole, NodeRole

Kind = Literal["structure", "concepts"]
KINDS: tuple[Kind, ...] = ("structure", "concepts")
TOP = "taxonomy:root"
"""Id of what everything hangs from; a node of the graph that had it would be left out."""
MEMBERS: Mapping[Kind, tuple[NodeRole, ...]] = {
    "structure": ("book", "chapter", "section", "term", "procedure", "activity"),
    "concepts": ("term",),
}
EDGES: Mapping[Kind, tuple[EdgeRole, ...]] = {"structure": ("containment", "location"), "concepts": ("taxonomy",)}
PLACES: tuple[NodeRole, ...] = ("book", "chapter", "section")


class Link(Row):
    """An edge to a parent that the node does not hang from."""

    to: str
    type: str
    why: str
    """`loop`, `redundant`, `shallower` or `tie`."""


class TreeRow(Row):
    """One node of a tree."""

    id: str
    name: str
    label: str
    parent: str
    """Empty of the root."""
    level: int
    """The root has level 0."""
    children: int
    below: int
    """Nodes under it, at any depth."""
    category: bool
    """A place, or a thing that has kinds; other nodes are leaves."""
    links: tuple[Link, ...] = ()


@dataclass(frozen=True)
class Tie:
    """A node and the parents, equally deep, of which one is to be chosen."""

    node: str
    parents: tuple[str, ...]
    """The first is the choice of the rules."""


Golden = Callable[[Sequence[Tie]], Sequence[str]]
"""Chooses a parent for each."""


class Tree:
    """A tree over nodes of the graph, in reading order: every node after its parent and before its next sibling."""

    def __init__(self, kind: Kind, above: Mapping[str, str], links: Mapping[str, Sequence[Link]], loops: Loops) -> None:
        """`above` names the parent of each node, `TOP` for those right under the root; siblings keep its order."""
        self.kind, self.above, self.links, self.loops = kind, dict(above), links, loops
        self.below: dict[str, list[str]] = defaultdict(list)
        for node, parent in above.items():
            self.below[parent].append(node)
        self.order: list[str] = []
        """All nodes, the root first."""
        self.level: dict[str, int] = {}
        self._walk()

    def _walk(self) -> None:
        stack = [(TOP, 0)]
        while stack:
            node, level = stack.pop()
            self.level[node] = level
            self.order.append(node)
            stack += [(child, level + 1) for child in reversed(self.below.get(node, ()))]
        size = dict.fromkeys(self.order, 1)
        for node in reversed(self.order[1:]):
            size[self.above[node]] += size[node]
        self._size = size
        self.place = {node: at for at, node in enumerate(self.order)}
        """Node -> its index in `order`; its branch follows it."""

    def ancestors(self, node: str) -> list[str]:
        """What the node hangs from, the root last; empty for what is not in the tree."""
        found: list[str] = []
        while node in self.above:
            node = self.above[node]
            found.append(node)
        return found

    def size(self, node: str) -> int:
        """Nodes in its branch, itself included."""
        return self._size[node]

    def line(self, node: str) -> list[str]:
        """The node and its ancestors; empty for what is not in the tree."""
        return [node, *self.ancestors(node)] if node in self.above else []


def grow(material: Material, kind: Kind, scope: frozenset[str] | None = None, golden: Golden | None = None) -> Tree:
    """The tree of this kind over the nodes in `scope` (all without one); `golden` settles ties, rules without it."""
    view = material.view
    ids = [node for node in view.with_role(*MEMBERS[kind]) if node != TOP and (scope is None or node in scope)]
    number = {node: at for at, node in enumerate(ids)}
    keys = sorted(key for key in _keys(view, kind) if key[1] in number and key[2] in number)
    # two types that say the same of the same ends are one edge of the web
    pairs = {(number[source], number[target]): kind_ for kind_, source, target in reversed(keys)}
    web = np.array(sorted(pairs), dtype=np.int32).reshape(-1, 2)
    loose = untangle(len(ids), web[:, 0].copy(), web[:, 1].copy())
    rank = _ranks(material, kind, ids, loose, golden)
    done = loose.tree(rank)
    links: dict[str, list[Link]] = defaultdict(list)
    fate = {(int(a), int(b)): Fate(int(f)) for (a, b), f in zip(web, done.fate, strict=True)}
    for type_, source, target in keys:
        found = fate[number[source], number[target]]
        if found != Fate.TREE:
            links[source].append(Link(to=target, type=type_, why=found.name.lower()))
    above = {node: TOP if done.above[at] == ROOT else ids[done.above[at]] for node, at in number.items()}
    return Tree(kind, dict(sorted(above.items(), key=lambda pair: _reading(material, pair[0]))), links, done.loops)


def _keys(view: GraphView, kind: Kind) -> Iterable[Key]:
    wanted = EDGES[kind]
    return (edge.key() for edge in view.edges() if view.schema.edges[edge.type].role in wanted)


def _reading(material: Material, node: str) -> tuple[float, str, str]:
    """Books, chapters and sections in their order, other things by name."""
    place = material.places.order.get(node)
    return (float("inf") if place is None else place, material.view.nodes[node].name.casefold(), node)


def _ranks(
    material: Material, kind: Kind, ids: Sequence[str], loose: Untangled, golden: Golden | None
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Per edge a rank, smaller for the parent to keep; only ties have one."""
    tied: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for edge in loose.ties().tolist():
        tied[ids[loose.child[edge]]].append((ids[loose.parent[edge]], edge))
    prefer = _first_taught if kind == "structure" else _nearest
    sorted_ = {
        node: sorted(parents, key=lambda pair: prefer(material, node, pair[0])) for node, parents in tied.items()
    }
    rank = np.zeros(len(loose.child))
    for parents in sorted_.values():
        rank[[edge for _, edge in parents]] = np.arange(1, len(parents) + 1)
    if golden and sorted_:
        asked = [Tie(node, tuple(parent for parent, _ in parents)) for node, parents in sorted_.items()]
        for tie, choice in zip(asked, golden(asked), strict=True):
            rank[[edge for parent, edge in sorted_[tie.node] if parent == choice]] = 0
    return rank


def _first_taught(material: Material, _: str, parent: str) -> tuple[float, str]:
    return (float(material.places.order.get(parent, len(material.places.order))), parent)


def _nearest(material: Material, node: str, parent: str) -> tuple[bool, bool, int, bool, str]:
    """Same section, same chapter, more in common with the other kinds of the parent, part of the name, id."""
    places, view = material.places, material.view
    here, there = ([places.scope(end, scope) for scope in ("section", "chapter")] for end in (node, parent))
    apart = [not one or one != other for one, other in zip(here, there, strict=True)]
    kin = view.near(node)
    shared = len(kin & frozenset(view.before(parent, "taxonomy")))
    return (apart[0], apart[1], -shared, not material.words.inside(node, parent), parent)


def branch(material: Material, root: str) -> frozenset[str]:
    """The node with this id or name and everything under it in either web, loops and all; empty if there is none."""
    view = material.view
    starts = [root] if root in view.nodes else [node for node, record in view.nodes.items() if record.name == root]
    down: dict[str, list[str]] = defaultdict(list)
    for kind in KINDS:
        for _, source, target in _keys(view, kind):
            down[target].append(source)
    seen = {node for node in starts if any(view.role(node) in MEMBERS[kind] for kind in KINDS)}
    frontier = sorted(seen)
    while frontier:
        frontier = sorted({child for node in frontier for child in down.get(node, ())} - seen)
        seen.update(frontier)
    return frozenset(seen)


def rows(tree: Tree, material: Material, title: str) -> list[TreeRow]:
    """One row per node in reading order, the root first."""
    view, found = material.view, []
    for node in tree.order:
        record = view.nodes.get(node)
        children = len(tree.below.get(node, ()))
        place = record is not None and view.role(node) in PLACES
        found.append(
            TreeRow(
                id=node,
                name=record.name if record else title,
                label=record.label if record else "",
                parent=tree.above.get(node, ""),
                level=tree.level[node],
                children=children,
                below=tree.size(node) - 1,
                category=place or children > 0,
                links=tuple(tree.links.get(node, ())),
            )
        )
    return found
