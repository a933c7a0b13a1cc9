"""Questions with new wrong options, found by walking the graph (KGGDG; `derive=distractors`).

In: `graph/nodes.json`, `graph/edges.json`, question sets of any origin. Out: `distractors/<arm>.jsonl`, `why.jsonl`,
`mapping.jsonl`, `dropped.jsonl`, `summary.json`, `index.html`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from derive.ask import Asker, Unanswered
from derive.benchmark import BenchmarkBuilder, BenchRules
from derive.distractors.accuracy import accuracies
from derive.distractors.avoid import POLICIES, Policy
from derive.distractors.choose import Order
from derive.distractors.make import Made, Maker
from derive.distractors.mapping import LinkRules
from derive.distractors.pack import Pack
from derive.distractors.page import page
from derive.distractors.report import Summary
from derive.distractors.source import Fields, exercises, files, read_sets
from derive.distractors.walk import WalkRules
from derive.material import Material
from derive.options import PoolRules
from derive.recipe import GRAPH, Recipe, with_calls
from derive.respond import ModelResponder, Random, Responder
from kg.errors import Failure, SettingsError
from kg.graph_io import ReadGraph
from kg.item import Item as Question
from kg.project import Project
from kg.prompt import load
from kg.stage import Item, Result
from kg.store import file_sha256, jsonl

PRODUCT = "distractors"
SUMMARY = f"{PRODUCT}/summary.json"
ANSWER = Path(__file__).parent / "prompts" / "answer.md"


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Distractors(Recipe):
    """Every question keeps stem, answers and number of options."""

    pages: ClassVar[tuple[str, ...]] = (SUMMARY, f"{PRODUCT}/index.html")

    items: tuple[str, ...] = ()
    """Files or folders of questions; none: the benchmark of this graph, made anew."""
    exercises: bool = True
    """Also the exercises of the graph whose answer is printed."""
    fields: Fields = field(default_factory=Fields)
    bench: BenchRules = field(default_factory=BenchRules)
    link: LinkRules = field(default_factory=LinkRules)
    walk: WalkRules = field(default_factory=WalkRules)
    avoid: tuple[Policy, ...] = POLICIES
    """What is avoided besides the answers; none: the source's own set."""
    band: tuple[int, int] = (1, 6)
    """Fewest and most steps from question or answer to a wrong option: near ones are harder."""
    wrong: int = Field(default=3, ge=1, le=9)
    """Wrong options of a question that comes without any."""
    pool: PoolRules = field(default_factory=lambda: PoolRules(wanted=12, decoys=0))
    nearness: float = Field(default=1.5, ge=0)
    order: Order = "shuffled"
    writer: Literal["rules", "model"] = "rules"
    """`model`: two more arms, written by a model with and without paths."""
    judge: bool = False
    """A model refuses wrong options that might be right."""
    answers: bool = False
    """A model answers all arms."""
    runs: int = Field(default=3, ge=1)
    """Times each arm is answered, the options in another order each time."""
    seed: int = 0

    @property
    def products(self) -> tuple[str, ...]:
        """One folder."""
        return (PRODUCT,)

    @property
    def switches(self) -> tuple[str, ...]:
        """Whatever asks a model."""
        used = {"link.by": self.link.by == "model", "writer": self.writer == "model"}
        used |= {"judge": self.judge, "answers": self.answers}
        return tuple(f"derive.{name}" for name, on in used.items() if on)

    def plan(self, project: Project) -> list[Item]:
        """One item; it depends on the question files, too. Raises SettingsError if one is not there."""
        paths = [file for name in self.items for file in files(self._found(project, name))]
        inputs = {name: project.store.digest(name) for name in GRAPH}
        inputs |= {f"items/{number}/{path.name}": file_sha256(path) for number, path in enumerate(paths)}
        return [Item(key=PRODUCT, payload=tuple(map(str, paths)), inputs=inputs)]

    def _found(self, project: Project, name: str) -> Path:
        for path in (Path(name).expanduser(), project.store.path(name)):
            if path.exists():
                return path
        raise SettingsError(f"no such file or folder: {name}", where="derive.items", remedy="name files of questions")

    def run(self, item: Item, context: tuple[ReadGraph, Material]) -> Result:
        """All files."""
        read, material = context
        try:
            return self._made(read, material, [Path(path) for path in item.payload])
        except Unanswered as error:
            lost = Failure(stage=self.name, item=PRODUCT, what=error.what, remedy=error.remedy, retry=True)
            return Result(failures=(lost,))

    def _made(self, read: ReadGraph, material: Material, paths: Sequence[Path]) -> Result:
        questions, failures = self._questions(read, material, paths)
        asker = Asker(self.endpoint(self.switches[0]), self.sampling) if self.switches else None
        maker = Maker(material, material.language.part(PRODUCT, Pack), self, asker)
        made = maker.made(questions)
        runs = self._runs(material, asker)
        table = accuracies({arm: items for arm, items in made.arms.items() if items}, runs, self.similarity)
        prompts = {**maker.prompts, **({"answer": load(ANSWER).fingerprint} if self.answers else {})}
        facts = {"graph": read.digest(), "similarity": self.similarity.label, "seed": self.seed, "order": self.order}
        facts |= {"steps": self.walk.steps, "width": self.walk.width, "avoid": list(self.avoid)}
        use = asker.use(prompts) if asker else None
        report = maker.summary(made, facts).model_copy(update={"accuracy": tuple(table), "model": use})
        done = Result(_files(made, report, material), (*read.failures, *failures), _counts(made))
        return with_calls(done, PRODUCT, asker)

    def _questions(
        self, read: ReadGraph, material: Material, paths: Sequence[Path]
    ) -> tuple[list[Question], list[Failure]]:
        items, failures = read_sets(paths, self.fields)
        if not self.items:
            made = BenchmarkBuilder(material, self.bench, self.similarity).build({"graph": read.digest()[:16]})
            items = made.items
        known = {item.id for item in items}
        extra = exercises(material) if self.exercises else []
        return [*items, *(item for item in extra if item.id not in known)], failures

    def _runs(self, material: Material, asker: Asker | None) -> dict[str, list[Responder]]:
        runs: dict[str, list[Responder]] = {"random": [Random(self.seed + turn) for turn in range(self.runs)]}
        if self.answers and asker:
            model = ModelResponder(asker.endpoint.model, asker.surely, load(ANSWER), material.language)
            runs[model.label] = [model] * self.runs
        return runs


def _counts(made: Made) -> dict[str, int]:
    return {f"{arm} items": len(items) for arm, items in made.arms.items()} | {"left out": len(made.left)}


def _files(made: Made, report: Summary, material: Material) -> dict[str, bytes]:
    found = {f"{PRODUCT}/{arm}.jsonl": jsonl(items) for arm, items in made.arms.items()}
    found[f"{PRODUCT}/why.jsonl"] = jsonl(made.whys)
    found[f"{PRODUCT}/mapping.jsonl"] = jsonl(made.mapped)
    found[f"{PRODUCT}/dropped.jsonl"] = jsonl(made.left)
    found[SUMMARY] = (report.model_dump_json(indent=1) + "\n").encode("utf-8")
    found[f"{PRODUCT}/index.html"] = page(material.language.part(PRODUCT, Pack), report, made)
    return found
