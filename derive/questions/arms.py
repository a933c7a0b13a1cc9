"""Ablations: the same kind of questions with parts of the system left out, by rules or by a model.

In: settings, a finished question set. Out: per arm its items, and an `ArmReport` of what is wrong with them per 100.

| arm | by rules | by a model |
|---|---|---|
| plain | two things and a relation drawn by lot | knows the topic only |
| rag | two things of one section | sees passages |
| rag_kg | any simple path of so many edges, nearest options | sees passages and the path |
| rag_val | rag, and the validator | rag, and the validator |
| full | the question set | sees passages and the path; the validator |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from derive.material import Material
from derive.path import Path as Walk
from derive.path import Step, steps
from derive.questions.proof import Proof
from derive.questions.routes import ANCHORS, Hop, Route
from derive.questions.settings import Rules
from derive.questions.stems import Wording
from kg.graph_io import evidence
from kg.ids import digest
from kg.item import LETTERS, Choice, Item
from kg.row import Row

T = TypeVar("T")
FLAGS = ("repeated", "single_key", "option_uniqueness", "answerable", "shorter_route")
OPTIONS = 4
TRIES = 40
"""Draws per item that is wanted before an arm gives up."""


class ArmReport(Row):
    """What is wrong with one arm's items."""

    arm: str
    by: str
    items: int
    dropped: dict[str, int]
    per_100: dict[str, float | None]
    """Flag -> items of 100 that have it; none where nothing can tell."""
    accuracy: float | None = None
    entropy: float | None = None
    """Of the reader who goes by likeness, or of the model that was asked (`probe`)."""


@dataclass(frozen=True)
class ArmMade:
    """One arm's items and what became of the others."""

    arm: str
    by: str
    items: list[Item]
    dropped: Counter[str]


class RuleArms:
    """Draws by lot from the graph; another seed, another draw."""

    def __init__(self, material: Material, rules: Rules, wording: Wording) -> None:
        self._m, self._rules, self._wording = material, rules, wording
        self._proof = Proof(material.view, rules.relations)
        self._things = material.view.with_role(*ANCHORS)

    def make(self, arm: str, finished: Sequence[Item]) -> ArmMade:
        """The arm's items; those of the whole system are the question set's own."""
        made = ArmMade(arm, "rules", [], Counter())
        if arm == "full":
            own = sorted(finished, key=lambda item: digest(f"{self._rules.seed}:arm:{item.id}", 24))
            made.items.extend(own[: self._rules.arm_items])
            return made
        for turn in range(self._rules.arm_items * TRIES if self._things else 0):
            if len(made.items) >= self._rules.arm_items:
                break
            item = self._item(arm, turn)
            if item is not None and arm.endswith("_val") and (bad := self.flags(item)):
                made.dropped[bad[0]] += 1
            elif item is not None:
                made.items.append(item)
        return made

    def flags(self, item: Item) -> list[str]:
        """What brute force over the graph finds wrong with it; `repeated` is the arm's to tell."""
        accepted = self._proof.answers(item.query, str(item.origin["relations"]))
        right = {item.choices[letter].id for letter in item.answer}
        shown = {choice.id for choice in item.choices.values()}
        texts = {self._m.words.keyed(text) for text in item.options.values()}
        found = {
            "single_key": bool((accepted & shown) - right),
            "option_uniqueness": len(texts) < len(item.options),
            "answerable": not right <= accepted or not all(hop["quote"] for hop in item.origin["hops"]),
            "shorter_route": any(self._proof.distance(item.query, node, item.level) < item.level for node in right),
        }
        return [name for name, bad in found.items() if bad]

    def _item(self, arm: str, turn: int) -> Item | None:
        """One draw; none if it leads nowhere."""
        anchor = self._lot(self._things, f"{arm}:{turn}")
        level = self._rules.levels[turn % len(self._rules.levels)]
        if arm == "rag_kg":
            walk = self._walk(anchor, level, turn)
            return self._put(arm, walk, self._nearest(walk.nodes[-1]), turn) if walk else None
        near = self._things if arm == "plain" else self._section(anchor)
        others = self._like(near, anchor, turn)
        if len(others) < OPTIONS:
            return None
        role = self._lot(self._rules.relations, f"{turn}:relation")
        claimed = Walk((Step(role, anchor, others[0], forward=True),))
        return self._put(arm, claimed, others[1:], turn)

    def _walk(self, anchor: str, level: int, turn: int) -> Walk | None:
        """A simple path of so many edges by lot."""
        path = Walk(())
        here = anchor
        for place in range(level):
            seen = path.nodes or (anchor,)
            on = [step for step in steps(self._m.view, here, self._rules.relations) if step.end not in seen]
            if not on:
                return None
            path = Walk((*path.steps, self._lot(on, f"{turn}:{place}")))
            here = path.nodes[-1]
        return path

    def _nearest(self, key: str) -> list[str]:
        """Things of its type one, two and three steps from the answer."""
        view = self._m.view
        rings = (sorted(view.ring([key], distance)) for distance in (1, 2, 3))
        return [node for ring in rings for node in ring if view.role(node) == view.role(key)]

    def _section(self, node: str) -> Sequence[str]:
        home = self._m.places.home(node)
        return self._m.places.members("section", home) if home else ()

    def _like(self, nodes: Sequence[str], anchor: str, turn: int) -> list[str]:
        """Of the nodes those of the anchor's type, by lot."""
        view = self._m.view
        same = [node for node in nodes if node != anchor and view.role(node) == view.role(anchor)]
        return sorted(same, key=lambda node: digest(f"{self._rules.seed}:{turn}:{node}", 24))

    def _put(self, arm: str, walk: Walk, distractors: Sequence[str], turn: int) -> Item | None:
        """As an item; none if there are too few options."""
        view, speak = self._m.view, self._m.speak
        anchor, key = walk.nodes[0], walk.nodes[-1]
        wrong = [node for node in dict.fromkeys(distractors) if node not in (anchor, key)][: OPTIONS - 1]
        if len(wrong) < OPTIONS - 1:
            return None
        hops = tuple(Hop(step.role, step.forward or step.role == "association") for step in walk.steps)
        code = "".join(map(str, hops))
        order = sorted([key, *wrong], key=lambda node: digest(f"{self._rules.seed}:{arm}:{turn}:{node}", 24))
        letters = dict(zip(LETTERS, order, strict=False))
        edges = [view.edge(s.role, *((s.start, s.end) if s.forward else (s.end, s.start))) for s in walk.steps]
        return Item(
            id=f"{arm}::{turn:05}",
            question=self._wording.stem(Route(anchor, hops, (walk,))),
            options={letter: speak.option(node) for letter, node in letters.items()},
            answer=tuple(letter for letter, node in letters.items() if node == key),
            task=f"arm_{arm}",
            language=self._m.language.code,
            query=anchor,
            choices={letter: Choice(id=node, right=node == key) for letter, node in letters.items()},
            level=len(hops),
            mode=arm,
            origin={"relations": code, "hops": [{"quote": next(iter(evidence(e) if e else ()), "")} for e in edges]},
        )

    def _lot(self, things: Sequence[T], turn: str) -> T:
        return things[int(digest(f"{self._rules.seed}:{turn}", 8), 36) % len(things)]


def report(made: ArmMade, flags: Callable[[Item], list[str]], told: Sequence[str] = FLAGS) -> ArmReport:
    """Flags per 100 items; those that are not `told` are left open."""
    counts: Counter[str] = Counter(flag for item in made.items for flag in flags(item))
    asked = Counter((item.question.casefold(), item.options[item.answer[0]].casefold()) for item in made.items)
    counts["repeated"] = sum(number - 1 for number in asked.values())
    share = 100 / max(1, len(made.items))
    per_100 = {flag: round(share * counts[flag], 1) if flag in told and made.items else None for flag in FLAGS}
    return ArmReport(
        arm=made.arm, by=made.by, items=len(made.items), dropped=dict(sorted(made.dropped.items())), per_100=per_100
    )
