"""Pages of the sample books: templates, running heads, page labels, bookmarks.

In: flowables from `layout`. Out: a PDF, and `Places` = the printed page of every heading and term, which the next
pass prints in contents and index. Front matter counts in roman numerals, the body starts again at 1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageBreak, PageTemplate, Paragraph

from corpus.inline import plain

PAGE = (176 * mm, 250 * mm)
SIDE, TOP, FOOT = 21 * mm, 23 * mm, 20 * mm
WIDTH = PAGE[0] - 2 * SIDE
GREY = HexColor("#555555")


@dataclass
class Places:
    """Printed page numbers by heading key, and by term in order of appearance; `front` = pages before page 1."""

    headings: dict[str, str] = field(default_factory=dict)
    terms: dict[str, list[str]] = field(default_factory=dict)
    front: int = 0


class Title(Paragraph):
    """A heading that becomes a bookmark; `text` is printed by the running head, `level` counts from 1."""

    def __init__(self, xml: str, style: Any, text: str, level: int, key: str) -> None:
        super().__init__(xml, style)
        self.plain, self.level, self.key = plain(text), level, key

    def draw(self) -> None:
        """The heading, with the target of its bookmark at its upper edge."""
        self.canv.bookmarkHorizontal(self.key, 0, self.height + 12)
        super().draw()


class StartBody(PageBreak):
    """A page break after which pages count from 1."""


def roman(number: int) -> str:
    """A lower-case roman numeral, for 1 to 39."""
    return "x" * (number // 10) + ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"][number % 10]


def label_of(page: int, body_from: int | None) -> str:
    """The printed number of a physical page (from 1)."""
    return roman(page) if body_from is None or page < body_from else str(page - body_from + 1)


class BookTemplate(BaseDocTemplate):
    """One pass over a book; after `build`, `places` holds what the next pass prints."""

    def __init__(self, path: Path, meta: dict[str, str]) -> None:
        super().__init__(
            str(path), pagesize=PAGE, title=f"{meta['title']}: {meta['subtitle']}", author=meta["author"],
            subject=meta["subject"], keywords=meta["keywords"].split(", "), creator="textbook-kg corpus/render.py",
            lang=meta["language"], invariant=1, initialFontName="Serif",
        )  # fmt: skip
        self.meta, self.places = meta, Places()
        self.chapter, self.section = "", ""
        self.body_from: int | None = None
        self.opener = 0
        self.face = "Hei" if meta["language"].startswith("zh") else "Sans"
        inner = {"leftPadding": 0, "rightPadding": 0, "topPadding": 0, "bottomPadding": 0}
        height = PAGE[1] - TOP - FOOT
        whole = Frame(SIDE, FOOT, WIDTH, height, id="whole", **inner)
        half = (WIDTH - 8 * mm) / 2
        halves = [Frame(x, FOOT, half, height, id=f"x{x:.0f}", **inner) for x in (SIDE, SIDE + WIDTH - half)]
        self.addPageTemplates([
            PageTemplate("title", [whole]),
            PageTemplate("front", [whole], onPageEnd=self._foot),
            PageTemplate("body", [whole], onPageEnd=self._head_and_foot),
            PageTemplate("index", halves, onPageEnd=self._head_and_foot),
        ])  # fmt: skip

    def beforeDocument(self) -> None:
        """Hear of every bold term that is drawn, and open the roman page labels."""
        self.canv.setNamedCB("note_term", self._note_term)
        self.canv.addPageLabel(0, style="ROMAN_LOWER", start=1)
        self.canv.showOutline()

    def afterFlowable(self, flowable: Flowable) -> None:
        """Bookmark headings, remember their pages, switch to arabic numbers."""
        if isinstance(flowable, StartBody):
            self.body_from = self.page + 1
            self.places.front = self.page
            self.canv.addPageLabel(self.page, style="ARABIC", start=1)
        if not isinstance(flowable, Title):
            return
        self.canv.addOutlineEntry(flowable.plain, flowable.key, flowable.level - 1, closed=flowable.level > 1)
        self.places.headings[flowable.key] = label_of(self.page, self.body_from)
        if flowable.level == 1:
            self.chapter, self.section, self.opener = flowable.plain, "", self.page
        elif flowable.level == 2:
            self.section = flowable.plain

    def _note_term(self, _canvas: Canvas, _kind: str | None, term: str) -> None:
        """Add the present page to those of this term."""
        pages = self.places.terms.setdefault(term, [])
        label = label_of(self.page, self.body_from)
        if label not in pages:
            pages.append(label)

    def _foot(self, canvas: Canvas, _doc: BaseDocTemplate) -> None:
        canvas.saveState()
        canvas.setFont("Serif", 9.5)
        canvas.setFillColor(GREY)
        canvas.drawCentredString(PAGE[0] / 2, FOOT - 9 * mm, label_of(self.page, self.body_from))
        canvas.restoreState()

    def _head_and_foot(self, canvas: Canvas, doc: BaseDocTemplate) -> None:
        """Book and chapter on even pages, section on odd ones, nothing above a chapter's first page."""
        self._foot(canvas, doc)
        if self.page == self.opener or self.body_from is None:
            return
        canvas.saveState()
        canvas.setFont(self.face, 8.5)
        canvas.setFillColor(GREY)
        height = PAGE[1] - TOP + 6 * mm
        if (self.page - self.body_from + 1) % 2 == 0:
            canvas.drawString(SIDE, height, f"{self.meta['title']}  |  {self.chapter}")
        else:
            canvas.drawRightString(PAGE[0] - SIDE, height, self.section or self.chapter)
        canvas.setStrokeColor(GREY)
        canvas.setLineWidth(0.4)
        canvas.line(SIDE, height - 2 * mm, PAGE[0] - SIDE, height - 2 * mm)
        canvas.restoreState()
