"""Lists of terms: glossaries, key-term lists, vocabulary boxes, with or without definitions.

In: sections and parts that are such lists. Out: `Entry`s. Read are a bold term followed by its definition,
`term: definition`, two-column tables, a term on a line of its own, and bare lists of names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from extract.mentions import Names
from extract.naming import LONGEST_NAME, is_name, without_symbol
from extract.pack import compiled
from extract.view import BookView, SectionView, name_tokens, tokens
from kg.document import Block
from kg.names import key
from kg.section import Kind

LISTS: frozenset[Kind] = frozenset({"key_terms", "glossary"})
MOST_WORDS = 8
LEAST_NAMED = 3
"""One block in so many must give a name."""
LEAST_RUN = 3
"""Words from which a name may be several in a row."""
LEAST_SENTENCE = 5
"""Words of a block that ends with a full stop and is taken for a definition."""
_EDGE = " \t\n:：.。,，;；—–-•●▪◦‣■□◆◇·|"


@dataclass(frozen=True)
class Entry:
    """A listed term."""

    view: SectionView
    start: int
    end: int
    """Characters of the name."""
    definition: tuple[int, int] | None
    """Characters of its definition, where the list gives one."""

    @property
    def name(self) -> str:
        """As printed."""
        return self.view.line(self.start, self.end)


def entries(book: BookView) -> list[Entry]:
    """All listed terms of the book, in order."""
    found: list[Entry] = []
    for view in book.sections:
        blocks = _list_blocks(view)
        if blocks:
            found += _Reader(view, blocks).read()
    return found


def apart(listed: list[Entry], marked: list[str], book: BookView) -> list[Entry]:
    """The entries; one whose name is several other names in a row, columns run together, as those names."""
    names = [entry.name for entry in listed] + marked
    one_by_one = {key(name, book.language): name for name in names}
    found: list[Entry] = []
    for entry in listed:
        own = key(entry.name, book.language)
        known = Names([(name, at) for at, name in one_by_one.items() if at != own], book.language)
        pieces = _pieces(entry, known) if len(name_tokens(entry.name, book.language)) > LEAST_RUN else []
        found += pieces or [entry]
    return found


def _pieces(entry: Entry, known: Names) -> list[Entry]:
    """Entries for the known names that fill the entry; none if words are left over."""
    view = entry.view
    end = entry.definition[1] if entry.definition else entry.end
    words = tokens(view.text[entry.start : end], view.language, entry.start)
    named = known.find(words, view.text)
    covered = sum(mention.start <= word.start < mention.end for word in words for mention in named)
    whole = len(named) > 1 and covered == len(words)
    return [Entry(view, mention.start, mention.end, None) for mention in named] if whole else []


def _list_blocks(view: SectionView) -> list[int]:
    """The blocks of the section that list terms."""
    if view.row.kind in LISTS:
        return [i for i, block in enumerate(view.blocks) if block.text.strip()]
    return [i for i, block in enumerate(view.blocks) if block.text.strip() and "key_terms" in view.outline.roles(i)]


class _Reader:
    """Reads the blocks of one list; a definition may run on into the next block."""

    def __init__(self, view: SectionView, blocks: list[int]) -> None:
        self.view, self.blocks = view, blocks
        self.found: list[Entry] = []
        self.defined = self._has_definitions()

    def read(self) -> list[Entry]:
        """The entries in order; none of a list whose names are lost, where definitions run into each other."""
        at = 0
        if self.defined and LEAST_NAMED * self._named() < len(self.blocks):
            return []
        while at < len(self.blocks):
            at += self._block(at)
        return self.found

    def _has_definitions(self) -> bool:
        """True if a third of the blocks or more hold more than names, or are headings with text under each."""
        return 3 * max(sum(self._explains(i) for i in self.blocks), self._headed()) >= len(self.blocks)

    def _headed(self) -> int:
        """Blocks that are headings of one text each."""
        labels = [self.view.blocks[i].label for i in self.blocks]
        threes = zip(self.blocks, labels, labels[1:], [*labels[2:], "section_header"], strict=False)
        return sum(
            label == after == "section_header" and text == "text" and not self._is_head(i)
            for i, label, text, after in threes
        )

    def _named(self) -> int:
        """Blocks that give a name: in bold, before a separator, in a table, or on a line of its own."""
        blocks = [(i, self.view.blocks[i]) for i in self.blocks]
        return sum(
            block.label in {"table", "section_header"}
            or bool(_joined_bold(block) and self._bold_starts(block))
            or self._separated(i) is not None
            or self._words(block.text) <= MOST_WORDS
            for i, block in blocks
        )

    def _explains(self, i: int) -> bool:
        block = self.view.blocks[i]
        bold = _joined_bold(block)
        rest = block.text[bold[0][1] :] if bold and not block.bold else ""
        words = self._words(block.text)
        sentence = words >= LEAST_SENTENCE and block.text.rstrip().endswith((".", "。"))
        return bool(words > MOST_WORDS or sentence or self._separated(i) or self._words(rest) >= 3)

    def _words(self, text: str) -> int:
        """Words, or pairs of Han characters."""
        return len(text.split()) if self.view.language.spaces else len(text) // 2

    def _separated(self, i: int) -> re.Match[str] | None:
        """The separator after a short name, if the block is `term: definition`."""
        text = self.view.blocks[i].text
        hit = compiled(self.view.pack.separators).search(text)
        if hit is None or not 0 < hit.start() <= LONGEST_NAME or not text[hit.end() :].strip():
            return None
        return hit if self._words(text[: hit.start()]) <= MOST_WORDS else None

    def _block(self, at: int) -> int:
        """Reads the block; returns how many blocks it took."""
        i = self.blocks[at]
        block = self.view.blocks[i]
        if block.label == "table":
            self._rows(i)
        elif block.label in {"section_header", "title"}:
            return self._titled(at)
        elif block.label not in {"text", "list_item", "footnote", "formula"}:
            pass
        elif starts := self._bold_starts(block):
            self._lead(i, starts[0][0])
            if len(starts) == 1 and starts[0][1] >= len(block.text.rstrip(_EDGE)) and self.defined:
                return self._titled(at)
            self._bold(i, starts)
        elif self.defined and (hit := self._separated(i)):
            self._add(i, 0, hit.start(), hit.end(), len(block.text))
        elif self.defined:
            self._continue(i)
        else:
            self._names(i)
        return 1

    def _bold_starts(self, block: Block) -> list[tuple[int, int]]:
        """Bold names that open an entry; the end of the entry before may stand in front of the first."""
        spans = _joined_bold(block)
        if block.bold and not spans:
            spans = [(0, len(block.text))]
        if spans and spans[0][0] > len(block.text) - len(block.text.lstrip(_EDGE)) and not self._goes_on():
            return []
        cut = [(start, without_symbol(block, start, end, self.view)) for start, end in spans]
        return [(start, end) for start, end in cut if is_name(block.text[start:end].strip(_EDGE), self.view)]

    def _goes_on(self) -> bool:
        """True if the entry before may not have ended."""
        return self.defined and bool(self.found) and self.found[-1].definition is not None

    def _lead(self, i: int, end: int) -> None:
        """Characters before the block's first term belong to the definition before."""
        start, _ = self.view.span(i)
        last = self.found[-1] if self.found else None
        lead = self.view.text[start : start + end].rstrip()
        if lead and last and last.definition and self.view.section.block_at(last.definition[1] - 1) == i - 1:
            self.found[-1] = Entry(last.view, last.start, last.end, (last.definition[0], start + len(lead)))

    def _bold(self, i: int, starts: list[tuple[int, int]]) -> None:
        text = self.view.blocks[i].text
        for (start, end), following in zip(starts, [*starts[1:], (len(text), 0)], strict=True):
            self._add(i, start, end, end, following[0])

    def _titled(self, at: int) -> int:
        """A name on a line of its own; the definition is the next block that is none."""
        i = self.blocks[at]
        text = self.view.blocks[i].text
        after = self.blocks[at + 1] if at + 1 < len(self.blocks) else None
        if not self.defined or after is None or self.view.blocks[i].label == "title":
            return 1
        following = self.view.blocks[after]
        if following.label not in {"text", "list_item"} or self._bold_starts(following) or self._separated(after):
            return 1
        if self._words(text) > MOST_WORDS or self._is_head(i):
            return 1
        start, _ = self.view.span(i)
        begin, end = self.view.span(after)
        self._entry(start, start + len(text), (begin, end))
        return 2

    def _is_head(self, i: int) -> bool:
        """The block is the heading of the list itself, or of one letter of it."""
        if self.view.blocks[i].label != "section_header":
            return False
        first = self.view.row.kind in LISTS and i == 0
        part = next(self.view.outline.around(i), None)
        return first or len(self.view.blocks[i].text.strip()) == 1 or (part is not None and part.role == "key_terms")

    def _rows(self, i: int) -> None:
        """A table: two columns are term and definition, or all cells are names."""
        block, at = self.view.blocks[i], 0
        for row in block.text.split("\n"):
            cells = list(_cells(row, at))
            at += len(row) + 1
            if self.defined and len(cells) >= 2:
                (start, end), (begin, _), stop = cells[0], cells[1], cells[-1][1]
                self._add(i, start, end, begin, stop)
            elif not self.defined:
                for start, end in cells:
                    self._add(i, start, end, end, end)

    def _names(self, i: int) -> None:
        """A bare list: one name a line, or several with commas between them."""
        text = self.view.blocks[i].text
        cuts = "[\n;；、]" if len(re.findall("[,，]", text)) < 2 else "[\n;；、,，]"
        at = 0
        for piece in re.split(f"({cuts})", text):
            if self._words(piece) <= MOST_WORDS:
                self._add(i, at, at + len(piece), at + len(piece), at + len(piece))
            at += len(piece)

    def _continue(self, i: int) -> None:
        """Text without a term of its own belongs to the definition before it."""
        if not self.found or self.found[-1].definition is None:
            return
        last = self.found[-1]
        start, end = self.view.span(i)
        begin, stop = last.definition or (start, end)
        if self.view.section.block_at(stop - 1) == i - 1:
            self.found[-1] = Entry(last.view, last.start, last.end, (begin, end))

    def _add(self, i: int, start: int, end: int, begin: int, stop: int) -> None:
        """An entry from offsets in block `i`; no definition if nothing is left of it."""
        base, _ = self.view.span(i)
        text = self.view.blocks[i].text
        if place := compiled(self.view.pack.place).match(text, begin, stop):
            begin = place.end()
        while begin < stop and text[begin] in _EDGE:
            begin += 1
        while stop > begin and text[stop - 1].isspace():
            stop -= 1
        self._entry(base + start, base + end, (base + begin, base + stop) if stop > begin else None)

    def _entry(self, start: int, end: int, definition: tuple[int, int] | None) -> None:
        text = self.view.text
        while start < end and text[start] in _EDGE:
            start += 1
        while end > start and text[end - 1] in _EDGE:
            end -= 1
        if is_name(text[start:end], self.view):
            self.found.append(Entry(self.view, start, end, definition))


def _joined_bold(block: Block) -> list[tuple[int, int]]:
    """Bold ranges; two with nothing but space or a hyphen between them are one."""
    ranges: list[tuple[int, int]] = []
    for span in block.spans:
        if span.style != "bold":
            continue
        if ranges and not block.text[ranges[-1][1] : span.start].strip(" -–‑\u00a0"):
            ranges[-1] = (ranges[-1][0], max(ranges[-1][1], span.end))
        else:
            ranges.append((span.start, span.end))
    return ranges


def _cells(row: str, at: int) -> Iterator[tuple[int, int]]:
    """Ranges of the cells of a table row that hold something."""
    for cell in row.split(" | "):
        if cell.strip():
            yield at, at + len(cell)
        at += len(cell) + 3
