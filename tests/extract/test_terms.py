"""Which terms a book has, under which name, and where they are introduced."""

from __future__ import annotations

from typing import Any

import pytest

from extract.fields import describe
from extract.terms import Terms, terms


def _terms(shelf: Any, parts: list[tuple[Any, ...]], code: str = "en") -> Terms:
    return terms(shelf.book(parts, code))


KEY_TERMS = ("key_terms", "1", "Key Terms", ["# Key Terms", "**mass** measure of inertia", "**speed** rate of motion"])


def test_a_listed_term_is_introduced_where_the_text_sets_it_in_bold(shelf: Any) -> None:
    first = ("section", "1.1", "One", ["# 1.1 One", "Here speed and mass are mentioned."])
    second = ("section", "1.2", "Two", ["# 1.2 Two", "Now **speed** is explained."])
    found = _terms(shelf, [first, second, KEY_TERMS])
    assert found.by_key["speed"].home.row.section_number == "1.2"
    assert found.by_key["mass"].home.row.section_number == "1.1"


def test_a_listed_term_that_no_text_mentions_stays_with_its_list(shelf: Any) -> None:
    found = _terms(shelf, [("section", "1.1", "One", ["# 1.1 One", "Nothing here."]), KEY_TERMS])
    assert found.by_key["mass"].home.row.kind == "key_terms"


def test_the_list_of_another_chapter_does_not_move_a_term(shelf: Any) -> None:
    other = ("section", "2.1", "Other", ["# 2.1 Other", "A first mention of mass."])
    own = ("section", "1.1", "One", ["# 1.1 One", "The mass of a body."])
    assert _terms(shelf, [other, own, KEY_TERMS]).by_key["mass"].home.row.section_number == "1.1"


def test_a_bold_part_of_a_listed_name_marks_the_listed_term(shelf: Any) -> None:
    listed = ("key_terms", "1", "Key Terms", ["# Key Terms", "**physical unit** a standard for measuring things"])
    text = ("section", "1.1", "One", ["# 1.1 One", "There are seven **physical** units."])
    assert list(_terms(shelf, [text, listed]).by_key) == ["physical unit"]


def test_one_term_in_singular_and_plural_is_one(shelf: Any) -> None:
    text = ["# 1.1 One", "There are **forces**, and a **force** is a push.", "A **mass** too."]
    assert list(_terms(shelf, [("section", "1.1", "One", text)]).by_key) == ["force", "mass"]


def test_brackets_hold_a_second_name_or_say_what_is_meant(shelf: Any) -> None:
    lines = ["# Key Terms", "**hertz (Hz)** unit of frequency", "**logarithmic (log) scale** scale with powers"]
    lines += ["**head (of a vector)** the end of the arrow"]
    found = _terms(shelf, [("key_terms", "1", "Key Terms", lines)]).by_key
    assert [(term.name, term.aliases) for term in found.values()] == [
        ("hertz", ["Hz"]),
        ("logarithmic scale", ["log scale"]),
        ("head (of a vector)", []),
    ]


def test_a_book_that_marks_its_terms_is_taken_at_its_word(shelf: Any) -> None:
    text = ["# 1.1 One", "A **force** is a push.", "The time for one swing is called the period."]
    assert list(_terms(shelf, [("section", "1.1", "One", text)]).by_key) == ["force"]


def test_a_book_without_marks_has_the_terms_its_sentences_introduce(shelf: Any) -> None:
    text = ["# 1.1 One", "The time for one swing is called the period."]
    found = _terms(shelf, [("section", "1.1", "One", text)])
    assert list(found.by_key) == ["period"]
    assert describe(found)["period"].rule == "introduced"


def test_a_number_in_front_or_a_pronoun_shows_that_no_name_is_meant(shelf: Any) -> None:
    text = [
        "# 1.1 One",
        "A **second** is a unit; **work** is force times distance.",
        "It took 3 seconds; you work hard.",
    ]
    found = _terms(shelf, [("section", "1.1", "One", text)])
    assert len(found.places["second"]) == 1
    assert len(found.places["work"]) == 1


def test_a_chinese_heading_gives_a_term_its_text_uses(shelf: Any) -> None:
    text = ["# 第一节 运动", "## 二、惯性", "惯性很重要。惯性大小由质量决定。一切物体都有惯性。利用惯性可以做很多事。"]
    others = [("section", f"1.{n}", "其他", [f"# 第{n}节", "别的内容。"]) for n in (2, 3)]
    assert "惯性" in _terms(shelf, [("section", "1.1", "运动", text), *others], "zh").by_key


@pytest.mark.parametrize(
    ("text", "listed", "name"),
    [
        ("• **Velocity**: how fast it goes. Velocity counts.", [], "velocity"),
        ("The **Doppler effect** is heard; so the Doppler effect it is.", [], "Doppler effect"),
        ("Nothing of it.", ["**Velocity** rate of motion", "**Mass** amount of matter"], "velocity"),
        (
            "Nothing of it.",
            ["**Planck time** shortest time", "**mass** amount of it", "**rate** a speed"],
            "Planck time",
        ),
    ],
)
def test_a_capital_stays_only_where_it_belongs_to_the_name(shelf: Any, text: str, listed: list[str], name: str) -> None:
    parts = [("section", "1.1", "One", ["# 1.1 One", text]), ("key_terms", "1", "K", ["# Key Terms", *listed])]
    found = _terms(shelf, parts)
    assert name in {term.name for term in found.by_key.values()}


def test_a_short_form_is_the_same_term(shelf: Any) -> None:
    text = "**Newton’s first law of motion** holds. So **Newton’s first law** is used."
    found = _terms(shelf, [("section", "1.1", "One", ["# 1.1 One", text])])
    assert [term.name for term in found.by_key.values()] == ["Newton’s first law of motion"]
    assert len(next(iter(found.by_key.values())).marked) == 2


def test_a_name_marked_only_as_another_name_of_a_term_is_its_alias(shelf: Any) -> None:
    said = "The **cell membrane**, also called the **plasma membrane**, is a thin layer around every cell."
    found = _terms(shelf, [("section", "1.1", "One", ["# 1.1 One", said])])
    assert list(found.by_key) == ["cell membrane"] and found.by_key["cell membrane"].aliases == ["plasma membrane"]


def test_a_name_that_is_also_introduced_on_its_own_stays_a_term(shelf: Any) -> None:
    said = "A **wave**, also called a **swell**, runs over the water."
    again = "A **swell** is a long wave that has left the wind behind."
    found = _terms(shelf, [("section", "1.1", "One", ["# 1.1 One", said, again])])
    assert sorted(found.by_key) == ["swell", "wave"]
