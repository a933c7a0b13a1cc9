"""Evidence: which experiments verify a term, and which terms an experiment verifies (paper §4.1, Evidence)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from derive.draft import Draft, Gold, Layer
from derive.material import Material
from derive.view import GraphView


def verified_by(material: Material) -> Iterator[Draft]:
    """Term → the experiments that verify it."""
    view, words = material.view, material.words
    for query in view.with_role("term"):
        golds = view.before(query, "demonstration")
        if not golds:
            continue
        edges = [view.edge("demonstration", gold, query) for gold in golds]
        yield Draft(
            task="evidence_1",
            template="evidence_1",
            query=query,
            golds=tuple(Gold(gold, (edge.key(),)) for gold, edge in zip(golds, edges, strict=True) if edge),
            layers=(
                Layer("two_hop", verifying(view, view.ring([query], 2))),
                Layer("sibling", verifying(view, view.siblings(query))),
            ),
            refused={
                "union": verifying(view, view.near(query)),
                "closure": verifying(view, view.kin(query)),
                "same_section": _beside(material, query),
            },
            texts=words.quoted(edges),
            silent=True,
        )


def verifies(material: Material) -> Iterator[Draft]:
    """Experiment → the terms it verifies."""
    view, words = material.view, material.words
    for query in view.with_role("activity"):
        golds = view.after(query, "demonstration")
        if not golds:
            continue
        edges = [view.edge("demonstration", query, gold) for gold in golds]
        two_hop = view.ring(golds, 2)
        together = {term for one in verifying(view, two_hop) for term in view.after(one, "demonstration")}
        yield Draft(
            task="evidence_2",
            template="evidence_2",
            query=query,
            golds=tuple(Gold(gold, (edge.key(),)) for gold, edge in zip(golds, edges, strict=True) if edge),
            layers=(
                Layer("two_hop", two_hop),
                Layer("verified_together", frozenset(together)),
                Layer("sibling", view.siblings(*golds)),
            ),
            refused={
                "union": view.near(*golds),
                "closure": view.kin(*golds),
                "same_section": _beside(material, query),
            },
            texts=words.said(query) + words.quoted(edges),
        )


def _beside(material: Material, query: str) -> frozenset[str]:
    """What is taught in the same section: an experiment may well show everything around it."""
    return frozenset(material.places.members("section", material.places.scope(query, "section")))


def verifying(view: GraphView, nodes: Iterable[str]) -> frozenset[str]:
    """The experiments that verify one of the nodes."""
    return frozenset(one for node in nodes for one in view.before(node, "demonstration"))
