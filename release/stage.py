"""Release: a finished graph and what was derived from it as one versioned folder for downstream teams.

In: `graph/*.json`; where they are there, `bench/`, `train/` and what earlier rooms know about books and decisions.
Out: `release/<dataset>-<version>/…`.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from kg.project import Project
from kg.stage import Item, Result, code_digest
from kg.store import canonical
from release import pyarrow
from release.archive import tar
from release.build import Extras, Label, build
from release.folder import SUMS
from release.history import numbers, opened
from release.licences import ids
from release.material import GRAPH, Material, material_of, sources
from release.rights import Quotes, check_licenses, cleared

PAGE, RECIPE = "index.html", "train/llamafactory.yaml"


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Release:
    """Packages one version."""

    version: str = "0.1.0"
    """Of the data (SemVer): major for ids, columns or meaning, minor for more, patch for corrections."""
    bench_version: str = "1.0"
    """Of the benchmark; as long as it stays, the items of `previous` are handed on unchanged."""
    dataset: str = Field(default="", pattern=r"^[\w.\-]*$")
    """First part of the folder's name; empty: the subject's."""
    title: str = ""
    """Empty: made from the subject's."""
    about: str = ""
    """One or two sentences for the data card; empty: a general one."""
    authors: tuple[str, ...] = ("the textbook-kg contributors",)
    url: str = "https://textbook-kg.example"
    date: str = Field(default="", pattern=r"^(\d{4}-\d{2}-\d{2})?$")
    """Of publication; empty: none is stated, for two builds of one thing are to be alike."""
    licenses: tuple[str, ...] = ()
    """Only books under one of these; empty: all."""
    unlicensed: bool = False
    """True: books without a licence are released all the same."""
    quotes: Quotes = "full"
    """`offsets`: places without the books' sentences."""
    facts: tuple[str, ...] = ()
    """Properties that are no sentences, and stay also where `quotes` is `offsets`."""
    archive: bool = False
    """True: also as one file, `release/<dataset>-<version>.tar`."""
    previous: str = ""
    """Folder of the release before."""
    harnesses: tuple[Any, ...] = ()
    """Evaluation tools to write tasks for (each a `release.build.Harness`)."""

    @property
    def name(self) -> str:
        """Name of its room."""
        return "release"

    @property
    def reads(self) -> tuple[str, ...]:
        """What must be there; everything else is taken where it is there."""
        return GRAPH

    @property
    def writes(self) -> tuple[str, ...]:
        """The folder."""
        return ("release/*/manifest.json",)

    def plan(self, project: Project) -> list[Item]:
        """One item: this version. Raises SettingsError for a version that is none or a book without a licence."""
        numbers(self.version)
        material = material_of(project)
        check_licenses(material, self.unlicensed)
        ids(material.books)
        store = project.store
        inputs = {name: store.digest(name) for name in (*sources(project), PAGE, RECIPE)}
        inputs |= {type(each).__module__: code_digest(type(each).__module__.split(".")[0]) for each in self.harnesses}
        inputs["books"] = canonical([book.model_dump() for book in material.books])
        inputs["pyarrow"] = pyarrow.version()
        if previous := opened(self.previous):
            inputs["previous"] = canonical(dict(previous.manifest))
        return [Item(key="release", payload=self.folder(project), inputs=inputs)]

    def setup(self, project: Project) -> Project:
        """The project itself."""
        return project

    def run(self, item: Item, context: Project) -> Result:
        """The files of the release."""
        store = context.store
        extras = Extras(
            previous=opened(self.previous),
            harnesses=self.harnesses,
            languages=context.languages,
            page=store.path(PAGE).read_bytes() if store.exists(PAGE) else b"",
            recipe=store.path(RECIPE).read_bytes() if store.exists(RECIPE) else b"",
        )
        material = material_of(context)
        made = cleared(material, self.licenses, self.quotes, self.facts)
        files = build(made, self.label(context, made.material), extras)
        counts = {
            "nodes": len(made.material.graph.nodes),
            "edges": len(made.material.graph.edges),
            "items": len(made.material.items),
            "training rows": len(made.material.rows),
            "files": len(files),
            "withheld": sum(made.withheld.values()),
        }
        written = {f"{item.payload}/{name}": data for name, data in files.items()}
        if self.archive:
            written[f"{item.payload}.tar"] = tar(PurePosixPath(item.payload).name, files)
        return Result(files=written, counts=counts)

    def collect(self, project: Project) -> Result | None:
        """What an earlier build of this version had and this one has not is gone: it may be what must not leave."""
        if not self.archive:
            project.store.path(f"{self.folder(project)}.tar").unlink(missing_ok=True)
        folder = project.store.path(self.folder(project))
        sums = folder / SUMS
        if sums.is_file():
            listed = {line.partition("  ")[2] for line in sums.read_text(encoding="utf-8").splitlines()} | {SUMS}
            for path in sorted(folder.rglob("*")):
                if path.is_file() and path.relative_to(folder).as_posix() not in listed:
                    path.unlink()
        return None

    def folder(self, project: Project) -> str:
        """The release's folder in the store."""
        return f"release/{self.dataset or project.subject}-{self.version}"

    def label(self, project: Project, material: Material) -> Label:
        """What stands on the package."""
        return Label(
            name=self.dataset or project.subject,
            version=self.version,
            bench_version=self.bench_version,
            title=self.title or f"{material.title}: a curriculum graph",
            about=self.about or "A curriculum graph made from textbooks, every relation with the sentence it rests on.",
            authors=self.authors,
            url=self.url,
            date=self.date,
            quotes=self.quotes,
            licenses=self.licenses,
        )
