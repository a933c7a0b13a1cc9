"""Render the sample books: `python -m corpus.render` writes every PDF, `--check` compares without writing.

In: `corpus/*/*.md`. Out: `<same name>.pdf` beside each, and `corpus/rendered.json` = the fonts and versions that
the committed bytes were made with. The same sources, fonts and versions give the same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
import zlib
from pathlib import Path

import reportlab

from corpus.fonts import FontMissing, fingerprints, register, unprintable
from corpus.layout import flowables
from corpus.markup import MarkupError, read
from corpus.pages import BookTemplate, Places

FOLDER = Path(__file__).parent
RECORD = FOLDER / "rendered.json"
PASSES = 6


def sources() -> list[Path]:
    """The Markdown of every sample book."""
    return sorted(path for path in FOLDER.glob("*/*.md") if path.read_text(encoding="utf-8").startswith("---\n"))


def render(markdown: Path, pdf: Path) -> int:
    """Write the PDF of one book; return its number of pages.

    Passes are repeated until contents and index print the pages that the same pass found.
    Raises MarkupError, FontMissing, and RuntimeError if the page numbers do not settle.
    """
    source = read(markdown)
    register(source.meta["language"])
    if missing := unprintable(markdown.read_text(encoding="utf-8"), source.meta["language"]):
        raise MarkupError(f"{markdown}: no font has a glyph for {' '.join(missing)}")
    places = Places()
    for _ in range(PASSES):
        book = BookTemplate(pdf, source.meta)
        book.build(flowables(source, places))
        if book.places == places:
            return book.page
        places = book.places
    raise RuntimeError(f"{markdown}: page numbers did not settle in {PASSES} passes")


def environment() -> dict[str, str]:
    """What decides the bytes beside the Markdown: versions and font files."""
    found = {"reportlab": reportlab.__version__, "zlib": zlib.ZLIB_RUNTIME_VERSION}
    for markdown in sources():
        found |= fingerprints(read(markdown).meta["language"])
    return dict(sorted(found.items()))


def differences() -> list[str]:
    """One line for each committed PDF that rendering would change; empty if none.

    Raises RuntimeError if this machine has other fonts or versions than the record, so that nothing can be said.
    """
    recorded, here = json.loads(RECORD.read_text(encoding="utf-8")), environment()
    other = sorted(name for name in recorded.keys() | here.keys() if recorded.get(name) != here.get(name))
    if other:
        raise RuntimeError(f"not comparable, the PDFs were rendered with other versions of: {', '.join(other)}")
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for markdown in sources():
            committed, fresh = markdown.with_suffix(".pdf"), Path(folder) / "fresh.pdf"
            render(markdown, fresh)
            if not committed.is_file() or _sha256(committed) != _sha256(fresh):
                found.append(f"{committed}: differs from a fresh rendering; run python -m corpus.render")
    return found


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _write_all() -> None:
    for markdown in sources():
        pdf = markdown.with_suffix(".pdf")
        part = pdf.with_suffix(".part")
        count = render(markdown, part)
        part.replace(pdf)
        sys.stdout.write(f"{pdf.relative_to(FOLDER.parent)}: {count} pages, {pdf.stat().st_size // 1024} kB\n")
    RECORD.write_text(json.dumps(environment(), indent=2) + "\n", encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Render or check; 0 if all is well, 1 if a PDF is stale, 2 if nothing could be rendered or compared."""
    parser = argparse.ArgumentParser(description="Render the sample books to PDF.")
    parser.add_argument("--check", action="store_true", help="compare the committed PDFs, write nothing")
    try:
        if not parser.parse_args(arguments).check:
            _write_all()
            return 0
        stale = differences()
    except (FontMissing, MarkupError, RuntimeError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stderr.writelines(f"{line}\n" for line in stale)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
