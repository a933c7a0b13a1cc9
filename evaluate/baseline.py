"""Rules that know nothing, and what they score in expectation: the floor under every model.

In: items. Out: for each rule the expected `Points` of each item, in closed form; a rule that is undecided between
options is credited with the mean. The random rule is the paper's (§8.5).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from evaluate.metric import Points, points
from kg.item import LETTERS, Item
from kg.text import squash

Rule = Callable[[Item], Points]


def baselines(items: Sequence[Item], query_marks: Sequence[str]) -> dict[str, list[Points]]:
    """Expected points of every rule on every item, rules in the order in which they are shown.

    `query_marks`: patterns whose first group is what a question asks about.
    """
    marks = [re.compile(pattern, re.DOTALL) for pattern in query_marks]
    most = max((len(item.options) for item in items), default=0)
    letters = LETTERS[:most]
    rules: dict[str, Rule] = {
        "random set": _random_set,
        "random letter": lambda item: _mean(points(item.answer, (letter,)) for letter in item.options),
        **{f"always {letter}": _always(letter) for letter in letters},
        f"always {letters}": lambda item: points(item.answer, tuple(item.options)),
        "longest option": lambda item: _best(item, {k: len(text) for k, text in item.options.items()}),
        "character overlap": lambda item: _best(item, overlaps(item, marks)),
    }
    return {name: [rule(item) for item in items] for name, rule in rules.items()}


def overlaps(item: Item, marks: Sequence[re.Pattern[str]]) -> dict[str, int]:
    """Per option, how many different character 1- and 2-grams it shares with what the question asks about.

    The first mark in the question counts; where there is none, the whole question stands for it.
    """
    hits = [hit for mark in marks if (hit := mark.search(item.question))]
    hit = min(hits, key=lambda hit: hit.start(), default=None)
    asked = _grams(hit.group(1) if hit else item.question)
    return {letter: len(asked & _grams(text)) for letter, text in item.options.items()}


def _grams(text: str) -> frozenset[str]:
    bare = squash(text)
    return frozenset(bare) | {bare[i : i + 2] for i in range(len(bare) - 1)}


def _always(letter: str) -> Rule:
    return lambda item: points(item.answer, (letter,))


def _best(item: Item, values: Mapping[str, int]) -> Points:
    """One of the options with the highest value, any of them with equal chance."""
    highest = max(values.values())
    return _mean(points(item.answer, (letter,)) for letter, value in values.items() if value == highest)


def _random_set(item: Item) -> Points:
    return random_points(len(item.options), len(item.answer))


@lru_cache(maxsize=128)
def random_points(options: int, right: int) -> Points:
    """Expectation over all non-empty sets of options.

    With 4 options EM is 1/15, and F1 .3267, .4933, .5971 for 1, 2, 3 right ones.
    """
    letters = [str(number) for number in range(options)]
    every = (chosen for size in range(1, options + 1) for chosen in combinations(letters, size))
    return _mean(points(letters[:right], chosen) for chosen in every)


def _mean(several: Iterable[Points]) -> Points:
    rows = list(several)
    return Points(*(sum(column) / len(rows) for column in zip(*rows, strict=True)))
