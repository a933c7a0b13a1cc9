"""The stage that has a model read all books at once, alone or beside the offline extractor.

In: as `extract/stage.py`. Out: its two files, and per book `findings.jsonl` (what waits for people), `chunks.jsonl`
(what became of every chunk) and `model.json` (tokens, support by the book, and what each extractor missed).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, InstanceOf
from pydantic.dataclasses import dataclass as settings

from extract.accepted import with_accepted
from extract.assembly import Account, account
from extract.claims import Claims, Extractor
from extract.estimate import estimate
from extract.llm import Asked, BookToRead, Llm, Moved
from extract.stage import items, language_of, read_sections
from extract.union import united
from kg import decisions
from kg.decisions import Decision
from kg.engine import attempt, in_flight, stopping
from kg.errors import DryRun, Failure, KgError
from kg.llm_cache import Cache
from kg.project import Project
from kg.stage import Item, Result
from kg.store import canonical, jsonl, sha256


@dataclass
class Desk:
    """What the items' results are made from."""

    project: Project
    books: dict[str, BookToRead] = field(default_factory=dict)
    unread: dict[str, KgError] = field(default_factory=dict)
    """Books that could not be taken up, and why."""
    asked: Asked | None = None
    first: str = ""
    """Book that carries the figures of the run as a whole."""


@settings(frozen=True, config=ConfigDict(extra="forbid"))
class ExtractByModel:
    """Claims a model makes and the book supports."""

    model: InstanceOf[Llm]
    beside: InstanceOf[Extractor] | None = None
    """An extractor whose claims are united with the model's, and which audits it."""
    dry_run: bool = False
    """Only says how many calls, tokens and how much money it would take."""
    decisions: str = ""
    """File of people's decisions: a proposal they accepted is a claim, whatever the book says."""
    cache_import: str = ""
    """Takes over the replies of such a file (JSON lines) before asking."""
    cache_export: str = ""
    """Writes all kept replies to such a file afterwards."""

    @property
    def name(self) -> str:
        """The room's name."""
        return "extract"

    @property
    def reads(self) -> tuple[str, ...]:
        """Documents and their sections."""
        return ("ingest/*/document.json", "segment/*/sections_index.json")

    @property
    def writes(self) -> tuple[str, ...]:
        """Claims, what was left out, and what waits for people."""
        names = ("claims.jsonl", "failures.jsonl", "findings.jsonl", "chunks.jsonl", "model.json")
        return tuple(f"extract/*/{name}" for name in names)

    def plan(self, project: Project) -> list[Item]:
        """Every book that was read and divided. Raises DryRun with the estimate if that is all that is wanted."""
        about = canonical([decision.model_dump(mode="json") for decision in self._decisions()])
        found = [replace(item, inputs={**item.inputs, "decisions": sha256(about)}) for item in items(project)]
        if self.dry_run:
            desk = self._desk(found, project)
            raise DryRun(estimate(self.model, list(desk.books.values()), project.schema, project.languages).text())
        return found

    def setup(self, project: Project) -> Project:
        """The project itself."""
        return project

    def together(self, due: Sequence[Item], context: Project, progress: Moved) -> Iterator[tuple[Item, Result]]:
        """All books: first everything is asked, then each book's replies are put together."""
        desk = self._desk(due, context)
        self._import()
        books = list(desk.books.values())
        if books:
            with in_flight():
                desk.asked = asyncio.run(self.model.read(books, context.schema, context.languages, progress))
        self._export()
        if stopping.is_set():
            raise KeyboardInterrupt
        for item in due:
            yield item, attempt(self, item, desk)

    def run(self, item: Item, context: Desk) -> Result:
        """The files of one book. Raises what kept it from being taken up."""
        if item.key in context.unread:
            raise context.unread[item.key]
        asked = context.asked
        if asked is None or asked.failure is not None:
            failure = asked.failure if asked else None
            what = failure.what if failure else "not asked"
            lost = Failure(
                stage=self.name, item=item.key, what=what, remedy=failure.hint if failure else "", retry=True
            )
            return Result(failures=(lost,), counts=_spent(asked, item, context))
        book = context.books[item.key]
        read = account(asked.readings[item.key], item.key, book.language, self.model.trust)
        found = with_accepted(read, self._decisions(), context.project)
        claims, figures = found.claims, {"model": self.model.name, **_server(asked), **found.figures}
        if self.beside is not None:
            offline = self.beside.claims(book.sections, context.project.schema, book.language)
            claims, figures["beside"] = united(offline, claims, book.language, context.project.schema)
        counts = {**_counts(claims, found), **_spent(asked, item, context)}
        return Result(_files(item.key, claims, found, figures), claims.failures, counts)

    def collect(self, project: Project) -> None:
        """Nothing is made from all books together."""

    def _desk(self, due: Sequence[Item], project: Project) -> Desk:
        """The books, those that cannot be taken up with the reason."""
        desk = Desk(project)
        titles = {book.slug: book.title for book in project.books}
        for item in due:
            try:
                sections = read_sections(project.store, item.key)
                language = language_of(sections, project, item.key)
            except KgError as error:
                desk.unread[item.key] = error
                continue
            title = titles.get(item.key) or item.key
            desk.books[item.key] = BookToRead(item.key, title, sections, language)
        desk.first = next(iter(desk.books), "")
        return desk

    def _decisions(self) -> list[Decision]:
        """Those on nodes; what else the file holds, and what of it cannot be read, is merge's business."""
        return [row for row in decisions.read(Path(self.decisions))[0] if row.kind == "node"] if self.decisions else []

    def _import(self) -> None:
        if self.cache_import:
            with Cache(self.model.endpoint.cache) as cache:
                cache.load(Path(self.cache_import))

    def _export(self) -> None:
        if self.cache_export:
            with Cache(self.model.endpoint.cache) as cache:
                cache.export(Path(self.cache_export))


def _files(book: str, claims: Claims, found: Account, figures: dict[str, Any]) -> dict[str, bytes]:
    folder = f"extract/{book}"
    return {
        f"{folder}/claims.jsonl": jsonl([*claims.nodes, *claims.edges]),
        f"{folder}/failures.jsonl": jsonl([*claims.dropped, *claims.failures]),
        f"{folder}/findings.jsonl": jsonl(found.findings),
        f"{folder}/chunks.jsonl": jsonl(found.chunks),
        f"{folder}/model.json": (json.dumps(figures, ensure_ascii=False, indent=1) + "\n").encode("utf-8"),
    }


def _server(asked: Asked) -> dict[str, Any]:
    """What the probe found out."""
    return {"server": asked.capability.model_dump(mode="json")} if asked.capability else {}


def _counts(claims: Claims, found: Account) -> dict[str, int]:
    return {
        "nodes": len(claims.nodes),
        "edges": len(claims.edges),
        "dropped": len(claims.dropped),
        "questions for people": len(found.findings),
    }


def _spent(asked: Asked | None, item: Item, desk: Desk) -> dict[str, int]:
    """What the run asked for, once for all books."""
    return asked.spend.counts() if asked is not None and item.key == desk.first else {}
