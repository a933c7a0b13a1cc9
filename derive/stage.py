"""What can be made from a finished graph: a benchmark and training data.

In: `graph/nodes.json`, `graph/edges.json`. Out: `bench/<task>.jsonl`, `bench/summary.json`, `bench/dropped.jsonl`,
`train/…`, and `bench/index.html`, a page about both.
"""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from derive import formats
from derive.ask import Asker, Unanswered
from derive.benchmark import BenchmarkBuilder, BenchRules
from derive.checks import Checks
from derive.judge import TeacherJudge
from derive.material import Material
from derive.pack import Pack
from derive.page import Shown, page
from derive.recipe import Recipe, with_calls
from derive.report import BENCH, TRAIN, Overlap, TrainSummary, overlaps, train_summary
from derive.summary import BenchSummary, summary
from derive.topics import PATHS, TopicFinder
from derive.training import TrainRow, TrainRules, build
from derive.write import ModelWriter, TemplateWriter, WithTemplate
from kg.errors import Failure
from kg.graph_io import ReadGraph
from kg.item import Item as Question
from kg.project import Project
from kg.stage import Item, Result
from kg.store import Store, jsonl

Product = Literal["bench", "train"]
TEACHER, WRITER = "derive.bench.teacher", "derive.train.writer"


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Derive(Recipe):
    """Makes each product in one go."""

    pages: ClassVar[tuple[str, ...]] = (BENCH, TRAIN, "bench/index.html")

    what: tuple[Product, ...] = ("bench", "train")
    bench: BenchRules = field(default_factory=BenchRules)
    train: TrainRules = field(default_factory=TrainRules)

    @property
    def products(self) -> tuple[str, ...]:
        """As asked for."""
        return self.what

    @property
    def switches(self) -> tuple[str, ...]:
        """The teacher of the benchmark and the writer of training data."""
        used = {TEACHER: self._teaches, WRITER: self._writes}
        return tuple(name for name, on in used.items() if on)

    def run(self, item: Item, context: tuple[ReadGraph, Material]) -> Result:
        """The files of one product."""
        read, material = context
        try:
            return self._bench(read, material) if item.payload == "bench" else self._train(read, material)
        except Unanswered as error:
            lost = Failure(stage=self.name, item=item.key, what=error.what, remedy=error.remedy, retry=True)
            return Result(failures=(lost,))

    def collect(self, project: Project) -> Result | None:
        """The page, and which training rows share passages with which benchmark files."""
        store = project.store
        found = self._overlaps(store) if "train" in self.what and store.exists(TRAIN) else []
        files = {}
        if found:
            files["train/leakage.json"] = _json_list(found)
        if "bench" in self.what and store.exists(BENCH):
            files["bench/index.html"] = self._page(project, found)
        return Result(files=files) if files else None

    def _bench(self, read: ReadGraph, material: Material) -> Result:
        teacher = self._teacher() if self._teaches else None
        builder = BenchmarkBuilder(material, self.bench, self.similarity, [teacher[0]] if teacher else [])
        digest = read.digest()
        made = builder.build({"graph": digest[:16], "similarity": self.similarity.label})
        facts = {"graph": digest, "nodes": len(read.graph.nodes), "edges": len(read.graph.edges)}
        facts |= {"seed": self.bench.seed, "judges": builder.judges}
        if teacher:
            judge, asker = teacher
            facts["model"] = asker.use({judge.prompt.name: judge.prompt.fingerprint})
        report = summary(made, material, self.similarity, facts)
        files = {f"bench/{task}.jsonl": jsonl(i for i in made.items if i.task == task) for task in self.bench.tasks}
        files["bench/dropped.jsonl"] = jsonl(made.dropped)
        files[BENCH] = (report.model_dump_json(indent=1) + "\n").encode("utf-8")
        return with_calls(Result(files, read.failures, {"items": len(made.items)}), "bench", teacher and teacher[1])

    def _train(self, read: ReadGraph, material: Material) -> Result:
        rules = self.train
        topics = TopicFinder(material, rules.crop, rules.skip).topics()
        template = TemplateWriter(material.pack, material.language, frozenset(rules.boxed))
        asker = Asker(self.endpoint(WRITER), self.sampling) if self._writes else None
        model = ModelWriter(asker.endpoint.model, asker, material.pack, material.language) if asker else None
        writer = WithTemplate(model, template) if model else template
        checks = Checks(rules.checks, material.pack, material.language)
        made = build(topics, writer, checks, rules, material.language.code)
        report = train_summary(made, rules, read.digest(), material.language.code)
        if asker and model and isinstance(writer, WithTemplate):
            use, replaced = asker.use(model.fingerprints), dict(sorted(writer.replaced.items()))
            report = report.model_copy(update={"model": use, "replaced": replaced})
        files = {f"train/{path}.jsonl": jsonl(row for row in made.rows if row.path == path) for path in PATHS}
        files |= {f"train/{name}": data for name, data in formats.files(made.rows, rules).items()}
        files[TRAIN] = (report.model_dump_json(indent=1) + "\n").encode("utf-8")
        failures = () if "bench" in self.what else read.failures
        return with_calls(Result(files, failures, {"rows": len(made.rows)}), "train", asker)

    @property
    def _teaches(self) -> bool:
        return self.bench.teacher and "bench" in self.what

    @property
    def _writes(self) -> bool:
        return self.train.writer == "model" and "train" in self.what

    def _teacher(self) -> tuple[TeacherJudge, Asker]:
        asker = Asker(self.endpoint(TEACHER), self.sampling)
        return TeacherJudge(f"teacher {asker.endpoint.model}", asker.surely), asker

    def _overlaps(self, store: Store) -> list[Overlap]:
        rows = [row for path in PATHS for row in store.read_rows(f"train/{path}.jsonl", TrainRow)]
        own = [store.path(name) for name in store.names("bench/*.jsonl") if not name.endswith("dropped.jsonl")]
        if "bench" not in self.what:
            own = []
        return overlaps(rows, [*own, *(Path(name) for name in self.train.leakage)], self.train.checks)

    def _page(self, project: Project, found: list[Overlap]) -> bytes:
        store = project.store
        report = store.read_row(BENCH, BenchSummary)
        items = [item for task in self.bench.tasks for item in store.read_rows(f"bench/{task}.jsonl", Question)]
        trained = "train" in self.what
        training = store.read_row(TRAIN, TrainSummary) if trained else None
        rows = [row for path in PATHS for row in store.read_rows(f"train/{path}.jsonl", TrainRow)] if trained else []
        pack = project.languages[report.language].part("derive", Pack)
        return page(project.title, pack, Shown(report, items, training, rows, found))


def _json_list(rows: list[Overlap]) -> bytes:
    return ("[\n" + ",\n".join(row.model_dump_json() for row in rows) + "\n]\n").encode("utf-8")
