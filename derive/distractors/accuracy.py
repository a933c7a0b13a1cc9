"""How much harder the new options are: accuracy per question set and arm, with and without the chance of guessing.

In: the arms of the same questions, responders. Out: `Row`s of the accuracy-drop table.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import mean, stdev

import numpy as np

from derive.probes import PROBES, chances, single
from derive.respond import Responder
from derive.statistics import clustered
from kg.ids import digest
from kg.item import Choice, Item
from kg.row import Row
from kg.similarity import Similarity

ALL = "all"
RULES = ("longest", "most_like_query", "most_like_others")
"""Rules that know nothing, with their exact chance to be right."""


class Accuracy(Row):
    """One question set in one arm, as one responder answers it; shares in [0, 1]."""

    set: str
    arm: str
    by: str
    questions: int
    """Those that every arm has."""
    accuracy: float
    """Mean over the runs; all right letters and no other."""
    sd: float
    """Sample standard deviation over the runs."""
    low: float
    high: float
    """95 % interval by questions."""
    chance: float
    """What a draw of as many letters as are right would get: 1/options for one right answer."""
    adjusted: float
    """(accuracy − chance) / (1 − chance): 0 for guessing, 1 for knowing."""
    drop: float | None = None
    """Of `accuracy` against the original options; none for these themselves."""
    adjusted_drop: float | None = None


def accuracies(
    arms: Mapping[str, Sequence[Item]], runs: Mapping[str, Sequence[Responder]], similarity: Similarity
) -> list[Accuracy]:
    """The table: all sets and each of them, by rules that know nothing and by every responder.

    A later run of a responder sees the options in another order. Only questions that every arm has are counted.
    """
    if not arms:
        return []
    common = sorted(set.intersection(*({item.id for item in items} for items in arms.values())))
    by_arm = {arm: [item for key in common for item in [_by_id(items)[key]]] for arm, items in arms.items()}
    rows: list[Accuracy] = []
    for arm, items in by_arm.items():
        if not items:
            continue
        scores = {name: [values] for name, values in _rules(items, similarity).items()}
        for label, responders in runs.items():
            scores[label] = [_marks(responder, items, turn) for turn, responder in enumerate(responders)]
        for name, marks in scores.items():
            rows += _rows(arm, name, items, marks)
    return _with_drops(rows)


def chance(item: Item) -> float:
    """That of drawing as many letters as are right."""
    return 1 / math.comb(len(item.options), len(item.answer))


def adjusted(accuracy: float, chances: float) -> float:
    """The share of what guessing leaves open."""
    return (accuracy - chances) / (1 - chances) if chances < 1 else 0.0


def turned(item: Item, turn: int) -> Item:
    """The item with its options in the order of that turn; turn 0 is as it stands."""
    if not turn:
        return item
    letters = list(item.options)
    old = sorted(letters, key=lambda letter: digest(f"{turn}:{item.id}:{item.options[letter]}", 16))
    options = {new: item.options[was] for new, was in zip(letters, old, strict=True)}
    answer = tuple(new for new, was in zip(letters, old, strict=True) if was in item.answer)
    choices: dict[str, Choice] = {
        n: item.choices[was] for n, was in zip(letters, old, strict=True) if was in item.choices
    }
    return item.model_copy(update={"options": options, "answer": answer, "choices": choices})


def _by_id(items: Sequence[Item]) -> dict[str, Item]:
    return {item.id: item for item in items}


def _marks(responder: Responder, items: Sequence[Item], turn: int) -> list[float]:
    asked = [turned(item, turn) for item in items]
    answers = responder.answers(asked)
    return [float("".join(item.answer) == answer) for item, answer in zip(asked, answers, strict=True)]


def _rules(items: Sequence[Item], similarity: Similarity) -> dict[str, list[float]]:
    """Chance of each rule to be right on each item; a rule names one letter, so only single answers can be right."""
    found: dict[str, list[float]] = {name: [] for name in RULES}
    for item in items:
        letters = [*item.answer, *(letter for letter in item.options if letter not in item.answer)]
        texts = [item.options[letter] for letter in letters]
        scores = single(str(item.origin.get("asked") or item.question), texts, [0] * len(texts))
        sets = np.arange(len(texts), dtype=np.intp)[None, :]
        row = chances(len(item.answer), scores, similarity.vectors(texts), sets)[0]
        for name in RULES:
            found[name].append(float(row[PROBES.index(name)]) if len(item.answer) == 1 else 0.0)
    return found


def _rows(arm: str, by: str, items: Sequence[Item], marks: Sequence[Sequence[float]]) -> list[Accuracy]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, item in enumerate(items):
        places[ALL].append(place)
        places[item.task].append(place)
    rows = []
    for name, own in places.items():
        means = [mean(run[place] for place in own) for run in marks]
        groups = {items[place].id: [run[place] for run in marks] for place in own}
        range_ = clustered(groups)
        luck = mean(chance(items[place]) for place in own)
        rows.append(
            Accuracy(
                set=name,
                arm=arm,
                by=by,
                questions=len(own),
                accuracy=round(mean(means), 6),
                sd=round(stdev(means), 6) if len(means) > 1 else 0.0,
                low=range_.low if range_ else 0.0,
                high=range_.high if range_ else 0.0,
                chance=round(luck, 6),
                adjusted=round(adjusted(mean(means), luck), 6),
            )
        )
    return rows


def _with_drops(rows: Sequence[Accuracy]) -> list[Accuracy]:
    first = {(row.set, row.by): row for row in rows if row.arm == "original"}
    made = []
    for row in rows:
        base = first.get((row.set, row.by))
        if base and base is not row:
            drops = {"drop": round(base.accuracy - row.accuracy, 6)}
            drops["adjusted_drop"] = round(base.adjusted - row.adjusted, 6)
            row = row.model_copy(update=drops)
        made.append(row)
    return sorted(made, key=lambda row: (row.set != ALL, row.set, row.by, row.arm != "original", row.arm))
