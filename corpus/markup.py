"""The Markdown dialect of the sample books: text in, a tuple of typed blocks out.

In: one Markdown file (front matter, headings, paragraphs, lists, pipe tables, `:::` fences).
Out: `Source` = the front matter and its blocks, in reading order; nothing here knows about pages or fonts.
Conventions are listed in corpus/README.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

FENCE = re.compile(r"^:::\s*(\w+)?\s*(.*)$")
HEADING = re.compile(r"^(#{1,4})\s+(.*)$")
ITEM = re.compile(r"^(\d+\.|-|\([a-d]\)|[A-D]\.)\s+(.*)$")
MARKER = re.compile(r"^\[\[(\w+)\]\]$")
TERM = re.compile(r"^\*\*(.+?)\*\*[\s:：]*(.+)$", re.S)


class MarkupError(ValueError):
    """The Markdown breaks a convention; the message says in which file and what to change."""


@dataclass(frozen=True)
class Heading:
    """A title of level 1 (chapter) to 4; `key` is unique in the book and counts from h1."""

    level: int
    text: str
    key: str


@dataclass(frozen=True)
class Prose:
    """One paragraph, line breaks already joined."""

    text: str


@dataclass(frozen=True)
class Item:
    """One list entry; `label` is printed as it stands: `3.`, `(b)`, `B.` or `-`."""

    label: str
    text: str


@dataclass(frozen=True)
class Marker:
    """A place to be filled when the book is laid out: contents, outline, body, index."""

    name: str


@dataclass(frozen=True)
class Rows:
    """The cells of a pipe table, heading row first."""

    cells: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Fence:
    """A `::: kind argument` block: box, table, figure, formula or list of terms."""

    kind: str
    argument: str
    blocks: tuple[Block, ...]


Block = Heading | Prose | Item | Marker | Rows | Fence


@dataclass(frozen=True)
class Source:
    """A whole book as written."""

    meta: dict[str, str]
    blocks: tuple[Block, ...]


@dataclass
class _Reader:
    """Lines still to be read, with the number of headings seen."""

    path: Path
    lines: list[str]
    at: int = 0
    headings: int = 0
    cjk: bool = False
    _pending: list[str] = field(default_factory=list)

    def join(self) -> str:
        """The pending lines as one string; Chinese lines are joined without a space."""
        text = ("" if self.cjk else " ").join(self._pending)
        self._pending.clear()
        return text

    def blocks(self, depth: int) -> Iterator[Block]:
        """Yield blocks until the fence that opened this depth is closed or the file ends."""
        while self.at < len(self.lines):
            line = self.lines[self.at].strip()
            self.at += 1
            fence = FENCE.match(line)
            if fence and not fence[1]:
                if not depth:
                    raise MarkupError(f"{self.path}:{self.at}: ':::' closes a box that was never opened")
                return
            if fence:
                yield Fence(fence[1], fence[2].strip(), tuple(self.blocks(depth + 1)))
            elif line:
                yield self._block(line)
        if depth:
            raise MarkupError(f"{self.path}: a ':::' box is not closed before the end of the file")

    def _block(self, line: str) -> Block:
        """The block that begins with this line."""
        if found := HEADING.match(line):
            self.headings += 1
            return Heading(len(found[1]), found[2], f"h{self.headings}")
        if found := MARKER.match(line):
            return Marker(found[1])
        if line.startswith("|"):
            return self._rows(line)
        item = ITEM.match(line)
        self._pending.append(item[2] if item else line)
        while self.at < len(self.lines) and self._continues(self.lines[self.at].strip()):
            self._pending.append(self.lines[self.at].strip())
            self.at += 1
        return Item(item[1], self.join()) if item else Prose(self.join())

    def _continues(self, line: str) -> bool:
        """Whether a line goes on with the paragraph or list entry above it."""
        return bool(line) and not any(p.match(line) for p in (FENCE, HEADING, ITEM, MARKER)) and line[0] != "|"

    def _rows(self, line: str) -> Rows:
        """The table that begins with this line, without its ruler."""
        found = [line]
        while self.at < len(self.lines) and self.lines[self.at].strip().startswith("|"):
            found.append(self.lines[self.at].strip())
            self.at += 1
        cells = [tuple(cell.strip() for cell in row.strip("|").split("|")) for row in found]
        return Rows(tuple(row for row in cells if not set("".join(row)) <= set("-: ")))


def read(path: Path) -> Source:
    """The book in this file.

    Raises MarkupError where front matter is missing or a box stays open.
    """
    head, mark, body = path.read_text(encoding="utf-8").removeprefix("---\n").partition("\n---\n")
    if not mark:
        raise MarkupError(f"{path}: the file must begin with front matter between two lines of '---'")
    meta = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in head.splitlines())}
    reader = _Reader(path, body.splitlines(), cjk=meta["language"].startswith("zh"))
    return Source(meta, tuple(reader.blocks(0)))


def term_entry(block: Block) -> tuple[str, str]:
    """Term and definition of one entry of a list of terms.

    Raises MarkupError if the entry does not begin with a bold term.
    """
    found = TERM.match(block.text) if isinstance(block, Prose) else None
    if not found:
        raise MarkupError(f"a list of terms holds something that is not '**term** definition': {block}")
    return found[1], found[2]
