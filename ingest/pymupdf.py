"""The default engine: the text layer, drawings and bookmarks of a PDF by PyMuPDF (its only importer).

In: a PDF file. Out: a `Reading`. Nothing here knows what a heading or a paragraph is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pymupdf as _pymupdf

from ingest.page import IDENTITY, Area, Fragment, Matrix, PageContent, Reading, Run, apply
from kg.document import Box, OutlineItem
from kg.errors import Failure, InputError

pymupdf: Any = _pymupdf
"""The library, untyped as it is."""
VERSION = f"pymupdf {pymupdf.VersionBind}"
FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
"""Ligatures are expanded; a glyph without a Unicode value stays U+FFFD, so that it can be counted."""
SUPERSCRIPT, ITALIC, MONO, BOLD = 1, 2, 8, 16
THIN = 2.0
"""A drawn rectangle with a side of at most this many points is a line."""
DOT = 7.0
"""A drawn shape of at most this many points, about as wide as high, may be a bullet."""
MOST_DRAWINGS = 4000
"""A page with more vector drawings is a map or a plot: its drawings tell nothing about its layout."""
STACKED = 1.25
"""A span this many times as high as its type has more than one baseline."""
LEVEL = 0.1
"""Part of the type size by which the baseline of one span may waver."""
REPAIRED = "the file is damaged and was repaired; text may be missing"
FRESH = 64
"""Pages read before the file is opened anew, unless opening it means repairing it."""
LONG_PAGE = 20_000
"""A page with more text fragments than this is cut there."""
TURNS: dict[int, Matrix] = {
    90: (0.0, 1.0, -1.0, 0.0, 0.0, 0.0),
    180: (-1.0, 0.0, 0.0, -1.0, 0.0, 0.0),
    270: (0.0, -1.0, 1.0, 0.0, 0.0, 0.0),
}
"""What makes text that runs at this angle run left to right."""


def read(path: Path, password: str, stage: str, item: str) -> Reading:
    """All pages of the file; a page that cannot be read is a failure of that page.

    Raises InputError if the file cannot be opened, needs another password, or has no pages.
    """
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    with _open(path, password) as document:
        pages = _Pages(path, password, document.page_count, stage, item)
        metadata = document.metadata or {}
        pages.reading = Reading(
            engine=VERSION,
            pages=pages,
            outline=_outline(document),
            title=str(metadata.get("title") or "").strip(),
            repaired=bool(document.is_repaired),
            warnings=tuple(_warnings(document, bool(password))),
            failures=pages.failures,
        )
        return pages.reading


class _Pages:
    """The pages of a file, each read when it is asked for; the file is opened anew now and then.

    MuPDF keeps every object that it has seen until a file is closed.
    """

    def __init__(self, path: Path, password: str, count: int, stage: str, item: str) -> None:
        self._path, self._password, self._count, self._where = path, password, count, (stage, item)
        self._document: Any = None
        self._left = 0
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
        if self._left == 0:
            if self._document is not None:
                self._document.close()
            self._document = _open(self._path, self._password)
            self._left = self._count if self._document.is_repaired else FRESH
        self._left -= 1
        try:
            found = _page(self._document, index)
            if self._document.is_repaired and self.reading is not None and not self.reading.repaired:
                self.reading.repaired = True
                self.reading.warnings = (REPAIRED, *self.reading.warnings)
            return found
        except (RuntimeError, ValueError, TypeError, IndexError) as error:
            what = f"page cannot be read: {type(error).__name__}: {error}"[:200]
            stage, item = self._where
            failure = Failure(stage=stage, item=item, what=what, remedy="repair the file", page=index)
            if failure not in self.failures:
                self.failures.append(failure)
            return PageContent(index, 1.0, 1.0, display_size=(1.0, 1.0))


def _open(path: Path, password: str) -> Any:
    where = path.name
    try:
        document = pymupdf.open(str(path), filetype="pdf")
    except (RuntimeError, ValueError) as error:
        what = f"cannot be opened as a PDF: {error}".replace(str(path), where)[:200]
        raise InputError(what, where=where, remedy="get a complete copy of the file") from None
    if not document.is_pdf:
        raise InputError("not a PDF", where=where, remedy="convert it to PDF first")
    if document.needs_pass and not document.authenticate(password):
        what = "the password is wrong" if password else "encrypted, needs a password"
        raise InputError(what, where=where, remedy="set password for this book")
    if document.page_count == 0:
        raise InputError("has no pages", where=where, remedy="get a complete copy of the file")
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
    except (RuntimeError, ValueError, TypeError, IndexError):
        return ()
    items = []
    for level, title, page in rows:
        text = " ".join(str(title).split())
        if text:
            items.append(OutlineItem(level=level, title=text, page=page - 1 if page > 0 else None))
    return tuple(items)


def _page(document: Any, index: int) -> PageContent:
    page = document[index]
    shown = page.rect
    rotation = int(page.rotation)
    unrotated = _size(page.rect, rotation)
    lines = _lines(page)
    angle = _main_angle(lines)
    upright, size = _upright(angle, unrotated)
    back = _times(_inverse(upright), tuple(page.rotation_matrix))
    content = PageContent(
        index=index,
        width=size[0],
        height=size[1],
        display_size=(round(shown.width, 1), round(shown.height, 1)),
        to_display=back,
        rotation=rotation,
        label=str(page.get_label() or "") or None,
    )
    content.fragments = [_fragment(line, upright, angle) for line in lines]
    content.hidden_text = _hidden(lines)
    if page.get_images():
        content.pictures = [_turn(upright, image["bbox"]) for image in page.get_image_info()]
    _add_drawings(page, content, upright)
    return content


def _lines(page: Any) -> list[Any]:
    """The lines of the page; none of their spans has two baselines (a numerator and the text beside its fraction)."""
    text = page.get_textpage(flags=FLAGS)
    lines = _lines_of(page.get_text("dict", textpage=text))
    if not any(_is_stacked(span) for line in lines for span in line["spans"]):
        return lines
    lines = _lines_of(page.get_text("rawdict", textpage=text))
    for line in lines:
        line["spans"] = [part for span in line["spans"] for part in _level(span, line["dir"])]
    return lines


def _lines_of(found: Any) -> list[Any]:
    return [line for block in found["blocks"] if block["type"] == 0 for line in block["lines"]][:LONG_PAGE]


def _is_stacked(span: Any) -> bool:
    """True if the span is higher than one line of its type."""
    box = span["bbox"]
    height = STACKED * float(span["size"] * (span["ascender"] - span["descender"]))
    return min(float(box[2] - box[0]), float(box[3] - box[1])) > height


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
    degrees = math.degrees(math.atan2(-direction[1], direction[0]))
    return int(round(degrees / 90.0) * 90) % 360


def _main_angle(lines: list[Any]) -> int:
    weights: Counter[int] = Counter()
    for line in lines:
        weights[_angle(line["dir"])] += sum(len(span["text"]) for span in line["spans"])
    return max(weights, key=lambda angle: (weights[angle], -angle)) if weights else 0


def _upright(angle: int, size: tuple[float, float]) -> tuple[Matrix, tuple[float, float]]:
    """The transformation after which the main text runs left to right, and the page's size then."""
    if angle == 0:
        return IDENTITY, size
    a, b, c, d, _, _ = TURNS[angle]
    corners = [(a * x + c * y, b * x + d * y) for x in (0, size[0]) for y in (0, size[1])]
    left, top = min(x for x, _ in corners), min(y for _, y in corners)
    turned = size if angle == 180 else (size[1], size[0])
    return (a, b, c, d, -left, -top), turned


def _inverse(matrix: Matrix) -> Matrix:
    a, b, c, d, e, f = matrix
    det = a * d - b * c
    return (d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det)


def _times(first: Matrix, second: tuple[float, ...]) -> Matrix:
    """First `first`, then `second`."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def _turn(matrix: Matrix, box: Any) -> Box:
    if matrix is IDENTITY:
        return (float(box[0]), float(box[1]), float(box[2]), float(box[3]))
    return apply(matrix, (box[0], box[1], box[2], box[3]))


def _fragment(line: Any, upright: Matrix, angle: int) -> Fragment:
    runs = []
    for span in line["spans"]:
        font, flags = str(span["font"]), int(span["flags"])
        plain = font.partition("+")[2] or font
        lowered = plain.lower()
        runs.append(
            Run(
                text=span["text"],
                box=_turn(upright, span["bbox"]),
                size=round(span["size"], 1),
                font=plain,
                bold=bool(flags & BOLD) or any(mark in lowered for mark in ("bold", "black", "heavy")),
                italic=bool(flags & ITALIC) or "italic" in lowered or "oblique" in lowered,
                mono=bool(flags & MONO) or "mono" in lowered or "courier" in lowered,
                baseline=_baseline(span, upright),
            )
        )
    return Fragment(runs, _turn(upright, line["bbox"]), (_angle(line["dir"]) - angle) % 360)


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


def _hidden(lines: list[Any]) -> bool:
    seen = hidden = 0
    for line in lines:
        for span in line["spans"]:
            seen += len(span["text"])
            hidden += len(span["text"]) * (span.get("alpha", 255) == 0)
    return hidden * 2 > seen


def _add_drawings(page: Any, content: PageContent, upright: Matrix) -> None:
    drawings = page.get_cdrawings()
    content.drawings = len(drawings)
    if len(drawings) > MOST_DRAWINGS:
        return
    for drawing in drawings:
        box = _turn(upright, drawing["rect"])
        width, height = box[2] - box[0], box[3] - box[1]
        if max(width, height) <= DOT and min(width, height) > 1.0 and abs(width - height) < 1.5:
            content.dots.append(box)
        elif min(width, height) <= max(THIN, drawing.get("width") or 0.0):
            if max(width, height) > THIN and _straight(drawing):
                content.rules.append(box)
        elif _rectangular(drawing):
            _add_area(drawing, box, content)
        else:
            content.shapes.append(box)
            content.rules.extend(_turn(upright, rule) for rule in _segments(drawing))


def _straight(drawing: Any) -> bool:
    return all(item[0] in ("l", "re", "qu") for item in drawing["items"])


def _rectangular(drawing: Any) -> bool:
    """One rectangle, or a closed path of a few straight sides and rounded corners."""
    kinds = [item[0] for item in drawing["items"]]
    if kinds in (["re"], ["qu"]):
        return True
    straight = [item for item in drawing["items"] if item[0] == "l"]
    if len(straight) not in (3, 4) or len(kinds) > 12 or set(kinds) - {"l", "c"}:
        return False
    return all(min(abs(a[0] - b[0]), abs(a[1] - b[1])) < THIN for _, a, b in straight)


def _segments(drawing: Any) -> list[tuple[float, float, float, float]]:
    """Horizontal and vertical strokes of a path of many lines, a table's grid for example."""
    if drawing["type"] == "f":
        return []
    found = []
    for item in drawing["items"]:
        if item[0] == "l" and min(abs(item[1][0] - item[2][0]), abs(item[1][1] - item[2][1])) < THIN / 2:
            (ax, ay), (bx, by) = item[1], item[2]
            found.append((min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)))
        elif item[0] == "re":
            left, top, right, bottom = item[1]
            found += [(left, top, right, top), (left, bottom, right, bottom)]
            found += [(left, top, left, bottom), (right, top, right, bottom)]
    return found


def _add_area(drawing: Any, box: Box, content: PageContent) -> None:
    fill, stroke = drawing.get("fill"), drawing.get("color")
    filled = fill is not None and drawing.get("fill_opacity", 1) > 0
    colour = fill if filled else stroke
    if colour is None:
        return
    light = sum(colour) / len(colour)
    name = ",".join(f"{part:.2f}" for part in colour)
    content.areas.append(Area(box, filled, dark=filled and light < 0.45, colour=name))
