"""The extractor as a whole: what it claims is sound, quoted, and always the same."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from extract.claims import Extractor
from extract.pack import Pack, pack_of
from extract.rules import Rules
from extract.runin import cut_labels
from kg.errors import SettingsError
from kg.section import Section
from kg.text import one_line

BOOK: list[tuple[Any, ...]] = [
    (
        "section",
        "1.1",
        "Speed",
        [
            "# 1.1 Speed",
            "[] Section Learning Objectives",
            "> - • Describe speed and calculate the average speed of an object",
            "The **speed** of a body is the rate of its motion. The **average speed**, also called mean speed,",
            "Here are **force** and **mass**. The force is directly proportional to the mass of the cart.",
            "[] Snap Lab Rolling Marbles",
            "> In this activity you will measure the average speed of a marble.",
            "> ### Materials",
            "> - • 1 marble",
            "[] Worked Example Marbles",
            "> A marble rolls 5.2 m in 1.8 s. What was its average speed?",
            "> ### Solution",
            "> = v = 2.9 m/s",
            "## Check Your Understanding",
            "- 1. What is speed?",
            "- (a) a rate",
            "- (b) a distance",
        ],
    ),
    (
        "key_terms",
        "1",
        "Key Terms",
        ["# Key Terms", "**average speed** speed over a whole trip", "**speed** rate of motion"],
    ),
    ("exercises", "1", "Review", ["# Review", "## 1.1 Speed", "- 2. How is the average speed of a car found?"]),
    ("answers", "", "Answers", ["# Answers", "## Chapter 1", "- 2. by dividing"]),
]


def test_every_type_of_node_and_semantic_edge_is_found(shelf: Any) -> None:
    claims = shelf.claims(BOOK)
    assert {node.label for node in claims.nodes} == {"Concept", "Skill", "Experiment", "Exercise"}
    assert {edge.type for edge in claims.edges} == {
        "is_a",
        "prerequisites_for",
        "relates_to",
        "verifies",
        "tests_concept",
        "tests_skill",
    }


def test_every_node_has_its_required_properties_and_every_edge_allowed_ends(shelf: Any) -> None:
    claims = shelf.claims(BOOK)
    assert [problem for node in claims.nodes for problem in shelf.schema.problems(node.label, node.properties)] == []
    assert all(shelf.schema.allows(edge.type, edge.source.label, edge.target.label) for edge in claims.edges)


def test_every_end_of_an_edge_is_a_claimed_node(shelf: Any) -> None:
    claims = shelf.claims(BOOK)
    names = {(node.label, node.properties.get("stem", node.name)) for node in claims.nodes}
    assert {(end.label, end.name) for edge in claims.edges for end in (edge.source, edge.target)} <= names


def _quotes_hold(sections: list[Section], evidence: list[Any]) -> bool:
    by_id = {section.row.id: section for section in sections}
    return all(
        one_line(by_id[quote.section].text[quote.start : quote.end]) == quote.quote != ""
        and by_id[quote.section].page_at(quote.start) == quote.page
        for quote in evidence
    )


def test_every_quote_stands_at_its_offsets_and_on_its_page(shelf: Any) -> None:
    claims = shelf.claims(BOOK)
    evidence = [quote for claim in [*claims.nodes, *claims.edges] for quote in claim.evidence]
    assert len(evidence) > 20
    assert _quotes_hold(shelf.sections(BOOK), evidence)


def test_definitions_are_the_books_own_words(shelf: Any) -> None:
    whole = one_line(" ".join(section.text for section in shelf.sections(BOOK)))
    definitions = [node.properties["definition"] for node in shelf.claims(BOOK).nodes if node.label == "Concept"]
    assert definitions
    assert all(definition in whole for definition in definitions)


def test_the_same_book_gives_the_same_claims(shelf: Any) -> None:
    assert shelf.claims(BOOK) == shelf.claims(BOOK)


LINES = st.lists(
    st.sampled_from(
        [line for _, _, _, lines in BOOK for line in lines] + ["**Solution.** It is 3.", "|a | b", "- a.", "- 1."]
    ),
    max_size=25,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=LINES, kind=st.sampled_from(["section", "exercises", "key_terms", "answers", "key_equations"]))
def test_whatever_the_order_of_blocks_claims_stay_sound(shelf: Any, lines: list[str], kind: str) -> None:
    parts = [(kind, "1.1", "Any", lines), BOOK[1]]
    sections = [section for section in shelf.sections(parts) if section.blocks]
    claims = Rules(priors=shelf.priors).claims(sections, shelf.schema, shelf.languages["en"])
    assert [problem for node in claims.nodes for problem in shelf.schema.problems(node.label, node.properties)] == []
    evidence = [quote for claim in [*claims.nodes, *claims.edges] for quote in claim.evidence]
    assert _quotes_hold(sections, evidence)


def test_cutting_labels_moves_no_character(shelf: Any) -> None:
    lines = ["# 1.1 S", "**Problem.** A car drives. **Solution.** It is fast.", "- 1. Go. **Procedure**"]
    before = shelf.sections([("section", "1.1", "S", lines)])[0]
    after = cut_labels(before, pack_of(shelf.languages["en"]))
    assert after.text == before.text
    assert len(after.blocks) == len(before.blocks) + 2
    texts = [
        after.text[start : start + len(block.text)] for start, block in zip(after.starts, after.blocks, strict=True)
    ]
    assert texts == [block.text for block in after.blocks]
    assert [after.page_at(start) for start in after.starts] == [before.page_at(start) for start in after.starts]
    assert after.blocks[2].text[after.blocks[2].spans[0].start : after.blocks[2].spans[0].end] == "Solution."


def test_an_empty_book_gives_no_claims(shelf: Any) -> None:
    claims = Rules(priors=shelf.priors).claims([], shelf.schema, shelf.languages["en"])
    assert (claims.nodes, claims.edges) == ((), ())


def test_a_language_without_rules_still_reads_marks_and_lists(shelf: Any) -> None:
    language = shelf.languages["en"].model_copy(update={"parts": {}})
    claims = Rules(priors=shelf.priors).claims(shelf.sections(BOOK), shelf.schema, language)
    assert "average speed" in {node.name for node in claims.nodes}


def test_a_rule_without_prior_is_a_mistake_in_the_settings(shelf: Any) -> None:
    with pytest.raises(SettingsError, match="listed_definition"):
        Rules(priors={}).claims(shelf.sections(BOOK), shelf.schema, shelf.languages["en"])


def test_every_rule_of_the_settings_has_a_precision_and_a_sentence(shelf: Any) -> None:
    assert all(0 < prior.confidence < 1 and prior.about.endswith(".") for prior in shelf.priors.values())
    assert isinstance(Rules(priors=shelf.priors), Extractor)


def test_a_pattern_that_is_none_is_refused_with_its_field() -> None:
    with pytest.raises(ValueError, match="not a regular expression"):
        Pack(define=("(",))
    with pytest.raises(ValueError, match="not a regular expression"):
        Pack.model_validate({"roles": [{"role": "lab", "label": "["}]})


def test_the_order_of_languages_and_hashes_does_not_matter(shelf: Any) -> None:
    shuffled = list(shelf.priors.items())
    random.Random(3).shuffle(shuffled)
    again = Rules(priors=dict(shuffled)).claims(shelf.sections(BOOK), shelf.schema, shelf.languages["en"])
    assert again == shelf.claims(BOOK)


def test_no_type_of_the_graph_is_named_in_the_code(shelf: Any) -> None:
    names = {*shelf.schema.nodes, *shelf.schema.edges} - {"Section", "Book"}
    code = "".join(path.read_text(encoding="utf-8") for path in (Path(__file__).parents[2] / "extract").glob("*.py"))
    assert [name for name in names if f'"{name}"' in code] == []


def test_evidence_begins_with_the_words_of_a_heading_or_item(shelf: Any) -> None:
    lines = ["# 1.1 Motion", "- • The **speed** is a rate of change.", "#### Lab 2.1 Speed", "You will time it."]
    claims = shelf.claims([("section", "1.1", "Motion", lines)])
    quotes = [quote.quote for claim in [*claims.nodes, *claims.edges] for quote in claim.evidence]
    assert "The speed is a rate of change." in quotes
    assert any(quote.startswith("Lab 2.1 Speed") for quote in quotes)
    assert not any(quote.startswith(("#", "•")) for quote in quotes)
