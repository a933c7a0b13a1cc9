"""Chapters follow each other as their contents need each other, in the order of the books, without circles."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emit.chapters import chapter_order
from emit.curriculum import Curriculum, curriculum
from kg.graph import Edge, Provenance
from kg.project import Project
from kg.schema import GraphSchema
from kg.section import SectionRow
from kg.sequence import MOST_PAIRS, MOST_QUOTES, reduced

COUNT = 8


def row(number: int, chapter: str, kind: str = "section") -> SectionRow:
    return SectionRow(
        id=f"s{number}",
        chapter_number=chapter,
        chapter_title=chapter,
        section_number="",
        section_title=f"S{number}",
        kind=kind,  # type: ignore[arg-type]
        start_page=number,
        end_page=number,
        file="",
        chapter=chapter,
    )


def books(count: int = COUNT) -> Curriculum:
    """Two books; section i is all of chapter ci."""
    rows = [row(number, f"c{number}") for number in range(count)]
    return Curriculum((("one", tuple(rows[: count // 2])), ("two", tuple(rows[count // 2 :]))))


def at(node: str, section: int) -> Edge:
    return Edge(source=node, target=f"s{section}", type="appears_in")


def needs(source: str, target: str, quotes: int = 0) -> Edge:
    said = tuple(
        Provenance(
            book="one", section="s0", page=9 - i, quote=f"{source} {target} {i}", start=i, end=i + 1, match="exact"
        )
        for i in range(quotes)
    )
    return Edge(source=source, target=target, type="prerequisites_for", provenance=said)


def ends(edges: tuple[Edge, ...]) -> list[tuple[str, str]]:
    return [(edge.source, edge.target) for edge in edges]


def test_a_prerequisite_that_crosses_chapters_joins_them(schema: GraphSchema) -> None:
    order = chapter_order([at("a", 0), at("b", 5), needs("a", "b", 1)], books(), schema)
    (edge,) = order.edges
    assert edge.key() == ("leads_to", "c0", "c5")
    assert edge.properties == {"support": 1, "prerequisites": [["a", "b"]]}
    assert [quote.quote for quote in edge.provenance] == ["a b 0"]


def test_a_node_belongs_to_the_chapter_it_is_first_met_in(schema: GraphSchema) -> None:
    edges = [at("a", 6), at("a", 1), at("b", 7), at("b", 2), needs("a", "b")]
    assert ends(chapter_order(edges, books(), schema).edges) == [("c1", "c2")]


def test_prerequisites_inside_a_chapter_or_of_unplaced_nodes_join_nothing(schema: GraphSchema) -> None:
    edges = [at("a", 1), at("b", 1), needs("a", "b"), needs("a", "nowhere"), needs("nowhere", "b")]
    order = chapter_order(edges, books(), schema)
    assert order.edges == () and order.against == ()


def test_a_prerequisite_against_the_order_of_the_books_is_reported_and_draws_no_edge(schema: GraphSchema) -> None:
    wrong = needs("b", "a")
    order = chapter_order([at("a", 1), at("b", 2), wrong, needs("a", "b")], books(), schema)
    assert order.against == (wrong,)
    assert ends(order.edges) == [("c1", "c2")]


def test_what_follows_from_a_chain_is_left_out(schema: GraphSchema) -> None:
    edges = [at("a", 0), at("b", 1), at("c", 2), needs("a", "b"), needs("b", "c"), needs("a", "c")]
    assert ends(chapter_order(edges, books(), schema).edges) == [("c0", "c1"), ("c1", "c2")]


def test_long_lists_of_reasons_are_cut_and_counted(schema: GraphSchema) -> None:
    many = [f"n{number:03}" for number in range(MOST_PAIRS + 5)]
    edges = [at("a", 1), *(at(name, 0) for name in many), *(needs(name, "a", 2) for name in many)]
    (edge,) = chapter_order(edges, books(), schema).edges
    assert edge.properties["support"] == MOST_PAIRS + 5
    assert len(edge.properties["prerequisites"]) == MOST_PAIRS
    assert len(edge.provenance) == MOST_QUOTES
    assert list(edge.provenance) == sorted(edge.provenance, key=Provenance.place)


def test_nothing_is_introduced_in_a_glossary_outside_the_chapters(schema: GraphSchema) -> None:
    rows = (row(0, "", "glossary"), row(1, "c1"), row(2, "c2"))
    plan = Curriculum((("one", rows),), {"s0": "glossary chapter"})
    edges = [at("a", 0), at("a", 1), at("b", 2), needs("a", "b")]
    assert ends(chapter_order(edges, plan, schema).edges) == [("c1", "c2")]


def test_a_book_without_chapters_takes_the_chapter_the_graph_gives_it(schema: GraphSchema) -> None:
    plan = Curriculum((("one", (row(0, ""),)), ("two", (row(1, "c1"),))), {"s0": "whole book", "s1": "c1"})
    edges = [at("a", 0), at("b", 1), needs("a", "b")]
    assert ends(chapter_order(edges, plan, schema).edges) == [("whole book", "c1")]


@given(
    st.lists(st.integers(0, COUNT - 1), min_size=2, max_size=12),
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=40),
    st.randoms(use_true_random=False),
)
def test_the_order_of_chapters_is_acyclic_minimal_and_blind_to_the_order_of_edges(
    schema: GraphSchema, sections: list[int], pairs: list[tuple[int, int]], random: object
) -> None:
    edges = [at(f"n{number}", section) for number, section in enumerate(sections)]
    edges += [needs(f"n{source}", f"n{target}") for source, target in pairs]
    order = chapter_order(edges, books(), schema)
    found = ends(order.edges)
    assert all(int(source[1:]) < int(target[1:]) for source, target in found)
    crossing = {
        (f"c{sections[s]}", f"c{sections[t]}")
        for s, t in pairs
        if s < len(sections) and t < len(sections) and sections[s] < sections[t]
    }
    closure = nx.transitive_closure(nx.DiGraph(found))
    assert crossing <= set(closure.edges)
    assert set(found) <= crossing and reduced(found) == found
    shuffled = list(edges)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert chapter_order(shuffled, books(), schema) == order


def test_chapters_and_sections_are_counted_over_all_books_in_curriculum_order(subject: Project) -> None:
    plan = curriculum(subject)
    assert list(plan.place)[:2] == ["physics:section:physics-8:1.1", "physics:section:physics-8:1.2"]
    assert plan.chapters["physics:chapter:physics-8:3"] == 2
    assert plan.chapters["physics:chapter:physics-9:1"] == 3


def test_a_book_that_was_not_segmented_is_left_out(subject: Project) -> None:
    subject.store.path("segment/physics-8/sections_index.json").unlink()
    assert [slug for slug, _ in curriculum(subject).books] == ["physics-9"]


@pytest.mark.parametrize("pairs", [[], [("a", "b")], [("a", "b"), ("b", "c"), ("c", "d")]])
def test_a_chain_is_reduced_already(pairs: list[tuple[str, str]]) -> None:
    assert reduced(pairs) == pairs
