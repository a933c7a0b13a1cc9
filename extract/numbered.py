"""Numbered items with lettered parts, as exercises and answer keys print them.

In: blocks of an exercise or answer region. Out: `Numbered` items: number, group headings, text pieces and options.
Numbers inside an item (a list within an option) are told apart by the count and by their indentation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from extract.pack import Role, compiled
from extract.view import SectionView
from kg.document import Block
from kg.text import one_line

_NUMBER = re.compile(r"\s*[(（【\[]?(?:[A-Za-z]?\d{1,3}[.\-–])?(\d{1,3})(?:[.．、)）】\]](?!\d)|(?=\s+[^\s\d]))\s*")
_LETTER = re.compile(r"\s*(?:[(（]([A-Ha-h])[)）]|([A-Ha-h])[.．、)）](?!\w\.))\s*")
_RUN_ON = re.compile(r"(?<=[^.?!:。？！：\n])\n(?=[^\W\d_A-Z][^\W\d_]|[,，;；.。)）])")
"""Between two lines of one sentence: no full stop before, no capital, number or item's letter behind."""
_SENTENCE_END = (".", "?", "!", ":", "。", "？", "！", "：", ")", "）")
FURTHEST_JUMP = 3
"""How far the count may jump where numbers were lost."""
PARTS_OF_A_TASK: frozenset[Role] = frozenset({"materials", "safety", "steps", "observation", "conclusion"})
INDENT = 6.0
"""Points by which a nested number stands further right than the item's own."""
TEXTS = {"text", "list_item", "formula", "table", "code"}
WIDEST_INDENT = 90.0
"""Points; what is further right stands in another column."""


@dataclass
class Piece:
    """Characters `start <= i < end` of the section."""

    start: int
    end: int


@dataclass
class Option:
    """A lettered part."""

    letter: str
    pieces: list[Piece] = field(default_factory=list)


@dataclass
class Numbered:
    """One item."""

    view: SectionView
    number: str
    """Empty where the item stands alone under its heading."""
    headings: tuple[str, ...]
    """Group headings above it, outermost first."""
    part: int
    """Innermost part of the section it stands in; -1 for none."""
    pieces: list[Piece] = field(default_factory=list)
    options: list[Option] = field(default_factory=list)
    answer: list[Piece] = field(default_factory=list)
    """Answer or solution printed right behind it."""
    told: Piece | None = None
    """What the text before the items says to do in each of them."""

    def text(self, pieces: Sequence[Piece] | None = None) -> str:
        """The pieces' texts, one line each, but for sentences cut in two; by default those before the options."""
        lines = (one_line(self.view.text[p.start : p.end]) for p in (self.pieces if pieces is None else pieces))
        return _RUN_ON.sub(" ", "\n".join(line for line in lines if line))

    @property
    def start(self) -> int:
        """Offset of its first character."""
        return self.pieces[0].start

    @property
    def end(self) -> int:
        """Offset after its last character."""
        pieces = [*self.pieces, *(piece for option in self.options for piece in option.pieces)]
        return max(piece.end for piece in pieces)


def marker(block: Block, pattern: re.Pattern[str]) -> tuple[str, int] | None:
    """The number or letter a block starts with, and where its text goes on; none if it has none."""
    hit = pattern.match(block.text)
    if hit and hit.group().strip():
        return next(group for group in hit.groups() if group), hit.end()
    if block.number and (hit := pattern.fullmatch(block.number.strip() + " ")):
        at = len(block.number) if block.text.startswith(block.number) else 0
        return next(group for group in hit.groups() if group), at
    return None


def read(view: SectionView, blocks: Sequence[int]) -> list[Numbered]:
    """The items of a region, in order."""
    return _Reader(view).read(blocks)


class _Reader:
    """Reads blocks in order; `item` is the one that text goes to."""

    def __init__(self, view: SectionView) -> None:
        self.view = view
        self.items: list[Numbered] = []
        self.item: Numbered | None = None
        self.count = 0
        """The last number of this group."""
        self.fresh = True
        """No item since the last heading."""
        self.told: Piece | None = None
        self.bracketed = False
        """The item's number stands in brackets."""
        self.at: tuple[int, float] = (-1, 0.0)
        """Page and left edge of the item's number."""

    def read(self, blocks: Sequence[int]) -> list[Numbered]:
        """Every block goes to an item, or is a heading or the text before the first item."""
        for i in blocks:
            block = self.view.blocks[i]
            if self._heads(block):
                if not self._inside_item(i):
                    self.item, self.fresh, self.told = None, True, None
            elif block.label in TEXTS and block.text.strip() and not self.view.stray(i):
                self._block(i, block)
        return [item for item in self.items if item.text().strip() or item.options]

    def _heads(self, block: Block) -> bool:
        """True if a group of items begins here."""
        if block.label in {"section_header", "title"} or (block.bold and not self._asks(block.text)):
            return True
        return compiled(self.view.pack.groups).match(one_line(block.text)) is not None

    def _block(self, i: int, block: Block) -> None:
        number = marker(block, _NUMBER) if block.label in {"text", "list_item"} and not self._inside_item(i) else None
        if number is None and compiled(self.view.pack.instructions).match(one_line(block.text)):
            self.item, self.fresh, self.told = None, True, Piece(*self.view.span(i))
            return
        opens = number is not None and self._opens(int(number[0]), block)
        if not opens and self._answers(i):
            return
        if number and opens:
            self._open(i, number[0], number[1])
            self.count, self.fresh, self.at = int(number[0]), False, _place(block)
            self.bracketed = _in_brackets(block)
            inside = re.match(_LETTER, block.text[number[1] :])
            if inside and (inside.group(1) or inside.group(2)).lower() == "a" and self.item:
                self.item.pieces = [Piece(self._base(i) + number[1], self._base(i) + number[1])]
                self._option(i, "a", number[1] + inside.end())
            return
        letter = marker(block, _LETTER)
        if letter and self._continues(letter[0]):
            self._option(i, *letter)
            return
        if self.item is None or self._another(block):
            self._open(i, "", 0)
            self.fresh = True
            return
        start = self._base(i)
        if self._titled(block):
            self.item.pieces.clear()
        target = self.item.options[-1].pieces if self.item.options else self.item.pieces
        target.append(Piece(start, start + len(block.text)))

    def _titled(self, block: Block) -> bool:
        """True if all that the item has is a title (no task, question or sentence), and here the task begins."""
        if self.item is None or self.item.options or len(self.item.pieces) != 1 or block.label != "text":
            return False
        text = self.item.text()
        begins = not self.item.number or compiled(self.view.pack.tasks).match(one_line(block.text)) is not None
        return begins and not text.endswith(_SENTENCE_END) and ". " not in text and not self._asks(text)

    def _inside_item(self, i: int) -> bool:
        """True under headings like `Materials`, which belong to the item before them."""
        part = next(self.view.outline.around(i), None)
        return self.item is not None and part is not None and part.role in PARTS_OF_A_TASK

    def _asks(self, text: str) -> bool:
        return asks(text, self.view)

    def _another(self, block: Block) -> bool:
        """True if this unnumbered list item is a question of its own, as the one before was."""
        if self.item is None or self.item.number or self.item.options or block.label != "list_item":
            return False
        return self._asks(self.item.text()) and self._asks(block.text)

    def _answers(self, i: int) -> bool:
        """Takes the block for the item's answer, if it stands under such a label."""
        part = next(self.view.outline.around(i), None)
        if part is None or part.role not in {"answer", "solution"} or self.item is None:
            return False
        self.item.answer.append(Piece(*self.view.said(i)))
        return True

    def _base(self, i: int) -> int:
        return self.view.section.starts[i]

    def _opens(self, number: int, block: Block) -> bool:
        """True if this number opens a new item and is not part of the one before."""
        if self.item is None:
            return self.fresh or number > self.count or number == 1
        if not self.item.number:
            return not self._asks(self.item.text()) or self._asks(block.text)
        if _in_brackets(block) and not self.bracketed:
            return False  # (1), (2) under 1.
        page, left = _place(block)
        if page == self.at[0] and INDENT < left - self.at[1] < WIDEST_INDENT:
            return False
        if number == self.count + 1:
            return True
        aligned = page == self.at[0] and abs(left - self.at[1]) <= INDENT / 2
        return aligned and 0 < number - self.count <= FURTHEST_JUMP

    def _continues(self, letter: str) -> bool:
        """True if this letter is the next of the item's lettered parts."""
        if self.item is None:
            return False
        return ord(letter.lower()) - ord("a") == len(self.item.options)

    def _open(self, i: int, number: str, at: int) -> None:
        start, end = self.view.span(i)
        headings = tuple(reversed([self._heading(part.heading) for part in self.view.outline.around(i)]))
        self.item = Numbered(self.view, number, headings, self.view.outline.of_block[i], [Piece(start + at, end)])
        self.item.told = self.told
        self.items.append(self.item)

    def _heading(self, i: int) -> str:
        return one_line(self.view.blocks[i].text)

    def _option(self, i: int, letter: str, at: int) -> None:
        if self.item is None:
            return
        start, end = self.view.span(i)
        self.item.options.append(Option(letter, [Piece(start + at, end)]))


def asks(text: str, view: SectionView) -> bool:
    """True if the text is a question or sets a task."""
    bare = one_line(text)
    question = bare.endswith("?") or "? " in bare or "？" in bare
    return question or compiled(view.pack.tasks).search(bare) is not None


def _in_brackets(block: Block) -> bool:
    return (block.text.lstrip() or block.number or " ")[0] in "(（[【"


def _place(block: Block) -> tuple[int, float]:
    return block.prov[0].page, block.prov[0].bbox[0]


def regions(view: SectionView, whole: bool) -> Iterator[list[int]]:
    """Runs of blocks that hold items: the whole section or its exercise parts, without labs and examples."""
    run: list[int] = []
    for i in range(len(view.blocks)):
        host = view.outline.host(i)
        if host.role == "exercises" if host else whole:
            run.append(i)
        elif run:
            yield run
            run = []
    if run:
        yield run
