"""Find a quotation in a section and say how it was found: exact, normalised or fuzzy."""

from __future__ import annotations

from functools import cached_property

from rapidfuzz import fuzz

from kg.graph import Match, Provenance
from kg.section import Section
from kg.text import one_line, squash, squash_map

ACCEPT = 85.0
"""Least similarity in [0, 100] of a fuzzy match. Sentences of other sections score at most 65."""
SHORTEST_FUZZY = 12
"""Letters a quote needs before it may match fuzzily; shorter ones find a likeness anywhere."""


def provenance(
    section: Section, start: int, end: int, match: Match = "exact", score: float | None = None
) -> Provenance:
    """The evidence that stands at characters `start <= i < end` of the section's text."""
    source = section.blocks[section.block_at(start)].source
    route = source.route if source and source.route in {"ocr", "existing_ocr"} else ""
    return Provenance(
        book=section.book,
        section=section.row.id,
        page=section.page_at(start),
        quote=one_line(section.text[start:end]),
        start=start,
        end=end,
        match=match,
        score=score,
        route=route,
    )


class Locator:
    """Finds quotes in one section; the section is prepared once."""

    def __init__(self, section: Section) -> None:
        self.section = section

    @cached_property
    def _map(self) -> tuple[str, list[int]]:
        return squash_map(self.section.text)

    def find(self, quote: str, accept: float = ACCEPT) -> Provenance | None:
        """Where the quote stands; none if nothing in the section is at least `accept` alike.

        Of several places the first counts. The provenance quotes the book, never the argument.
        """
        at = self.section.text.find(quote) if quote.strip() else -1
        if at >= 0:
            return provenance(self.section, at, at + len(quote))
        wanted = squash(quote)
        if not wanted:
            return None
        squashed, offsets = self._map
        at = squashed.find(wanted)
        if at >= 0:
            return self._at(offsets, at, at + len(wanted), "normalised", None)
        if len(wanted) < SHORTEST_FUZZY:
            return None
        hit = fuzz.partial_ratio_alignment(wanted, squashed, score_cutoff=accept)
        if hit is None or hit.dest_start >= hit.dest_end or len(wanted) > len(squashed):
            return None
        return self._at(offsets, hit.dest_start, hit.dest_end, "fuzzy", round(hit.score, 1))

    def _at(self, offsets: list[int], start: int, end: int, match: Match, score: float | None) -> Provenance:
        return provenance(self.section, offsets[start], offsets[end - 1] + 1, match, score)
