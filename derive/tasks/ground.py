"""Knowledge grounding: what an exercise tests, and which exercises test a thing (paper §4.1, Ground)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from derive.draft import Draft, Gold, Layer
from derive.material import Material
from derive.view import GraphView


def tested(material: Material) -> Iterator[Draft]:
    """Exercise → what it tests; terms and procedures are asked for apart."""
    view, words = material.view, material.words
    for query in view.with_role("question"):
        for role in ("term", "procedure"):
            golds = [node for node in view.after(query, "assessment") if view.role(node) == role]
            if not golds:
                continue
            edges = [view.edge("assessment", query, gold) for gold in golds]
            needed = {node for gold in golds for node in view.closure(gold, "prerequisite", False)}
            yield Draft(
                task="ground_1",
                template=f"ground_1_{role}",
                query=query,
                golds=tuple(Gold(gold, (edge.key(),)) for gold, edge in zip(golds, edges, strict=True) if edge),
                layers=(Layer("two_hop", view.ring(golds, 2)), Layer("sibling", view.siblings(*golds))),
                refused={"union": view.near(*golds), "closure": view.kin(*golds) | needed},
                texts=words.said(query) + words.quoted(edges) + " ".join(words.said(gold) for gold in golds),
            )


def tests(material: Material) -> Iterator[Draft]:
    """Term or procedure → the exercises that test it."""
    view, words = material.view, material.words
    for query in view.with_role("term", "procedure"):
        golds = view.before(query, "assessment")
        if not golds:
            continue
        edges = [view.edge("assessment", gold, query) for gold in golds]
        two_hop = [node for node in view.ring([query], 2) if view.role(node) == view.role(query)]
        related = view.kin(query) | view.closure(query, "prerequisite", True)
        yield Draft(
            task="ground_2",
            template="ground_2",
            query=query,
            golds=tuple(Gold(gold, (edge.key(),)) for gold, edge in zip(golds, edges, strict=True) if edge),
            layers=(
                Layer("two_hop", testing(view, two_hop)),
                Layer("sibling", testing(view, view.siblings(query))),
            ),
            refused={"union": testing(view, view.near(query)), "closure": testing(view, related)},
            texts=words.quoted(edges),
            silent=True,
        )


def testing(view: GraphView, nodes: Iterable[str]) -> frozenset[str]:
    """The exercises that test one of the nodes."""
    return frozenset(question for node in nodes for question in view.before(node, "assessment"))
