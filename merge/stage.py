"""Merge: what sections claim becomes what books say, and what books say becomes one graph of the subject."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter
from pydantic.dataclasses import dataclass

from kg import decisions
from kg.decisions import Decision
from kg.document import Book
from kg.graph import EdgeClaim, NodeClaim
from kg.language import Language
from kg.project import Project
from kg.section import SectionRow
from kg.stage import Item, Result
from kg.store import Store, canonical, file_sha256, jsonl
from kg.text import is_cjk
from merge.book import book_part
from merge.light import emptied
from merge.rows import BookPart
from merge.senses import Limits
from merge.subject import Choices, Merged, merged

_CLAIM: TypeAdapter[NodeClaim | EdgeClaim] = TypeAdapter(NodeClaim | EdgeClaim)
_ROWS: TypeAdapter[list[SectionRow]] = TypeAdapter(list[SectionRow])
DECISIONS = "merge/decisions.jsonl"
"""People's decisions as read; also the key of the item that reads them."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Merge:
    """Section → book → subject by canonical keys and stated aliases."""

    preferred: tuple[str, ...] = ("listed_definition",)
    """Rules whose descriptions become the canonical one before all others, best first."""
    near: float = 85.0
    """Likeness in [0, 100] of two names from which people are asked whether they are one."""
    company: float = 0.1
    """Two uses of a name are two things only below this share of surrounding words in common …"""
    crossed: float = 0.2
    """… if less than this share of one definition's words stands around the other …"""
    fewest: int = 2
    """… and if both have at least this many content words, none of them shared …"""
    defined: float = 0.9
    """… in claims of at least this confidence: what is less sure is no definition."""
    differ: float = 0.1
    """Share of describing words below which a join by name is shown to people …"""
    compared: int = 3
    """… if both descriptions have at least this many content words."""
    crosslink_confidence: float = 0.75
    """Of a prerequisite found because a definition names a term of an earlier book; 0: none are looked for."""
    similarity: Any = None
    """A `kg.similarity.Similarity` that compares descriptions; none: only names are compared."""
    meaning: float = 0.8
    """Likeness of two descriptions by it, in [0, 1], from which people are asked whether the things are one."""
    decisions: str = ""
    """File of people's decisions (`kg.decisions`), applied on every run; one that is not there holds none."""

    @property
    def name(self) -> str:
        """Name of its room."""
        return "merge"

    @property
    def reads(self) -> tuple[str, ...]:
        """Glob patterns of the artefacts it needs."""
        return ("ingest/*/document.json", "segment/*/sections_index.json", "extract/*/claims.jsonl")

    @property
    def writes(self) -> tuple[str, ...]:
        """Glob patterns of the artefacts it makes."""
        return (
            "merge/books/*.json",
            "merge/nodes.jsonl",
            "merge/edges.jsonl",
            "merge/merges.jsonl",
            "merge/findings.jsonl",
            "merge/decided.jsonl",
        )

    def plan(self, project: Project) -> list[Item]:
        """One item per book that has an index and claims."""
        items = []
        for book in project.books:
            names = (f"segment/{book.slug}/sections_index.json", f"extract/{book.slug}/claims.jsonl")
            if all(project.store.exists(name) for name in names):
                inputs = {name: project.store.digest(name) for name in (f"ingest/{book.slug}/document.json", *names)}
                facts = canonical([project.title, book.model_dump(mode="json")])
                items.append(Item(book.slug, book, {**inputs, "book": facts}))
        file = Path(self.decisions)
        if self.decisions and file.is_file():
            items.append(Item(DECISIONS, file, {"decisions": file_sha256(file)}))
        return items

    def setup(self, project: Project) -> Project:
        """The project itself."""
        return project

    def run(self, item: Item, context: Project) -> Result:
        """The book's part, with all its claims; or people's decisions as far as they can be read."""
        if item.key == DECISIONS:
            rows_read, failures = decisions.read(item.payload)
            return Result({DECISIONS: jsonl(rows_read)}, tuple(failures), {"decisions": len(rows_read)})
        store = context.store
        rows = _ROWS.validate_python(store.read_json(f"segment/{item.key}/sections_index.json"))
        claims = list(_claims(store, f"extract/{item.key}/claims.jsonl"))
        book, language = known(item.payload, context, claims)
        part = book_part(book, (context.subject, context.title), language, context.schema, rows, claims)
        return Result({f"merge/books/{item.key}.json": part.to_json().encode("utf-8")}, counts={"claims": len(claims)})

    def collect(self, project: Project) -> Result:
        """The graph of all books."""
        with collector_paused():
            return self._collect(project)

    def _collect(self, project: Project) -> Result:
        names = [f"merge/books/{book.slug}.json" for book in project.books]
        parts = (project.store.read_row(name, BookPart) for name in names if project.store.exists(name))
        limits = Limits(
            company=self.company,
            crossed=self.crossed,
            defined=self.defined,
            differ=self.differ,
            fewest=self.fewest,
            compared=self.compared,
        )
        choices = Choices(self.preferred, self.near, limits, self.crosslink_confidence, self.similarity, self.meaning)
        graph = merged(project, parts, choices, _decisions(project.store))
        counts = {
            "nodes": len(graph.nodes),
            "edges": len(graph.edges),
            "joins": len(graph.joins),
            "questions for people": sum(finding.action == "review" for finding in graph.findings),
        }
        return Result(written(graph), counts=counts)


def written(graph: Merged) -> dict[str, bytes]:
    """The graph's files. Its rows are let go while they are written."""
    return {
        "merge/nodes.jsonl": jsonl(emptied(graph.nodes)),
        "merge/edges.jsonl": jsonl(emptied(graph.edges)),
        "merge/merges.jsonl": jsonl(emptied(graph.joins)),
        "merge/findings.jsonl": jsonl(emptied(graph.findings)),
        "merge/decided.jsonl": jsonl(graph.outcomes),
    }


@contextmanager
def collector_paused() -> Iterator[None]:
    """Python's cyclic collector rests: rows hold no cycles, and looking for some takes a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _decisions(store: Store) -> list[Decision]:
    return list(store.read_rows(DECISIONS, Decision)) if store.exists(DECISIONS) else []


def _claims(store: Store, name: str) -> Iterator[NodeClaim | EdgeClaim]:
    with store.path(name).open(encoding="utf-8") as stream:
        for line in stream:
            yield _CLAIM.validate_json(line)


def known(book: Book, project: Project, claims: list[NodeClaim | EdgeClaim]) -> tuple[Book, Language]:
    """The book with title and language as configured, else as its document says; and the pack to read it with."""
    name = f"ingest/{book.slug}/document.json"
    document: dict[str, Any] = json.loads(project.store.read_text(name)) if project.store.exists(name) else {}
    title = book.title or document.get("title") or book.slug
    code = book.language or document.get("language") or ""
    if code not in project.languages:
        han = any(is_cjk(claim.name) for claim in claims if isinstance(claim, NodeClaim))
        fitting = [pack for pack in project.languages.values() if pack.spaces != han] or [*project.languages.values()]
        code = fitting[0].code
    return book.model_copy(update={"title": title, "language": code}), project.languages[code]
