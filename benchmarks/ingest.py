"""How fast books are read, on one process and on two, and how memory grows with the number of pages.

    python benchmarks/ingest.py [PDF]

Speed: pages a CPU second of the whole stage, as a ratio to bare PyMuPDF `get_text()` of the same pages in the same run
(wanted 0.4), and to `get_text("dict")`, which gives the type and the places that the stage needs; pages with tables are
left out of all. Two copies of the book on two processes against one after the other on one, beside the same with a loop
that only counts: what the machine gives at the moment (wanted 0.85 of that: 1.7 where two cores are free). Memory: peak
of reading 1,000 pages, made of copies of the book, against 100 of them (wanted 1.5). Default PDF: the first in
`corpus/physics`.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from multiprocessing.pool import Pool
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import pymupdf

from ingest.pymupdf import PyMuPdf
from ingest.stage import Ingest
from kg.document import Book, Document
from kg.language import Language
from kg.language import load as load_languages
from kg.project import Project
from kg.schema import GraphSchema
from kg.schema import load as load_schema
from kg.stage import ROOT, Result
from kg.store import Store

RATIO, SPEEDUP, GROWTH = 0.4, 0.85, 1.5
STEPS = 15_000_000
SMALL, LARGE = 100, 1_000
ROUNDS = 3
LEAST = 300
"""Pages timed at least; a shorter book is copied."""
pdf: Any = pymupdf


def main(path: Path) -> int:
    """Prints the figures; returns 0 if they are within bounds."""
    with tempfile.TemporaryDirectory() as folder:
        fine = [_speed(path, Path(folder)), _processes(path, Path(folder)), _memory(path, Path(folder))]
    return 0 if all(fine) else 1


def read(path: Path) -> Result:
    """The book as the stage reads it."""
    book = Book(slug="book", file=str(path))
    project = Project(Store(path.parent), "books", "Books", (book,), *_settings())
    stage = Ingest(reader=PyMuPdf())
    return stage.run(stage.plan(project)[0], project)


@cache
def _settings() -> tuple[GraphSchema, dict[str, Language]]:
    return load_schema(ROOT / "conf/schema/k12.yaml"), load_languages(ROOT / "conf/language")


def _copied(path: Path, pages: list[int], count: int, target: Path) -> Path:
    """A PDF of `count` pages: these pages of the book again and again."""
    with pdf.open(path) as source, pdf.open() as made:
        source.select(pages)
        while len(made) < count:
            made.insert_pdf(source, to_page=min(len(source), count - len(made)) - 1)
        made.save(target, garbage=3, deflate=True)
    return target


def _plain_pages(path: Path) -> list[int]:
    """Pages with words and without tables."""
    document = Document.model_validate_json(read(path).files["ingest/book/document.json"])
    tables = {prov.page for block in document.blocks if block.label == "table" for prov in block.prov}
    words = {prov.page for block in document.blocks if block.label == "text" for prov in block.prov}
    return sorted(words - tables)


def _speed(path: Path, folder: Path) -> bool:
    pages = _plain_pages(path)
    file = _copied(path, pages, max(LEAST, len(pages)), folder / "plain.pdf")
    count = pdf.open(file).page_count
    bare = rich = ours = 1e9
    for _ in range(ROUNDS):
        bare = min(bare, _bare(file, "text"))
        rich = min(rich, _bare(file, "dict"))
        began = time.process_time()
        read(file)
        ours = min(ours, time.process_time() - began)
    print(
        f"{count} text pages: {count / ours:.0f} pages a CPU second, bare get_text {count / bare:.0f}: "
        f'{bare / ours:.2f} (wanted {RATIO}), get_text("dict") {count / rich:.0f}: {rich / ours:.2f}'
    )
    return bare / ours >= RATIO


def _bare(file: Path, form: str) -> float:
    """CPU seconds that PyMuPDF takes for the text of the file in this form."""
    began = time.process_time()
    with pdf.open(file) as document:
        for page in document:
            page.get_text(form)
    return time.process_time() - began


def _timed(path: str) -> float:
    began = time.perf_counter()
    read(Path(path))
    return time.perf_counter() - began


def _counted(steps: int) -> float:
    began = time.perf_counter()
    sum(range(steps))
    return time.perf_counter() - began


def _processes(path: Path, folder: Path) -> bool:
    pages = list(range(pdf.open(path).page_count))
    file = str(_copied(path, pages, max(LEAST, len(pages)), folder / "twice.pdf"))
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        pool.map(_timed, [str(path)] * 4, chunksize=1)
        loop = _gain(pool, _counted, STEPS)
        gain = _gain(pool, _timed, file)
        loop = max(loop, _gain(pool, _counted, STEPS))
    print(
        f"two books: {gain:.2f} times as fast on two processes, a loop that counts {loop:.2f}: {gain / loop:.2f} "
        f"(wanted {SPEEDUP}; load of the machine {os.getloadavg()[0]:.1f})"
    )
    return gain / loop >= SPEEDUP


def _gain(pool: Pool, work: Callable[[Any], float], what: str | int) -> float:
    """How many times as fast two processes do the same work twice as one does."""
    one = two = 1e9
    for _ in range(ROUNDS):
        one = min(one, sum(pool.apply(work, (what,)) for _ in range(2)))
        began = time.perf_counter()
        pool.map(work, [what] * 2, chunksize=1)
        two = min(two, time.perf_counter() - began)
    return one / two


def _memory(path: Path, folder: Path) -> bool:
    pages = list(range(pdf.open(path).page_count))
    peaks = []
    for count in (SMALL, LARGE):
        file = _copied(path, pages, count, folder / f"{count}.pdf")
        command = [sys.executable, __file__, "--peak", str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        peaks.append(json.loads(done.stdout))
    print(
        f"peak memory: {peaks[0]:.0f} MB with {SMALL} pages, {peaks[1]:.0f} MB with {LARGE}: "
        f"{peaks[1] / peaks[0]:.2f} (wanted {GROWTH})"
    )
    return bool(peaks[1] <= GROWTH * peaks[0])


def _peak() -> float:
    """Megabytes this process has held at most."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


if __name__ == "__main__":
    if sys.argv[1:2] == ["--peak"]:
        read(Path(sys.argv[2]))
        print(_peak())
    else:
        sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else sorted((ROOT / "corpus/physics").glob("*.pdf"))[0]))
