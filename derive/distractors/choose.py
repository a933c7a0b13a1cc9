"""From pools to questions: which wrong options, under which letters.

In: questions with pools. Out: for each the wrong ones, so many as it had, so that rules that know nothing gain nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping as Dictionary
from collections.abc import Sequence
from itertools import combinations
from string import ascii_uppercase
from typing import Literal, TypeVar

import numpy as np

from derive.distractors.pools import Question, Wrong
from derive.probes import PROBES, chances, sets_of, single
from derive.quotas import OPTIONS, Menu, Quotas
from derive.view import GraphView
from kg.ids import digest
from kg.item import Choice, Item
from kg.similarity import Similarity

T = TypeVar("T")
Order = Literal["shuffled", "kept"]
MOST, FEW = 13, 5
"""Wrong ones beyond those wanted that a choice is made from; of many that are wanted `FEW`, as sets grow fast."""


class Chooser:
    """Chooses by `Quotas` against the probes of the benchmark; nearer and more alike ones at equal merit."""

    def __init__(self, view: GraphView, similarity: Similarity, nearness: float, seed: int) -> None:
        self._view, self._similarity, self._nearness, self._seed = view, similarity, nearness, seed

    def chosen(
        self, questions: Sequence[Question], pools: Dictionary[str, Sequence[Wrong]]
    ) -> dict[str, tuple[Wrong, ...]]:
        """Id -> its wrong options."""
        turn = sorted(questions, key=lambda question: digest(f"{self._seed}:{question.item.id}", 24))
        groups: dict[int, list[Question]] = defaultdict(list)
        for question in turn:
            groups[question.wanted].append(question)
        found: dict[str, tuple[Wrong, ...]] = {}
        for wanted, group in sorted(groups.items()):
            most = wanted + (MOST if wanted <= OPTIONS - 1 else FEW)
            cut = {question.item.id: tuple(pools[question.item.id][:most]) for question in group}
            menus = [self._menu(question, cut[question.item.id]) for question in group]
            choice = Quotas(len(PROBES), self._nearness).choose(menus)
            for question, menu in zip(group, menus, strict=True):
                right, pool = len(question.right), cut[menu.key]
                row = sets_of(right, len(pool), wanted)[choice[menu.key]][right:]
                found[menu.key] = tuple(pool[place - right] for place in row)
        return found

    def _menu(self, question: Question, pool: Sequence[Wrong]) -> Menu:
        right = len(question.right)
        sets = sets_of(right, len(pool), question.wanted)
        texts = [*question.right, *(wrong.text for wrong in pool)]
        nodes = [*(question.mapping.answers or [""] * right), *(wrong.node for wrong in pool)]
        asked = str(question.item.origin.get("asked") or question.item.question)
        scores = single(asked, texts, [self._view.degree[node] for node in nodes])
        odds = chances(right, scores, self._similarity.vectors(texts), sets)
        places = (sets[:, right:] - right).mean(axis=1) / max(1, len(pool))
        options = right + question.wanted
        return Menu(question.item.id, right, odds.astype(np.float16), places.astype(np.float32), options)


class Letters:
    """Gives letters: as the source had them, or so that all are right equally often."""

    def __init__(self, order: Order, seed: int) -> None:
        self._order, self._seed = order, seed
        self._used: Counter[tuple[str, ...]] = Counter()

    def item(self, question: Question, wrong: Sequence[Wrong], arm: str) -> tuple[Item, dict[str, Wrong]]:
        """The question with these wrong options, and which letter each has; stem and answers are as they were."""
        item, size = question.item, len(question.right) + len(wrong)
        letters = ascii_uppercase[:size]
        slots = item.answer if self._order == "kept" and item.options else self._slots(item, letters)
        right = iter(self._shuffled(list(item.answer), item.id))
        rest = iter(self._shuffled(list(wrong), item.id))
        options: dict[str, str] = {}
        choices: dict[str, Choice] = {}
        placed: dict[str, Wrong] = {}
        nodes = dict(zip(item.answer, question.mapping.answers, strict=False))
        for letter in letters:
            if letter in slots:
                old = next(right)
                options[letter] = item.options[old]
                path = item.choices[old].path if old in item.choices else ()
                choices[letter] = Choice(id=nodes.get(old, ""), right=True, path=path)
            else:
                placed[letter] = one = next(rest)
                options[letter] = one.text
                choices[letter] = Choice(id=one.node, right=False, layer=one.layer, path=one.path)
        update = {"options": options, "answer": tuple(slots), "choices": choices, "mode": arm}
        return item.model_copy(update=update), placed

    def _slots(self, item: Item, letters: str) -> tuple[str, ...]:
        every = list(combinations(letters, len(item.answer)))
        slots = min(every, key=lambda one: (self._used[one], digest(f"{self._seed}:{item.id}:{one}", 16)))
        self._used[slots] += 1
        return slots

    def _shuffled(self, things: list[T], key: str) -> list[T]:
        if self._order == "kept":
            return things
        return sorted(things, key=lambda thing: digest(f"{self._seed}:{key}:{thing}", 16))
