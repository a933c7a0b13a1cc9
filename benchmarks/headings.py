"""How well headings are found in books not made by us, with their bookmarks as the truth and hidden from the reader.

    python benchmarks/headings.py PDF_OR_FOLDER …

A bookmark is found if a heading on its page, or the one before or after, has its words (numbers, `Chapter`, footnote
marks and accents of TeX's logos aside). A heading that no bookmark has counts as wrong unless it is deeper than the
bookmarks go (`2.1.1` where they end at `2.1`), stands on a contents page, or comes before the first bookmark. `strict`
counts those as wrong too. `levels`: share of the found headings that have the level which most of their bookmarks'
level have, and whether those are in order. Wanted: F1 of 0.85 on every book that was not tuned on.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from ingest.page import Reading
from ingest.pymupdf import PyMuPdf
from ingest.reader import Image
from ingest.stage import Ingest
from kg.document import Block, Book, Document, OutlineItem
from kg.language import load as load_languages
from kg.project import Project
from kg.schema import load as load_schema
from kg.stage import ROOT
from kg.store import Store
from kg.text import squash

WANTED = 0.85
LABEL = re.compile(
    r"^\s*(?:(?:part|chapter|appendix|section)\b)?\s*(?:[ivxl]+|[a-z]|\d+)?(?:\.\d+)*[.:]?\s+(?=\S)"
    r"|^第[一二三四五六七八九十百\d]+[章节部篇]\s*|[⁰¹²³⁴⁵⁶⁷⁸⁹*∗†‡]+$",
    re.IGNORECASE,
)
NUMBER = re.compile(r"^(?:[A-Z]|\d+)(?:\.\d+)*")


@dataclass(frozen=True)
class Blindfolded:
    """PyMuPDF without the bookmarks."""

    engine: PyMuPdf

    @property
    def version(self) -> str:
        """Of the engine."""
        return self.engine.version

    def read(self, book: Book, stage: str) -> Reading:
        """The book, its bookmarks left out."""
        reading = self.engine.read(book, stage)
        reading.outline = ()
        return reading

    def render(self, book: Book, page: int, dpi: float) -> Image:
        """A page as drawn."""
        return self.engine.render(book, page, dpi)


def main(paths: list[str]) -> int:
    """Prints a line a book; returns 0 if all are as wanted."""
    files = [file for path in map(Path, paths) for file in ([path] if path.is_file() else sorted(path.glob("*.pdf")))]
    return 0 if all([_book(file) >= WANTED for file in files]) else 1


def _book(path: Path) -> float:
    schema, languages = load_schema(ROOT / "conf/schema/k12.yaml"), load_languages(ROOT / "conf/language")
    book = Book(slug="book", file=str(path))
    with tempfile.TemporaryDirectory() as folder:
        project = Project(Store(Path(folder)), "books", "Books", (book,), schema, languages)
        stage = Ingest(reader=Blindfolded(PyMuPdf()))
        made = stage.run(stage.plan(project)[0], project)
    document = Document.model_validate_json(made.files["ingest/book/document.json"])
    truth = [item for item in PyMuPdf().read(book, "ingest").outline if item.page is not None and _words(item.title)]
    if not truth:
        print(f"{path.name}: no bookmarks")
        return 1.0
    return _score(path.name, document, truth)


def _words(title: str) -> str:
    before = ""
    while before != title:
        before, title = title, LABEL.sub("", title)
    return squash(title)


def _score(name: str, document: Document, truth: list[OutlineItem]) -> float:
    headings = [block for block in document.blocks if block.label == "section_header" and "box" not in block.flags]
    places: defaultdict[str, list[Block]] = defaultdict(list)
    for block in headings:
        places[_words(block.text)].append(block)
    pairs: list[tuple[OutlineItem, Block]] = []
    used: set[str] = set()
    for item in truth:
        near = [b for b in places[_words(item.title)] if abs(b.prov[0].page - (item.page or 0)) <= 1]
        fresh = [block for block in near if block.id not in used]
        fresh.sort(key=lambda block: abs(block.prov[0].page - (item.page or 0)))
        if fresh:
            used.add(fresh[0].id)
            pairs.append((item, fresh[0]))
    counted = [block for block in headings if block.id in used or _counts(block, document, truth, pairs)]
    recall, precision, strict = (len(pairs) / len(one) if one else 0.0 for one in (truth, counted, headings))
    fine, order = _levels(pairs)
    score = _f1(precision, recall)
    print(
        f"{name}: {len(document.pages)} pages, {len(truth)} bookmarks: P {precision:.3f} R {recall:.3f} "
        f"F1 {score:.3f} (strict {_f1(strict, recall):.3f}); levels {fine:.3f}, {order}"
    )
    if "-v" in sys.argv:
        found = {id(item) for item, _ in pairs}
        print("   missed", [(item.page, item.title[:50]) for item in truth if id(item) not in found][:25])
        print("   wrong", [(b.prov[0].page, b.level, b.text[:50]) for b in counted if b.id not in used][:40])
    return score


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _counts(block: Block, document: Document, truth: list[OutlineItem], pairs: list[tuple[OutlineItem, Block]]) -> bool:
    """True if the bookmarks would have this heading, were it one."""
    page = block.prov[0].page
    if page < min(item.page or 0 for item in truth):
        return False
    if any(other.label == "document_index" and other.prov[0].page == page for other in document.blocks):
        return False
    numbered = NUMBER.match(block.text)
    depths = [hit.group().count(".") for item in truth if (hit := NUMBER.match(item.title))]
    depths += [hit.group().count(".") for _, other in pairs if (hit := NUMBER.match(other.text))]
    if numbered and depths and numbered.group().count("."):
        return numbered.group().count(".") <= max(depths)
    return (block.level or 9) <= max((other.level or 0 for _, other in pairs), default=9)


def _levels(pairs: list[tuple[OutlineItem, Block]]) -> tuple[float, str]:
    counts: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for item, block in pairs:
        counts[item.level][block.level or 0] += 1
    usual = {level: own.most_common(1)[0] for level, own in sorted(counts.items())}
    order = list(dict.fromkeys(level for level, _ in usual.values()))
    apart = "separable" if len(order) == len(usual) and order == sorted(order) else "not separable"
    return sum(count for _, count in usual.values()) / max(len(pairs), 1), f"{apart} {[v for v, _ in usual.values()]}"


if __name__ == "__main__":
    sys.exit(main([argument for argument in sys.argv[1:] if argument != "-v"]))
