"""Quotations are found as models damage them, and nothing foreign is."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest

from extract.align import ACCEPT, REVIEW, Aligner
from kg.section import Section
from kg.text import one_line
from tests.extract.teller import a_section

ENGLISH = """The boiling point is the temperature at which the vapour pressure of a liquid is the pressure around it.
On a high mountain the air pressure is low, and therefore water boils there well below one hundred degrees.
A pressure cooker keeps the steam inside, so that the pressure rises and the food is done in a shorter time.
Whoever wants to measure the boiling point has to keep the bulb of the thermometer in the vapour, not in the liquid.
Salt dissolved in the water raises the boiling point a little, which cooks have known for centuries."""
FOREIGN = """Plants take in carbon dioxide through small openings on the underside of their leaves.
The citizens of the town elected a council of twelve members every second year.
A sonnet has fourteen lines, and its last two lines often turn the thought around."""
CHINESE = """液体沸腾时的温度叫做沸点，不同液体的沸点不同。
高山上气压低，水的沸点也低，所以在高山上煮饭不容易熟。
高压锅把蒸汽留在锅内，使锅内气压升高，食物很快就能煮熟。
测量沸点时，温度计的玻璃泡要放在蒸汽中，而不能碰到容器的底部。"""
CHINESE_FOREIGN = """植物通过叶片上的气孔吸收二氧化碳并且放出氧气。
镇上的居民每两年选举一次由十二人组成的议会。
绝句只有四句，而律诗有八句，中间两联必须对仗。"""


def one_wrong_letter(text: str) -> str:
    at = [i for i, letter in enumerate(text) if letter.isalpha()][len(text) // 3]
    return text[:at] + ("x" if text.isascii() else "的") + text[at + 1 :]


def words_dropped(text: str) -> str:
    units = text.split() if " " in text else list(text)
    kept = [unit for at, unit in enumerate(units) if at % 9 != 4]
    return (" " if " " in text else "").join(kept)


DAMAGES: dict[str, Callable[[str], str]] = {
    "verbatim": str,
    "case": str.upper,
    "spacing": lambda text: re.sub(" ", "  \n", text) if " " in text else " ".join(text),
    "quotation marks": lambda text: f"“{text}”",
    "punctuation": lambda text: re.sub("[,.，。]", "", text),
    "ellipsis": lambda text: f"{text[: len(text) // 3]} … {text[-len(text) // 3 :]}",
    "ellipsis in brackets": lambda text: f"{text[: len(text) // 3]} [...] {text[-len(text) // 3 :]}",
    "wrong letter": one_wrong_letter,
}
SECTIONS = {"en": a_section(ENGLISH), "zh": a_section(CHINESE, language="zh")}


def quotes(section: Section) -> list[str]:
    return [block.text for block in section.blocks]


@pytest.mark.parametrize("code", SECTIONS)
@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_quotation_is_found_where_it_stands(code: str, name: str) -> None:
    section = SECTIONS[code]
    for at, quote in enumerate(quotes(section)):
        found = Aligner(section).find(DAMAGES[name](quote))
        assert found.found, (name, quote)
        assert [section.block_at(place.start) for place in found.places] == [at]
        assert found.places[0].quote == one_line(section.text[found.places[0].start : found.places[0].end])


@pytest.mark.parametrize(("code", "texts"), [("en", FOREIGN), ("zh", CHINESE_FOREIGN)])
@pytest.mark.parametrize("name", DAMAGES)
def test_a_foreign_sentence_is_never_found(code: str, texts: str, name: str) -> None:
    for text in texts.split("\n"):
        assert not Aligner(SECTIONS[code]).find(DAMAGES[name](text)).found


@pytest.mark.parametrize("code", SECTIONS)
def test_with_an_eighth_of_its_words_gone_a_quotation_is_at_least_shown_to_people(code: str) -> None:
    for quote in quotes(SECTIONS[code]):
        assert Aligner(SECTIONS[code]).find(words_dropped(quote)).grade in ("fuzzy", "doubtful")


def test_grades_follow_the_likeness() -> None:
    rng, seen = random.Random(3), set()
    aligner = Aligner(SECTIONS["en"])
    for quote in quotes(SECTIONS["en"]):
        for share in (0.05, 0.1, 0.2, 0.3, 0.5):
            kept = " ".join(word for word in quote.split() if rng.random() > share)
            found = aligner.find(kept)
            score = found.places[0].score if found.places else None
            if score is not None:
                assert (score >= ACCEPT) == (found.grade == "fuzzy")
                assert score >= REVIEW
            seen.add(found.grade)
    assert seen >= {"fuzzy", "doubtful"}


def test_a_short_quotation_proves_nothing() -> None:
    assert Aligner(SECTIONS["en"]).find("the liquid").grade == "none"
    assert Aligner(SECTIONS["zh"]).find("沸点").grade == "none"


def test_parts_in_the_wrong_order_are_doubtful() -> None:
    first, second = quotes(SECTIONS["en"])[0][:45], quotes(SECTIONS["en"])[3][:45]
    assert Aligner(SECTIONS["en"]).find(f"{first} … {second}").found
    assert not Aligner(SECTIONS["en"]).find(f"{second} … {first}").found


def test_parts_far_apart_are_two_quotations() -> None:
    far = a_section(
        "The first thing is a body at rest.\n" + "Nothing of note. " * 60 + "\nThe last thing is a moving body."
    )
    found = Aligner(far).find("The first thing is a body … thing is a moving body.")
    assert (found.grade, len(found.places)) == ("verbatim", 2)


def test_a_part_that_is_not_there_spoils_the_whole() -> None:
    quote = quotes(SECTIONS["en"])[0]
    assert not Aligner(SECTIONS["en"]).find(f"{quote[:40]} … the king of the castle was asleep").found


def test_a_fuzzy_quotation_begins_and_ends_with_whole_words() -> None:
    quote = quotes(SECTIONS["en"])[1]
    found = Aligner(SECTIONS["en"]).find("n a high mountain the air presure is low, and therefore water boils ther")
    assert found.grade == "fuzzy"
    assert set(found.places[0].quote.split()) <= set(quote.split())
