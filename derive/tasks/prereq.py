"""Prerequisite reasoning: all that must come before a thing, and what comes directly after it (paper §4.1, Prereq)."""

from __future__ import annotations

from collections.abc import Iterator

from derive.draft import Draft, Gold, Layer
from derive.material import Material
from derive.view import GraphView


def before(material: Material) -> Iterator[Draft]:
    """Thing → its prerequisite closure. What lies on a cycle is neither asked about nor an answer."""
    view, words = material.view, material.words
    for query in view.with_role("term", "procedure", "activity"):
        later = view.closure(query, "prerequisite", True)
        golds = sorted(view.closure(query, "prerequisite", False) - later)
        if not golds or query in later:
            continue
        paths = [view.chain("prerequisite", gold, query) for gold in golds]
        edges = [view.edge("prerequisite", key[1], key[2]) for path in paths for key in path]
        loose = _loose(view, query)
        yield Draft(
            task="prereq_1",
            template="prereq_1",
            query=query,
            golds=tuple(Gold(gold, path) for gold, path in zip(golds, paths, strict=True)),
            layers=(
                Layer("descendant", later),
                Layer("two_hop", view.ring(golds, 2)),
                Layer("sibling", view.siblings(*golds)),
            ),
            refused={"union": (view.near(query, *golds) - later) | loose, "closure": view.kin(query, *golds)},
            surely_wrong=later - loose - view.kin(query, *golds),
            texts=words.said(query) + words.quoted(edges) + " ".join(words.said(gold) for gold in golds),
        )


def after(material: Material) -> Iterator[Draft]:
    """Thing → its direct successors; remoter successors are never options, since they come after it as well."""
    view, words = material.view, material.words
    for query in view.with_role("term", "procedure"):
        earlier = view.closure(query, "prerequisite", False)
        golds = [node for node in view.after(query, "prerequisite") if node not in earlier]
        if not golds or query in earlier:
            continue
        edges = [view.edge("prerequisite", query, gold) for gold in golds]
        loose = _loose(view, query)
        yield Draft(
            task="prereq_2",
            template="prereq_2",
            query=query,
            golds=tuple(Gold(gold, (edge.key(),)) for gold, edge in zip(golds, edges, strict=True) if edge),
            layers=(
                Layer("ancestor", earlier),
                Layer("two_hop", view.ring(golds, 2)),
                Layer("sibling", view.siblings(*golds)),
            ),
            refused={
                "union": (view.near(query, *golds) - earlier) | loose,
                "closure": view.closure(query, "prerequisite", True) | view.kin(query, *golds),
            },
            surely_wrong=earlier - loose - view.kin(query, *golds),
            texts=words.quoted(edges),
            silent=True,
        )


def _loose(view: GraphView, query: str) -> frozenset[str]:
    """What belongs to the query in a way that says nothing about order."""
    return view.both_ways(query, "association") | view.both_ways(query, "taxonomy")
