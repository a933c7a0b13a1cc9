"""Similar names are found without comparing all with all."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz

from merge import candidates
from merge.candidates import near_pairs


def test_variants_meet_and_strangers_do_not() -> None:
    names = [
        "wave length",
        "wavelength",
        "magnetic field",
        "magnetic feild",
        "reference frame",
        "frame reference",
        "zinc",
    ]
    assert [(i, j) for i, j, _ in near_pairs(names, 85)] == [(0, 1), (2, 3), (4, 5)]


def test_chinese_variants_meet() -> None:
    assert [(i, j) for i, j, _ in near_pairs(["有理数的加法法则", "有理数加法法则", "声音"], 85)] == [(0, 1)]


def test_a_pair_comes_once_with_its_likeness_and_equal_names_are_no_pair() -> None:
    (pair,) = near_pairs(["heat flow", "heat flows", "heat flow"], 85)[:1]
    assert pair[2] == pytest.approx(fuzz.ratio("flow heat", "flows heat"), abs=0.1)
    assert (0, 2) not in [(i, j) for i, j, _ in near_pairs(["heat flow", "heat flows", "heat flow"], 85)]


def test_a_block_beyond_the_cap_is_divided_not_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "CAP", 20)
    mixed = random.Random(1)
    names = sorted({"energy " + "".join(mixed.choices("abcdefgh", k=7)) for _ in range(300)})
    twins = [name + "s" for name in names[::10]]
    found = {(i, j) for i, j, _ in near_pairs([*names, *twins], 90)}
    planted = {(10 * at, len(names) + at) for at in range(len(twins))}
    assert len(planted & found) >= 0.95 * len(planted)


@given(st.lists(st.text("abcd ", min_size=3, max_size=9), max_size=20))
def test_every_reported_pair_is_as_alike_as_it_says(names: list[str]) -> None:
    for i, j, score in near_pairs(names, 80):
        assert i < j
        assert names[i] != names[j]
        assert score >= 80
