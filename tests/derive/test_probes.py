"""Rules that know nothing."""

from __future__ import annotations

import numpy as np
import pytest

from derive.probes import PROBES, SharedCharacters, chances, f1_of_one, grams, random_guess, sets_of, single
from kg.similarity import HashedNgrams


def rate(probe: str, texts: list[str], right: int = 1, query: str = "", degrees: list[int] | None = None) -> float:
    scores = single(query, texts, degrees or [0] * len(texts))
    sets = np.arange(len(texts), dtype=np.intp)[None, :]
    return float(chances(right, scores, HashedNgrams().vectors(texts), sets)[0][PROBES.index(probe)])


def test_the_longest_option_wins_or_shares_its_chance() -> None:
    assert rate("longest", ["long option", "b", "c", "d"]) == 1
    assert rate("longest", ["bb", "bb", "c", "d"]) == 0.5
    assert rate("shortest", ["bb", "bb", "c", "d"]) == 0


def test_shared_characters_with_the_query_are_counted_without_spaces_and_case() -> None:
    assert rate("shares_most", ["Net Force", "colour", "size", "mood"], query="netforce") == 1
    assert rate("shares_least", ["Net Force", "colour", "size", "mood"], query="netforce") == 0


def test_degrees_come_from_the_graph() -> None:
    assert rate("highest_degree", ["a", "b", "c", "d"], degrees=[9, 1, 2, 3]) == 1
    assert rate("lowest_degree", ["a", "b", "c", "d"], degrees=[9, 1, 2, 3]) == 0


def test_the_option_most_like_the_others_depends_on_the_set() -> None:
    texts = ["net force", "net forces", "net forced", "colour"]
    assert rate("most_like_others", texts) > 0
    assert rate("least_like_others", texts) == 0


def test_of_several_right_options_any_will_do() -> None:
    assert rate("longest", ["a", "long option", "c", "d"], right=2) == 1


def test_sets_hold_all_right_options_and_every_choice_of_the_others() -> None:
    sets = sets_of(1, 4, 3)
    assert sets.shape == (4, 4) and (sets[:, 0] == 0).all() and len({tuple(row) for row in sets}) == 4


@pytest.mark.parametrize(("right", "f1"), [(1, 0.3267), (2, 0.4933), (3, 0.5971)])
def test_random_guessing_scores_what_the_paper_says(right: int, f1: float) -> None:
    em, found = random_guess(right)
    assert em == pytest.approx(1 / 15) and found == pytest.approx(f1, abs=1e-4)


def test_one_right_letter_of_several_has_perfect_precision() -> None:
    assert [f1_of_one(right) for right in (1, 2, 3)] == [1, pytest.approx(2 / 3), 0.5]


def test_rows_of_shared_characters_multiply_to_their_number() -> None:
    one, two = "net force", "force of nature"
    rows = SharedCharacters().vectors([one, two])
    assert rows[0] @ rows[1] >= len(grams(one) & grams(two))
