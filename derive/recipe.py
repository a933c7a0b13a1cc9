"""What every recipe of the room shares: which graph it reads, which model it may ask, how it is run.

In: `graph/nodes.json`, `graph/edges.json`. Out: nothing yet; a recipe adds its products. A recipe is a choice of
`conf/derive` (`derive=NAME`), for the main run and for `python -m derive` alike.
"""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import Any, ClassVar

from pydantic import ConfigDict, InstanceOf
from pydantic.dataclasses import dataclass

from derive.ask import Asker, check
from derive.material import Material, material_of
from derive.pack import language_of
from kg.errors import SettingsError
from kg.graph_io import ReadGraph, read_graph
from kg.llm import Endpoint, Sampling
from kg.project import Project
from kg.similarity import HashedNgrams
from kg.stage import Item, Result

GRAPH = ("graph/nodes.json", "graph/edges.json")


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Recipe:
    """The settings that all recipes have, and the parts of a stage that are the same for all."""

    pages: ClassVar[tuple[str, ...]] = ()
    """Files a person would open, for the last lines of `python -m derive`."""
    open: ClassVar[tuple[str, ...]] = ()
    """Settings of its own that take further names; what is wrong in them is found when the recipe is built."""

    language: str = ""
    """Language pack of the texts; empty: the language of the graph."""
    offered: str = "options"
    """Property with the answers an exercise gives to choose from; they belong to its text."""
    similarity: Any = field(default_factory=HashedNgrams)
    """A `kg.similarity.Similarity`."""
    llm: InstanceOf[Endpoint] | dict[str, str] | None = None
    """The model that those settings ask which need one; a choice of `conf/llm` without a server is none."""
    sampling: Sampling = Sampling(max_tokens=1024)
    """How it picks its words."""

    def __post_init__(self) -> None:
        """Raises SettingsError if a setting needs a model that is not chosen or cannot be connected to."""
        if switches := self.switches:
            check(self.endpoint(switches[0]))
        else:
            # a model that nobody asks is nothing the products depend on
            object.__setattr__(self, "llm", None)

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
        return tuple(f"{product}/*" for product in self.products)

    @property
    def products(self) -> tuple[str, ...]:
        """Names of what is made: each is an item of the stage and a folder."""
        raise NotImplementedError

    @property
    def switches(self) -> tuple[str, ...]:
        """Names of the settings that are on and ask a model (`derive.bench.teacher`)."""
        return ()

    def plan(self, project: Project) -> list[Item]:
        """One item per product."""
        inputs = {name: project.store.digest(name) for name in GRAPH}
        return [Item(key=product, payload=product, inputs=inputs) for product in self.products]

    def setup(self, project: Project) -> tuple[ReadGraph, Material]:
        """The graph, read and made ready."""
        return self.prepare(project, project.store.path("graph"))

    def run(self, item: Item, context: tuple[ReadGraph, Material]) -> Result:
        """The files of one product."""
        raise NotImplementedError

    def collect(self, project: Project) -> Result | None:
        """What is made of all products together; none unless a recipe says so."""
        return None

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

    def endpoint(self, switch: str) -> Endpoint:
        """The model. Raises SettingsError naming the switch that needs one."""
        if not isinstance(self.llm, Endpoint):
            remedy = "add llm=openai or llm=local; to run.py +llm=…"
            raise SettingsError("asks a model, and none is chosen", where=switch, remedy=remedy)
        return self.llm


def with_calls(result: Result, product: str, asker: Asker | None) -> Result:
    """The result with what was asked of a model, and what it left unanswered."""
    if asker is None:
        return result
    failures = (*result.failures, *asker.lost(product))
    return Result(result.files, failures, {**result.counts, **asker.counts()})
