"""Numbers of right options and sets of options, chosen for all questions together."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from derive.quotas import Menu, Quotas, balance_k, surplus

feasible = st.lists(st.sampled_from([(1,), (1, 2), (1, 2, 3), (2,), (2, 3), (3,), (1, 3)]), min_size=1, max_size=6)


def squares(chosen: list[int]) -> int:
    return sum(chosen.count(k) ** 2 for k in (1, 2, 3))


@given(feasible)
def test_no_other_choice_of_numbers_is_more_even(options: list[tuple[int, ...]]) -> None:
    chosen = balance_k({str(index): own for index, own in enumerate(options)})
    assert all(k in options[int(key)] for key, k in chosen.items())
    best = min(squares(list(one)) for one in product(*options))
    assert squares(list(chosen.values())) == best


def test_questions_with_a_choice_make_up_for_those_without() -> None:
    chosen = balance_k({"a": (1,), "b": (1,), "c": (1, 2, 3), "d": (1, 2, 3), "e": (1, 2)})
    assert sorted(chosen.values()) == [1, 1, 2, 2, 3] or sorted(chosen.values()) == [1, 1, 2, 3, 3]


def menu(key: str, rows: list[list[float]], costs: list[float]) -> Menu:
    return Menu(key, 1, np.array(rows, dtype=np.float16), np.array(costs, dtype=np.float32))


def test_no_probe_pays_where_the_menus_allow_it() -> None:
    menus = [menu(str(number), [[1, 0], [0, 1], [0, 0]], [0, 0, 0]) for number in range(40)]
    chosen = Quotas(2, nearness=0.0).choose(menus)
    rates = np.mean([menus[int(key)].chances[row].astype(float) for key, row in chosen.items()], axis=0)
    assert np.all(np.abs(rates - 0.25) <= 0.03)


def test_among_equally_even_sets_the_nearest_is_taken() -> None:
    menus = [menu(str(number), [[0.25], [0.25]], [0.9, 0.1]) for number in range(5)]
    assert set(Quotas(1, nearness=1.0).choose(menus).values()) == {1}


def test_as_few_questions_as_needed_are_given_up() -> None:
    rates = {f"win{n}": np.array([1.0]) for n in range(6)} | {f"lose{n}": np.array([0.0]) for n in range(9)}
    gone = surplus(rates, 0.18, 0.34)
    assert all(key.startswith("win") for key in gone) and len(gone) == 2
    assert surplus({key: rate for key, rate in rates.items() if key not in gone}, 0.18, 0.34) == []


def test_questions_that_cannot_be_made_fair_are_not_all_given_up() -> None:
    assert surplus({str(n): np.array([1.0]) for n in range(5)}, 0.18, 0.34) == []
    assert surplus({}, 0.18, 0.34) == []
