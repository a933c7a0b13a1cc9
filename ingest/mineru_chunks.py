"""A PDF parsed by MinerU in chunks of pages, whoever calls it; a chunk that is done is kept and never parsed again.

In: a book and a function that parses some of its pages into a file. Out: the document. Chunks bound MinerU's memory,
which grows with the pages of one call, and let a killed run go on.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from ingest import source
from ingest.mineru_output import with_pdf
from ingest.reader import Made, PageReader
from kg.document import Book
from kg.errors import Failure, InputError
from kg.project import Project
from kg.store import canonical, file_sha256, sha256

Parse = Callable[[int, int], bytes]
"""First and last page, counted from 1 and both included -> MinerU's middle JSON of them. Raises InputError."""


def parsed(book: Book, project: Project, stage: str, pdf: PageReader, how: tuple[str, int, Parse]) -> Made:
    """The book's document. `how`: what the result depends on besides the file, pages a chunk, and the parser.

    Raises InputError if no chunk could be parsed.
    """
    key, step, parse = how
    path = Path(book.file)
    source.check(path)
    folder = f".mineru/{sha256(canonical([file_sha256(path), key]))[:32]}"
    count = len(pdf.read(book, stage).pages)
    done: list[Path] = []
    failures: list[Failure] = []
    lost: set[int] = set()
    for first in range(1, count + 1, step):
        last = min(first + step - 1, count)
        name = f"{folder}/{first:05}-{last:05}.json"
        try:
            if not project.store.exists(name):
                project.store.write(name, _whole(parse(first, last), first, last))
            done.append(project.store.path(name))
        except InputError as error:
            lost.update(range(first - 1, last))
            what = f"pages {first} to {last}: {error.what}"
            failures.append(Failure(stage=stage, item=book.slug, what=what, remedy=error.remedy, retry=True))
    if not done:
        raise InputError(failures[0].what if failures else "no pages", where=path.name, remedy=failures[0].remedy)
    made = with_pdf(book, pdf, done, project, stage)
    rest = [failure for failure in made.failures if failure.page not in lost]
    return Made(made.shell, made.blocks, (*failures, *rest))


def _whole(data: bytes, first: int, last: int) -> bytes:
    """The same bytes, if they hold all pages that were asked for: MinerU may end without an error on a failure."""
    try:
        found = {int(page["page_idx"]) for page in json.loads(data)["pages"]}
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"MinerU wrote no middle JSON ({error})"[:200], remedy="use MinerU 4.0 to 4.x") from None
    missing = sorted(set(range(first - 1, last)) - found)
    if missing:
        what = f"MinerU gave nothing for page {missing[0] + 1}"
        raise InputError(what, remedy="use a higher tier of MinerU, or ingest=pymupdf")
    return data
