"""The subject level: order does not matter, ids stay, nothing is lost."""

from __future__ import annotations

import random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.merge.conftest import Merging
from tests.merge.shelf import ABook, energy, mechanics


def test_the_order_of_books_and_claims_does_not_matter(merging: Merging) -> None:
    first, second = mechanics(), energy()
    straight = merging(first, second).lines()
    for seed in range(5):
        for book in (first, second):
            random.Random(seed).shuffle(book.claims)
        assert merging(second, first).lines() == straight


def test_claims_that_come_twice_count_once(merging: Merging) -> None:
    book = mechanics()
    once = merging(book).lines()
    book.claims += book.claims
    assert merging(book).lines() == once


def test_a_book_added_later_changes_no_id_of_the_first(merging: Merging) -> None:
    before = {node.id for node in merging(mechanics()).nodes}
    after = {node.id for node in merging(mechanics(), energy()).nodes}
    assert before <= after
    assert "physics:concept:speed" in before


def test_one_concept_of_two_books_is_one_node_with_both_quotations(merging: Merging) -> None:
    force = merging(mechanics(), energy()).node("force")
    assert {quote.book for quote in force.provenance} == {"physics-8", "physics-9"}
    assert force.properties["definition"].startswith("Force is a push")
    assert [row["book"] for row in force.properties["definitions"]] == ["physics-8", "physics-9"]
    assert force.properties["importance"] == "important", "the greatest of the schema's values wins"
    assert force.properties["unit"] == "newton"
    assert force.properties["support"] == 2


def test_a_stated_alias_joins_two_names_and_says_so(merging: Merging) -> None:
    graph = merging(mechanics(), energy())
    node = graph.node("momentary speed")
    assert node.properties["aliases"] == ["instantaneous speed"]
    assert not graph.named("instantaneous speed")
    (join,) = [join for join in graph.joins if join.rule == "alias"]
    assert join.id == node.id == "physics:concept:momentary-speed"
    assert join.alone == "physics:concept:instantaneous-speed"
    assert "also called momentary speed" in join.evidence[0].quote


def test_a_homonym_is_kept_apart_and_people_are_asked(merging: Merging) -> None:
    graph = merging(mechanics(), energy())
    lens, engine = sorted(graph.named("power"), key=lambda node: node.id)
    assert lens.id == "physics:concept:power"
    assert engine.id == "physics:concept:power:energy"
    assert {quote.book for quote in lens.provenance} == {"physics-8"}
    (finding,) = graph.asked("homonym")
    assert finding.nodes == (lens.id, engine.id)
    assert "focal length" in finding.details["first"]["says"]
    assert graph.edge("prerequisites_for", "physics:concept:work", engine.id), "the edge follows its own book's sense"


def test_the_same_concept_in_other_words_stays_one(merging: Merging) -> None:
    other = ABook("physics-9", {"Light": {"Eye": ["The strength with which spectacles bend light is their power."]}})
    other.term("power", "The strength with which spectacles bend light is their power.")
    graph = merging(mechanics(), other)
    assert len(graph.named("power")) == 1
    assert len(graph.asked("descriptions_differ")) == 1


def test_similar_names_are_never_merged_only_asked_about(merging: Merging) -> None:
    book = ABook(
        "fields",
        {
            "Energy": {
                "Kinds": [
                    "Electric potential energy belongs to charges.",
                    "Elastic potential energy belongs to springs.",
                    "A frame of reference is where one looks from.",
                ],
                "Views": ["A reference frame is what places are given in."],
            }
        },
    )
    book.term("electric potential energy", "Electric potential energy belongs to charges.")
    book.term("elastic potential energy", "Elastic potential energy belongs to springs.")
    book.term("frame of reference", "A frame of reference is where one looks from.")
    book.term("reference frame", "A reference frame is what places are given in.")
    graph = merging(book)
    assert sum(node.label == "Concept" for node in graph.nodes) == 4
    assert [finding.nodes for finding in graph.asked("near_name")] == [
        ("physics:concept:frame-of-reference", "physics:concept:reference-frame")
    ]


def test_an_edge_of_two_books_unites_its_evidence_and_grows_surer(merging: Merging) -> None:
    later = ABook("physics-9", {"Again": {"More": ["To speak of average speed one must know speed."]}})
    later.term("average speed", "To speak of average speed one must know speed.")
    later.edge("prerequisites_for", "speed", "average speed", "To speak of average speed one must know speed.")
    edge = merging(mechanics(), later).edge(
        "prerequisites_for", "physics:concept:speed", "physics:concept:average-speed"
    )
    assert edge is not None
    assert edge.properties["support"] == 2
    assert edge.properties["confidence"] == 0.96, "two sections at 0.8 each"
    assert {quote.book for quote in edge.provenance} == {"physics-8", "physics-9"}


def test_a_name_nobody_introduces_is_a_finding_not_a_silent_loss(merging: Merging) -> None:
    book = mechanics()
    book.edge("prerequisites_for", "phlogiston", "speed", "Speed is the distance covered per unit of time.")
    (finding,) = merging(book).asked("unresolved")
    assert "phlogiston" in finding.message
    assert finding.details["quotes"] == ["Speed is the distance covered per unit of time."]


def test_an_edge_may_end_at_a_term_of_an_earlier_book(merging: Merging) -> None:
    later = energy()
    later.edge("prerequisites_for", "speed", "work", "Work is the product of a force and the way along which it acts.")
    graph = merging(mechanics(), later)
    assert graph.edge("prerequisites_for", "physics:concept:speed", "physics:concept:work")
    assert not graph.asked("unresolved")


def test_two_names_of_one_thing_do_not_become_a_loop(merging: Merging) -> None:
    later = energy()
    text = "Instantaneous speed, also called momentary speed, is the speed at an instant."
    later.edge("prerequisites_for", "momentary speed", "instantaneous speed", text)
    graph = merging(mechanics(), later)
    assert all(edge.source != edge.target for edge in graph.edges)
    assert graph.asked("one_thing")


def test_symmetric_edges_are_stored_once(merging: Merging) -> None:
    book = mechanics()
    book.edge("relates_to", "speed", "force", "Force is a push or a pull that changes the motion of a body.")
    book.edge("relates_to", "force", "speed", "Force is a push or a pull that changes the motion of a body.")
    graph = merging(book)
    assert graph.of_type("relates_to") == {("physics:concept:force", "physics:concept:speed")}


def test_a_later_book_that_equates_two_nodes_is_asked_about_and_changes_no_id(merging: Merging) -> None:
    first = mechanics()
    third = ABook("physics-10", {"A": {"B": ["Force, also called average speed by some, is odd."]}}, order=3)
    third.term("force", "Force, also called average speed by some, is odd.", aliases=["average speed"])
    third.term("average speed", "Force, also called average speed by some, is odd.")
    before = {node.id for node in merging(first).nodes}
    graph = merging(first, third)
    assert before <= {node.id for node in graph.nodes}
    assert len(graph.asked("alias_joins_two")) == 1


def test_questions_are_told_by_stem_and_options_not_by_number(merging: Merging) -> None:
    book = ABook("b", {"C": {"S": ["Which is true?", "Which is  true?", "What is 2 + 2?", "What is 2 - 2?"]}})
    book.question("Which is true?", options=["A cat", "A dog"])
    book.question("Which is true?", options=["A fish", "A bird"])
    book.question("What is 2 + 2?")
    book.question("What is 2 - 2?")
    stems = [node.properties["stem"] for node in merging(book).nodes if node.label == "Exercise"]
    assert sorted(stems) == ["What is 2 + 2?", "What is 2 - 2?", "Which is true?", "Which is true?"]


def test_everything_is_anchored_in_every_section_that_claims_it(merging: Merging) -> None:
    graph = merging(mechanics(), energy())
    force = {target for source, target in graph.of_type("appears_in") if source == "physics:concept:force"}
    assert force == {"physics:section:physics-8:force", "physics:section:physics-9:forces-again"}


def test_a_definition_that_names_an_earlier_book_needs_it(merging: Merging) -> None:
    later = ABook("physics-9", {"Energy": {"Work": ["Work is the product of a force and a way."]}})
    later.term("work", "Work is the product of a force and a way.")
    edge = merging(mechanics(), later).edge("prerequisites_for", "physics:concept:force", "physics:concept:work")
    assert edge is not None
    assert edge.properties["rules"] == ["earlier_book_defines"]
    assert edge.provenance[0].quote == "Work is the product of a force and a way."


def test_chinese_books_merge_by_the_same_rules(merging: Merging) -> None:
    one = ABook("wuli-8", {"运动": {"速度": ["速度表示物体运动的快慢。", "力是物体对物体的作用。"]}}, "zh", 1)
    one.term("速度", "速度表示物体运动的快慢。")
    one.term("力", "力是物体对物体的作用。")
    two = ABook("wuli-9", {"力学": {"功": ["功等于力与距离的乘积。", "速度（v）等于路程除以时间。"]}}, "zh", 2)
    two.term("功", "功等于力与距离的乘积。")
    two.term("速度（v）", "速度（v）等于路程除以时间。", confidence=0.7)
    graph = merging(one, two)
    assert len([node for node in graph.nodes if node.label == "Concept"]) == 3
    assert graph.edge("prerequisites_for", graph.node("力").id, graph.node("功").id)


WORDS = st.sampled_from(["wave", "sound wave", "heat", "heat flow", "mass", "masses", "charge", "Charge (q)"])


@st.composite
def books(draw: st.DrawFn) -> list[ABook]:
    """Up to four books that claim some of a few names, with aliases and edges between them."""
    made = []
    for at in range(draw(st.integers(1, 4))):
        names = draw(st.lists(WORDS, min_size=1, max_size=5))
        lines = [f"{name} is number {i} of book {at}." for i, name in enumerate(names)]
        half = len(lines) // 2
        book = ABook(f"book-{at}", {"One": {"First": lines[:half]}, "Two": {"Second": lines[half:]}}, order=at)
        for name, line in zip(names, lines, strict=True):
            aliases = draw(st.lists(WORDS, max_size=1))
            book.term(name, line, aliases=aliases, rule="bold", confidence=draw(st.sampled_from([0.6, 0.95])))
        for _ in range(draw(st.integers(0, 3))):
            source, target = draw(WORDS), draw(WORDS)
            book.edge(draw(st.sampled_from(["is_a", "relates_to"])), source, target, draw(st.sampled_from(lines)))
        made.append(book)
    return made


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(made=books(), seed=st.integers(0, 1000))
def test_any_books_in_any_order_give_the_same_bytes(merging: Merging, made: list[ABook], seed: int) -> None:
    straight = merging(*made).lines()
    mixed = random.Random(seed)
    mixed.shuffle(made)
    for book in made:
        mixed.shuffle(book.claims)
    assert merging(*made).lines() == straight


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(made=books())
def test_ids_of_earlier_books_survive_every_later_book(merging: Merging, made: list[ABook]) -> None:
    before: set[str] = set()
    for count in range(1, len(made) + 1):
        now = {node.id for node in merging(*made[:count]).nodes}
        assert before <= now
        before = now


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(made=books())
def test_no_quotation_is_lost_on_the_way(merging: Merging, made: list[ABook]) -> None:
    claimed = {quote.to_json() for book in made for claim in book.claims for quote in claim.evidence}
    graph = merging(*made)
    kept = {quote.to_json() for rows in (graph.nodes, graph.edges) for row in rows for quote in row.provenance}
    told = {quote for finding in graph.findings for quote in finding.details.get("quotes", [])}
    assert all(quote in kept or any(text in quote for text in told) for quote in claimed)
