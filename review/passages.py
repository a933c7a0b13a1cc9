"""Quotations in the text around them.

In: provenance and the section files of a run. Out: `Passage`s.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from pydantic import TypeAdapter

from kg.graph import Provenance
from kg.section import SectionRow
from kg.store import Store
from review.task import Passage

_GAP = re.compile(r"\n\s*(?:#+ )?|^#+ ")
_ROWS: TypeAdapter[list[SectionRow]] = TypeAdapter(list[SectionRow])


class Shelf:
    """The section files of a run, read when they are asked for."""

    def __init__(self, store: Store, around: int, most: int) -> None:
        """`around`: characters shown before and after a quotation; `most`: quotations shown of one thing."""
        self.store, self.around, self.most = store, around, most
        self._text = lru_cache(maxsize=64)(self._read)
        self._rows: dict[str, dict[str, SectionRow]] = {}

    def passages(self, provenance: Iterable[Provenance], most: int = 0) -> tuple[Passage, ...]:
        """The first quotations, one from each place."""
        return tuple(self._passage(quote) for quote in list(provenance)[: most or self.most])

    def _passage(self, quote: Provenance) -> Passage:
        row = self._index(quote.book).get(quote.section)
        text = self._text(quote.book, row.file) if row else ""
        start, end = (quote.start, quote.end) if quote.end <= len(text) else (0, 0)
        before = text[max(0, start - self.around) : start] if end else ""
        after = text[end : end + self.around] if end else ""
        return Passage(
            book=quote.book,
            section=f"{row.section_number} {row.section_title}".strip() if row else quote.section,
            page=quote.page + 1,
            before=_plain(_from_word(before) if start > self.around else before).lstrip(),
            quote=_plain(text[start:end]) or quote.quote,
            after=_plain(_to_word(after) if end + self.around < len(text) else after).rstrip(),
            match=quote.match,
        )

    def _index(self, book: str) -> dict[str, SectionRow]:
        if book not in self._rows:
            name = f"segment/{book}/sections_index.json"
            rows = _ROWS.validate_python(self.store.read_json(name)) if self.store.exists(name) else []
            self._rows[book] = {row.id: row for row in rows}
        return self._rows[book]

    def _read(self, book: str, file: str) -> str:
        name = f"segment/{book}/{file}"
        return self.store.read_text(name) if self.store.exists(name) else ""


def _plain(text: str) -> str:
    """One line per block, headings without their marks."""
    return _GAP.sub("\n", text)


def _from_word(text: str) -> str:
    """The text from its first whole word on, marked as cut."""
    head, space, rest = text.partition(" ")
    return f"…{rest if space and len(head) < len(text) // 2 else text}"


def _to_word(text: str) -> str:
    """The text up to its last whole word, marked as cut."""
    head, space, rest = text.rpartition(" ")
    return f"{head if space and len(rest) < len(text) // 2 else text}…"
