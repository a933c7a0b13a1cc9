"""Names that look alike and are two things, and names that look different and are one."""

from __future__ import annotations

import pytest

from kg.language import Language
from merge.vetoes import Vetoes


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("electric potential energy", "elastic potential energy", "opposite"),
        ("series circuit", "parallel circuit", "opposite"),
        ("carbon 12", "carbon 14", "digits"),
        ("elastic collision", "inelastic collision", "opposite"),
        ("symmetric", "asymmetric", "negation"),
        ("endothermic reaction", "exothermic reaction", "negation"),
        ("wave", "sound wave", "kind"),
        ("gravitational force", "gravitational field", "other word"),
    ],
)
def test_each_trap_has_its_veto(english: Language, one: str, other: str, reason: str) -> None:
    vetoes = Vetoes(english)
    assert vetoes.near(one, other) == reason
    assert vetoes.near(other, one) == reason


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("acceleration", "accelaration"),
        ("frame of reference", "reference frame"),
        ("wavelength", "wave length"),
        ("colour", "color"),
        ("force", "force"),
    ],
)
def test_spellings_of_one_name_have_none(english: Language, one: str, other: str) -> None:
    assert Vetoes(english).near(one, other) == ""


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("加法交换律", "乘法交换律", "opposite"),
        ("正数", "负数", "opposite"),
        ("平均速度", "速度", "kind"),
        ("看做", "看作", ""),
        ("有理数的加法法则", "有理数加法法则", ""),
    ],
)
def test_chinese_names_are_compared_character_by_character(
    chinese: Language, one: str, other: str, reason: str
) -> None:
    assert Vetoes(chinese).near(one, other) == reason


def test_a_stated_alias_may_replace_words_but_not_digits_or_opposites(english: Language) -> None:
    vetoes = Vetoes(english)
    assert vetoes.stated("emf", "electromotive force") == ""
    assert vetoes.stated("law of inertia", "newton first law") == ""
    assert vetoes.stated("uranium 235", "uranium 238") == "digits"
    assert vetoes.stated("positive charge", "negative charge") == "opposite"
