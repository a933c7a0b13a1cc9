from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ingest.text import SOFT_HYPHEN, clean, is_doubled, undouble, unreadable


def test_ligatures_are_expanded_and_nothing_else_is_flattened() -> None:
    assert clean("eﬃcient ﬂow ﬁeld") == "efficient flow field"
    assert clean("x² （１）") == "x² （１）"


def test_odd_spaces_become_plain_and_invisible_characters_go() -> None:
    assert clean("a\u00a0b\u2009c\u3000d\u200be\ufeff") == "a b c de"
    assert clean("soft\ufffe") == f"soft{SOFT_HYPHEN}"


def test_windows_punctuation_in_the_wrong_table_is_read() -> None:
    assert clean("Newton\x92s law \x97 a\x07b") == "Newton’s law — a\ufffdb"


def test_unreadable_characters_are_counted() -> None:
    assert unreadable("plain é 物理") == 0
    assert unreadable("a\ufffd\ue123\u0378") == 3


@given(st.text(alphabet=st.characters(whitelist_categories=("Lu", "Ll", "Lo")), min_size=8, max_size=30))
def test_a_doubled_text_is_recognised_and_read_once(text: str) -> None:
    single = "".join(a for a, b in zip(text, "\0" + text, strict=False) if a != b)
    doubled = "".join(character * 2 for character in single)
    if len(single) >= 4:
        assert is_doubled(doubled)
        assert undouble(doubled) == single


def test_words_with_double_letters_are_not_doubled() -> None:
    assert not is_doubled("committee bookkeeper")
    assert not is_doubled("aabb")
    assert not is_doubled("aardvarks and llamas")
