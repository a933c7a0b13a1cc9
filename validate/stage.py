"""Validate: what merging made is checked, and what does not hold is set aside with its reason."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache

from pydantic import ConfigDict, TypeAdapter
from pydantic.dataclasses import dataclass

from kg.document import Block, Document
from kg.graph import Edge, Finding, Node
from kg.ids import book_id
from kg.project import Project
from kg.section import Section, SectionRow, section
from kg.stage import Item, Result
from kg.store import Store, canonical, jsonl
from validate.check import Limits, check
from validate.view import View

_ROWS: TypeAdapter[list[SectionRow]] = TypeAdapter(list[SectionRow])
INPUTS = ("merge/nodes.jsonl", "merge/edges.jsonl", "merge/findings.jsonl")
TEXTS = ("ingest/*/document.json", "segment/*/sections_index.json")


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Validate:
    """Schema, evidence, circles, contradictions, coverage, redundancy."""

    min_confidence: float = 0.5
    """Edges below this confidence are set aside."""
    seconds: float = 20.0
    """Time limit for the exact repair of one component of circles; then the curriculum's order decides."""

    @property
    def name(self) -> str:
        """Name of its room."""
        return "validate"

    @property
    def reads(self) -> tuple[str, ...]:
        """Glob patterns of the artefacts it needs."""
        return (*INPUTS, *TEXTS)

    @property
    def writes(self) -> tuple[str, ...]:
        """Glob patterns of the artefacts it makes."""
        return ("validate/findings.jsonl", "validate/report.json")

    def plan(self, project: Project) -> list[Item]:
        """One item: the graph is checked as a whole."""
        names = [*INPUTS, *(name for pattern in TEXTS for name in project.store.names(pattern))]
        order = canonical([book.slug for book in project.books])
        return [Item("graph", None, {**{name: project.store.digest(name) for name in names}, "books": order})]

    def setup(self, project: Project) -> Project:
        """The project itself."""
        return project

    def run(self, item: Item, context: Project) -> Result:
        """Findings and report."""
        store, label = context.store, context.schema.node_type("book")
        nodes, edges = list(store.read_rows(INPUTS[0], Node)), list(store.read_rows(INPUTS[1], Edge))
        books = [book_id(context.subject, label, book.slug) for book in context.books]
        view = View(nodes, edges, context.schema, books)
        known = _earlier(store)
        verdict = check(view, _Shelf(store), Limits(self.min_confidence, self.seconds), known)
        aside = sum(finding.action == "set_aside" for finding in verdict.findings)
        report = json.dumps(verdict.report, ensure_ascii=False, indent=1) + "\n"
        return Result(
            {"validate/findings.jsonl": jsonl(verdict.findings), "validate/report.json": report.encode("utf-8")},
            counts={
                "findings": len(verdict.findings),
                "set aside": aside,
                "questions for people": sum(finding.action == "review" for finding in verdict.findings),
            },
        )

    def collect(self, project: Project) -> None:
        """Nothing is left to do."""


def _earlier(store: Store) -> Iterator[Finding]:
    yield from store.read_rows(INPUTS[2], Finding) if store.exists(INPUTS[2]) else ()


class _Shelf:
    """Sections by book and id; each book is opened once, each section made when it is asked for."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._opened = lru_cache(maxsize=None)(self._open)

    def __call__(self, book: str, wanted: str) -> Section | None:
        opened = self._opened(book)
        if opened is None or wanted not in opened[2]:
            return None
        document, body, rows = opened
        return section(document, body, rows[wanted])

    def _open(self, book: str) -> tuple[Document, list[Block], dict[str, SectionRow]] | None:
        names = (f"ingest/{book}/document.json", f"segment/{book}/sections_index.json")
        if not all(self.store.exists(name) for name in names):
            return None
        document = self.store.read_row(names[0], Document)
        rows = _ROWS.validate_python(self.store.read_json(names[1]))
        return document, document.body(), {row.id: row for row in rows}
