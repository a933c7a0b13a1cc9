"""Chooses the options of many questions together, so that no rule that knows nothing pays.

In: questions in words with their pools of distractors. Out: `Picked`: which options each has, and what the probes
make of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from derive.draft import Draft, Gold
from derive.items import Chosen
from derive.material import Material
from derive.options import OPTIONS, Likeness, Open
from derive.probes import PROBES, chances, sets_of, single
from derive.quotas import Menu, Quotas
from kg.ids import digest


@dataclass(frozen=True)
class Asked:
    """A draft put into words."""

    draft: Draft
    question: str
    name: str
    """The query as the question names it."""


@dataclass(frozen=True)
class Picked:
    """A question with its options, and what the probes make of them."""

    chosen: Chosen
    right: int
    chances: NDArray[np.float64]


@dataclass(frozen=True)
class ChoiceRules:
    """How options are chosen; see the settings of the same names in `BenchRules`."""

    seed: int
    nearness: float
    chain: int


class OptionChooser:
    """Chooses by `Quotas` against all `PROBES`."""

    def __init__(self, material: Material, likeness: Likeness, rules: ChoiceRules) -> None:
        self._m, self._likeness, self._rules = material, likeness, rules

    def picked(
        self, opened: Sequence[tuple[Asked, Open]], right: Mapping[str, int], even: bool = True
    ) -> dict[str, Picked]:
        """Key -> the question with so many right options as `right` says, and wrong ones that keep the probes even.

        If the probes do not matter (not `even`), with the nearest wrong ones.
        """
        shown = {asked.draft.key: self._shown(found, right[asked.draft.key]) for asked, found in opened}
        menus = [self._menu(asked, found, shown[asked.draft.key]) for asked, found in opened]
        near = dict.fromkeys(right, 0)
        choice = Quotas(len(PROBES), self._rules.nearness).choose(menus) if even else near
        picked: dict[str, Picked] = {}
        for (asked, found), menu in zip(opened, menus, strict=True):
            options = self._with_options(asked, found, shown[menu.key], choice[menu.key])
            picked[menu.key] = Picked(options, menu.right, menu.chances[choice[menu.key]].astype(float))
        return picked

    def _shown(self, found: Open, right: int) -> tuple[Gold, ...]:
        """So many golds, drawn by lot; those behind a long chain of edges come last."""
        chain, key = self._rules.chain, f"{self._rules.seed}:{found.draft.key}"
        lot = sorted(found.golds, key=lambda gold: (max(chain, len(gold.path)), digest(f"{key}:{gold.id}", 16)))
        return tuple(lot[:right])

    def _menu(self, asked: Asked, found: Open, golds: Sequence[Gold]) -> Menu:
        sets = sets_of(len(golds), len(found.pool), OPTIONS - len(golds))
        ids = [*(gold.id for gold in golds), *(distractor.id for distractor in found.pool)]
        scores = single(asked.name, [self._m.speak.option(node) for node in ids], [self._m.view.degree[n] for n in ids])
        odds = chances(len(golds), scores, self._likeness.of(ids), sets)
        places = (sets[:, len(golds) :] - len(golds)).mean(axis=1) / max(1, len(found.pool))
        return Menu(asked.draft.key, len(golds), odds.astype(np.float16), places.astype(np.float32))

    def _with_options(self, asked: Asked, found: Open, golds: tuple[Gold, ...], choice: int) -> Chosen:
        row = sets_of(len(golds), len(found.pool), OPTIONS - len(golds))[choice][len(golds) :]
        distractors = tuple(found.pool[place - len(golds)] for place in row)
        # what the draft knew about looser readings has done its work and is large
        draft = replace(found.draft, layers=(), refused={}, surely_wrong=frozenset(), texts="")
        return Chosen(draft, asked.question, asked.name, golds, distractors)
