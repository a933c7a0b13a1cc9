"""The default engine: the text layer, drawings and bookmarks of a PDF by PyMuPDF (its only importer).

In: a PDF file. Out: a `Reading`. Nothing here knows what a heading or a paragraph is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import pymupdf as _pymupdf
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from ingest import drawings, turning
from ingest.page import IDENTITY, Fragment, Matrix, PageContent, Reading, Run
from ingest.reader import Image, scale_for
from ingest.source import is_epub
from kg.document import Book, Box, OutlineItem
from kg.errors import Failure, InputError

pymupdf: Any = _pymupdf
"""The library, untyped as it is."""
FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
"""Ligatures are expanded; a glyph without a Unicode value stays U+FFFD, so that it can be counted."""
FAULTS = (RuntimeError, ValueError, TypeError, IndexError, pymupdf.mupdf.FzErrorBase)
"""What MuPDF raises on damaged files, at whatever it is asked."""
SUPERSCRIPT, ITALIC, MONO, BOLD = 1, 2, 8, 16
STACKED = 1.25
"""A span this many times as high as its type has more than one baseline."""
LEVEL = 0.1
"""Part of the type size by which the baseline of one span may waver."""
REPAIRED = "the file is damaged and was repaired; text may be missing"
PDF: dict[str, Any] = {"filetype": "pdf"}
EPUB: dict[str, Any] = {"filetype": "epub", "width": 595, "height": 842, "fontsize": 11}
"""An EPUB has no pages: it is laid out on A4, and its page numbers are those of this layout."""
FRESH = 128
"""Pages read before the file is opened anew, unless opening it means repairing it."""
FEW_RULES = 60
SAME_LEVEL = 0.05
"""Points by which the baselines of words of one run may differ."""
LEVEL_LINE = (1.0, 0.0)
LONG_PAGE = 20_000
"""A page with more text fragments than this is cut there."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class PyMuPdf:
    """Reads pages with MuPDF."""

    @property
    def version(self) -> str:
        """Name and version of the library."""
        return f"pymupdf {pymupdf.VersionBind}"

    epub: ClassVar[bool] = True

    def read(self, book: Book, stage: str) -> Reading:
        """All pages of the book; a page that cannot be read is a failure of that page and of `stage`.

        Raises InputError if the file cannot be opened, needs another password, or has no pages.
        """
        with _opened(book) as document:
            pages = _Pages(book, document.page_count, stage)
            metadata = document.metadata or {}
            pages.reading = Reading(
                engine=self.version,
                pages=pages,
                outline=_outline(document),
                title=str(metadata.get("title") or "").strip(),
                repaired=bool(document.is_repaired),
                warnings=tuple(_warnings(document, bool(book.password))),
                failures=pages.failures,
            )
            return pages.reading

    def render(self, book: Book, page: int, dpi: float) -> Image:
        """The page with this index as displayed. Raises InputError if it cannot be drawn."""
        with _opened(book) as document:
            try:
                sheet = document[page]
                scale = scale_for(sheet.rect.width, sheet.rect.height, dpi)
                drawn = sheet.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csGRAY, alpha=False)
            except FAULTS as error:
                raise InputError(
                    f"page {page + 1} cannot be drawn: {error}"[:200], where=Path(book.file).name
                ) from None
            return Image(drawn.width, drawn.height, bytes(drawn.samples), scale * 72.0)


class _Pages:
    """The pages of a file, each read when it is asked for; the file is opened anew now and then.

    MuPDF keeps every object that it has seen until a file is closed.
    """

    def __init__(self, book: Book, count: int, stage: str) -> None:
        self._book, self._count, self._stage = book, count, stage
        self._document: Any = None
        self._left = 0
        self._labelled = False
        self.failures: list[Failure] = []
        self.reading: Reading | None = None
        """Is told when a page shows that the file is damaged."""

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[PageContent]:
        return (self[index] for index in range(self._count))

    def __getitem__(self, index: int, /) -> PageContent:
        if not 0 <= index < self._count:
            raise IndexError(index)
        if self._document is None:
            self._document = _opened(self._book)
            self._labelled = bool(self._document.is_pdf and self._document.get_page_labels())
            self._left = self._count if self._document.is_repaired else FRESH
        try:
            return _page(self._document, index, self._labelled)
        except FAULTS as error:
            self._fail(index, f"page cannot be read: {type(error).__name__}: {error}"[:200])
            return PageContent(index, 1.0, 1.0, display_size=(1.0, 1.0))
        finally:
            self._left -= 1
            self._note_repair()
            if self._left == 0 or index == self._count - 1:
                self._document.close()
                self._document = None

    def _fail(self, index: int, what: str) -> None:
        item = self._book.slug
        failure = Failure(stage=self._stage, item=item, what=what, remedy="repair the file", page=index)
        if failure not in self.failures:
            self.failures.append(failure)

    def _note_repair(self) -> None:
        """Some damage shows only when a page is read."""
        if self._document.is_repaired and self.reading is not None and not self.reading.repaired:
            self.reading.repaired = True
            self.reading.warnings = (REPAIRED, *self.reading.warnings)


def _opened(book: Book) -> Any:
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    where, remedy = Path(book.file).name, "get a complete copy of the file"
    try:
        document = pymupdf.open(book.file, **(EPUB if is_epub(Path(book.file)) else PDF))
        count = document.page_count if not document.needs_pass or document.authenticate(book.password) else None
    except FAULTS as error:
        what = f"cannot be opened: {error}".replace(book.file, where)[:200]
        raise InputError(what, where=where, remedy=remedy) from None
    if count is None:
        what = "the password is wrong" if book.password else "encrypted, needs a password"
        raise InputError(what, where=where, remedy="set password for this book")
    if count == 0:
        raise InputError("has no pages", where=where, remedy=remedy)
    return document


def _warnings(document: Any, had_password: bool) -> list[str]:
    found = []
    if document.is_repaired:
        found.append(REPAIRED)
    owner_only = not had_password and (document.metadata or {}).get("encryption")
    if owner_only and not document.permissions & pymupdf.PDF_PERM_COPY:
        found.append("its owner does not permit copying text; make sure that you may use it")
    return found


def _outline(document: Any) -> tuple[OutlineItem, ...]:
    try:
        rows = document.get_toc(simple=True)
    except FAULTS:
        return ()
    items = []
    for level, title, page in rows:
        text = " ".join(str(title).split())
        if text:
            items.append(OutlineItem(level=level, title=text, page=page - 1 if page > 0 else None))
    return tuple(items)


def _page(document: Any, index: int, labelled: bool) -> PageContent:
    page = document[index]
    shown = page.rect
    rotation = int(page.rotation)
    unrotated = _size(page.rect, rotation)
    matrix = tuple(page.rotation_matrix)
    if rotation:
        page.set_rotation(0)
    shapes = page.get_displaylist()
    lines = _lines(shapes)
    angle, hidden = _survey(lines)
    upright, size = turning.upright(angle, unrotated)
    back = turning.times(turning.inverse(upright), matrix)
    content = PageContent(
        index=index,
        width=size[0],
        height=size[1],
        display_size=(round(shown.width, 1), round(shown.height, 1)),
        to_display=back,
        rotation=rotation,
        label=(str(page.get_label() or "") or None) if labelled else None,
    )
    content.hidden_text = hidden
    if page.get_images() or not page.parent.is_pdf:
        shown = _text_page(shapes, pymupdf.TEXT_PRESERVE_IMAGES).extractIMGINFO()
        content.pictures = [turning.turn(upright, image["bbox"]) for image in shown]
    drawings.add(page.get_cdrawings(), content, upright)
    content.fragments = [_whole(_fragment(line, upright, angle), content.rules) for line in lines]
    if rotation:
        page.set_rotation(rotation)
    return content


def _text_page(shapes: Any, flags: int) -> Any:
    """What is drawn on a page, collected anew: the file need not be interpreted again for that."""
    return pymupdf.TextPage(pymupdf.mupdf.FzStextPage(shapes.this, pymupdf.mupdf.FzStextOptions(flags)))


def _lines(shapes: Any) -> list[Any]:
    """The lines of the page; none of their spans has two baselines (a numerator and the text beside its fraction)."""
    text = _text_page(shapes, FLAGS)
    lines = _lines_of(text.extractDICT())
    stacked = [at for at, line in enumerate(lines) if any(map(_is_stacked, line["spans"]))]
    if stacked:
        letters = _lines_of(text.extractRAWDICT())
        for at in stacked:
            direction = lines[at]["dir"]
            lines[at]["spans"] = [part for span in letters[at]["spans"] for part in _level(span, direction)]
    return lines


def _lines_of(found: Any) -> list[Any]:
    return [line for block in found["blocks"] if block["type"] == 0 for line in block["lines"]][:LONG_PAGE]


def _is_stacked(span: Any) -> bool:
    """True if the span is higher than one line of its type."""
    left, top, right, bottom = span["bbox"]
    height = STACKED * span["size"] * (span["ascender"] - span["descender"])
    return bool(bottom - top > height and right - left > height)


def _level(span: Any, direction: tuple[float, float]) -> list[Any]:
    """The span in pieces, each on one baseline, each with its text."""
    parts: list[Any] = []
    for character in span["chars"]:
        last = parts[-1]["chars"][-1] if parts else None
        if last is None or _across(last["origin"], character["origin"], direction) > LEVEL * span["size"]:
            parts.append({**span, "chars": [], "bbox": character["bbox"], "origin": character["origin"], "text": ""})
        part, box = parts[-1], character["bbox"]
        part["chars"].append(character)
        part["text"] += character["c"]
        if not part["text"].strip():
            part["bbox"] = box
        elif not character["c"].isspace():  # MuPDF gives its own spaces the height of both neighbours
            inner = part["bbox"] if part["text"][:-1].strip() else box
            part["bbox"] = (*map(min, inner[:2], box[:2]), *map(max, inner[2:], box[2:]))
    return parts


def _across(one: Any, two: Any, direction: tuple[float, float]) -> float:
    """Points between the baselines of two characters of a line that runs in this direction."""
    return abs(float((two[1] - one[1]) * direction[0] - (two[0] - one[0]) * direction[1]))


def _size(rect: Any, rotation: int) -> tuple[float, float]:
    return (rect.height, rect.width) if rotation in (90, 270) else (rect.width, rect.height)


def _angle(direction: tuple[float, float]) -> int:
    return turning.quarter(direction[0], -direction[1])


def _survey(lines: list[Any]) -> tuple[int, bool]:
    """The angle at which most of the text runs, and whether most of it is invisible."""
    weights: Counter[tuple[float, float]] = Counter()
    hidden = 0
    for line in lines:
        for span in line["spans"]:
            length = len(span["text"])
            weights[line["dir"]] += length
            if not span["alpha"]:
                hidden += length
    angles: Counter[int] = Counter()
    for direction, length in weights.items():
        angles[_angle(direction)] += length
    return turning.main_angle(angles), hidden * 2 > weights.total()


@cache
def _tenth(size: float) -> float:
    """The size to a tenth of a point; equal sizes are one object, of which a long book has many."""
    return round(size, 1)


@cache
def _face(font: str, flags: int) -> tuple[str, bool, bool, bool]:
    """The font's name without its subset's, and whether it is bold, italic and of fixed width."""
    plain = font.partition("+")[2] or font
    lowered = plain.lower()
    return (
        plain,
        bool(flags & BOLD) or any(mark in lowered for mark in ("bold", "black", "heavy")),
        bool(flags & ITALIC) or "italic" in lowered or "oblique" in lowered,
        bool(flags & MONO) or "mono" in lowered or "courier" in lowered,
    )


def _fragment(line: Any, upright: Matrix, angle: int) -> Fragment:
    runs = []
    plain = upright is IDENTITY
    for span in line["spans"]:
        text, box = span["text"], span["bbox"]
        font, bold, italic, mono = _face(span["font"], span["flags"])
        if not plain:
            box = turning.turn(upright, box)
        baseline = _baseline(span, upright) if not plain or (text[0] == " " and len(text) > 1) else span["origin"][1]
        runs.append(Run(text, box, _tenth(span["size"]), font, bold, italic, mono, baseline))
    if plain and line["dir"] == LEVEL_LINE:
        return Fragment(runs, line["bbox"], -angle % 360)
    return Fragment(runs, turning.turn(upright, line["bbox"]), (_angle(line["dir"]) - angle) % 360)


def _whole(fragment: Fragment, rules: list[Box]) -> Fragment:
    """The fragment with neighbours in one type made one run: MuPDF starts a span at each space that it adds itself.

    Near a rule the words may be cells or halves of fractions, and stay apart.
    """
    runs = fragment.runs
    if len(runs) == 1 or len(rules) > FEW_RULES:
        return fragment
    top, bottom = fragment.box[1], fragment.box[3]
    reach = bottom - top
    if any(rule[1] < bottom + reach and rule[3] > top - reach for rule in rules):
        return fragment
    last = runs[0]
    kept = [last]
    for run in runs[1:]:
        alike = run.font is last.font and run.size == last.size and abs(run.baseline - last.baseline) < SAME_LEVEL
        if alike and run.box[0] >= last.box[0] and run.bold == last.bold and run.italic == last.italic:
            last.text += run.text
            (left, upper, _, lower), (_, above, right, below) = last.box, run.box
            last.box = (left, min(upper, above), max(last.box[2], right), max(lower, below))
        else:
            kept.append(run)
            last = run
    fragment.runs = kept
    return fragment


def _baseline(span: Any, upright: Matrix) -> float:
    """Where the span's letters stand. A space that MuPDF put before them has the baseline of the word before it."""
    x, y = span["origin"]
    baseline = float(upright[1] * x + upright[3] * y + upright[5])
    if upright is not IDENTITY or not span["text"].startswith(" "):
        return baseline
    top = span["bbox"][1] + span["ascender"] * span["size"]
    bottom = span["bbox"][3] + span["descender"] * span["size"]
    far = max((top, bottom), key=lambda place: abs(place - baseline))
    return float(far) if 0.5 < abs(far - baseline) < span["size"] else baseline
