"""What a book marks itself: the terms the offline rules find, as a check on what a model overlooks.

In: a book's sections. Out: `Marked`: the marked terms of a chunk that nothing covers, and those introduced earlier.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from extract.chunks import Chunk
from extract.pack import pack_of
from extract.support import Page
from extract.terms import Term, terms
from extract.view import book_view
from kg.language import Language
from kg.names import key
from kg.section import Section


class Marked:
    """The terms of one book that are set in bold, listed, or introduced by a sentence."""

    def __init__(self, sections: Sequence[Section], language: Language) -> None:
        self.language = language
        known = terms(book_view(sections, language, pack_of(language)))
        self._ordinal = {section.row.id: at for at, section in enumerate(sections)}
        self._mentions = known.mentions
        self._here: dict[str, list[Term]] = defaultdict(list)
        self._terms = known.by_key
        for term in known.by_key.values():
            views = [mark.view for mark in [*term.marked, *term.cued]] + ([term.home] if term.home else [])
            for section in dict.fromkeys(view.row.id for view in views):
                self._here[section].append(term)

    def missing(self, chunk: Chunk, page: Page, covered: Collection[str]) -> list[str]:
        """Names of the terms marked in the chunk's section and mentioned in the chunk that nothing covers."""
        return [
            term.name
            for term in self._here.get(chunk.section.row.id, [])
            if not {key(name, self.language) for name in (term.name, *term.aliases)} & set(covered)
            and any(chunk.start <= mention.start < chunk.end for mention in page.mentions(term.name))
        ]

    def earlier(self, chunk: Chunk) -> list[str]:
        """Names of the terms of earlier sections that the chunk's section mentions, in the order of their mention."""
        at = self._ordinal[chunk.section.row.id]
        found = dict.fromkeys(mention.key for mention in self._mentions[at])
        return [self._terms[one].name for one in found if 0 <= self._terms[one].order[0] < at]
