"""Linking texts to nodes: names first, likeness last, None where it is not sure."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.linker import Linker, _one_apart
from derive.material import Material
from kg.graph import Graph
from kg.similarity import HashedNgrams

SMALL = HashedNgrams(width=256)


@pytest.fixture(scope="module")
def physics(maker: Any, make_material: Any) -> Material:
    made = maker()
    made.node("Concept", "e", "energy", definition="the ability to do work", aliases=["power of acting"])
    made.node("Concept", "ke", "kinetic energy", definition="what a moving body has because of its speed")
    made.node("Concept", "el", "elastic collision", definition="after it the bodies part with all their speed")
    made.node("Concept", "ac", "acceleration", definition="the rate at which velocity changes")
    return make_material(made.graph(), "en")  # type: ignore[no-any-return]


def test_a_name_an_alias_and_a_plural_are_found_for_sure(physics: Material) -> None:
    linker = Linker(physics, SMALL)
    assert [(c.node, c.stage) for c in linker.candidates("Kinetic Energies", 1)] == [("ke", "exact")]
    found = linker.resolve("the power of acting")
    assert found is not None and (found.node, found.stage, found.score) == ("e", "alias", 1.0)


def test_a_slip_of_spelling_is_resolved_and_another_word_is_not(physics: Material) -> None:
    linker = Linker(physics, SMALL)
    for slip in ("aceleration", "accelaration", "acceleratoin"):
        found = linker.resolve(slip)
        assert found is not None and (found.node, found.stage) == ("ac", "similar")
    assert linker.resolve("inelastic collision") is None
    assert linker.resolve("potential energy") is None
    assert linker.resolve("") is None


def test_without_the_guard_likeness_alone_decides(physics: Material) -> None:
    found = Linker(physics, SMALL, slips=False, sure=0.9).resolve("inelastic collision")
    assert found is not None and found.node == "el"


def test_the_longest_name_in_a_text_is_meant(physics: Material) -> None:
    linker = Linker(physics, SMALL)
    text = "The kinetic energy grows with acceleration."
    assert [mention.node for mention in linker.mentions(text)] == ["ke", "ac"]
    stages = {candidate.node: candidate.stage for candidate in linker.candidates(text)}
    assert stages["ke"] == stages["ac"] == "mention" and stages["e"] == "similar"


def test_a_text_without_a_name_finds_what_is_defined_so(physics: Material) -> None:
    assert Linker(physics, SMALL).candidates("How fast does the velocity change?", 1)[0].node == "ac"


def test_both_languages_link_their_names(make_graph: Any, make_material: Any) -> None:
    for code in ("en", "zh"):
        graph = make_graph(code)
        linker = Linker(make_material(graph, code), SMALL)
        nodes = [node for node in graph.nodes if node.label == "Concept"][:20]
        assert all(node.id in {c.node for c in linker.candidates(node.name)} for node in nodes)
        text = f"{nodes[3].name}, {nodes[7].name}" if code == "en" else f"{nodes[3].name}和{nodes[7].name}"
        assert {nodes[3].id, nodes[7].id} <= {mention.node for mention in linker.mentions(text)}


def test_the_order_of_the_records_changes_nothing(make_graph: Any, make_material: Any) -> None:
    graph = make_graph("en")
    nodes, edges = list(graph.nodes), list(graph.edges)
    random.Random(3).shuffle(nodes)
    random.Random(4).shuffle(edges)
    linkers = [
        Linker(make_material(one, "en"), SMALL) for one in (graph, Graph(nodes=tuple(nodes), edges=tuple(edges)))
    ]
    texts = ["what workshop 3 measures", "amber arch and cobalt cable", "Bench"]
    assert linkers[0].candidates(texts[0]) == linkers[1].candidates(texts[0])
    assert all(linkers[0].candidates(text) == linkers[1].candidates(text) for text in texts)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=40), st.integers(0, 6))
def test_any_text_gets_at_most_k_different_nodes_in_falling_order(physics: Material, text: str, k: int) -> None:
    found = Linker(physics, SMALL).candidates(text, k)
    assert len(found) <= k and len({one.node for one in found}) == len(found)
    assert all(0 <= one.score <= 1 for one in found)


def test_an_empty_graph_has_no_candidates(make_material: Any) -> None:
    linker = Linker(make_material(Graph(nodes=(), edges=()), "en"), SMALL)
    assert linker.candidates("energy") == () and linker.resolve("energy") is None and linker.mentions("energy") == ()


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="abc", min_size=1, max_size=6), st.integers(0, 5), st.sampled_from("abc"))
def test_one_letter_less_or_more_is_one_apart(word: str, at: int, letter: str) -> None:
    at = min(at, len(word) - 1)
    assert _one_apart(word, word[:at] + letter + word[at:])
    assert _one_apart(word, word[:at] + word[at + 1 :])
    assert not _one_apart(word, word + letter + "dd")
