"""The accuracy tree: how often a model is right in each branch, with an interval, and where it is weaker than beside.

In: a tree, items, answers. Out: `BranchRow`s, `GapRow`s, correlations. Branches with too few questions are not
reported; their questions count for what they hang from.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from scipy import stats  # type: ignore[import-untyped]

from derive.material import Material
from derive.respond import letters
from derive.rubric import json_object
from derive.statistics import Correlation, Estimate, holm, pearson, spearman, wilson
from derive.taxonomy.tree import TOP, Kind, Tree
from kg.errors import InputError
from kg.item import Item
from kg.row import Row

Answers = Mapping[str, Mapping[str, str]]
"""Who answers -> item id -> letters. An item without an entry was not asked."""


class BranchRow(Row):
    """One branch of a tree, answered by one model."""

    tree: str
    node: str
    name: str
    level: int
    model: str
    right: int
    accuracy: Estimate


class GapRow(Row):
    """A branch in which a model is right more or less often than in the other branches beside it."""

    tree: str
    node: str
    model: str
    gap: float
    """Accuracy here minus accuracy beside it."""
    p: float
    holm: float
    """Corrected for all branches of the tree and model."""
    upstream: str = ""
    """Of a weaker branch: what its things build on and the model knows least of."""


class PairRow(Row):
    """How alike two rows of branch accuracies are, or accuracy and a property of the branches."""

    tree: str
    one: str
    other: str
    pearson: Correlation
    spearman: Correlation


@dataclass(frozen=True)
class Found:
    """Everything about all trees."""

    scores: Mapping[Kind, Scores]
    branches: list[BranchRow]
    gaps: list[GapRow]
    pairs: list[PairRow]


def find(
    trees: Mapping[Kind, Tree],
    items: Sequence[Item],
    answers: Answers,
    material: Material,
    least: int,
    values: Mapping[str, Mapping[str, float]],
) -> Found:
    """All rows. `values`: properties of nodes, by name, whose mean in a branch accuracies are held against."""
    scores = {kind: Scores(tree, items, answers) for kind, tree in trees.items()}
    means = {kind: {name: mean_below(tree, own) for name, own in values.items()} for kind, tree in trees.items()}
    return Found(
        scores,
        [row for score in scores.values() for row in branches(score, material, least)],
        [row for score in scores.values() for row in gaps(score, material, least)],
        [row for kind, score in scores.items() for row in pairs(score, least, means[kind])],
    )


def read_answers(path: Path, items: Sequence[Item]) -> dict[str, str]:
    """Item id -> letters, from lines with an `id` and `letters`, or an `answer` or `raw` reply to read them from.

    A reply without a letter is a wrong answer; a line about no item of ours, or none that can be read, counts for
    nothing. Raises InputError if there is no such file or it answers nothing.
    """
    if not path.is_file():
        raise InputError("no such file", where=str(path), remedy="name a .jsonl file of answers")
    known = {item.id: item for item in items}
    found: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        said = json_object(line) or {}
        item = known.get(str(said.get("id")))
        if item is not None and not said.get("failure"):
            found[item.id] = _letters(said, item)
    if not found:
        raise InputError(
            "no line answers any of the questions", where=str(path), remedy="lines need `id` and `letters`"
        )
    return found


def _letters(said: Mapping[str, Any], item: Item) -> str:
    given = said.get("letters")
    if isinstance(given, list):
        return "".join(map(str, given))
    return letters(str(given or said.get("answer") or said.get("raw") or ""), item.options)


class Scores:
    """Right answers per node and model, rolled up a tree."""

    def __init__(self, tree: Tree, items: Sequence[Item], answers: Answers) -> None:
        self.tree = tree
        self.own: dict[str, dict[str, list[bool]]] = {model: defaultdict(list) for model in sorted(answers)}
        """Model -> node -> whether each answer about it is right."""
        self.all: dict[str, dict[str, list[bool]]] = {model: defaultdict(list) for model in sorted(answers)}
        """The same with what hangs from the node."""
        self.outside = 0
        """Items about nothing in the tree."""
        for item in items:
            line = tree.line(item.query)
            self.outside += not line
            for model in self.own:
                if line and item.id in answers[model]:
                    right = sorted(answers[model][item.id]) == sorted("".join(item.answer))
                    self.own[model][item.query].append(right)
                    for node in line:
                        self.all[model][node].append(right)

    def reported(self, model: str, least: int) -> list[str]:
        """Nodes with enough questions, in reading order."""
        return [node for node in self.tree.order if len(self.all[model].get(node, ())) >= least]


def branches(scores: Scores, material: Material, least: int) -> list[BranchRow]:
    """A row per model and branch that has at least `least` answers."""
    rows: list[BranchRow] = []
    for model in scores.all:
        for node in scores.reported(model, least):
            hits = scores.all[model][node]
            estimate = wilson(sum(hits), len(hits))
            record = material.view.nodes.get(node)
            if estimate:
                rows.append(
                    BranchRow(
                        tree=scores.tree.kind,
                        node=node,
                        name=record.name if record else "",
                        level=scores.tree.level[node],
                        model=model,
                        right=sum(hits),
                        accuracy=estimate,
                    )
                )
    return rows


def gaps(scores: Scores, material: Material, least: int) -> list[GapRow]:
    """Every reported branch against the other branches of its parent, by Fisher's exact test, corrected by Holm."""
    rows: list[GapRow] = []
    for model, hits in scores.all.items():
        found: list[tuple[str, float, float]] = []
        for node in scores.reported(model, least):
            if node == TOP:
                continue
            here, above = hits[node], hits[scores.tree.above[node]]
            right, total = sum(above) - sum(here), len(above) - len(here)
            if total >= least:
                table = [[sum(here), len(here) - sum(here)], [right, total - right]]
                p = float(stats.fisher_exact(table).pvalue)
                found.append((node, sum(here) / len(here) - right / total, p))
        for (node, gap, p), corrected in zip(found, holm([p for _, _, p in found]), strict=True):
            weakest = _upstream(scores, material, model, node) if gap < 0 else ""
            numbers = {"gap": round(gap, 6), "p": round(p, 9), "holm": round(corrected, 9)}
            rows.append(GapRow(tree=scores.tree.kind, node=node, model=model, upstream=weakest, **numbers))
    return rows


def _upstream(scores: Scores, material: Material, model: str, branch: str) -> str:
    """The thing outside the branch that something in it builds on, with the smallest share of right answers."""
    start = scores.tree.place[branch]
    inside = set(scores.tree.order[start : start + scores.tree.size(branch)])
    before = {other for node in sorted(inside) for other in material.view.closure(node, "prerequisite", False)}
    asked = [node for node in sorted(before - inside) if scores.own[model].get(node)]
    return min(asked, key=lambda node: (_share(scores.own[model][node]), node), default="")


def pairs(scores: Scores, least: int, properties: Mapping[str, Mapping[str, float]]) -> list[PairRow]:
    """Over the branches right under the root's children and deeper: model against model, model against property."""
    rows: list[PairRow] = []
    shares = {
        model: {node: _share(hits[node]) for node in scores.reported(model, least) if node != TOP}
        for model, hits in scores.all.items()
    }
    couples = list(combinations(shares, 2)) + [(model, name) for model in shares for name in properties]
    for one, other in couples:
        second = shares.get(other) or properties.get(other, {})
        common = [node for node in shares[one] if node in second]
        x, y = [shares[one][node] for node in common], [second[node] for node in common]
        rows.append(
            PairRow(tree=scores.tree.kind, one=one, other=other, pearson=pearson(x, y), spearman=spearman(x, y))
        )
    return rows


def mean_below(tree: Tree, values: Mapping[str, float]) -> dict[str, float]:
    """Per node the mean of the values in its branch."""
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for node, value in sorted(values.items()):
        for above in tree.line(node):
            sums[above][0] += value
            sums[above][1] += 1
    return {node: total / count for node, (total, count) in sums.items()}


def _share(hits: Iterable[bool]) -> float:
    known = list(hits)
    return sum(known) / len(known)
