"""Sentences end where a reader says they do, and lose no letter."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.language import Language
from kg.sentences import sentence_at, sentences


def texts(text: str, language: Language) -> list[str]:
    return [text[start:end] for start, end in sentences(text, language)]


def test_abbreviations_initials_and_decimals_end_nothing(english: Language) -> None:
    text = "The speed, e.g. of a car, is 3.5 m/s. See Fig. 3 by J. Smith for more. “It moves.” Then it stops."
    assert texts(text, english) == [
        "The speed, e.g. of a car, is 3.5 m/s.",
        "See Fig. 3 by J. Smith for more.",
        "“It moves.”",
        "Then it stops.",
    ]


def test_a_blank_line_ends_a_sentence(english: Language) -> None:
    assert texts("Motion\n\nis a change\nof position", english) == ["Motion", "is a change\nof position"]


def test_chinese_sentences_need_no_spaces(chinese: Language) -> None:
    assert texts("速度是物理量。它的单位是米每秒！是吗？", chinese) == [
        "速度是物理量。",
        "它的单位是米每秒！",
        "是吗？",
    ]


@given(st.text(alphabet="ab .?!\n”Zé", max_size=80))
def test_sentences_are_in_order_and_leave_only_spaces_out(english: Language, text: str) -> None:
    spans = sentences(text, english)
    left = "".join(
        text[end:start] for (_, end), (start, _) in zip([(0, 0), *spans], [*spans, (len(text), 0)], strict=True)
    )
    assert left.strip() == ""
    assert all(start < end for start, end in spans)


@given(st.text(alphabet="ab .?!\nZ", min_size=1, max_size=60), st.data())
def test_the_sentence_at_an_offset_is_the_one_that_holds_it(english: Language, text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text) - 1))
    inside = [span for span in sentences(text, english) if span[0] <= offset < span[1]]
    if inside and "\n" not in text:
        assert sentence_at(text, offset, english) == inside[0]
