"""Chunks cover a section, keep paragraphs whole and know where they stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.chunks import breadcrumb, chunks, halves, tokens
from kg.language import Language
from tests.extract.teller import LANGUAGES, a_section

PARAGRAPH = st.text(alphabet="ab. ", min_size=1, max_size=300).filter(str.strip)
ENGLISH: Language = LANGUAGES["en"]


@given(st.lists(PARAGRAPH, min_size=1, max_size=8), st.integers(1, 120))
def test_chunks_partition_the_section(paragraphs: list[str], most: int) -> None:
    section = a_section("\n".join(paragraphs))
    found = chunks(section, most, ENGLISH)
    assert [section.text[chunk.start : chunk.end] for chunk in found] != []
    assert "".join(section.text[chunk.start : chunk.end] for chunk in found) == section.text
    assert all(chunk.lead <= chunk.start for chunk in found)


def test_paragraphs_stay_whole_and_the_next_chunk_repeats_the_last_one() -> None:
    section = a_section("\n".join(f"Paragraph {n} " + "word " * 30 for n in range(6)))
    found = chunks(section, 90, ENGLISH)
    assert len(found) == 3
    assert all(chunk.text.startswith("Paragraph") for chunk in found)
    assert found[0].before == ""
    assert found[1].before.startswith("Paragraph 1")


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    section = a_section("A sentence of six short words. " * 40)
    found = chunks(section, 60, ENGLISH)
    assert len(found) > 3
    assert all(chunk.text.endswith(".") and chunk.text.startswith("A ") for chunk in found)


def test_no_limit_means_the_whole_section() -> None:
    section = a_section("word " * 5000)
    assert len(chunks(section, 0, ENGLISH)) == 1
    assert chunks(a_section(""), 0, ENGLISH) == []


def test_halves_make_up_the_chunk() -> None:
    section = a_section("\n".join(f"Sentence number {n} stands here." for n in range(9)))
    whole = chunks(section, 0, ENGLISH)[0]
    first, second = halves(whole, ENGLISH)
    assert (first.start, first.end, second.start, second.end) == (0, second.start, first.end, whole.end)
    assert abs(len(first.text) - len(second.text)) < 40
    assert second.before and second.before in first.text


def test_one_sentence_has_no_halves() -> None:
    assert halves(chunks(a_section("A single sentence."), 0, ENGLISH)[0], ENGLISH) == []


@pytest.mark.parametrize(("text", "count"), [("", 1), ("a" * 40, 11), ("力" * 12, 11)])
def test_han_text_counts_more_tokens(text: str, count: int) -> None:
    assert tokens(text) == count


def test_the_breadcrumb_names_each_level_once() -> None:
    section = a_section("x")
    row = section.row.model_copy(
        update={"chapter_number": "2", "chapter_title": "Motion", "section_number": "2.1", "section_title": "Speed"}
    )
    placed = type(section)(section.book, "en", row, section.blocks, section.text, section.starts)
    assert breadcrumb(placed, "Physics 8") == "Physics 8 > 2 Motion > 2.1 Speed"
    assert breadcrumb(section, "Physics 8") == "Physics 8"
