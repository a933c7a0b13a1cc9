"""Blocks of a sample book to flowables: headings, paragraphs, boxes, tables, figures, contents, index.

In: `markup.Source` and the `Places` of the pass before. Out: the flowables of one pass, in reading order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import Any

from reportlab.lib.colors import HexColor, white
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import (
    BalancedColumns,
    CondPageBreak,
    Flowable,
    KeepTogether,
    NextPageTemplate,
    PageBreak,
    Paragraph,
    Spacer,
    Table,
)

from corpus.figures import FIGURES
from corpus.inline import Inline, inline, plain
from corpus.markup import Block, Fence, Heading, Item, Marker, MarkupError, Prose, Rows, Source, term_entry
from corpus.pages import WIDTH, Places, StartBody, Title
from corpus.styles import styles

TINTS = {
    "objectives": "#eef3f8", "outline": "#f3f1ea", "note": "#fdf6dd", "tips": "#fdf6dd", "strategy": "#e6f2ea",
    "lab": "#e8eef9", "example": "#f4f4f4", "practice": "#ffffff", 
}  # fmt: skip
PAD = 3 * mm
NUMBERED = re.compile(r"^(Chapter \d+|第.章)\s+(.+)$")


class ContentsLine(Flowable):
    """One line of the printed contents: title, dot leaders, page."""

    def __init__(self, title: str, page: str, level: int, faces: tuple[str, str], key: str) -> None:
        super().__init__()
        self.title, self.page, self.level, self.faces, self.key = title, page, level, faces, key
        self.spaceBefore = 7 if level == 1 else 0

    def wrap(self, available: float, _height: float) -> tuple[float, float]:
        """The full width and one line."""
        self.width, self.height = available, 15.0
        return self.width, self.height

    def draw(self) -> None:
        """Title left, page right, dots on a fixed grid between them."""
        canvas = self.canv
        face = self.faces[0] if self.level == 1 else self.faces[1]
        indent = 5 * mm * (self.level - 1)
        canvas.setFont(face, 10.5)
        canvas.drawString(indent, 4, self.title)
        start = indent + canvas.stringWidth(self.title, face, 10.5) + 4
        step = canvas.stringWidth(". ", "Serif", 10.5)
        end = self.width - 9 * mm
        count = max(0, int((end - start) / step))
        canvas.setFont("Serif", 10.5)
        canvas.drawString(end - count * step, 4, ". " * (count - 1) + "." if count else "")
        canvas.setFont("Serif-Bold" if self.level == 1 else "Serif", 10.5)
        canvas.drawRightString(self.width, 4, self.page)
        canvas.linkRect("", self.key, (0, 0, self.width, self.height), relative=1)


@dataclass(frozen=True)
class Layout:
    """How one book's blocks are set; `places` comes from the pass before."""

    source: Source
    places: Places
    text: Inline
    style: dict[str, ParagraphStyle]

    def flowables(self) -> list[Flowable]:
        """The whole book."""
        return [*self._title_page(), *self._sequence(self.source.blocks)]

    def _title_page(self) -> Iterator[Flowable]:
        meta = self.source.meta
        yield Spacer(1, 48 * mm)
        yield Paragraph(self.text.quiet(meta["series"]), self.style["series"])
        yield Paragraph(self.text.heading(meta["title"]), self.style["book"])
        yield Paragraph(self.text.quiet(meta["subtitle"]), self.style["subtitle"])
        yield Spacer(1, 62 * mm)
        yield Paragraph(self.text.quiet(meta["author"]), self.style["series"])
        yield NextPageTemplate("front")
        yield PageBreak()

    def _sequence(self, blocks: Sequence[Block]) -> Iterator[Flowable]:
        for block, after in zip_longest(blocks, blocks[1:]):
            for flowable in self._block(block):
                if _is_option(after) and isinstance(block, Item):
                    flowable.keepWithNext = True
                yield flowable

    def _block(self, block: Block) -> Iterator[Flowable]:
        match block:
            case Heading():
                yield from self._heading(block)
            case Prose():
                yield Paragraph(self.text.xml(block.text), self.style["body"])
            case Item():
                name = "option" if _is_option(block) else "item"
                bullet = "•" if block.label == "-" else block.label
                yield Paragraph(self.text.xml(block.text), self.style[name], bulletText=bullet)
            case Rows():
                yield self._table(block)
            case Marker():
                yield from self._marker(block.name)
            case Fence():
                yield from self._fence(block)

    def _heading(self, block: Heading) -> Iterator[Flowable]:
        """A heading; chapters open a page and set their number above their name."""
        if block.level == 1 and block.key != "h1" and not isinstance(self._before(block), Marker):
            yield PageBreak()
        if block.level == 2:
            yield CondPageBreak(32 * mm)
        words = self.text.heading(block.text)
        numbered = NUMBERED.match(block.text)
        if block.level == 1 and numbered:
            number, name = (self.text.heading(part) for part in numbered.groups())
            words = f'<font size="13" color="#777777">{number}</font><br/>{name}'
        yield Title(words, self.style[f"heading{block.level}"], block.text, block.level, block.key)

    def _before(self, block: Heading) -> Block | None:
        at = self.source.blocks.index(block)
        return self.source.blocks[at - 1] if at else None

    def _marker(self, name: str) -> Iterator[Flowable]:
        if name == "contents":
            yield from self._contents()
        elif name == "body":
            yield NextPageTemplate("body")
            yield StartBody()
        elif name == "index":
            yield NextPageTemplate("index")
            yield PageBreak()
        elif name == "entries":
            yield from self._index()
        else:
            raise MarkupError(f"[[{name}]] is not a marker: use contents, body, index or entries")

    def _contents(self) -> Iterator[Flowable]:
        """Chapters and sections with their pages; what stands before the contents is left out."""
        chinese = self.text.chinese
        faces = ("Hei", "Kai") if chinese else ("Serif-Bold", "Serif")
        found = [b for b in self.source.blocks if isinstance(b, Heading) and b.level <= 2]
        for block in found:
            page = self.places.headings.get(block.key, "0")
            if page.isdigit():
                name = plain(block.text)
                name = name.removeprefix("Chapter ") if block.level == 1 else name
                yield ContentsLine(name, page, block.level, faces, block.key)

    def _index(self) -> Iterator[Flowable]:
        """Terms in alphabetical order under their first letter, each with its pages."""
        lists = [b for b in self.source.blocks if isinstance(b, Fence) and b.kind == "terms"]
        spelling = {term.lower(): term for block in lists for term, _ in map(term_entry, block.blocks)}
        found: dict[str, list[str]] = {}
        for term, places in self.places.terms.items():
            # A term that begins a sentence is filed as the list of terms spells it.
            entry = found.setdefault(spelling.get(term.lower(), term), [])
            entry.extend(place for place in places if place not in entry)
        for letter, group in groupby(sorted(found, key=str.lower), key=lambda term: term[0].upper()):
            yield Paragraph(letter, self.style["letter"])
            for term in group:
                pages = ", ".join(found[term])
                yield Paragraph(f"{self.text.quiet(term)}, {pages}", self.style["entry"])

    def _fence(self, block: Fence) -> Iterator[Flowable]:
        match block.kind:
            case "formula":
                yield self._formula(block)
            case "figure":
                caption = " ".join(b.text for b in block.blocks if isinstance(b, Prose))
                parts = [FIGURES[block.argument](), Paragraph(self.text.quiet(caption), self.style["caption"])]
                yield KeepTogether(parts)
            case "table":
                yield Paragraph(self.text.quiet(block.argument), self.style["table_title"])
                yield from self._sequence(block.blocks)
                yield Spacer(1, 8)
            case "terms":
                yield from self._terms(block)
            case kind if kind in TINTS:
                yield self._box(block)
                yield Spacer(1, 9)
            case kind:
                raise MarkupError(f"'::: {kind}' is not a box: use {', '.join(TINTS)}, formula, figure, table, terms")

    def _formula(self, block: Fence) -> Flowable:
        words = " ".join(b.text for b in block.blocks if isinstance(b, Prose))
        number = Paragraph(f"({block.argument})" if block.argument else "", self.style["number"])
        cells = [[Spacer(1, 1), Paragraph(self.text.quiet(words), self.style["formula"]), number]]
        table = Table(cells, colWidths=[0.12 * WIDTH, 0.68 * WIDTH, 0.12 * WIDTH], hAlign="CENTER")
        table.setStyle([("VALIGN", (0, 0), (-1, -1), "MIDDLE"), ("RIGHTPADDING", (0, 0), (-1, -1), 0)])
        return table

    def _terms(self, block: Fence) -> Iterator[Flowable]:
        """A list of terms, in two balanced columns where the source says `::: terms columns`."""
        rows: list[Flowable] = []
        for entry in block.blocks:
            term, definition = term_entry(entry)
            gap = "：" if self.text.chinese else " "
            rows.append(Paragraph(self.text.quiet(f"__{term}__{gap}{definition}"), self.style["term"]))
        if block.argument == "columns":
            yield BalancedColumns(rows, nCols=2, innerPadding=6 * mm, needed=40, name="terms", endSlack=0.2)
        else:
            yield from rows

    def _table(self, block: Rows) -> Flowable:
        cells = [
            [Paragraph(self.text.quiet(cell), self.style["cell_head" if n == 0 else "cell"]) for cell in row]
            for n, row in enumerate(block.cells)
        ]
        table = Table(cells, repeatRows=1, hAlign="CENTER", spaceBefore=2, spaceAfter=4)
        table.setStyle([
            ("BACKGROUND", (0, 0), (-1, 0), HexColor("#dfe6ee")), ("LINEABOVE", (0, 0), (-1, 0), 0.8, "black"),
            ("LINEBELOW", (0, 0), (-1, 0), 0.5, "black"), ("LINEBELOW", (0, -1), (-1, -1), 0.8, "black"),
            ("LINEBELOW", (0, 1), (-1, -2), 0.2, HexColor("#aaaaaa")), ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ])  # fmt: skip
        return table

    def _box(self, block: Fence) -> Flowable:
        """A tinted frame, one row per block, that may break between any two rows after the first two."""
        inside: list[Any] = []
        if block.argument:
            inside.append(Paragraph(self.text.heading(block.argument), self.style["box_title"]))
        inside.extend(self._sequence(block.blocks))
        table = Table([[row] for row in inside], colWidths=[WIDTH], spaceBefore=6, splitInRow=0)
        last = len(inside) - 1
        plain_box = block.kind == "practice"
        table.setStyle([
            ("BACKGROUND", (0, 0), (-1, -1), white if plain_box else HexColor(TINTS[block.kind])),
            ("BOX", (0, 0), (-1, -1), 0.6, HexColor("#7a8794")), ("NOSPLIT", (0, 0), (0, min(1, last))),
            ("NOSPLIT", (0, max(0, last - 1)), (0, last)),
            ("LEFTPADDING", (0, 0), (-1, -1), PAD), ("RIGHTPADDING", (0, 0), (-1, -1), PAD),
            ("TOPPADDING", (0, 0), (-1, -1), 1), ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
            ("TOPPADDING", (0, 0), (0, 0), 5), ("BOTTOMPADDING", (0, -1), (0, -1), 6),
        ])  # fmt: skip
        return table


def _is_option(block: Block | None) -> bool:
    """Whether this is one of the answers to choose from: (a) to (d), or A. to D."""
    return isinstance(block, Item) and block.label[0] in "(ABCD"


def flowables(source: Source, places: Places) -> list[Flowable]:
    """The flowables of one pass over this book."""
    chinese = source.meta["language"].startswith("zh")
    text = inline(source.meta, indexed=not chinese)
    return Layout(source, places, text, styles(chinese)).flowables()
