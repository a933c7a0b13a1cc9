"""Quotations are looked up where they are said to be."""

from __future__ import annotations

from kg.graph import Node, Provenance
from kg.section import Section
from tests.conftest import a_section
from tests.validate.conftest import Draft, checks, concept, edge
from validate import evidence
from validate.evidence import share_with_evidence

SECTION = a_section(["Heat flows from hot to cold.", "Ice melts at zero degrees."], pages=[3, 4])


def library(book: str, section: str) -> Section | None:
    """A library of one section."""
    return SECTION if (book, section) == ("book", SECTION.row.id) else None


def quote(text: str, **changes: object) -> Provenance:
    """A true quotation of the section, with planted faults."""
    start = SECTION.text.index(text)
    true = Provenance(
        book="book",
        section=SECTION.row.id,
        page=SECTION.page_at(start),
        quote=text,
        start=start,
        end=start + len(text),
        match="exact",
    )
    return true.model_copy(update=changes)


def quoting(draft: Draft, *quotes: Provenance) -> Node:
    """Adds a node with these quotations and takes away what others quote."""
    draft.edges = [item.model_copy(update={"provenance": quotes}) for item in draft.edges if item.provenance]
    node = concept("heat").model_copy(update={"provenance": quotes})
    draft.nodes.append(node)
    return node


def test_true_quotations_pass(draft: Draft) -> None:
    quoting(draft, quote("Heat flows"), quote("Ice melts at zero degrees."))
    assert list(evidence.findings(draft.view(), library)) == []


def test_a_false_quote_a_false_place_and_a_false_page_are_found(draft: Draft) -> None:
    for bad in (
        quote("Heat flows", quote="Cold flows"),
        quote("Heat flows", start=1),
        quote("Heat flows", end=9999),
        quote("Ice melts", page=3),
        quote("Ice melts", section="nowhere"),
    ):
        made = Draft(draft.schema).concepts("a", "b").prerequisites(("a", "b"))
        quoting(made, bad)
        assert checks(list(evidence.findings(made.view(), library)), "set_aside") == ["quote", "quote"]


def test_a_node_with_one_true_quotation_stays_and_is_shown(draft: Draft) -> None:
    draft.edges.clear()
    quoting(draft, quote("Heat flows"), quote("Ice melts", page=3))
    (finding,) = evidence.findings(draft.view(), library)
    assert finding.action == "review"
    assert "not on page 4 but on 5" in finding.message


def test_an_edge_without_evidence_is_set_aside_unless_the_whole_graph_has_no_places(draft: Draft) -> None:
    bare = edge("is_a", "a", "b").model_copy(update={"provenance": ()})
    draft.edges.append(bare)
    assert checks(list(evidence.findings(draft.view(), None)), "set_aside") == ["no_evidence"]
    draft.edges = [bare]
    assert checks(list(evidence.findings(draft.view(), None)), "review") == ["no_evidence"]


def test_a_quotation_in_the_properties_of_a_released_graph_counts(draft: Draft) -> None:
    draft.edges = [edge("is_a", "a", "b").model_copy(update={"provenance": (), "properties": {"evidence": "so"}})]
    assert list(evidence.findings(draft.view(), None)) == []


def test_shares_are_none_where_nothing_is_there(draft: Draft) -> None:
    assert share_with_evidence([], []) == {"nodes": None, "edges": None}
    assert share_with_evidence(draft.nodes, [edge("is_a", "a", "b")])["edges"] == 1.0


def test_people_can_vouch_for_what_is_quoted_wrongly_or_not_at_all(draft: Draft) -> None:
    for quotes in ((quote("Heat flows", start=1),), ()):
        made = Draft(draft.schema).concepts("a", "b").prerequisites(("a", "b"))
        (asked,) = [item for item in made.edges if item.provenance]
        vouched = asked.model_copy(update={"provenance": quotes, "properties": {**asked.properties, "accepted": True}})
        made.edges = [vouched if item is asked else item for item in made.edges]
        (finding,) = evidence.findings(made.view(), library)
        assert (finding.edge, finding.action) == (asked.key(), "note")
