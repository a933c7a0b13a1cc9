"""How many characters of scanned pages are read wrongly, beside the bare engine.

    python benchmarks/scans.py SCAN.pdf TRUTH.json

The truth's `pages` have `scan_page` (from 0) and `text` in reading order. Characters: after NFKC, without white space
and dot leaders. Error rate: fewest insertions, deletions and replacements, as a share of the truth. The bare engine
gets the same pictures and its lines stay in its own order. Words inside figures count as wrong where the truth has
none. Wanted: no worse than the bare engine.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import unicodedata
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rapidfuzz.distance import Levenshtein

from ingest import scans
from ingest.ocr import Ocr, Recogniser
from ingest.pymupdf import PyMuPdf
from ingest.rules import IngestPart
from ingest.stage import Ingest
from kg.document import Book, Document
from kg.language import load as load_languages
from kg.project import Project
from kg.schema import load as load_schema
from kg.stage import ROOT
from kg.store import Store

LEADERS = re.compile(r"(?:\.\s*){4,}")


def main(scan: Path, truth: Path) -> int:
    """Prints the figures of each page and of all; returns 0 if the whole is no worse than the bare engine."""
    wanted = {page["scan_page"]: plain(page["text"]) for page in json.loads(truth.read_bytes())["pages"]}
    with tempfile.TemporaryDirectory() as folder:
        ours, engine, code = read(scan, Path(folder))
    wrong = bare = 0
    for number, text in sorted(wanted.items()):
        image = PyMuPdf().render(Book(slug="scan", file=str(scan)), number, Ocr().dpi)
        own = Levenshtein.distance(plain(ours[number]), text)
        other = Levenshtein.distance(plain(scans.text_of(engine.read(image, code))), text)
        wrong, bare = wrong + own, bare + other
        print(f"page {number + 1}: {own / len(text):.4f}, {other / len(text):.4f} bare")
    total = sum(map(len, wanted.values()))
    print(f"{len(wanted)} pages: {wrong / total:.4f}, {bare / total:.4f} by bare {engine.version}")
    return 0 if wrong <= bare else 1


def read(scan: Path, folder: Path) -> tuple[dict[int, str], Recogniser, str]:
    """The text of each page as the stage reads it, running heads included, and what it was recognised with."""
    book = Book(slug="scan", file=str(scan))
    languages = load_languages(ROOT / "conf/language")
    project = Project(Store(folder), "scans", "Scans", (book,), load_schema(ROOT / "conf/schema/k12.yaml"), languages)
    stage = Ingest(reader=PyMuPdf(), ocr=Ocr())
    made = stage.run(stage.plan(project)[0], project)
    document = Document.model_validate_json(made.files["ingest/scan/document.json"])
    texts: defaultdict[int, str] = defaultdict(str)
    for block in document.blocks:
        for prov in block.prov:
            texts[prov.page] += f"{block.text[prov.start : prov.end]}\n"
    return texts, *Ocr().chosen(languages[document.language].part("ingest", IngestPart).ocr)


def plain(text: str) -> str:
    """The characters that count."""
    return "".join(LEADERS.sub("", unicodedata.normalize("NFKC", text.replace("…", ""))).split())


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
