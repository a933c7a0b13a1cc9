"""The page to look at, and the last step of a run: it shows the graph and what was made from it.

In: the product, what merging and checking left, the section indexes; where they are there, documents, `bench/`,
`train/`, the report of the checks and how far annotators agree. Out: `index.html`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from emit.chapters import chapter_order
from emit.curriculum import SECTIONS, curriculum
from emit.downloads import downloads
from emit.findings import FINDINGS, finding_names, findings_of
from emit.page import page_html
from emit.page_data import PageInput, page_data
from emit.prints import main_language, prints
from emit.quality import AGREEMENT, REPORT, quality
from emit.samples import BENCH, TRAIN, samples
from emit.texts import page_texts
from kg.graph import Edge, Node
from kg.graph_io import read_graph
from kg.project import Project
from kg.stage import Item, Result

MERGED = "merge/nodes.jsonl"
GRAPH = ("graph/nodes.json", "graph/edges.json")
DOCUMENTS = "ingest/*/document.json"


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Explorer:
    """Makes the page."""

    language: str = ""
    """Language pack of the page's own words; empty: the language of most books."""
    fallback: str = "en"
    """Language pack from which missing words are taken."""
    quotes: int = Field(default=6, ge=1)
    """Most quotations the page shows for a node or an edge."""
    samples: int = Field(default=5, ge=0)
    """Most questions of a benchmark task, and most rows of a kind of training data, that it shows."""

    @property
    def name(self) -> str:
        """Name of the stage."""
        return "explorer"

    @property
    def reads(self) -> tuple[str, ...]:
        """What must be there; everything else is shown where it is there."""
        return (*GRAPH, MERGED, FINDINGS, SECTIONS)

    @property
    def writes(self) -> tuple[str, ...]:
        """The page."""
        return ("index.html",)

    def plan(self, project: Project) -> list[Item]:
        """One item: the page."""
        store = project.store
        found = [name for pattern in (SECTIONS, DOCUMENTS, BENCH, TRAIN) for name in store.names(pattern)]
        names = [*GRAPH, MERGED, *finding_names(store), *found, REPORT, AGREEMENT]
        books = {f"book {place}": book.model_dump_json(exclude={"file"}) for place, book in enumerate(project.books)}
        listed = {"files": "\n".join(f"{name} {size}" for name, _, size in downloads(store)), "title": project.title}
        return [Item(project.subject, None, {**{name: store.digest(name) for name in names}, **books, **listed})]

    def setup(self, project: Project) -> Project:
        """Everything is read from the project's store."""
        return project

    def run(self, item: Item, context: Project) -> Result:
        """The page."""
        store = context.store
        read = read_graph(store.path("graph"))
        given = self._given(context, read.graph.nodes, read.graph.edges)
        texts = page_texts(context.languages, given.language, self.fallback)
        shown = page_data(given, context.schema, texts, self.quotes)
        shown["samples"] = samples(store, self.samples)
        shown["quality"] = quality(store, read.graph)
        return Result({"index.html": page_html(shown, downloads(store), texts)}, read.failures, _counts(shown))

    def collect(self, project: Project) -> Result | None:
        """Nothing is left to do."""
        return None

    def _given(self, project: Project, nodes: Sequence[Node], edges: Sequence[Edge]) -> PageInput:
        schema = project.schema
        order = curriculum(project, (edge for edge in edges if edge.type in schema.edge_types("containment")))
        books = prints(project)
        return PageInput(
            title=project.title or project.subject,
            language=self.language or main_language(project, books),
            nodes=nodes,
            edges=edges,
            findings=findings_of(project.store),
            against=chapter_order(edges, order, schema).against,
            merged=tuple(project.store.read_rows(MERGED, Node)),
            curriculum=order,
            prints=books,
        )


def _counts(shown: Mapping[str, Any]) -> dict[str, int]:
    made = shown["samples"]
    return {
        "quotations": len(shown["quotes"]),
        "findings": len(shown["findings"]),
        "sample questions": sum(len(rows) for _, _, rows in made["bench"]),
        "sample training rows": sum(len(rows) for _, _, rows in made["train"]),
    }
