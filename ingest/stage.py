"""The stage `ingest`: textbook files in, one `Document` a book out.

In: the books of the project. Out: `ingest/<book>/document.json` and `document.md`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from ingest.crops import Crops
from ingest.ocr import Ocr
from ingest.reader import BookReader, Made, PageReader
from ingest.textlayer import TextLayers
from ingest.writing import Written
from kg.document import FURNITURE, Book
from kg.project import Project
from kg.stage import Item, Result
from kg.store import file_sha256

MISSING = "missing"


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Ingest:
    """Reads books with one engine."""

    reader: PageReader | BookReader
    """The engine: `ingest.pymupdf.PyMuPdf`, `ingest.pdfium.Pdfium`, `ingest.markdown.Markdown`, …"""
    ocr: Ocr | None = None
    """How pages without a usable text layer are read; none: they are failures. Only for engines that read pages."""
    broken_share: float = 0.05
    """A page with more unreadable characters than this share is named in a warning."""
    drop_share: float = 0.3
    """… with more than this it is a failure, and its text is left out."""
    images: float | None = None
    """Dots an inch at which figures and formulas are cut out of the pages; none: they are not, as drawing pages takes
    longer than reading them. Only for engines that read pages."""

    @property
    def name(self) -> str:
        """Name of its room."""
        return "ingest"

    @property
    def reads(self) -> tuple[str, ...]:
        """Nothing from the store: it reads the books' files."""
        return ()

    @property
    def writes(self) -> tuple[str, ...]:
        """The document, its text as Markdown, and the images if they are wanted."""
        images = ("ingest/*/images/*.png",) if self.images is not None else ()
        return ("ingest/*/document.json", "ingest/*/document.md", *images)

    def plan(self, project: Project) -> list[Item]:
        """One item a book."""
        items = []
        for book in project.books:
            inputs = {"book": book.to_json(), "engine": self.reader.version, **self._files(book)}
            items.append(Item(book.slug, book, inputs))
        return items

    def _files(self, book: Book) -> dict[str, str]:
        """Name -> hash of each file that the book is read from."""
        if not isinstance(self.reader, BookReader):
            return {"file": _sha256(Path(book.file))}
        return {f"file {path.name}": _sha256(path) for path in self.reader.files(book)}

    def setup(self, project: Project) -> Project:
        """The project itself."""
        return project

    def run(self, item: Item, context: Project) -> Result:
        """The book's document. Raises InputError if nothing of it can be read."""
        book: Book = item.payload
        made = self._made(book, context)
        crops = None
        if self.images is not None and isinstance(self.reader, PageReader):
            crops = Crops(self.reader, book, self.images, self.name)
        written = Written(made.shell, made.blocks if crops is None else crops.marked(made.blocks))
        files = {"document.json": written.json, "document.md": written.markdown}
        return Result(
            files={
                f"ingest/{book.slug}/{name}": data for name, data in (files | (crops.files if crops else {})).items()
            },
            failures=(*made.failures, *(crops.failures if crops else ())),
            counts=_counts(len(made.shell.pages), written.labels),
        )

    def _made(self, book: Book, project: Project) -> Made:
        if isinstance(self.reader, BookReader):
            return self.reader.document(book, project, self.name)
        return TextLayers(self.reader, self.ocr, self.broken_share, self.drop_share, self.name).document(book, project)

    def collect(self, project: Project) -> None:
        """Nothing is made from all books together."""
        return None


def _sha256(path: Path) -> str:
    return file_sha256(path) if path.is_file() else MISSING


def _counts(pages: int, labels: Counter[str]) -> dict[str, int]:
    return {
        "pages": pages,
        "blocks": sum(count for label, count in labels.items() if label not in FURNITURE),
        "headings": labels["section_header"],
        "tables": labels["table"],
        "figures": labels["picture"],
        "formulas": labels["formula"],
    }
