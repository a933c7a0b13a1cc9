"""A book of pages made a document, page by page in the best way there is: its text layer, or text recognition.

In: a book, an engine that reads pages, and one for text recognition. Out: the document and what failed.
A page keeps its text layer unless that is missing, unreadable or wrong for a stated reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ingest import build, quality, scans, signals, source
from ingest.look import first_look
from ingest.ocr import Kept, Ocr
from ingest.reader import Made, PageReader
from ingest.recognition import Recognition, least_sure, named
from ingest.rules import Rules, rules_of
from ingest.scans import Seen
from ingest.sheets import Sheet, sheets
from kg.document import Book
from kg.errors import Failure, InputError
from kg.project import Project
from kg.store import file_sha256

NEEDS_OCR = "run OCR on it first, or get a copy with a text layer"
LEAST_LETTERS = 200
"""A book with fewer letters in the pages looked at tells its language only once it is recognised."""
UNSURE = 0.6
"""Pages whose text was recognised with less mean confidence are named in a warning."""


@dataclass(frozen=True)
class TextLayers:
    """How pages are read."""

    reader: PageReader
    ocr: Ocr | None
    broken_share: float
    drop_share: float
    stage: str

    def document(self, book: Book, project: Project) -> Made:
        """The book's document. Raises InputError if nothing of it can be read."""
        path = Path(book.file)
        source.check(path, self.reader.epub)
        sha = file_sha256(path)
        reading = self.reader.read(book, self.stage)
        look = first_look(reading.pages)
        kept = Kept(project.store, sha)
        scanner = Recognition(book, self.reader, self.ocr, kept, self.stage) if self.ocr is not None else None
        text = look.text
        if scanner is not None and not book.language and sum(map(str.isalpha, text)) < LEAST_LETTERS:
            text = scanner.sample(len(reading.pages), project.languages) or text
        rules, share = rules_of(book, text, project)
        pages = sheets(reading, look, rules)
        faults = self._faults(pages, rules, reading.repaired)
        if scanner is not None and faults:
            scanner.replace(reading, pages, faults, rules)
        seen = scanner.seen if scanner is not None else {}
        failed = scanner.failures if scanner is not None else self._failures(book, faults)
        self._drop(book, pages, {page: reason for page, reason in faults.items() if page not in seen}, failed)
        warnings = (*reading.warnings, *self._warnings(pages, share, seen))
        shell, blocks = build.document(book, sha, reading, pages, rules)
        shell = shell.model_copy(update={"warnings": warnings, "pages": scans.marked_pages(shell.pages, seen)})
        failures = sorted([*reading.failures, *failed], key=lambda failure: failure.page or 0)
        return Made(shell, scans.marked(blocks, seen) if seen else blocks, tuple(failures))

    def _faults(self, pages: list[Sheet], rules: Rules, repaired: bool) -> dict[int, str]:
        """Why the text of a page cannot be used, by page; pages that are only blank are none."""
        faults = {}
        for one in pages:
            reason = quality.fault(one.content, one.lines, self.drop_share) or signals.fault(one.lines, rules)
            if repaired and not (reason or one.lines or one.tables or one.content.pictures):
                reason = "nothing left on it in the damaged file"
            if reason:
                faults[one.content.index] = reason
        return faults

    def _failures(self, book: Book, faults: Mapping[int, str]) -> list[Failure]:
        return [
            Failure(stage=self.stage, item=book.slug, what=f"{why}: the page needs OCR", remedy=NEEDS_OCR, page=page)
            for page, why in faults.items()
        ]

    def _drop(self, book: Book, pages: list[Sheet], faults: Mapping[int, str], failed: list[Failure]) -> None:
        """Pages whose text cannot be used are emptied. Raises InputError if nothing is left."""
        for one in pages:
            if one.content.index in faults:
                one.reason = faults[one.content.index]
                one.lines.clear()
                one.tables.clear()
        if not any(one.lines or one.tables for one in pages):
            reason = next(iter(faults.values()), "no text")
            remedy = failed[0].remedy if failed else NEEDS_OCR
            raise InputError(f"{reason} on any page: the book needs OCR", where=Path(book.file).name, remedy=remedy)

    def _warnings(self, pages: list[Sheet], share: float, seen: Mapping[int, Seen]) -> list[str]:
        found = []
        if doubled := [one.content.index + 1 for one in pages if one.doubled > 200]:
            found.append(f"text drawn twice was read once on {named(doubled)}")
        if broken := [one.content.index + 1 for one in pages if quality.broken_share(one.lines) > self.broken_share]:
            found.append(f"unreadable characters on {named(broken)}")
        if hidden := [one.content.index + 1 for one in pages if one.content.hidden_text and one.lines]:
            found.append(f"the text of {named(hidden)} is an OCR layer made elsewhere")
        if seen:
            found.append(f"text recognition read {named([page + 1 for page in sorted(seen)])}")
        if unsure := least_sure(seen, UNSURE):
            found.append(f"text recognition was not sure of {named(unsure)}")
        letters = sum(len(line.text) for one in pages for line in one.lines)
        if share < 0.02 and letters > 2000:
            found.append("hardly a known function word: the language is not supported, or the text layer is wrong")
        return found
