"""What can be made from a finished graph: a benchmark and training data.

In: `graph/nodes.json`, `graph/edges.json`. Out: `bench/<task>.jsonl`, `bench/summary.json`, `bench/dropped.jsonl`,
`train/…`, and `bench/index.html`, a page about both.
"""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import Any, Literal

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from derive import formats
from derive.benchmark import BenchmarkBuilder, BenchRules
from derive.checks import Checks
from derive.material import Material, material_of
from derive.pack import Pack, language_of
from derive.page import Shown, page
from derive.report import BENCH, TRAIN, Overlap, TrainSummary, overlaps, train_summary
from derive.summary import BenchSummary, summary
from derive.topics import PATHS, TopicFinder
from derive.training import TrainRow, TrainRules, build
from derive.write import TemplateWriter
from kg.errors import SettingsError
from kg.graph_io import ReadGraph, read_graph
from kg.item import Item as Question
from kg.project import Project
from kg.similarity import HashedNgrams
from kg.stage import Item, Result
from kg.store import Store, jsonl

Product = Literal["bench", "train"]
GRAPH = ("graph/nodes.json", "graph/edges.json")


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Derive:
    """Makes each product in one go."""

    what: tuple[Product, ...] = ("bench", "train")
    language: str = ""
    """Language pack of the questions; empty: the language of the graph."""
    offered: str = "options"
    """Property with the answers an exercise gives to choose from; they belong to its text."""
    bench: BenchRules = field(default_factory=BenchRules)
    train: TrainRules = field(default_factory=TrainRules)
    similarity: Any = field(default_factory=HashedNgrams)
    """A `kg.similarity.Similarity`."""

    @property
    def name(self) -> str:
        """Name of the room."""
        return "derive"

    @property
    def reads(self) -> tuple[str, ...]:
        """The product of the main job."""
        return GRAPH

    @property
    def writes(self) -> tuple[str, ...]:
        """Files per product."""
        return tuple(f"{product}/*" for product in self.what)

    def plan(self, project: Project) -> list[Item]:
        """One item per product."""
        inputs = {name: project.store.digest(name) for name in GRAPH}
        return [Item(key=product, payload=product, inputs=inputs) for product in self.what]

    def setup(self, project: Project) -> tuple[ReadGraph, Material]:
        """The graph, read and made ready."""
        return self.prepare(project, project.store.path("graph"))

    def run(self, item: Item, context: tuple[ReadGraph, Material]) -> Result:
        """The files of one product."""
        read, material = context
        return self._bench(read, material) if item.payload == "bench" else self._train(read, material)

    def collect(self, project: Project) -> Result | None:
        """The page, and which training rows share passages with which benchmark files."""
        store = project.store
        found = self._overlaps(store) if "train" in self.what else []
        files = {}
        if found:
            files["train/leakage.json"] = _json_list(found)
        if "bench" in self.what:
            files["bench/index.html"] = self._page(project, found)
        return Result(files=files) if files else None

    def prepare(self, project: Project, path: Path) -> tuple[ReadGraph, Material]:
        """The graph at `path` and its material.

        Raises SettingsError for an unknown language, InputError where there is no graph.
        """
        read = read_graph(path)
        code = self.language or language_of(read.graph, project.languages)
        if code not in project.languages:
            have = ", ".join(project.languages)
            raise SettingsError(f"no language pack {code!r}", where="derive.language", remedy=f"have: {have}")
        return read, material_of(read.graph, project.schema, project.languages[code], self.offered)

    def _bench(self, read: ReadGraph, material: Material) -> Result:
        builder = BenchmarkBuilder(material, self.bench, self.similarity)
        digest = read.digest()
        made = builder.build({"graph": digest[:16], "similarity": self.similarity.label})
        facts = {"graph": digest, "nodes": len(read.graph.nodes), "edges": len(read.graph.edges)}
        facts |= {"seed": self.bench.seed, "judges": builder.judges}
        report = summary(made, material, self.similarity, facts)
        files = {f"bench/{task}.jsonl": jsonl(i for i in made.items if i.task == task) for task in self.bench.tasks}
        files["bench/dropped.jsonl"] = jsonl(made.dropped)
        files[BENCH] = (report.model_dump_json(indent=1) + "\n").encode("utf-8")
        return Result(files=files, failures=read.failures, counts={"items": len(made.items)})

    def _train(self, read: ReadGraph, material: Material) -> Result:
        rules = self.train
        topics = TopicFinder(material, rules.crop, rules.skip).topics()
        writer = TemplateWriter(material.pack, material.language, frozenset(rules.boxed))
        checks = Checks(rules.checks, material.pack, material.language)
        made = build(topics, writer, checks, rules, material.language.code)
        report = train_summary(made, rules, read.digest(), material.language.code)
        files = {f"train/{path}.jsonl": jsonl(row for row in made.rows if row.path == path) for path in PATHS}
        files |= {f"train/{name}": data for name, data in formats.files(made.rows, rules).items()}
        files[TRAIN] = (report.model_dump_json(indent=1) + "\n").encode("utf-8")
        failures = () if "bench" in self.what else read.failures
        return Result(files=files, failures=failures, counts={"rows": len(made.rows)})

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
