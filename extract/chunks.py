"""Sections in pieces a model reads well: cut between paragraphs, each with the end of the one before and its place.

In: a `kg.section.Section`. Out: `Chunk`s whose own texts, one after the other, are the section's text.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from kg.language import Language
from kg.section import Section, markdown
from kg.sentences import sentences
from kg.text import is_cjk

LATIN, HAN = 4.0, 1.2
"""Characters per token, roughly."""


@dataclass(frozen=True)
class Chunk:
    """Characters `start <= i < end` of a section's text, to be read after those from `lead` on."""

    section: Section
    start: int
    end: int
    lead: int
    """Where the overlap with the chunk before starts; `start` where there is none."""

    @property
    def key(self) -> str:
        """Identity in its book."""
        return f"{self.section.row.id}@{self.start}-{self.end}"

    @property
    def text(self) -> str:
        """What it holds, without the overlap."""
        return self.section.text[self.start : self.end].strip()

    @property
    def before(self) -> str:
        """The overlap."""
        return self.section.text[self.lead : self.start].strip()


def tokens(text: str) -> int:
    """A rough count, never 0."""
    return 1 + int(len(text) / (HAN if is_cjk(text) else LATIN))


def chunks(section: Section, most: int, language: Language) -> list[Chunk]:
    """The section in chunks of at most `most` tokens (0: the whole section is one); none if it holds no text.

    A paragraph goes whole where it fits, else by its sentences; a longer sentence stays whole.
    """
    if not section.text.strip():
        return []
    pieces = _pieces(section, most, language)
    groups: list[list[tuple[int, int]]] = [[]]
    size = 0
    for start, end in pieces:
        length = tokens(section.text[start:end])
        if most and groups[-1] and size + length > most:
            groups.append([])
            size = 0
        groups[-1].append((start, end))
        size += length
    return [
        Chunk(section, group[0][0], group[-1][1], groups[at - 1][-1][0] if at else group[0][0])
        for at, group in enumerate(groups)
    ]


def halves(chunk: Chunk, language: Language) -> list[Chunk]:
    """The chunk cut in two near its middle; empty if it is one sentence."""
    cuts = [start for start, _ in _pieces(chunk.section, 1, language) if chunk.start < start < chunk.end]
    if not cuts:
        return []
    middle = (chunk.start + chunk.end) // 2
    cut = min(cuts, key=lambda at: (abs(at - middle), at))
    lead = max((at for at in [chunk.start, *cuts] if at < cut), default=chunk.start)
    return [Chunk(chunk.section, chunk.start, cut, chunk.lead), Chunk(chunk.section, cut, chunk.end, lead)]


def _pieces(section: Section, most: int, language: Language) -> list[tuple[int, int]]:
    """Ranges of paragraphs that together cover the text; long ones by sentence."""
    opened = zip(section.blocks, section.starts, strict=True)
    bounds = [*(start - markdown(block)[1] for block, start in opened), len(section.text)]
    found: list[tuple[int, int]] = []
    for start, end in itertools.pairwise(bounds):
        text = section.text[start:end]
        if most and tokens(text) > most:
            cuts = [start, *(start + begin for begin, _ in sentences(text, language)[1:]), end]
            found += itertools.pairwise(cuts)
        else:
            found.append((start, end))
    return [(start, end) for start, end in found if start < end]


def breadcrumb(section: Section, book: str) -> str:
    """Where the section stands: book, chapter, section."""
    row = section.row
    chapter = " ".join(filter(None, (row.chapter_number, row.chapter_title)))
    own = " ".join(filter(None, (row.section_number, row.section_title)))
    return " > ".join(dict.fromkeys(filter(None, (book, chapter, own))))
