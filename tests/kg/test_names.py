"""Spellings of one name share a key; different names do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.language import Language
from kg.names import inside_brackets, key, outside_brackets, singular


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Average speed", "average  speeds"),
        ("the x-axis", "X axes"),
        ("Newton's laws of motion", "Newton’s Law of Motion"),
        ("electromotive force (EMF)", "Electromotive Force"),
        ("ＥＭＦ", "emf"),
        ("lenses", "Lens"),
        ("a wave pulse", "wave pulses"),
    ],
)
def test_spellings_of_one_name_share_a_key(one: str, other: str, english: Language) -> None:
    assert key(one, english) == key(other, english)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("elastic collision", "inelastic collision"),
        ("Newton's first law", "Newton's third law"),
        ("electric potential energy", "elastic potential energy"),
        ("Na+", "Na"),
        ("uniform motion", "nonuniform motion"),
        ("physics", "physic"),
    ],
)
def test_different_names_have_different_keys(one: str, other: str, english: Language) -> None:
    assert key(one, english) != key(other, english)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("匀速直线运动（uniform motion）", "匀速直线运动", True),
        ("速度 ", "速度", True),
        ("加法交换律", "乘法交换律", False),
    ],
)
def test_chinese_names(one: str, other: str, same: bool, chinese: Language) -> None:
    assert (key(one, chinese) == key(other, chinese)) is same


@pytest.mark.parametrize(
    ("plural", "one"), [("series", "series"), ("gas", "gas"), ("gases", "gas"), ("axes", "axis"), ("forces", "force")]
)
def test_singulars(plural: str, one: str, english: Language) -> None:
    assert singular(plural, english) == one


@given(st.text(min_size=1, max_size=40))
def test_a_key_is_its_own_key_up_to_plurals_and_is_never_empty(english: Language, name: str) -> None:
    if name.strip():
        assert key(name, english)
        assert key(name, english) == key(f"  {name} ", english)


def test_brackets_are_taken_apart() -> None:
    assert outside_brackets("electromotive force (EMF)") == "electromotive force"
    assert inside_brackets("电动势（EMF）") == ["EMF"]
    assert outside_brackets("(EMF)") == "(EMF)"
