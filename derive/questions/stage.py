"""The recipe `derive=questions`: multiple-choice questions by level, from any finished graph.

In: `graph/nodes.json`, `graph/edges.json`. Out: `questions/items.jsonl`, `multiselect.jsonl`, `dropped.jsonl`,
`summary.json`, `audit_sheet.csv`, `index.html`, and where asked for `probe.jsonl`, `arms.json`, `arm_<name>.jsonl`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass as plain
from dataclasses import field
from typing import ClassVar

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from derive.ask import Asker, Unanswered
from derive.material import Material
from derive.options import Likeness
from derive.questions import probe
from derive.questions.arms import ArmMade, ArmReport, RuleArms, report
from derive.questions.arms_model import TOLD, ModelArms
from derive.questions.bank import Bank, bank_of, finder_of
from derive.questions.builder import Builder, Made
from derive.questions.pack import Pack
from derive.questions.page import page
from derive.questions.proof import Proof
from derive.questions.readers import Readers, Reading
from derive.questions.report import Summary, summary
from derive.questions.scope import Scope, scope_of
from derive.questions.settings import Rules
from derive.questions.sheet import drawn, sheet
from derive.questions.stems import ModelStems, Wording
from derive.questions.validate import Validator
from derive.recipe import Recipe
from derive.rubric import ModelRater
from kg.errors import Failure
from kg.graph_io import ReadGraph
from kg.item import Item as Question
from kg.llm import Sampling
from kg.project import Project
from kg.stage import Item, Result
from kg.store import jsonl

ROWS = ("questions/items.jsonl", "questions/multiselect.jsonl")
SUMMARY, PAGE = "questions/summary.json", "questions/index.html"
SHEET = 100
"""Most rows of the audit sheet."""
WRITER, VALIDATOR, PROBE, ARMS = (f"questions.{name}" for name in ("writer", "validator", "probe", "arm_by"))


@plain
class Askers:
    """One per task of a model, each with its own sampling; they share what may be spent."""

    of: dict[str, Asker]

    def use(self, prompts: Mapping[str, Mapping[str, str]]) -> dict[str, object]:
        """Task -> what was asked."""
        return {task: asker.use(prompts.get(task, {})) for task, asker in self.of.items()}

    def counts(self) -> dict[str, int]:
        """Of all together."""
        return next(iter(self.of.values())).counts() if self.of else {}

    def lost(self) -> tuple[Failure, ...]:
        """What has no answer."""
        return tuple(failure for asker in self.of.values() for failure in asker.lost("questions"))


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Questions(Recipe):
    """Makes one question set."""

    pages: ClassVar[tuple[str, ...]] = (SUMMARY, PAGE)

    questions: Rules = field(default_factory=Rules)
    writing: Sampling = Sampling(temperature=0.4, max_tokens=1024)
    """How a model picks its words when it writes; `sampling` is for judging."""

    @property
    def products(self) -> tuple[str, ...]:
        """One folder."""
        return ("questions",)

    @property
    def switches(self) -> tuple[str, ...]:
        """Settings that ask a model."""
        rules = self.questions
        arms = rules.arm_by == "model" and bool(set(rules.arms) - {"full"})
        used = {
            WRITER: rules.writer == "model",
            VALIDATOR: rules.validator == "model",
            PROBE: rules.probe,
            ARMS: arms,
        }
        return tuple(name for name, on in used.items() if on)

    def run(self, item: Item, context: tuple[ReadGraph, Material]) -> Result:
        """The files of the question set."""
        try:
            return Run(self, *context).result()
        except Unanswered as error:
            lost = Failure(stage=self.name, item=item.key, what=error.what, remedy=error.remedy, retry=True)
            return Result(failures=(lost,))

    def collect(self, project: Project) -> Result | None:
        """The page."""
        store = project.store
        if not store.exists(SUMMARY):
            return None
        made = store.read_row(SUMMARY, Summary)
        items = [
            row for name in ("items", "multiselect") for row in store.read_rows(f"questions/{name}.jsonl", Question)
        ]
        arms = list(store.read_rows("questions/arms.jsonl", ArmReport)) if self.questions.arms else []
        pack = project.languages[made.language].part("questions", Pack)
        return Result(files={PAGE: page(project.title, pack, made, items, arms)})


class Run:
    """One question set being made."""

    def __init__(self, recipe: Questions, read: ReadGraph, material: Material) -> None:
        self._recipe, self._rules, self._read, self._m = recipe, recipe.questions, read, material
        self._digest = read.digest()
        self._likeness = Likeness(material, recipe.similarity)
        self._pack = material.language.part("questions", Pack)
        self._wording = Wording(material, self._pack, self._rules.seed, self._rules.trace)
        self._finder = finder_of(material, self._rules)
        self._askers = Askers({})

    def result(self) -> Result:
        """All files. Raises Unanswered where a judge answers nothing, SettingsError for a topic nothing is called."""
        rules, material = self._rules, self._m
        scope = scope_of(material, rules.topic, self._recipe.similarity)
        # what is kept must not depend on the seed, which chooses wordings
        bank = bank_of(material, rules, self._likeness, Wording(material, self._pack, 0), self._digest)
        validator = Validator(material, rules, self._finder, self._wording, scope)
        judge = self._judge(validator) if rules.validator == "model" else None
        stems = self._stems()
        builder = Builder(material, rules, self._likeness, self._wording)
        origin = {"graph": self._digest[:16], "similarity": self._recipe.similarity.label, "recipe": "questions"}
        made = builder.build(bank, scope, origin, stems, validator, judge)
        files = self._rows(made)
        readers: dict[str, dict[str, Reading]] = {}
        if rules.probe:
            files["questions/probe.jsonl"], readers["model"] = self._probed(made)
        files |= self._arms(made, validator)
        facts = self._facts(bank, scope, validator, judge, stems) | {"readers": readers}
        report = summary(made, bank, material, rules, self._recipe.similarity, facts)
        files[SUMMARY] = (report.model_dump_json(indent=1) + "\n").encode("utf-8")
        counts = {"items": report.items, "multi-select": report.several, "dropped": len(made.dropped)}
        counts |= {"routes from the bank" if bank.kept else "routes found": len(bank.entries)}
        failures = (*self._read.failures, *self._askers.lost())
        return Result(files, failures, {**counts, **self._askers.counts()})

    def _asker(self, task: str, switch: str, sampling: Sampling) -> Asker:
        asker = Asker(self._recipe.endpoint(switch), sampling)
        for other in self._askers.of.values():
            asker.spend = other.spend
        return self._askers.of.setdefault(task, asker)

    def _judge(self, validator: Validator) -> ModelRater:
        asker = self._asker("validator", VALIDATOR, self._recipe.sampling)
        return validator.by_model(asker.surely, asker.endpoint.model)

    def _stems(self) -> Wording | ModelStems:
        if self._rules.writer == "template":
            return self._wording
        return ModelStems(self._m, self._wording, self._asker("writer", WRITER, self._recipe.writing))

    def _facts(
        self, bank: Bank, scope: Scope, validator: Validator, judge: ModelRater | None, stems: Wording | ModelStems
    ) -> dict[str, object]:
        prompts = {"validator": {judge.prompt.name: judge.prompt.fingerprint}} if judge else {}
        if isinstance(stems, ModelStems):
            prompts["writer"] = {stems.prompt.name: stems.prompt.fingerprint}
        return {
            "graph": self._digest,
            "nodes": len(self._read.graph.nodes),
            "edges": len(self._read.graph.edges),
            "topic": scope.name,
            "glosses": self._wording.glosses(),
            "raters": (validator.by_rules.label, *([judge.label] if judge else [])),
            "models": self._askers.use(prompts),
            "replaced": dict(sorted(stems.replaced.items())) if isinstance(stems, ModelStems) else {},
        }

    def _rows(self, made: Made) -> dict[str, bytes]:
        single = [item for item in made.items if len(item.answer) == 1]
        several = [item for item in made.items if len(item.answer) > 1]
        return {
            "questions/items.jsonl": jsonl(single),
            "questions/multiselect.jsonl": jsonl(several),
            "questions/dropped.jsonl": jsonl(made.dropped),
            "questions/audit_sheet.csv": sheet(drawn(made.items, SHEET, self._rules.seed), self._pack),
        }

    def _probed(self, made: Made) -> tuple[bytes, dict[str, Reading]]:
        asker = self._asker("probe", PROBE, probe.SAMPLING)
        rows = probe.probe([item for item in made.items if len(item.answer) == 1], asker.answers)
        return jsonl(rows), probe.by_level(rows)

    def _arms(self, made: Made, validator: Validator) -> dict[str, bytes]:
        """Items of every arm, and what is wrong with them."""
        rules = self._rules
        if not rules.arms:
            return {}
        singles = [item for item in made.items if len(item.answer) == 1]
        by_rules = RuleArms(self._m, rules, self._wording)
        readers = Readers(self._m, self._recipe.similarity, Proof(self._m.view, rules.relations))
        files: dict[str, bytes] = {}
        reports: list[ArmReport] = []
        model = self._model_arms(validator) if rules.arm_by == "model" else None
        for arm in rules.arms:
            if model is None:
                one = by_rules.make(arm, singles)
                found = report(one, by_rules.flags)
            else:
                one = model.make(arm, [made.routes[item.id] for item in singles])
                found = report(one, model.flags, TOLD)
            read = self._reading(one, readers)
            if read is not None:
                found = found.model_copy(update={"accuracy": read.accuracy, "entropy": read.entropy})
            reports.append(found)
            files[f"questions/arm_{arm}.jsonl"] = jsonl(one.items)
        return {**files, "questions/arms.jsonl": jsonl(reports)}

    def _model_arms(self, validator: Validator) -> ModelArms:
        writer = self._asker("arms", ARMS, self._recipe.writing)
        judge = self._asker("arms_validator", ARMS, self._recipe.sampling)
        rater = validator.by_model(judge.surely, judge.endpoint.model)
        return ModelArms(self._m, self._rules, self._wording, writer, rater)

    def _reading(self, made: ArmMade, readers: Readers) -> Reading | None:
        """Of the model where it is asked, else of who goes by likeness."""
        if not self._rules.probe:
            return readers.likeness(made.items)
        rows = probe.probe(made.items, self._asker("probe", PROBE, probe.SAMPLING).answers)
        return probe.overall(rows)
