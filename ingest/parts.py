"""What a reader of whole books delivers: parts that are labelled already, and what is known about the pages.

In: nothing. Out: the types between `markdown.py`, `mineru*.py` and `marked.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

from kg.document import Box, Label, OutlineItem, Page
from kg.errors import Failure

NOWHERE: Box = (0.0, 0.0, 0.0, 0.0)
Styled = tuple[int, int, str]
"""Characters `start <= i < end` are set in this style."""


@dataclass(slots=True)
class Part:
    """A paragraph, heading, table … as another program labelled it."""

    label: Label
    text: str
    page: int = 0
    box: Box = NOWHERE
    """In points, as displayed."""
    spans: Sequence[Styled] = ()
    level: int | None = None
    """Of a heading, where the markup knows one."""
    number: str | None = None
    latex: str | None = None
    html: str | None = None
    rows: list[list[str]] = field(default_factory=list)
    """Of a table: the texts of its cells."""
    confidence: float | None = None
    continues: bool = False
    """It goes on with the paragraph before it, over a page break."""
    size: float = 0.0
    bold: bool = False
    font: str = ""
    """Type of most of it, where it is known; 0 and empty: unknown."""


@dataclass(slots=True)
class Marked:
    """One book as another program took it apart."""

    engine: str
    """Name and version."""
    parts: list[Part]
    pages: tuple[Page, ...]
    route: str
    """How the blocks were read: `markup` or `layout_model`."""
    outline: tuple[OutlineItem, ...] = ()
    title: str = ""
    warnings: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()
    believed: bool = False
    """The levels of its headings are right as they are."""


def table(page: int, box: Box, html: str, number: str | None = None) -> Part:
    """A table of an HTML text."""
    rows = rows_of(html)
    text = "\n".join(" | ".join(row) for row in rows)
    return Part("table", text, page, box, html=html, rows=rows, number=number)


def rows_of(html: str) -> list[list[str]]:
    """The texts of the cells of an HTML table, row by row; what stands in several columns fills the first of them."""
    reader = _Cells()
    reader.feed(html)
    reader.close()
    return [row for row in reader.rows if any(row)]


class _Cells(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[list[str]] = []
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr" or (tag in ("td", "th") and not self.rows):
            self.rows.append([])
        if tag in ("td", "th"):
            self._open = True
            wide = dict(attrs).get("colspan") or "1"
            self.rows[-1] += [""] * (min(int(wide), 50) if wide.isdigit() else 1)
            self._at = len(self.rows[-1]) - (min(int(wide), 50) if wide.isdigit() else 1)
        elif tag == "br":
            self.handle_data(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._open = False
            if self.rows and self.rows[-1]:
                self.rows[-1][self._at] = " ".join(self.rows[-1][self._at].split())

    def handle_data(self, data: str) -> None:
        if self._open:
            self.rows[-1][self._at] += data.replace("|", "¦")
