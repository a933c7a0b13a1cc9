"""Puts the recipe together: questions are linked, walked from, given options in every arm, and counted.

In: items. Out: `Made`: the arms, and what is said of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from derive.ask import Asker
from derive.distractors.avoid import Avoider, FullJudge
from derive.distractors.choose import Chooser, Letters
from derive.distractors.mapping import Mapped, Mapper
from derive.distractors.mapping import Mapping as Nodes
from derive.distractors.pack import Pack
from derive.distractors.pools import PoolMaker, Pools, Question, Wrong
from derive.distractors.replies import asked_json
from derive.distractors.report import Figures, Left, Summary, Why, mapped_counts, whys
from derive.distractors.walk import Walker
from derive.distractors.written import Arm, ModelAuthor
from derive.judge import Judge, TeacherJudge
from derive.linker import Linker
from derive.material import Material
from derive.options import Likeness
from kg.item import Item

if TYPE_CHECKING:
    from derive.distractors.stage import Distractors

ORIGINAL, GUIDED = "original", "path_guided"
WRITTEN: tuple[Arm, ...] = ("model_only", "path_model")


@dataclass
class Made:
    """Everything that is written."""

    read: list[Item] = field(default_factory=list)
    questions: dict[str, Question] = field(default_factory=dict)
    arms: dict[str, list[Item]] = field(default_factory=dict)
    whys: list[Why] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)
    mapped: list[Mapped] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    widened: int = 0


class Maker:
    """Follows the settings."""

    def __init__(self, material: Material, pack: Pack, rules: Distractors, asker: Asker | None) -> None:
        self._m, self._rules = material, rules
        self._ask = asked_json(asker.surely) if asker else None
        self._linker = Linker(material, rules.similarity, sure=rules.link.sure, slips=rules.link.slips)
        by_model = self._ask if rules.link.by == "model" else None
        self._mapper = Mapper(material, self._linker, rules.link, by_model)
        self._likeness = Likeness(material, rules.similarity)
        walker = Walker(material, rules.similarity, rules.walk)
        self._pools = PoolMaker(material, pack, walker, self._likeness, rules.pool, rules.band)
        self._avoider = Avoider(material, rules.avoid)
        judge = TeacherJudge(f"teacher {asker.endpoint.model}", asker.surely) if asker and rules.judge else None
        self._teachers: list[Judge] = [judge] if judge else []
        self.prompts: dict[str, str] = {judge.prompt.name: judge.prompt.fingerprint} if judge else {}
        """Name -> fingerprint of those that are used."""
        if by_model:
            self.prompts |= {name: prompt.fingerprint for name, prompt in self._mapper.prompts.items()}

    def made(self, items: Sequence[Item]) -> Made:
        """All arms. Raises Unanswered where a model that is asked answers nothing."""
        made = Made(read=sorted(items, key=lambda item: item.id))
        mappings = self._mapper.mappings(made.read)
        made.mapped = [row for mapping in mappings for row in mapping.rows]
        for item, mapping in zip(made.read, mappings, strict=True):
            made.questions[item.id] = self._question(item, mapping)
        pools = self._pooled(made)
        made.arms[ORIGINAL] = [
            item.model_copy(update={"mode": ORIGINAL}) for item in made.read if len(item.options) > 1
        ]
        kept = [made.questions[key] for key in pools.found]
        chooser = Chooser(self._m.view, self._rules.similarity, self._rules.nearness, self._rules.seed)
        self._lay(made, GUIDED, chooser.chosen(kept, pools.found), pools.dropped)
        if self._rules.writer == "model":
            self._written(made, pools)
        made.left.sort(key=lambda left: (left.arm, left.id))
        return made

    def _question(self, item: Item, mapping: Nodes) -> Question:
        wanted = len(item.options) - len(item.answer) or self._rules.wrong
        starts = tuple(start for start in mapping.starts if start not in mapping.answers)
        mapping = Nodes(starts, mapping.answers, mapping.rows)
        avoided = self._avoider.avoided(item, starts, mapping.answers) if mapping.answers else None
        return Question(item, mapping, wanted, avoided)

    def _pooled(self, made: Made) -> Pools:
        judges = self._judges(made)
        pools = self._pools.pools(list(made.questions.values()), judges, self._rules.walk.widest)
        made.refused, made.widened = dict(sorted(pools.refused.items())), pools.widened
        return pools

    def _judges(self, made: Made) -> list[Judge]:
        drafts = {one.avoided.draft.key: one.avoided for one in made.questions.values() if one.avoided}
        return [FullJudge(self._m, drafts, strict=bool(self._rules.avoid)), *self._teachers]

    def _written(self, made: Made, pools: Pools) -> None:
        assert self._ask is not None
        judges = self._judges(made)
        author = ModelAuthor(self._m, self._linker, self._ask, judges, self._rules.pool.near_text)
        self.prompts |= {prompt.name: prompt.fingerprint for prompt in author.prompts.values()}
        for arm in WRITTEN:
            found, dropped = author.written(arm, list(made.questions.values()), pools.found)
            missing = {key: "no_paths" for key in made.questions if key not in found and key not in dropped}
            self._lay(made, arm, found, {**dropped, **missing})
        made.refused |= {f"written_{reason}": count for reason, count in sorted(author.refused.items())}

    def _lay(self, made: Made, arm: str, found: Mapping[str, Sequence[Wrong]], dropped: Mapping[str, str]) -> None:
        """The arm has its items; kept and left out are all that were read."""
        letters = Letters(self._rules.order, self._rules.seed)
        made.arms[arm] = []
        for key, question in made.questions.items():
            if key in found:
                item, placed = letters.item(question, found[key], arm)
                made.arms[arm].append(item.model_copy(update={"checks": self._checks(found[key])}))
                made.whys += whys(item, arm, placed)
            else:
                made.left.append(Left(id=key, set=question.item.task, arm=arm, reason=dropped[key]))

    def _checks(self, wrong: Sequence[Wrong]) -> dict[str, str]:
        by = ", ".join(["rules", *(judge.label for judge in self._teachers)])
        grounded = sum(one.grounded for one in wrong)
        return {"incorrect": by, "grounded": f"{grounded} of {len(wrong)}"}

    def summary(self, made: Made, facts: Mapping[str, Any]) -> Summary:
        """The figures of all arms but the original one, which is not ours."""
        figures = Figures(self._m, self._rules.similarity)
        arms = {
            arm: figures.of_arm(items, made.questions, [why for why in made.whys if why.arm == arm])
            for arm, items in made.arms.items()
            if arm != ORIGINAL
        }
        return Summary(
            language=self._m.language.code,
            facts=dict(facts),
            read=len(made.read),
            sets=_counted(item.task for item in made.read),
            mapped=mapped_counts(made.mapped),
            widened=made.widened,
            refused=made.refused,
            left={arm: _counted(left.reason for left in made.left if left.arm == arm) for arm in arms},
            arms=arms,
        )


def _counted(values: Any) -> dict[str, int]:
    found: dict[str, int] = {}
    for value in sorted(values):
        found[value] = found.get(value, 0) + 1
    return found
