"""Sentences that define a term, or introduce one: by the patterns of the language pack.

In: a term's place in a sentence. Out: how well the sentence defines it; names that sentences introduce.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from extract.marks import Mark
from extract.naming import is_name
from extract.pack import TERM, compiled
from extract.view import SectionView, tokens

SHORTEST_SENTENCE = 7
"""Words; what is shorter defines poorly."""
LONGEST_SENTENCE = 600
"""Characters; what is longer is a list or a table and defines nothing."""

OPEN_END = " ;；,，"
_GOES_ON = re.compile(r"[:：]\s*(?:[(（]?\w{1,2}[.)）])?\Z")
"""A colon at a sentence's end, or one with the number of a list's first item, which looks like an end."""


@dataclass(frozen=True)
class Definition:
    """Characters of a section that define a term; `rank` 0 is the best pattern."""

    view: SectionView
    start: int
    end: int
    rank: int

    @property
    def text(self) -> str:
        """As printed, on one line, without what joins it to the next clause."""
        return self.view.line(self.view.own(self.start, self.end), self.end).rstrip(OPEN_END)


def with_term(view: SectionView, sentence: tuple[int, int], start: int, end: int) -> str:
    """The sentence on one line, without a bullet, with a placeholder where the term stands."""
    return " ".join((view.text[view.own(*sentence) : start] + TERM + view.text[end : sentence[1]]).split())


def rank(text: str, patterns: tuple[str, ...]) -> int | None:
    """Place of the first pattern that fits a sentence with its placeholder; none if none does."""
    for place, pattern in enumerate(patterns):
        if compiled(pattern).search(text):
            return place
    return None


def definition_at(view: SectionView, start: int, end: int) -> Definition | None:
    """The definition around a mention; with the sentence before it, if it only points back there."""
    sentence = view.sentence(start)
    if sentence[1] - sentence[0] > LONGEST_SENTENCE:
        return None
    place = rank(with_term(view, sentence, start, end), view.pack.define)
    if place is None:
        return None
    begin, stop = whole(view, sentence)
    if len(tokens(view.text[begin:stop], view.language)) < SHORTEST_SENTENCE:
        place += len(view.pack.define) // 2
    return Definition(view, begin, stop, place)


def explains(view: SectionView, start: int, end: int) -> Literal["before", "after", ""]:
    """On which side of the term at `start` its sentence explains it; empty if no pattern fits."""
    text = with_term(view, view.sentence(start), start, end)
    place = rank(text, view.pack.define)
    if place is None:
        return ""
    hit = compiled(view.pack.define[place]).search(text)
    return "before" if hit and hit.group().rstrip('”" ').endswith(TERM) else "after"


def whole(view: SectionView, sentence: tuple[int, int]) -> tuple[int, int]:
    """The sentence; with the one before if it starts with a word that points back, the next if it ends in a colon."""
    start, end = sentence
    if _GOES_ON.search(view.text, start, end):
        after = view.sentence(min(end + 2, len(view.text) - 1))
        if not any(map(str.isalpha, view.text[slice(*after)])):
            after = view.sentence(min(after[1] + 1, len(view.text) - 1))
        if after[0] >= end and view.section.block_at(after[0]) <= view.section.block_at(start) + 1:
            end = after[1]
    if not compiled(view.pack.points_back).match(view.text, start):
        return start, end
    before = view.sentence(max(0, start - 2))
    same = view.section.block_at(before[0]) == view.section.block_at(start)
    return (before[0], end) if same and before[1] <= start else (start, end)


def introduced(view: SectionView) -> Iterator[Mark]:
    """Names that the patterns say are introduced here, marked or not."""
    for i in range(len(view.blocks)):
        if not view.prose[i]:
            continue
        start, end = view.span(i)
        for pattern in view.pack.cues:
            for hit in compiled(pattern).finditer(view.text, start, end):
                begin, stop = hit.span("name")
                while stop > begin and view.text[stop - 1].isspace():
                    stop -= 1
                if is_name(view.text[begin:stop], view):
                    yield Mark(view, begin, stop, "italic")
