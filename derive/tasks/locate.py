"""Cross-chapter indexing: where a thing is met first, and which chapters a chapter builds on (paper §4.1, Locate)."""

from __future__ import annotations

from collections.abc import Iterator

from derive.draft import Draft, Gold, Layer
from derive.material import Material
from derive.places import Places

NEARBY = 6
"""Sections before and after the right one that count as near."""
BEFORE_QUERY, BEFORE_GOLD = 3, 2
"""Earlier chapters that count as near (paper, appendix 8.1)."""


def first_seen(material: Material) -> Iterator[Draft]:
    """Thing → the section where it is met first."""
    view, places = material.view, material.places
    for query in view.with_role("term", "procedure", "activity"):
        where = places.where(query)
        if not where:
            continue
        gold = where[0]
        edge = view.edge("location", query, gold)
        chapter = places.scope(gold, "chapter")
        yield Draft(
            task="locate_1",
            template="locate_1",
            query=query,
            golds=(Gold(gold, (edge.key(),) if edge else ()),),
            layers=(
                Layer("other_places", frozenset(where[1:])),
                Layer("same_chapter", frozenset(places.members("chapter", chapter))),
                Layer("nearby", frozenset(places.around(gold, NEARBY, NEARBY))),
            ),
            refused={"same_place": _whole(places, gold)},
            sections=True,
        )


def _whole(places: Places, section: str) -> frozenset[str]:
    """The chapter and book the section is part of: they are right as well, if less exact."""
    return frozenset((places.chapter(section), places.book(section)))


def chapters(material: Material) -> Iterator[Draft]:
    """Chapter → the chapters that lead to it."""
    view, places = material.view, material.places
    for query in view.with_role("chapter"):
        later = view.closure(query, "sequence", True)
        earlier = view.closure(query, "sequence", False)
        golds = [chapter for chapter in view.before(query, "sequence") if chapter not in later]
        if not golds or query in later:
            continue
        edges = [view.edge("sequence", gold, query) for gold in golds]
        near = {chapter for gold in golds for chapter in places.around(gold, BEFORE_GOLD, 0)}
        near.update(places.around(query, BEFORE_QUERY, 0))
        yield Draft(
            task="locate_2",
            template="locate_2",
            query=query,
            golds=tuple(Gold(gold, (edge.key(),)) for gold, edge in zip(golds, edges, strict=True) if edge),
            layers=(Layer("earlier_chapters", frozenset(near)),),
            refused={"closure": earlier, "union": _touching(material, query) - later},
            surely_wrong=later,
        )


def _touching(material: Material, chapter: str) -> frozenset[str]:
    """Chapters with a prerequisite edge to or from something introduced in this one."""
    view, places = material.view, material.places
    inside = places.members("chapter", chapter)
    others = {other for node in inside for other in view.both_ways(node, "prerequisite")}
    return frozenset(places.scope(other, "chapter") for other in others)
