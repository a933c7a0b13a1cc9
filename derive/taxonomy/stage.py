"""The recipe `derive=taxonomy`: trees, definitions, questions, coverage and accuracy of one graph.

In: the graph, and files named in the settings. Out: `taxonomy/*.jsonl`, `taxonomy/summary.json`, and a page.
"""

from __future__ import annotations

from dataclasses import field, replace
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from derive.ask import Asker
from derive.material import Material
from derive.recipe import Recipe, with_calls
from derive.taxonomy.build import Builder, Rules
from derive.taxonomy.page import page
from kg.errors import SettingsError
from kg.graph_io import ReadGraph
from kg.project import Project
from kg.stage import Item, Result
from kg.store import Store, file_sha256, jsonl

PRODUCT = "taxonomy"
By = Literal["rules", "model"]


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class DefinitionRules:
    """Who writes and judges definitions."""

    writer: By = "rules"
    critic: By = "rules"
    rounds: int = Field(default=5, ge=1, le=20)


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class QuestionRules:
    """Who writes questions and answers them from the open book."""

    writer: Literal["template", "model"] = "template"
    reader: By = "rules"
    nearness: float = Field(default=0.5, ge=0)


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class CoverageRules:
    """What is held against the trees."""

    texts: dict[str, str] = field(default_factory=dict)
    judge: By = "rules"
    k: int = Field(default=10, ge=1, le=100)
    threshold: float | None = Field(default=None, ge=0, le=1)


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class AccuracyRules:
    """Whose answers are counted."""

    answers: dict[str, str] = field(default_factory=dict)
    items: tuple[str, ...] = ()
    least: int = Field(default=10, ge=1)


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Taxonomy(Recipe):
    """Makes all in one go."""

    pages: ClassVar[tuple[str, ...]] = (f"{PRODUCT}/summary.json", f"{PRODUCT}/index.html")
    open: ClassVar[tuple[str, ...]] = ("coverage.texts", "accuracy.answers")

    root: str = ""
    seed: int = 0
    golden: By = "rules"
    definitions: DefinitionRules = field(default_factory=DefinitionRules)
    questions: QuestionRules = field(default_factory=QuestionRules)
    coverage: CoverageRules = field(default_factory=CoverageRules)
    accuracy: AccuracyRules = field(default_factory=AccuracyRules)

    @property
    def products(self) -> tuple[str, ...]:
        """One folder."""
        return (PRODUCT,)

    @property
    def switches(self) -> tuple[str, ...]:
        """Settings that say `model`."""
        chosen = {
            "golden": self.golden,
            "definitions.writer": self.definitions.writer,
            "definitions.critic": self.definitions.critic,
            "questions.writer": self.questions.writer,
            "questions.reader": self.questions.reader,
            "coverage.judge": self.coverage.judge,
        }
        return tuple(f"derive.{name}" for name, by in chosen.items() if by == "model")

    def plan(self, project: Project) -> list[Item]:
        """The graph, and the files that the settings name."""
        files = [*self.coverage.texts.values(), *self.accuracy.answers.values(), *self.accuracy.items]
        digests = {name: _digest(Path(name)) for name in files}
        return [replace(item, inputs={**item.inputs, **digests}) for item in super().plan(project)]

    def run(self, item: Item, context: tuple[ReadGraph, Material]) -> Result:
        """All files."""
        read, material = context
        asker = Asker(self.endpoint(self.switches[0]), self.sampling) if self.switches else None
        rules = Rules(
            seed=self.seed,
            root=self.root,
            rounds=self.definitions.rounds,
            nearness=self.questions.nearness,
            k=self.coverage.k,
            threshold=self.coverage.threshold,
            least=self.accuracy.least,
            by_model=frozenset(name.removeprefix("derive.") for name in self.switches),
        )
        texts = {name: Path(path) for name, path in self.coverage.texts.items()}
        answers = {name: Path(path) for name, path in self.accuracy.answers.items()}
        items = [Path(path) for path in self.accuracy.items]
        made = Builder(material, self.similarity, rules, asker).build(read.digest(), texts, answers, items)
        files = {f"{PRODUCT}/{name}.jsonl": jsonl(rows) for name, rows in made.tables.items()}
        files[f"{PRODUCT}/summary.json"] = (made.summary.model_dump_json(indent=1) + "\n").encode("utf-8")
        files[f"{PRODUCT}/index.html"] = page(made, rules.least)
        counts = {
            "nodes": sum(tree.nodes for tree in made.summary.trees.values()),
            "definitions": made.summary.definitions.complete_after,
            "questions": sum(made.summary.questions.kept.values()),
        }
        return with_calls(Result(files, read.failures, counts), PRODUCT, asker)


def _digest(path: Path) -> str:
    """Of a file, or of all files of a folder. Raises SettingsError if there is neither."""
    if path.is_file():
        return file_sha256(path)
    if not path.is_dir():
        raise SettingsError("no such file or folder", where=str(path))
    store = Store(path)
    return "".join(store.digest(name)[:16] for name in store.names("**/*") if (path / name).is_file())
