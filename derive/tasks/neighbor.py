"""Neighbour recommendation: what is directly related to a term, by kind or by association (paper §4.1, Neighbor)."""

from __future__ import annotations

from collections.abc import Iterator

from derive.draft import Draft, Gold, Layer
from derive.material import Material
from derive.view import GraphView, Key
from kg.schema import EdgeRole

ROLES: tuple[EdgeRole, ...] = ("taxonomy", "association")


def neighbors(material: Material) -> Iterator[Draft]:
    """Term → its direct neighbours, in either direction."""
    view, words = material.view, material.words
    for query in view.with_role("term"):
        golds = sorted(frozenset().union(*(view.both_ways(query, role) for role in ROLES)))
        if not golds:
            continue
        keys = [_key(view, query, gold) for gold in golds]
        quotes = words.quoted(view.edge(view.schema.edges[key[0]].role, key[1], key[2]) for key in keys)
        yield Draft(
            task="neighbor",
            template="neighbor",
            query=query,
            golds=tuple(Gold(gold, (key,)) for gold, key in zip(golds, keys, strict=True)),
            layers=(
                Layer("two_hop", view.ring([query], 2)),
                Layer("outer_ring", view.ring(golds, 2)),
                Layer("sibling", view.siblings(*golds)),
            ),
            refused={"union": view.near(query, *golds), "closure": view.kin(query)},
            texts=words.said(query) + quotes,
            silent=True,
        )


def _key(view: GraphView, query: str, gold: str) -> Key:
    for role in ROLES:
        for source, target in ((query, gold), (gold, query)):
            if edge := view.edge(role, source, target):
                return edge.key()
    raise AssertionError(f"{gold} is no neighbour of {query}")
