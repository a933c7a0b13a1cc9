"""The stage that reads sections and writes claims, one item a book.

In: `ingest/<book>/document.json` and `segment/<book>/sections_index.json`. Out: `extract/<book>/claims.jsonl` (node
claims, then edge claims) and `extract/<book>/failures.jsonl` (what was left out, and why).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pydantic import ConfigDict, InstanceOf
from pydantic.dataclasses import dataclass

from extract.claims import Claims, Extractor
from kg.document import Book, Document
from kg.errors import InputError
from kg.language import Language
from kg.project import Project
from kg.section import Section, SectionRow, section
from kg.stage import Item, Result
from kg.store import Store, jsonl


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Extract:
    """Claims with evidence, made by whatever extractor is configured."""

    extractor: InstanceOf[Extractor]

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
        """Claims, and what was left out."""
        return ("extract/*/claims.jsonl", "extract/*/failures.jsonl")

    def plan(self, project: Project) -> list[Item]:
        """Every book that was read and divided."""
        return list(items(project))

    def setup(self, project: Project) -> Project:
        """The project itself: schema, language packs, store."""
        return project

    def run(self, item: Item, context: Project) -> Result:
        """The claims of one book."""
        sections = read_sections(context.store, item.key)
        language = language_of(sections, context, item.key)
        found = self.extractor.claims(sections, context.schema, language)
        folder = f"extract/{item.key}"
        files = {
            f"{folder}/claims.jsonl": jsonl([*found.nodes, *found.edges]),
            f"{folder}/failures.jsonl": jsonl([*found.dropped, *found.failures]),
        }
        return Result(files=files, failures=found.failures, counts=_counts(found))

    def collect(self, project: Project) -> None:
        """Nothing is made from all books together."""


def items(project: Project) -> Iterator[Item]:
    """Every book that was read and divided."""
    for book in project.books:
        names = _inputs(book)
        if all(project.store.exists(name) for name in names):
            yield Item(book.slug, None, {name: project.store.digest(name) for name in names})


def _inputs(book: Book) -> tuple[str, str]:
    return (f"ingest/{book.slug}/document.json", f"segment/{book.slug}/sections_index.json")


def read_sections(store: Store, book: str) -> list[Section]:
    """The sections of a book in reading order."""
    document = store.read_row(f"ingest/{book}/document.json", Document)
    body = document.body()
    rows = store.read_json(f"segment/{book}/sections_index.json")
    return [section(document, body, SectionRow.model_validate(row)) for row in rows]


def language_of(sections: list[Section], project: Project, book: str) -> Language:
    """The language pack of a book. Raises InputError if there is none."""
    code = sections[0].language if sections else ""
    if code not in project.languages:
        raise InputError(
            f"no language pack {code!r}", where=book, remedy=f"set language to one of {', '.join(project.languages)}"
        )
    return project.languages[code]


def _counts(found: Claims) -> dict[str, int]:
    counts = Counter({"nodes": len(found.nodes), "edges": len(found.edges), "dropped": len(found.dropped)})
    return dict(counts)
