"""Choose the options of all questions of a task together, so that no rule that knows nothing pays.

In: for each question the sets of options it could have, with each probe's chance on each. Out: one set per question.
For every probe and number of right options, the sum of its chances is steered to what guessing one letter would get.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kg.ids import digest

OPTIONS = 4
SWEEPS = 3


@dataclass(frozen=True)
class Menu:
    """The sets of options that one question could have."""

    key: str
    right: int
    chances: NDArray[np.float16]
    """Set × probe: the chance that the probe's answer is right."""
    cost: NDArray[np.float32]
    """Set: how far its distractors stand from the front of the pool, in [0, 1]."""
    options: int = OPTIONS
    """Right and wrong ones together."""

    @property
    def fair(self) -> float:
        """The chance of a letter drawn at random."""
        return self.right / self.options


def balance_k(feasible: Mapping[str, Sequence[int]]) -> dict[str, int]:
    """A number of right options for each question, from those it can have, as even over all as can be.

    No other assignment has a smaller sum of squared counts. Among questions with the same choice, the first in the
    given order get the smaller numbers.
    """
    groups: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for key, options in feasible.items():
        groups[tuple(sorted(options))].append(key)
    held = {group: Counter({max(group): len(keys)}) for group, keys in sorted(groups.items())}
    while path := _improving(held):
        for group, old, new in path:
            held[group][old] -= 1
            held[group][new] += 1
    return {
        key: k
        for group, keys in sorted(groups.items())
        for key, k in zip(keys, sorted(held[group].elements()), strict=True)
    }


Move = tuple[tuple[int, ...], int, int]


def _improving(held: Mapping[tuple[int, ...], Counter[int]]) -> list[Move]:
    """Moves of one question each, along a path from a full number to one with at least two fewer; empty if none."""
    counts: Counter[int] = Counter()
    for has in held.values():
        counts.update(has)
    moves: dict[int, list[Move]] = defaultdict(list)
    for group, has in held.items():
        for old in group:
            moves[old] += [(group, old, new) for new in group if new != old and has[old]]
    for start in sorted(counts, key=lambda k: (-counts[k], k)):
        paths: list[list[Move]] = [[move] for move in moves[start]]
        seen = {start}
        while paths:
            path = paths.pop(0)
            end = path[-1][2]
            if counts[end] + 2 <= counts[start]:
                return path
            if end not in seen:
                seen.add(end)
                paths += [[*path, move] for move in moves[end] if move[2] not in seen]
    return []


class Quotas:
    """Keeps, for every number of right options, how far each probe is from its fair share."""

    def __init__(self, probes: int, nearness: float) -> None:
        self._excess: dict[int, NDArray[np.float64]] = defaultdict(lambda: np.zeros(probes))
        self._nearness = nearness

    def choose(self, menus: Sequence[Menu]) -> dict[str, int]:
        """The set of each question. The menus are taken in the given order, several times over."""
        chosen: dict[str, int] = {}
        for sweep in range(SWEEPS):
            for menu in menus:
                if sweep:
                    self._take(menu, chosen[menu.key], -1)
                chosen[menu.key] = self._best(menu)
                self._take(menu, chosen[menu.key], 1)
        return chosen

    def _best(self, menu: Menu) -> int:
        over = menu.chances.astype(float) - menu.fair
        # the increase of the sum of squared excesses, plus a price for distractors from far away
        cost = over @ (2 * self._excess[menu.right]) + (over**2).sum(axis=1) + self._nearness * menu.cost
        return int(np.argmin(np.round(cost, 6)))

    def _take(self, menu: Menu, choice: int, sign: int) -> None:
        self._excess[menu.right] += sign * (menu.chances[choice].astype(float) - menu.fair)


def surplus(rates: Mapping[str, NDArray[np.float64]], low: float, high: float) -> list[str]:
    """Keys of the questions to give up so that the mean chance of every probe is in [low, high].

    `rates` holds the chances of each single-answer question. Those that help most go first; none goes where no
    removal helps.
    """
    # by lot among equals, so that no task or part of the curriculum pays for all
    left = dict(sorted(rates.items(), key=lambda rate: digest(rate[0], 16)))
    given_up: list[str] = []
    total = np.sum(list(left.values()), axis=0) if left else np.zeros(0)
    while len(left) > 1:
        rate = total / len(left)
        # what is removed counts for a probe only while that probe is out of range
        wish = np.where(rate > high, 1.0, np.where(rate < low, -1.0, 0.0))
        gains = (np.stack(list(left.values())) - rate) @ wish
        best = int(np.argmax(np.round(gains, 9)))
        if gains[best] <= 1e-9:
            break
        key = list(left)[best]
        total = total - left.pop(key)
        given_up.append(key)
    return given_up
