"""What the audit says about sets of items whose scores are known."""

from __future__ import annotations

import pytest

from derive.audit import ENOUGH, audit
from kg.item import Choice, Item
from kg.similarity import HashedNgrams


def item(number: int, answer: str, options: tuple[str, ...] = ("ab", "cd", "ef", "gh")) -> Item:
    letters = dict(zip("ABCD", options, strict=True))
    choices = {letter: Choice(id=letter, right=letter in answer) for letter in letters}
    return Item(id=str(number), question=f"{number}?", options=letters, answer=tuple(answer), choices=choices)


def test_one_fixed_letter_scores_its_share() -> None:
    found = audit([item(0, "A"), item(1, "A"), item(2, "B"), item(3, "AB")], {}, HashedNgrams())
    assert found.probes["always_A"].em == 0.5
    assert found.probes["always_A"].em_single == pytest.approx(0.6667)
    assert found.probes["always_A"].f1 == pytest.approx((1 + 1 + 2 / 3) / 4, abs=1e-4)
    assert found.letters == {"A": 3, "B": 2} and found.combinations == {"A": 2, "AB": 1, "B": 1}
    assert found.right == {"1": 3, "2": 1}


def test_naming_all_letters_scores_what_the_sizes_say() -> None:
    found = audit([item(0, "A"), item(1, "AB")], {}, HashedNgrams())
    assert found.probes["always_all"].em == 0
    assert found.probes["always_all"].f1 == pytest.approx((0.4 + 2 / 3) / 2, abs=1e-4)
    assert found.probes["random"].em == pytest.approx(1 / 15, abs=1e-4)


def test_the_highest_degree_is_looked_up_by_the_options_nodes() -> None:
    found = audit([item(0, "C")], {"A": 1, "C": 5}, HashedNgrams())
    assert found.probes["highest_degree"].em_single == 1


def test_a_benchmark_whose_longest_option_is_right_is_called_unfair() -> None:
    options = ("the longest option", "b", "c", "d")
    found = audit([item(number, "A", options) for number in range(ENOUGH)], {}, HashedNgrams())
    assert found.verdict.startswith("unfair") and "longest" in found.verdict


def test_few_items_get_no_verdict() -> None:
    assert audit([item(0, "A")], {}, HashedNgrams()).verdict.startswith("too few")
    assert audit([item(0, "AB")], {}, HashedNgrams()).probes["longest"].em_single is None
