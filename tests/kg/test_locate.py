"""A quote is found where it stands, in whatever shape it comes, and nothing foreign is found."""

from __future__ import annotations

import random

import pytest

from kg.locate import Locator, provenance
from kg.text import one_line, squash
from tests.conftest import a_section

PARAGRAPHS = [
    "Motion is a change of position. An object is at rest when its position stays the same.",
    "The distance covered in a unit of time is called speed; its unit is the metre per second (m/s).",
    "A vector has a size and a direction, while a scalar has only a size. Velocity is a vector.",
]
CHINESE = ["物体在单位时间内通过的路程叫做速度，它的单位是米每秒。", "速度不变的直线运动称为匀速直线运动。"]


def test_an_exact_quote_gives_its_own_characters_and_page() -> None:
    section = a_section(PARAGRAPHS, pages=[3, 4, 4])
    quote = "its unit is the metre per second (m/s)"
    found = Locator(section).find(quote)
    assert found is not None
    assert (found.match, found.page, found.quote) == ("exact", 4, quote)
    assert section.text[found.start : found.end] == quote


@pytest.mark.parametrize(
    "quote",
    ["ITS UNIT IS THE METRE PER SECOND", "its  unit is\nthe metre per second", "its unit, is the metre-per-second"],
)
def test_case_spacing_and_punctuation_do_not_hide_a_quote(quote: str) -> None:
    section = a_section(PARAGRAPHS)
    found = Locator(section).find(quote)
    assert found is not None and found.match == "normalised"
    assert squash(found.quote) == squash(quote)


def test_a_wrong_letter_is_a_fuzzy_match_that_quotes_the_book() -> None:
    section = a_section(PARAGRAPHS)
    found = Locator(section).find("The distance covered in a unit of tine is called spead; its unit is the metre")
    assert found is not None and found.match == "fuzzy"
    assert found.score is not None and 85 <= found.score < 100
    assert found.quote in one_line(section.text)


@pytest.mark.parametrize("paragraphs", [PARAGRAPHS, CHINESE])
def test_a_sentence_that_is_not_there_is_not_found(paragraphs: list[str]) -> None:
    locator = Locator(a_section(paragraphs))
    assert locator.find("The lungs take up oxygen and give off carbon dioxide with every breath.") is None
    assert locator.find("光合作用把二氧化碳和水变成有机物，并且放出氧气。") is None
    assert locator.find("") is None
    assert locator.find("  … ") is None


def test_chinese_quotes_are_found_without_a_tokenizer() -> None:
    section = a_section(CHINESE, "zh", pages=[0, 1])
    found = Locator(section).find("速度不变的直线运动，称为匀速直线运动")
    assert found is not None
    assert (found.match, found.page) == ("normalised", 1)


def test_planted_sentences_are_found_at_exactly_their_place() -> None:
    rng = random.Random(7)
    words = ["mass", "force", "spring", "lens", "current", "heat", "wave", "field", "charge", "work"]
    sentences = [" ".join(rng.choices(words, k=9)) + f" {i}." for i in range(200)]
    section = a_section(sentences)
    locator = Locator(section)
    for i in rng.sample(range(200), 40):
        found = locator.find(sentences[i].upper())
        assert found is not None
        assert section.text[found.start : found.end + 1] == sentences[i]


def test_provenance_knows_the_page_inside_a_paragraph_that_breaks_over_it() -> None:
    section = a_section(["one", "two"], pages=[0, 2])
    assert provenance(section, section.text.index("two"), len(section.text)).page == 2
