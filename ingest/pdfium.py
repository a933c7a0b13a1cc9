"""The permissive engine: the text layer, drawings and bookmarks of a PDF by PDFium (pypdfium2's only importer).

In: a PDF file. Out: a `Reading`. PDFium groups text by its own idea of lines; here characters are grouped by where they
stand, so that the layout analysis sees what it sees from any other engine.
"""

from __future__ import annotations

import ctypes
import math
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pypdfium2 as _pdfium
import pypdfium2.raw as _raw
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from ingest import drawings, turning
from ingest.drawings import Drawing
from ingest.glyphs import WORDS, Font, Glyph, fragments
from ingest.page import Matrix, PageContent, Reading, apply
from ingest.reader import Image, scale_for
from kg.document import Book, Box, OutlineItem
from kg.errors import Failure, InputError

pdfium: Any = _pdfium
raw: Any = _raw
"""The library, untyped as it is."""
COPY = 1 << 4
FIXED, ITALIC, FORCE_BOLD = 1, 1 << 6, 1 << 18
INVISIBLE = 3
SPACE = 32
SPACED = 0.1
"""Ems of white at least where PDFium sees a space: it sees some between scripts as well."""
HYPHENS = {0xFFFE: "-", 0x02: "-"}
"""What PDFium reports for a hyphen at the end of a line, soft or not."""
FRESH = 64
"""Pages read before the file is opened anew."""
LONG_PAGE = 100_000
"""A page with more characters than this is cut there."""
MOST_OBJECTS = 20_000
DEEPEST = 6
"""Forms in forms are followed this deep."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Pdfium:
    """Reads pages with PDFium."""

    @property
    def version(self) -> str:
        """Name and version of the library."""
        return f"pdfium {pdfium.PYPDFIUM_INFO}"

    epub: ClassVar[bool] = False

    def read(self, book: Book, stage: str) -> Reading:
        """All pages of the book; a page that cannot be read is a failure of that page and of `stage`.

        Raises InputError if the file cannot be opened, needs another password, or has no pages.
        """
        with _opened(book) as document:
            pages = _Pages(book, len(document), stage)
            return Reading(
                engine=self.version,
                pages=pages,
                outline=tuple(_outline(document)),
                title=str(document.get_metadata_value("Title") or "").strip(),
                warnings=tuple(_warnings(document, bool(book.password))),
                failures=pages.failures,
            )

    def render(self, book: Book, page: int, dpi: float) -> Image:
        """The page with this index as displayed. Raises InputError if it cannot be drawn."""
        with _opened(book) as document:
            try:
                sheet = document[page]
                width, height = sheet.get_size()
                scale = scale_for(width, height, dpi)
                bitmap = sheet.render(scale=scale, grayscale=True)
            except pdfium.PdfiumError as error:
                raise InputError(f"page {page + 1} cannot be drawn: {error}", where=Path(book.file).name) from None
            data, stride = bytes(bitmap.buffer), bitmap.stride
            rows = [data[row * stride : row * stride + bitmap.width] for row in range(bitmap.height)]
            return Image(bitmap.width, bitmap.height, b"".join(rows), scale * 72.0)


class _Pages:
    """The pages of a file, each read when it is asked for; the file is opened anew now and then to give back memory."""

    def __init__(self, book: Book, count: int, stage: str) -> None:
        self._book, self._count, self._stage = book, count, stage
        self._document: Any = None
        self._left = 0
        self.failures: list[Failure] = []

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[PageContent]:
        return (self[index] for index in range(self._count))

    def __getitem__(self, index: int, /) -> PageContent:
        if not 0 <= index < self._count:
            raise IndexError(index)
        if self._left == 0:
            if self._document is not None:
                self._document.close()
            self._document, self._left = _open(self._book), FRESH
        self._left -= 1
        try:
            return _page(self._document, index)
        except (pdfium.PdfiumError, ValueError, OSError) as error:
            what = f"page cannot be read: {error}"[:200]
            failure = Failure(stage=self._stage, item=self._book.slug, what=what, remedy="repair the file", page=index)
            if failure not in self.failures:
                self.failures.append(failure)
            return PageContent(index, 1.0, 1.0, display_size=(1.0, 1.0))


@contextmanager
def _opened(book: Book) -> Iterator[Any]:
    document = _open(book)
    try:
        yield document
    finally:
        document.close()


def _open(book: Book) -> Any:
    where = Path(book.file).name
    try:
        document = pdfium.PdfDocument(book.file, password=book.password or None)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == raw.FPDF_ERR_PASSWORD:
            what = "the password is wrong" if book.password else "encrypted, needs a password"
            raise InputError(what, where=where, remedy="set password for this book") from None
        what = f"cannot be opened as a PDF: {error}"[:200]
        raise InputError(what, where=where, remedy="get a complete copy of the file") from None
    if len(document) == 0:
        document.close()
        raise InputError("has no pages", where=where, remedy="get a complete copy of the file")
    return document


def _warnings(document: Any, had_password: bool) -> Iterator[str]:
    locked = raw.FPDF_GetSecurityHandlerRevision(document) >= 0
    if locked and not had_password and not raw.FPDF_GetDocPermissions(document) & COPY:
        yield "its owner does not permit copying text; make sure that you may use it"


def _outline(document: Any) -> Iterator[OutlineItem]:
    for mark in document.get_toc():
        title = " ".join(str(mark.get_title()).split())
        target = mark.get_dest()
        page = target.get_index() if target is not None else None
        if title:
            yield OutlineItem(level=mark.level + 1, title=title, page=page if page is not None and page >= 0 else None)


def _page(document: Any, index: int) -> PageContent:
    page = document[index]
    bounds = raw.FS_RECTF()
    if not raw.FPDF_GetPageBoundingBox(page, bounds):
        raise ValueError("it has no size")
    size = (bounds.right - bounds.left, bounds.top - bounds.bottom)
    to_top: Matrix = (1.0, 0.0, 0.0, -1.0, -bounds.left, bounds.top)
    glyphs, hidden = _glyphs(page, to_top, size)
    weights = Counter(glyph.angle for glyph in glyphs)
    angle = turning.main_angle(weights)
    upright, turned = turning.upright(angle, size)
    rotation = int(page.get_rotation())
    shown = (size[1], size[0]) if rotation in (90, 270) else size
    content = PageContent(
        index=index,
        width=turned[0],
        height=turned[1],
        display_size=(round(shown[0], 1), round(shown[1], 1)),
        to_display=turning.times(turning.inverse(upright), turning.displayed(rotation, size)),
        rotation=rotation,
        label=str(document.get_page_label(index) or "") or None,
        hidden_text=hidden * 2 > len(glyphs),
    )
    content.fragments = fragments(glyphs, upright, angle)
    found: list[Drawing] = []
    pictures: list[Box] = []
    _objects(page, to_top, 0, found, pictures)
    content.pictures = [turning.turn(upright, box) for box in pictures]
    drawings.add(found, content, upright)
    page.close()
    return content


class _State(NamedTuple):
    """What all characters of one text object share."""

    font: Font
    size: float
    angle: int
    origin: tuple[float, float]
    """Of its first character, on the baseline."""
    hidden: bool


def _glyphs(page: Any, to_top: Matrix, size: tuple[float, float]) -> tuple[list[Glyph], int]:
    """The characters on the page in the file's order, and how many are invisible."""
    text = page.get_textpage()
    states = _States(text, to_top)
    found: list[Glyph] = []
    hidden, spaced = 0, False
    box = raw.FS_RECTF()
    left, top = to_top[4], to_top[5]
    for at in range(min(raw.FPDFText_CountChars(text), LONG_PAGE)):
        code = raw.FPDFText_GetUnicode(text, at)
        thing = raw.FPDFText_GetTextObject(text, at)
        if not thing:  # a space or line end of PDFium's own
            spaced = code == SPACE
            continue
        raw.FPDFText_GetLooseCharBox(text, at, box)
        place = (box.left + left, top - box.top, box.right + left, top - box.bottom)
        character = _character(text, at, code)
        if character and place[2] > 0 and place[0] < size[0] and place[3] > 0 and place[1] < size[1]:
            state = states.of(at, thing, place)
            if spaced and found and found[-1].origin[1] == state.origin[1] and _is_apart(found[-1], place, state.size):
                found[-1] = found[-1]._replace(text=found[-1].text + " ")
            hidden += state.hidden
            found.append(Glyph(character, place, state.font, state.size, state.angle, state.origin))
        spaced = False
    text.close()
    return found, hidden


def _is_apart(last: Glyph, place: Box, size: float) -> bool:
    """True if the white between the two is a word's; more of it is seen by whoever joins words to lines."""
    return SPACED * size < place[0] - last.box[2] < WORDS * size


class _States:
    """What the characters of a page share, asked for once a word or so: each question to PDFium costs time."""

    def __init__(self, text: Any, to_top: Matrix) -> None:
        self._text, self._to_top = text, to_top
        self._fonts: dict[int, Font] = {}
        self._last: tuple[int, float, float] = (-1, 0.0, 0.0)
        self._state = _State(Font("", False, False, False), 0.0, 0, (0.0, 0.0), False)
        self._matrix = raw.FS_MATRIX(1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
        self._x, self._y = ctypes.c_double(), ctypes.c_double()

    def of(self, at: int, thing: Any, place: Box) -> _State:
        """Of the character number `at`; the same as before while font, upper and lower edge are the same."""
        handle = raw.FPDFTextObj_GetFont(thing)
        key = ctypes.addressof(handle.contents) if handle else 0
        if (key, place[1], place[3]) != self._last:
            self._last = (key, place[1], place[3])
            if key not in self._fonts:
                self._fonts[key] = _font(handle)
            self._state = self._asked(at, thing, self._fonts[key])
        return self._state

    def _asked(self, at: int, thing: Any, font: Font) -> _State:
        matrix, x, y = self._matrix, self._x, self._y
        raw.FPDFText_GetMatrix(self._text, at, matrix)
        size = raw.FPDFText_GetFontSize(self._text, at) * math.hypot(matrix.c, matrix.d)
        raw.FPDFText_GetCharOrigin(self._text, at, x, y)
        origin = (x.value + self._to_top[4], self._to_top[5] - y.value)
        hidden = raw.FPDFTextObj_GetTextRenderMode(thing) == INVISIBLE
        return _State(font, round(size, 1), turning.quarter(matrix.a, matrix.b), origin, hidden)


def _character(text: Any, at: int, code: int) -> str:
    """The character with this UTF-16 code; nothing for the second half of one; U+FFFD where the font has none."""
    if code in HYPHENS:
        return HYPHENS[code]
    if not 0xD800 <= code < 0xE000:
        return chr(code) if 0 < code < 0x110000 else "\ufffd"
    if code >= 0xDC00:
        return ""
    low = raw.FPDFText_GetUnicode(text, at + 1)
    return chr(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)) if 0xDC00 <= low < 0xE000 else "\ufffd"


def _font(handle: Any) -> Font:
    if not handle:
        return Font("", False, False, False)
    buffer = ctypes.create_string_buffer(256)
    raw.FPDFFont_GetBaseFontName(handle, buffer, 256)
    name = buffer.value.decode("utf-8", "replace")
    plain = name.partition("+")[2] or name
    lowered, flags = plain.lower(), max(raw.FPDFFont_GetFlags(handle), 0)
    return Font(
        plain,
        bold=bool(flags & FORCE_BOLD) or any(mark in lowered for mark in ("bold", "black", "heavy")),
        italic=bool(flags & ITALIC) or "italic" in lowered or "oblique" in lowered,
        mono=bool(flags & FIXED) or "mono" in lowered or "courier" in lowered,
    )


def _objects(holder: Any, matrix: Matrix, depth: int, found: list[Drawing], pictures: list[Box]) -> None:
    """Paths and pictures of a page or form, those of the forms in it included."""
    form = depth > 0
    count = raw.FPDFFormObj_CountObjects(holder) if form else raw.FPDFPage_CountObjects(holder)
    for at in range(count):
        if len(found) > MOST_OBJECTS:
            return
        thing = raw.FPDFFormObj_GetObject(holder, at) if form else raw.FPDFPage_GetObject(holder, at)
        kind = raw.FPDFPageObj_GetType(thing)
        if kind == raw.FPDF_PAGEOBJ_PATH:
            found.extend(_path(thing, turning.times(_matrix(thing), matrix)))
        elif kind == raw.FPDF_PAGEOBJ_IMAGE:
            pictures.append(apply(turning.times(_matrix(thing), matrix), (0.0, 0.0, 1.0, 1.0)))
        elif kind == raw.FPDF_PAGEOBJ_FORM and depth < DEEPEST:
            _objects(thing, turning.times(_matrix(thing), matrix), depth + 1, found, pictures)


def _matrix(thing: Any) -> Matrix:
    own = raw.FS_MATRIX(1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    raw.FPDFPageObj_GetMatrix(thing, own)
    return (own.a, own.b, own.c, own.d, own.e, own.f)


def _path(thing: Any, matrix: Matrix) -> Iterator[Drawing]:
    """The path, if it is painted."""
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(thing, fill, stroke)
    items, points = _items(thing, matrix)
    if not points or not (fill.value or stroke.value):
        return
    xs, ys = [x for x, _ in points], [y for _, y in points]
    inside, opacity = _colour(raw.FPDFPageObj_GetFillColor, thing)
    line, _ = _colour(raw.FPDFPageObj_GetStrokeColor, thing)
    width = ctypes.c_float()
    raw.FPDFPageObj_GetStrokeWidth(thing, width)
    yield Drawing(
        rect=(min(xs), min(ys), max(xs), max(ys)),
        items=items,
        type=("f" if fill.value else "") + ("s" if stroke.value else ""),
        fill=inside if fill.value else None,
        color=line if stroke.value else None,
        width=width.value * math.hypot(matrix[0], matrix[1]) if stroke.value else None,
        fill_opacity=opacity,
    )


def _colour(ask: Any, thing: Any) -> tuple[tuple[float, float, float], float]:
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    ask(thing, red, green, blue, alpha)
    return (red.value / 255, green.value / 255, blue.value / 255), alpha.value / 255


Point = tuple[float, float]


def _items(thing: Any, matrix: Matrix) -> tuple[list[Any], list[Point]]:
    """The path's lines, curves and rectangles, and all their points."""
    a, b, c, d, e, f = matrix
    items: list[Any] = []
    points: list[Point] = []
    corners: list[Point] = []
    curve: list[Point] = []
    x, y = ctypes.c_float(), ctypes.c_float()
    for at in range(min(raw.FPDFPath_CountSegments(thing), MOST_OBJECTS)):
        segment = raw.FPDFPath_GetPathSegment(thing, at)
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        point = (a * x.value + c * y.value + e, b * x.value + d * y.value + f)
        kind = raw.FPDFPathSegment_GetType(segment)
        points.append(point)
        if kind == raw.FPDF_SEGMENT_MOVETO:
            corners = [point]
        elif kind == raw.FPDF_SEGMENT_LINETO:
            items.append(("l", corners[-1] if corners else point, point))
            corners.append(point)
        else:
            curve.append(point)
            if len(curve) == 3:
                items.append(("c", corners[-1] if corners else point, *curve))
                corners, curve = [corners[0] if corners else point, point], []
        if raw.FPDFPathSegment_GetClose(segment) and corners:
            if corners[-1] != corners[0]:
                items.append(("l", corners[-1], corners[0]))
            corners = _rectangle(items, corners)
    return items, points


def _rectangle(items: list[Any], corners: list[Point]) -> list[Point]:
    """Four lines just closed become one rectangle, if they run along the page. Returns where the path goes on."""
    last = items[-4:]
    sides = [item for item in last if item[0] == "l" and min(abs(item[1][k] - item[2][k]) for k in (0, 1)) < 0.01]
    if len(corners) in (4, 5) and len(sides) == 4 and sides[0][1] == sides[3][2]:
        xs, ys = [item[1][0] for item in sides], [item[1][1] for item in sides]
        items[-4:] = [("re", (min(xs), min(ys), max(xs), max(ys)))]
    return corners[:1]
