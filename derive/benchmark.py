"""The benchmark: multiple-choice questions whose answers follow from the graph (paper §4.1, §8.1).

In: `Material`, rules, judges, a similarity. Out: `Benchmark`: items, and every dropped question with its reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass as settings

from derive.choose import Asked, ChoiceRules, OptionChooser, Picked
from derive.draft import Draft
from derive.items import ItemMaker
from derive.judge import Judge, RuleJudge
from derive.material import Material
from derive.options import Likeness, Open, PoolBuilder, PoolRules
from derive.quotas import balance_k, surplus
from derive.tasks.catalogue import TASKS
from kg.errors import SettingsError
from kg.ids import digest
from kg.item import Item
from kg.row import Row
from kg.similarity import Similarity

BATCH = 512
"""Questions whose vectors are made, and whose distractors teachers are asked about, together."""


@settings(frozen=True, config=ConfigDict(extra="forbid"))
class BenchRules:
    """Settings of the benchmark."""

    tasks: tuple[str, ...] = tuple(TASKS)
    pool: PoolRules = field(default_factory=PoolRules)
    chain: int = Field(default=2, ge=1)
    """A right answer behind a longer chain of edges is shown only where there are too few nearer ones."""
    nearness: float = Field(default=1.5, ge=0)
    """How much near distractors count against even probes; 0: only the probes count."""
    low: float = Field(default=0.19, ge=0, lt=0.25)
    high: float = Field(default=0.34, gt=0.25, le=1)
    """Where every probe's rate on single-answer items shall lie; questions that stand in the way are given up."""
    give_up_from: int = Field(default=60, ge=1)
    """Single-answer questions a task (or the whole) must have before any is given up for the probes' sake."""
    teacher: bool = False
    """A model looks at every distractor that the rules let pass, and refuses what might be right."""
    seed: int = 0
    """Another seed, another choice of wordings, letters and equal options."""

    def __post_init__(self) -> None:
        unknown = [task for task in self.tasks if task not in TASKS]
        if unknown:
            raise SettingsError(f"no task {unknown[0]!r}", where="bench.tasks", remedy=f"have: {', '.join(TASKS)}")


class Dropped(Row):
    """A question that was not kept."""

    id: str
    task: str
    reason: str


@dataclass
class TaskLog:
    """What became of one task's questions."""

    drafts: int = 0
    feasible: Counter[str] = field(default_factory=Counter)
    """Numbers of right options that a question could have -> questions."""
    dropped: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    """Distractors left out, by reason."""
    layers: Counter[str] = field(default_factory=Counter)
    """Layers of the distractors that were chosen."""


@dataclass
class Benchmark:
    """All items, sorted by task and id."""

    items: list[Item] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    logs: dict[str, TaskLog] = field(default_factory=dict)


class BenchmarkBuilder:
    """Makes one task after another."""

    def __init__(
        self, material: Material, rules: BenchRules, similarity: Similarity, teachers: Sequence[Judge] = ()
    ) -> None:
        self._m, self._rules = material, rules
        self._likeness = Likeness(material, similarity)
        self._judges = [RuleJudge(material), *teachers]
        self._chooser = OptionChooser(material, self._likeness, ChoiceRules(rules.seed, rules.nearness, rules.chain))

    @property
    def judges(self) -> tuple[str, ...]:
        """Who decides on distractors."""
        return tuple(judge.label for judge in self._judges)

    def build(self, origin: Mapping[str, str]) -> Benchmark:
        """The benchmark; `origin` goes into every item."""
        made = Benchmark()
        drops: dict[str, dict[str, str]] = {}
        chosen: dict[str, Picked] = {}
        for task in self._rules.tasks:
            made.logs[task] = TaskLog()
            drops[task] = {}
            chosen |= self._task(task, made.logs[task], drops[task])
        self._give_up(chosen, drops)
        maker = ItemMaker(self._m, self._rules.seed, origin)
        for picked in chosen.values():
            made.items.append(maker.item(picked.chosen))
            layers = (distractor.layer for distractor in picked.chosen.distractors)
            made.logs[picked.chosen.draft.task].layers.update(layers)
        made.items.sort(key=lambda item: (self._rules.tasks.index(item.task), item.id))
        for task, reasons in drops.items():
            made.logs[task].dropped.update(reasons.values())
            made.dropped += [Dropped(id=key, task=task, reason=reason) for key, reason in sorted(reasons.items())]
        return made

    def _task(self, task: str, log: TaskLog, drops: dict[str, str]) -> dict[str, Picked]:
        """Key -> the question with the options that keep the task's probes even."""
        drafts = sorted(TASKS[task](self._m), key=self._turn)
        log.drafts = len(drafts)
        opened = self._opened(self._asked(drafts, drops), log, drops)
        right = balance_k({asked.draft.key: found.feasible for asked, found in opened})
        return self._chooser.picked(opened, right)

    def _give_up(self, chosen: dict[str, Picked], drops: Mapping[str, dict[str, str]]) -> None:
        """Takes out the single-answer questions that keep a probe's rate out of range, in a task and then over all."""
        singles = {key: picked for key, picked in chosen.items() if picked.right == 1}
        for task in [*self._rules.tasks, ""]:
            own = {key: one.chances for key, one in singles.items() if task in ("", one.chosen.draft.task)}
            if len(own) >= self._rules.give_up_from:
                for key in surplus(own, self._rules.low, self._rules.high):
                    drops[singles.pop(key).chosen.draft.task][key] = "shortcut_quota"
                    del chosen[key]

    def _turn(self, draft: Draft) -> str:
        """An order that has nothing to do with the graph's."""
        return digest(f"{self._rules.seed}:{draft.key}", 24)

    def _asked(self, drafts: Sequence[Draft], drops: dict[str, str]) -> list[Asked]:
        """The drafts in words. No two ask the same; where names are shared, the place tells them apart."""
        seen: set[tuple[str, str]] = set()
        asked: list[Asked] = []
        for draft in drafts:
            name = self._m.speak.asked(draft.query)
            if (draft.template, name) in seen:
                drops[draft.key] = "repeated_question"
                continue
            seen.add((draft.template, name))
            wordings = self._m.pack.wordings(draft.template)
            wording = wordings[int(digest(f"{draft.key}:{self._rules.seed}", 4), 36) % len(wordings)]
            question = wording.format(name=name, subject=self._m.speak.subject(draft.query))
            asked.append(Asked(draft, question, name))
        return asked

    def _opened(self, asked: Sequence[Asked], log: TaskLog, drops: dict[str, str]) -> list[tuple[Asked, Open]]:
        builder = PoolBuilder(self._m, self._rules.pool, self._likeness, self._judges)
        opened: list[tuple[Asked, Open]] = []
        for one, found in self._found(asked, builder):
            if isinstance(found, Open) and found.feasible:
                opened.append((one, found))
                log.feasible["/".join(map(str, found.feasible))] += 1
            else:
                drops[one.draft.key] = "too_few_distractors" if isinstance(found, Open) else found
        log.refused = builder.refused
        return opened

    def _found(self, asked: Sequence[Asked], builder: PoolBuilder) -> Iterator[tuple[Asked, Open | str]]:
        for start in range(0, len(asked), BATCH):
            batch = asked[start : start + BATCH]
            vectors = self._likeness.similarity.vectors([one.question for one in batch])
            questions = [(one.draft, one.question, vector) for one, vector in zip(batch, vectors, strict=True)]
            yield from zip(batch, builder.open_all(questions), strict=True)
