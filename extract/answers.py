"""Answers printed at the back of a book or chapter, found again by chapter, group and number.

In: sections of the kind `answers`. Out: an `AnswerKey` that is asked with an exercise's place.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass

from extract.numbered import Numbered, read
from extract.pack import Pack, compiled
from extract.view import BookView, SectionView
from kg.graph import Provenance
from kg.text import squash

_PAIR = r"(?<![\d.])(\d{1,3})\s*[.．、:：)]?\s*[(（]?([A-Ha-h](?:[,、]?[A-H])*)[)）]?(?=[\s,，;；.。]|\d|$)"
_INLINE = re.compile(_PAIR)
_ONLY_PAIRS = re.compile(f"(?:{_PAIR}[\\s,，;；.。]*)+")


@dataclass(frozen=True)
class Answer:
    """One printed answer."""

    chapter: str
    number: str
    groups: frozenset[str]
    """Squashed group headings above it."""
    text: str
    evidence: Provenance


class AnswerKey:
    """All printed answers of a book."""

    def __init__(self, found: list[Answer]) -> None:
        self._by_place: dict[tuple[str, str], list[Answer]] = defaultdict(list)
        for answer in found:
            self._by_place[answer.chapter, answer.number].append(answer)

    def find(self, chapter: str, number: str, groups: list[str], rivals: int) -> Answer | None:
        """The answer to exercise `number` under these headings; none if there is none, or no telling which.

        `rivals`: how many exercises of the chapter have this number.
        """
        candidates = self._by_place.get((chapter, number), []) or self._by_place.get(("", number), [])
        wanted = {squash(group) for group in groups}
        scored = sorted(((len(wanted & answer.groups), at) for at, answer in enumerate(candidates)), reverse=True)
        if not scored:
            return None
        best, at = scored[0]
        unsure = (len(scored) > 1 and scored[1][0] == best) or (rivals > 1 and best == 0)
        return None if unsure else candidates[at]


def answer_key(book: BookView) -> AnswerKey:
    """The book's answers."""
    found: list[Answer] = []
    for view in book.sections:
        if view.row.kind == "answers":
            for item in read(view, range(len(view.blocks))):
                found += _answers(item, view)
    return AnswerKey(found)


def _answers(item: Numbered, view: SectionView) -> list[Answer]:
    """The item's answer; several where one line lists them (`1. D 2. B`)."""
    chapter = next(
        (number for heading in reversed(item.headings) if (number := chapter_number(heading, view.pack))),
        view.row.chapter_number,
    )
    groups = frozenset(squash(heading) for heading in item.headings)
    last = max(item.end, item.start + 1)
    evidence = view.quote(item.start, last)
    lines = [item.text(), *(f"({option.letter}) {item.text(option.pieces)}" for option in item.options)]
    text = "\n".join(line for line in lines if line.strip())
    whole = f"{item.number}. {text}" if item.number else text
    listed = _INLINE.findall(whole) if _ONLY_PAIRS.fullmatch(whole) else []
    if len(listed) > 1 or not item.number:
        return [Answer(chapter, number, groups, letters, evidence) for number, letters in listed]
    return [Answer(chapter, item.number, groups, text, evidence)] if text else []


def chapter_number(heading: str, pack: Pack) -> str:
    """The chapter's number in figures, if the heading is a chapter's; else empty."""
    hit = compiled(pack.chapter_heading).match(heading)
    if hit is None:
        return ""
    number = hit.group("number")
    return pack.numerals.get(number.casefold(), number)
