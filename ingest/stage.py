"""The stage `ingest`: textbook files in, one `Document` a book out.

In: the books of the project. Out: `ingest/<book>/document.json` and `document.md`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from ingest import build, pymupdf, quality, source, tongue
from ingest.look import first_look
from ingest.rules import Rules
from ingest.sheets import Sheet, sheets
from ingest.writing import Written
from kg.document import FURNITURE, Book
from kg.errors import Failure, InputError
from kg.project import Project
from kg.stage import Item, Result
from kg.store import file_sha256

NEEDS_OCR = "run OCR on it first, or get a copy with a text layer"
MISSING = "missing"


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Ingest:
    """Reads the text layer of PDFs."""

    broken_share: float = 0.05
    """A page with more unreadable characters than this share is named in a warning."""
    drop_share: float = 0.3
    """… with more than this it is a failure, and its text is left out."""

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
        """The document, and its text as Markdown."""
        return ("ingest/*/document.json", "ingest/*/document.md")

    def plan(self, project: Project) -> list[Item]:
        """One item a book."""
        items = []
        for book in project.books:
            path = Path(book.file)
            sha = file_sha256(path) if path.is_file() else MISSING
            items.append(Item(book.slug, book, {"file": sha, "book": book.to_json(), "engine": pymupdf.VERSION}))
        return items

    def setup(self, project: Project) -> Project:
        """The project itself."""
        return project

    def run(self, item: Item, context: Project) -> Result:
        """The book's document. Raises InputError if nothing of it can be read."""
        book: Book = item.payload
        path = Path(book.file)
        source.check(path)
        reading = pymupdf.read(path, book.password, self.name, book.slug)
        look = first_look(reading.pages)
        rules, share = _rules(book, look.text, context)
        pages = sheets(reading, look, rules)
        failures = [*sorted(reading.failures, key=_page_of), *self._failed(book, pages, reading.repaired)]
        warnings = (*reading.warnings, *self._warnings(pages, share))
        shell, blocks = build.document(book, file_sha256(path), reading, pages, rules)
        written = Written(shell.model_copy(update={"warnings": warnings}), blocks)
        return Result(
            files={
                f"ingest/{book.slug}/document.json": written.json,
                f"ingest/{book.slug}/document.md": written.markdown,
            },
            failures=tuple(failures),
            counts=_counts(len(pages), written.labels),
        )

    def collect(self, project: Project) -> None:
        """Nothing is made from all books together."""
        return None

    def _failed(self, book: Book, pages: list[Sheet], repaired: bool) -> list[Failure]:
        """Pages whose text cannot be used; their lines are emptied.

        Raises InputError if that is every page with anything on it.
        """
        failures = []
        for sheet in pages:
            reason = quality.fault(sheet.content, sheet.lines, self.drop_share)
            if repaired and not (reason or sheet.lines or sheet.tables or sheet.content.pictures):
                reason = "nothing left on it in the damaged file"
            if reason:
                sheet.reason = reason
                sheet.lines.clear()
                sheet.tables.clear()
                what = f"{reason}: the page needs OCR"
                failures.append(
                    Failure(stage=self.name, item=book.slug, what=what, remedy=NEEDS_OCR, page=sheet.content.index)
                )
        if not any(sheet.lines or sheet.tables for sheet in pages):
            reason = pages[0].reason if pages and pages[0].reason else "no text"
            raise InputError(f"{reason} on any page: the book needs OCR", where=Path(book.file).name, remedy=NEEDS_OCR)
        return failures

    def _warnings(self, pages: list[Sheet], share: float) -> list[str]:
        found = []
        doubled = [sheet.content.index + 1 for sheet in pages if sheet.doubled > 200]
        if doubled:
            found.append(f"text drawn twice was read once on {_pages(doubled)}")
        broken = [s.content.index + 1 for s in pages if quality.broken_share(s.lines) > self.broken_share]
        if broken:
            found.append(f"unreadable characters on {_pages(broken)}")
        hidden = [sheet.content.index + 1 for sheet in pages if sheet.content.hidden_text and sheet.lines]
        if hidden:
            found.append(f"the text of {_pages(hidden)} is an OCR layer made elsewhere")
        letters = sum(len(line.text) for sheet in pages for line in sheet.lines)
        if share < 0.02 and letters > 2000:
            found.append("hardly a known function word: the language is not supported, or the text layer is wrong")
        return found


def _rules(book: Book, text: str, project: Project) -> tuple[Rules, float]:
    """The rules of the book's language, and the share of its function words.

    Raises InputError if the configured language has no pack.
    """
    code, share = tongue.recognise(text, project.languages)
    wanted = book.language or code
    if wanted not in project.languages:
        known = ", ".join(sorted(project.languages))
        raise InputError(f"no language pack {wanted}", where=book.slug, remedy=f"use one of {known}")
    if book.language:
        share = tongue.recognise(text, {wanted: project.languages[wanted]})[1]
    return Rules(project.languages[wanted]), share


def _pages(numbers: list[int]) -> str:
    shown = ", ".join(str(number) for number in numbers[:8])
    more = f" and {len(numbers) - 8} more" if len(numbers) > 8 else ""
    return f"page{'s' if len(numbers) > 1 else ''} {shown}{more}"


def _page_of(failure: Failure) -> int:
    return failure.page if failure.page is not None else -1


def _counts(pages: int, labels: Counter[str]) -> dict[str, int]:
    return {
        "pages": pages,
        "blocks": sum(count for label, count in labels.items() if label not in FURNITURE),
        "headings": labels["section_header"],
        "tables": labels["table"],
        "figures": labels["picture"],
        "formulas": labels["formula"],
    }
