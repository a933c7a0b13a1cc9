"""Books that MinerU has taken apart: its output folders, files and zips, of all three generations.

In: a folder, a zip or a JSON file of MinerU, and the book's PDF where there is one. Out: a `Marked`.
The generations are told apart by their keys, not by their file names. Versions that are not known are refused by name.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from ingest import marked, mineru_list, mineru_v3, mineru_v4
from ingest.dress import checked, dressed
from ingest.parts import Marked
from ingest.reader import Made, PageReader
from kg.document import Book, Page
from kg.errors import InputError
from kg.project import Project
from kg.store import file_sha256

WANTED = ("middle_json.json", "_middle.json", "middle.json", "_content_list.json")
"""Ends of the names of files that are read, the best first: the middle file knows pages and places exactly."""
Sizes = Sequence[tuple[float, float]]
"""Width and height of the PDF's pages in points."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class MineruOutput:
    """Reads what MinerU has written."""

    folder: str = ""
    """Where the output for PDF books lies, in folders or zips named after them; empty: the books are the output."""
    pdf: PageReader | None = None
    """Reads the PDFs themselves for type sizes, bookmarks and a check that no page is lost; none: no PDF is needed."""

    @property
    def version(self) -> str:
        """Of this reader."""
        return "mineru output 1"

    def files(self, book: Book) -> list[Path]:
        """The files that are read."""
        path = Path(book.file)
        own = [path] if path.is_file() else []
        try:
            return sorted({*own, *self._output(book)})
        except InputError:
            return own or [path]

    def document(self, book: Book, project: Project, stage: str) -> Made:
        """The book's document. Raises InputError if there is no output, or none that is known."""
        found = self._output(book)
        pdf = _pdf(book, found[0])
        if self.pdf is None or pdf is None:
            return marked.document(book, file_sha256(found[0]), read(found, (), stage, book.slug), project)
        source = book.model_copy(update={"file": str(pdf)})
        return with_pdf(source, self.pdf, found, project, stage)

    def _output(self, book: Book) -> list[Path]:
        path = Path(book.file)
        if path.suffix.lower() == ".pdf" and self.folder:
            return _output_of(Path(self.folder).expanduser(), path.stem)
        if path.is_dir():
            return _best(path, path.name)
        if path.suffix.lower() in (".json", ".zip") and path.is_file():
            return [path]
        remedy = "set ingest.reader.folder to the folder of MinerU's output, or make its folders the books"
        raise InputError("no output of MinerU", where=path.name, remedy=remedy)


def with_pdf(book: Book, pdf: PageReader, output: Sequence[Path], project: Project, stage: str) -> Made:
    """The document made of MinerU's output for a PDF that is there: type, bookmarks and lost pages from the PDF."""
    reading = pdf.read(book, stage)
    sizes = [page.display_size for page in reading.pages]
    found = read(output, sizes, stage, book.slug)
    found.outline, found.title = reading.outline, reading.title
    dressed(found.parts, reading.pages)
    found.failures = (*found.failures, *checked(found, reading.pages, stage, book.slug))
    return marked.document(book, file_sha256(Path(book.file)), found, project)


def _output_of(folder: Path, stem: str) -> list[Path]:
    """The output for the book called `stem` in a folder of outputs."""
    zipped = folder / f"{stem}.zip"
    if zipped.is_file():
        return [zipped]
    own = folder / stem
    return _best(own if own.is_dir() else folder, stem)


def _best(folder: Path, stem: str) -> list[Path]:
    for ending in WANTED:
        found = sorted(path for path in folder.rglob(f"*{ending}") if path.is_file())
        named = [path for path in found if path.name.startswith(stem)] or found
        if named:
            return named[:1]
    raise InputError(f"no output of MinerU in {folder}", where=stem, remedy=f"it holds no file *{' or *'.join(WANTED)}")


def _pdf(book: Book, output: Path) -> Path | None:
    """The PDF that the output was made from."""
    path = Path(book.file)
    if path.suffix.lower() == ".pdf":
        return path
    return next(iter(sorted(output.parent.glob("*_origin.pdf"))), None)


def beside(path: Path) -> list[Path]:
    """MinerU's content list beside a Markdown file, if there is one."""
    listed = path.with_name(f"{path.stem}_content_list.json")
    return [listed] if listed.is_file() else []


def read(paths: Sequence[Path], sizes: Sizes, stage: str, item: str) -> Marked:
    """The book of these files, which hold its pages one after the other.

    Raises InputError if one is not MinerU's or of an unknown version.
    """
    whole: Marked | None = None
    for path in paths:
        part = _interpreted(_json(path), sizes, path.name)
        if whole is None:
            whole = part
        else:
            whole.parts += part.parts
            whole.pages = (*whole.pages, *part.pages)
            whole.warnings = tuple(dict.fromkeys((*whole.warnings, *part.warnings)))
    if whole is None:
        raise InputError("no output of MinerU", where=item)
    whole.pages = _every_page(whole.pages, sizes)
    return whole


def _every_page(pages: Sequence[Page], sizes: Sizes) -> tuple[Page, ...]:
    """The pages without a hole between them, up to the last one of the PDF."""
    known = {page.index: page for page in pages}
    count = max([*known, len(sizes) - 1], default=0) + 1
    usual = next(((page.width, page.height) for page in pages), (595.0, 842.0))
    found = []
    for index in range(count):
        width, height = sizes[index] if index < len(sizes) else usual
        blank = Page(index=index, width=width, height=height, route="layout_model", reason="MinerU has nothing of it")
        found.append(known.get(index, blank))
    return tuple(found)


def _json(path: Path) -> Any:
    where = path.name
    try:
        if path.suffix.lower() == ".zip":
            with zipfile.ZipFile(path) as archive:
                for ending in WANTED:
                    for name in sorted(archive.namelist()):
                        if name.endswith(ending):
                            return json.loads(archive.read(name))
            raise InputError("no output of MinerU in the zip", where=where, remedy="ask MinerU for the zip format")
        return json.loads(path.read_bytes())
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise InputError(f"cannot be read: {error}"[:200], where=where, remedy="run MinerU on the book again") from None


def _interpreted(data: Any, sizes: Sizes, where: str) -> Marked:
    try:
        if isinstance(data, dict) and data.get("schema") == mineru_v4.SCHEMA:
            return mineru_v4.read(data, sizes, where)
        if isinstance(data, dict) and "pdf_info" in data:
            return mineru_v3.read(data)
        if isinstance(data, list) and all(isinstance(row, dict) and "type" in row for row in data):
            return mineru_list.read(data, sizes)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        what = f"not as MinerU writes it ({type(error).__name__}: {error})"[:200]
        raise InputError(what, where=where, remedy="run MinerU on the book again") from None
    raise InputError("no output of MinerU that is known", where=where, remedy="MinerU 2.x, 3.x, 4.x and magic-pdf are")
