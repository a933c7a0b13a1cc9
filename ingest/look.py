"""A first look at a book: some of its pages, and what they say about the type and the language of the whole.

In: the pages of a `Reading`. Out: a `Look`. Its pages are kept, so that no page is read twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from ingest.page import PageContent, Pages
from ingest.rules import Rules

MOST = 32
"""Pages looked at, evenly spread over the book."""


@dataclass(frozen=True)
class Look:
    """What some pages of a book look like."""

    text: str
    sizes: Counter[float]
    """Characters set in each type size …"""
    fonts: Counter[str]
    """… and in each font."""
    kept: dict[int, PageContent]
    """The pages that were looked at, until `pages` hands them out."""

    @property
    def usual_size(self) -> float:
        """Type size of most of the characters."""
        sizes = self.sizes
        return max(sizes, key=lambda size: (sizes[size], -size)) if sizes else 10.0

    def pages(self, pages: Pages) -> Iterator[PageContent]:
        """Every page once, in order; it is the caller's alone."""
        for index in range(len(pages)):
            yield self.kept.pop(index) if index in self.kept else pages[index]

    def mark_bold(self, page: PageContent, rules: Rules) -> None:
        """Runs in a font whose name says bold are bold, unless most of the book is set in such fonts."""
        named = sum(count for font, count in self.fonts.items() if rules.names_bold(font))
        if 2 * named > sum(self.fonts.values()):
            return
        for fragment in page.fragments:
            for run in fragment.runs:
                if not run.bold and rules.names_bold(run.font):
                    run.bold = True


def first_look(pages: Pages) -> Look:
    """A look at pages from all parts of the book."""
    chosen = sorted({at * len(pages) // MOST for at in range(MOST)}) if len(pages) else []
    kept = {index: pages[index] for index in chosen}
    sizes: Counter[float] = Counter()
    fonts: Counter[str] = Counter()
    texts: list[str] = []
    for page in kept.values():
        for fragment in page.fragments:
            for run in fragment.runs:
                sizes[run.size] += len(run.text)
                fonts[run.font] += len(run.text)
                texts.append(run.text)
    return Look(" ".join(texts), sizes, fonts, kept)
