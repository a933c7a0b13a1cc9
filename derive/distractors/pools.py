"""For every question a pool of wrong options, each with the path or slip that leads to it.

In: questions with their nodes. Out: `Pool`s, or why there is none. Ends of guided walks come first, from the question,
then from the answer; where they are too few, things from the answer's section, chapter, book, which say that they have
no path. Numbers and formulas get slips.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping as Dictionary
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from derive.distractors.avoid import Avoided
from derive.distractors.mapping import Mapping
from derive.distractors.mutate import Kind, kind_of, slips
from derive.distractors.pack import Pack
from derive.distractors.walk import Walked, Walker, roles_for
from derive.draft import Draft, Gold, Layer
from derive.judge import Judge
from derive.material import Material
from derive.options import Distractor, Likeness, Open, PoolBuilder, PoolRules
from derive.path import Path, Step
from derive.view import Key
from kg.graph import Provenance
from kg.item import Item

WALK, BACK, SLIP, MODEL = "walk", "answer_walk", "slip", "model"
"""How a distractor was found: on a walk from the question, on one from the answer, by a slip,
by a model; else a scope."""

LOOKS = "look_alike"
SPARE = 3
"""Wrong options without a path beyond those needed, to choose from."""
NAME = 100
"""Most characters of a name inside a reason."""


@dataclass(frozen=True)
class Wrong:
    """A wrong option and where it comes from."""

    text: str
    layer: str
    """`walk_2`: two steps from the question; `answer_walk_1`; `section` …; `slip_sign`; `model`."""
    node: str = ""
    path: tuple[Key, ...] = ()
    nodes: tuple[str, ...] = ()
    """Those of the path, from its start."""
    score: float = 0.0
    why: str = ""
    evidence: tuple[Provenance, ...] = ()

    @property
    def grounded(self) -> bool:
        """True if a path or a named slip leads to it."""
        return bool(self.path) or self.layer.startswith(SLIP)


@dataclass(frozen=True)
class Question:
    """A question with what is known of it."""

    item: Item
    mapping: Mapping
    wanted: int
    """Wrong options it had, or shall have."""
    avoided: Avoided | None
    """None if its answers are no nodes."""

    @property
    def right(self) -> tuple[str, ...]:
        """Texts of the right options."""
        return tuple(self.item.options[letter] for letter in self.item.answer)

    @property
    def kind(self) -> Kind:
        """What the answers are; `entity` where they differ."""
        kinds = {kind_of(text) for text in self.right}
        return kinds.pop() if len(kinds) == 1 else "entity"


@dataclass
class Pools:
    """What came of many questions."""

    found: dict[str, tuple[Wrong, ...]] = field(default_factory=dict)
    """Id -> pool, at least as many as are wanted."""
    dropped: dict[str, str] = field(default_factory=dict)
    """Id -> reason."""
    refused: Counter[str] = field(default_factory=Counter)
    """Candidates that were looked at and left out, by reason."""
    widened: int = 0
    """Questions whose walk had to be wider than asked for."""


class PoolMaker:
    """Walks and slips."""

    def __init__(
        self,
        material: Material,
        pack: Pack,
        walker: Walker,
        likeness: Likeness,
        rules: PoolRules,
        band: tuple[int, int],
    ) -> None:
        """`band`: fewest and most steps between a question (or answer) and a distractor."""
        self._m, self._pack, self._walker, self._likeness = material, pack, walker, likeness
        self._rules, self._band = rules, band

    def pools(self, questions: Sequence[Question], judges: Sequence[Judge], widest: int) -> Pools:
        """A pool for every question, or a reason. The first judge is asked one candidate at a time."""
        made = Pools()
        groups: dict[int, list[Question]] = defaultdict(list)
        for question in questions:
            if question.avoided is not None:
                groups[question.wanted].append(question)
            elif question.kind != "entity":
                self._slipped(question, made)
            else:
                made.dropped[question.item.id] = "answer_is_no_node"
        for wanted, group in sorted(groups.items()):
            self._walked(wanted, group, judges, widest, made)
        return made

    def _slipped(self, question: Question, made: Pools) -> None:
        """Numbers and formulas; of several right ones the slips of the first, since they stand for all."""
        found = slips(question.right[0], question.item.question, self._pack.confused)
        known = {one.strip() for one in question.right}
        pool = tuple(
            Wrong(text=one.text, layer=f"{SLIP}_{one.kind}", why=self._pack.slips[one.kind].format(text=one.text))
            for one in found
            if one.text.strip() not in known
        )
        if len(pool) >= question.wanted:
            made.found[question.item.id] = pool
        else:
            made.dropped[question.item.id] = "too_few_slips"

    def _walked(
        self, wanted: int, group: Sequence[Question], judges: Sequence[Judge], widest: int, made: Pools
    ) -> None:
        rules = replace(self._rules, wanted=min(20, max(self._rules.wanted, wanted + 3)))
        builder = PoolBuilder(self._m, rules, self._likeness, judges)
        walks = {question.item.id: self._walks(question, rules.wanted, widest, made) for question in group}
        vectors = self._likeness.similarity.vectors([question.item.question for question in group])
        asked = [
            (self._draft(question, walks[question.item.id]), question.item.question, vector)
            for question, vector in zip(group, vectors, strict=True)
        ]
        for question, found in zip(group, builder.open_all(asked), strict=True):
            pool = self._pool(question, found, walks[question.item.id]) if isinstance(found, Open) else ()
            if len(pool) >= wanted:
                made.found[question.item.id] = pool
            else:
                made.dropped[question.item.id] = "too_few_distractors" if isinstance(found, Open) else str(found)
        made.refused.update(builder.refused)

    def _walks(self, question: Question, wanted: int, widest: int, made: Pools) -> dict[str, Walked]:
        """End -> the shortest path to it, of the right type; layers by (from the answer?, length)."""
        avoided = question.avoided
        assert avoided is not None
        answers, view = question.mapping.answers, self._m.view
        labels = {view.nodes[answer].label for answer in answers}
        guide = self._walker.guide(question.item.question, question.right)
        roles = roles_for(self._m, answers)
        found: dict[tuple[str, bool], Walked] = {}
        width = self._walker.rules.width
        while True:
            for starts in (question.mapping.starts, answers):
                for one in self._walker.walk(starts, avoided.barred, guide, roles, width):
                    if view.nodes[one.end].label in labels and self._band[0] <= len(one.path.steps) <= self._band[1]:
                        found.setdefault((one.end, starts is answers), one)
                        if len(one.path.steps) < len(found[one.end, starts is answers].path.steps):
                            found[one.end, starts is answers] = one
            ends = {end for end, _ in found}
            if len(ends) >= 2 * wanted or width * 2 > widest:
                break
            width *= 2
        made.widened += width > self._walker.rules.width
        # what the question itself leads to comes before what only its answer leads to
        return {end: found.get((end, False)) or found[end, True] for end in sorted(ends)}

    def _draft(self, question: Question, walks: Dictionary[str, Walked]) -> Draft:
        assert question.avoided is not None
        full, answers = question.avoided.draft, question.mapping.answers
        golds = tuple(Gold(answer, ()) for answer in answers)
        layers: dict[tuple[str, int], set[str]] = defaultdict(set)
        for end, walked in walks.items():
            layers[self._layer(question, walked), len(walked.path.steps)].add(end)
        order = sorted(layers, key=lambda layer: (layer[0] != WALK, layer[1]))
        named = tuple(Layer(f"{name}_{steps}", frozenset(layers[name, steps])) for name, steps in order)
        return replace(full, golds=golds, layers=named, refused={}, surely_wrong=frozenset(), texts="")

    def _layer(self, question: Question, walked: Walked) -> str:
        return WALK if walked.path.steps[0].start in question.mapping.starts else BACK

    def _pool(self, question: Question, found: Open, walks: Dictionary[str, Walked]) -> tuple[Wrong, ...]:
        labels = {self._m.view.nodes[answer].label for answer in question.mapping.answers}
        shown = {text.strip().casefold() for text in question.right}
        pool = [self._wrong(one, walks.get(one.id)) for one in found.pool if self._m.view.nodes[one.id].label in labels]
        pool = [one for one in pool if one.text.strip().casefold() not in shown]
        reached = [one for one in pool if one.path]
        if len(reached) >= question.wanted:
            # look-alikes are there only if they are asked for, to draw those who go by looks away from the key
            return (*reached, *(one for one in pool if one.layer == LOOKS))
        return (*reached, *[one for one in pool if not one.path][: question.wanted - len(reached) + SPARE])

    def _wrong(self, one: Distractor, walked: Walked | None) -> Wrong:
        text = self._m.speak.option(one.id)
        if walked is None:
            return Wrong(text=text, layer=one.layer, node=one.id, why=self._pack.near[one.layer].format(text=text))
        view, path = self._m.view, walked.path
        quotes = dict.fromkeys(quote for step in path.steps for quote in step.edge(view).provenance[:1])
        why = self._pack.walked.format(steps=self.said(path), text=text)
        return Wrong(text, one.layer, one.id, path.keys(view), path.nodes, walked.score, why, tuple(quotes))

    def said(self, path: Path) -> str:
        """The path in words."""
        return self._pack.joint.join(self._step(step) for step in path.steps)

    def _step(self, step: Step) -> str:
        names = {"start": self._called(step.start), "end": self._called(step.end)}
        return self._pack.steps[step.role][0 if step.forward else 1].format(**names)

    def _called(self, node: str) -> str:
        """The node's name; of a long one its beginning."""
        text = self._m.speak.option(node)
        return text if len(text) <= NAME else text[: NAME - 1].rstrip() + "…"
