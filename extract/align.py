"""Where a model's quotation stands in the book: exactly, but for spelling, nearly, or nowhere.

In: a section and a quote. Out: an `Aligned`: the book's own words with their places, and how like the quote they are.
Elided quotes ("first words … last words") are found part by part.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import Literal

from kg.graph import Match, Provenance
from kg.locate import ACCEPT, Locator, provenance
from kg.section import Section
from kg.text import is_cjk, squash

REVIEW = 70.0
"""Least likeness in [0, 100] of what is shown to people; below it is not found."""
WIDEST_GAP = 600
"""Characters that an ellipsis may stand for in one quotation; parts further apart are two quotations."""
LEAST_LATIN, LEAST_HAN = 12, 5
"""Letters a quotation needs to prove anything: shorter ones stand anywhere."""
LEAST_PART = 4
"""Letters of a part of an elided quotation; a shorter part is passed over."""
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.{3}|…+)\s*\]|\(\s*(?:\.{3}|…+)\s*\)|…+|\.{3,}|⋯+)\s*")

Grade = Literal["verbatim", "fuzzy", "doubtful", "none"]
"""Exact or but for spelling; at least 85 alike; 70 to 84; not found."""
_RANK: dict[Grade, int] = {"verbatim": 0, "fuzzy": 1, "doubtful": 2, "none": 3}


@dataclass(frozen=True)
class Aligned:
    """A quote found, or not."""

    grade: Grade
    places: tuple[Provenance, ...] = ()
    """In text order; empty if it was not found."""

    @property
    def found(self) -> bool:
        """True if it is in the book without doubt."""
        return self.grade in ("verbatim", "fuzzy")


class Aligner:
    """Finds quotes in one section."""

    def __init__(self, section: Section) -> None:
        self.section = section
        self._locator = Locator(section)

    def find(self, quote: str) -> Aligned:
        """Where the quote stands. Of an elided one the worst part decides, and the parts must follow each other."""
        text = quote.strip().strip('"“”„«»「」『』').strip()
        parts = [part for part in _ELLIPSIS.split(text) if len(squash(part)) >= LEAST_PART]
        if not parts or len(squash(text)) < (LEAST_HAN if is_cjk(text) else LEAST_LATIN):
            return Aligned("none")
        whole = self._part(text)
        if len(parts) == 1 or whole.grade == "verbatim":
            return whole
        found: list[Aligned] = []
        for part in parts:
            found.append(self._part(part, max((place.end for one in found for place in one.places), default=0)))
        grade = max((one.grade for one in found), key=_RANK.__getitem__)
        places = [place for one in found for place in one.places]
        ordered = all(one.end <= other.start for one, other in itertools.pairwise(places))
        if grade == "none" or not ordered:
            return whole if whole.grade != "none" else Aligned("doubtful", tuple(places)) if places else whole
        return Aligned(grade, tuple(self._joined(places)))

    def _part(self, text: str, after: int = 0) -> Aligned:
        """One part; if it stands in several places, the first behind `after`."""
        at = self.section.text.find(text, after) if after else -1
        if at >= 0:
            return Aligned("verbatim", (provenance(self.section, at, at + len(text)),))
        place = self._locator.find(text, REVIEW)
        if place is None:
            return Aligned("none")
        if place.match != "fuzzy":
            return Aligned("verbatim", (place,))
        sure = (place.score or 0.0) >= ACCEPT
        return Aligned("fuzzy" if sure else "doubtful", (self._widened(place),))

    def _widened(self, place: Provenance) -> Provenance:
        """A likeness begins and ends with whole words."""
        text, start, end = self.section.text, place.start, place.end
        if is_cjk(text[start:end]):
            return place
        while start > 0 and text[start - 1].isalnum() and text[start].isalnum():
            start -= 1
        while end < len(text) and text[end].isalnum() and text[end - 1].isalnum():
            end += 1
        return provenance(self.section, start, end, place.match, place.score)

    def _joined(self, places: list[Provenance]) -> list[Provenance]:
        """Neighbouring parts as one quotation with what stands between them."""
        joined = [places[0]]
        for place in places[1:]:
            last = joined[-1]
            if place.start - last.end > WIDEST_GAP:
                joined.append(place)
                continue
            match: Match = "fuzzy" if "fuzzy" in (last.match, place.match) else "normalised"
            scores = [one.score for one in (last, place) if one.score is not None]
            joined[-1] = provenance(self.section, last.start, place.end, match, min(scores, default=None))
        return joined
