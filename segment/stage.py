"""The stage: every book's document becomes chapters and sections.

In: `ingest/<book>/document.json`. Out: `segment/<book>/sections_index.json` (rows with all their fields),
`sections/<nnn>-<slug>.md` (whose concatenation is the document's text) and `findings.jsonl`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass as plain_dataclass
from pathlib import PurePosixPath

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from kg.document import Document
from kg.errors import InputError
from kg.project import Project
from kg.section import SectionRow, section
from kg.stage import Item, Result
from kg.store import jsonl
from segment.divide import divided
from segment.pack import SegmentRules
from segment.rows import Place
from segment.titles import TitleReader


@plain_dataclass(frozen=True)
class Context:
    """What a worker keeps between books."""

    project: Project
    readers: Mapping[str, TitleReader]
    """By language code."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Segment:
    """Chapters and sections by outline, printed contents, numbering and look of the headings."""

    piece_characters: int = 20_000
    """Least length of the pieces that a book without any heading is cut into."""

    @property
    def name(self) -> str:
        return "segment"

    @property
    def reads(self) -> tuple[str, ...]:
        return ("ingest/*/document.json",)

    @property
    def writes(self) -> tuple[str, ...]:
        return ("segment/*/sections_index.json", "segment/*/sections/*.md", "segment/*/findings.jsonl")

    def plan(self, project: Project) -> list[Item]:
        """One item per book that was read."""
        names = project.store.names("ingest/*/document.json")
        books = [(PurePosixPath(name).parent.name, name) for name in names]
        return [Item(book, name, {name: project.store.digest(name)}) for book, name in books]

    def setup(self, project: Project) -> Context:
        """The rules of every language, compiled."""
        readers = {
            code: TitleReader(language.part("segment", SegmentRules)) for code, language in project.languages.items()
        }
        return Context(project, readers)

    def run(self, item: Item, context: Context) -> Result:
        """Index, section files and findings of one book. Raises InputError if its language has no pack."""
        project = context.project
        document = project.store.read_row(item.payload, Document)
        reader = context.readers.get(document.language)
        if reader is None:
            have = ", ".join(sorted(context.readers))
            raise InputError(
                f"no language pack {document.language!r}", where=item.key, remedy=f"add conf/language/ or use: {have}"
            )
        schema = project.schema
        place = Place(project.subject, document.book, schema.node_type("chapter"), schema.node_type("section"))
        rows, findings = divided(document, reader, place, self.piece_characters)
        body = document.body()
        folder = f"segment/{item.key}"
        files = {f"{folder}/{row.file}": section(document, body, row).text.encode("utf-8") for row in rows}
        files[f"{folder}/sections_index.json"] = index_json(rows)
        files[f"{folder}/findings.jsonl"] = jsonl(findings)
        chapters = len({row.chapter for row in rows if row.chapter})
        sections = sum(row.kind == "section" for row in rows)
        counts = {"chapters": chapters, "sections": sections, "rows": len(rows), "findings": len(findings)}
        return Result(files=files, counts=counts)

    def collect(self, project: Project) -> Result | None:
        """Nothing: every book stands for itself."""
        return None


def index_json(rows: list[SectionRow]) -> bytes:
    """`sections_index.json`: a list of rows, all fields written out."""
    data = [row.model_dump(mode="json") for row in rows]
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode("utf-8")
