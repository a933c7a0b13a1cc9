"""What a heading says about itself: its rank, its number, its title and its kind.

In: the printed heading and the rules of a language. Out: a `Title`. Numbers come out in Arabic digits,
whatever they are printed in (第二章, Chapter II, Chapter Two: `2`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from kg.section import Kind
from kg.text import is_cjk, one_line, squash
from segment.pack import Rank, SegmentRules

END_KINDS: frozenset[Kind] = frozenset(
    {"summary", "key_terms", "key_equations", "exercises", "answers", "glossary", "index", "back_matter"}
)
"""Kinds of what closes a chapter or a book."""
BOOK_KINDS: frozenset[Kind] = frozenset({"answers", "glossary", "index", "back_matter"})
"""Kinds of what closes a book, more often than a chapter."""

CHAPTER_RANKS: tuple[Rank, ...] = ("part", "unit", "chapter")

_BARE = re.compile(r"(?P<number>\d{1,3}(?:[.．·\-–]\d{1,3}){0,4})(?P<gap>\s*[.．、:：]?\s*)(?P<rest>.*)", re.DOTALL)
_AFTER = r"(?![A-Za-z0-9])[\s.．、:：,，•|—–-]*"
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_DIGITS = r"\d+(?:[.．\-–]\d+)*"


@dataclass(frozen=True)
class Title:
    """A heading, read."""

    printed: str
    """As printed, on one line."""
    text: str
    """Without number and without the word for chapter."""
    number: str = ""
    """`2`, `2.1`; empty if there is none."""
    rank: Rank | None = None
    rule: int = -1
    """Index of the word rule that matched; -1 if none did."""
    named: bool = False
    """Word and number belong to the title, which has no section number."""
    kind: Kind | None = None
    """What its wording says that the text under it is; none for an ordinary title."""

    @cached_property
    def key(self) -> tuple[int, ...]:
        """The number's parts."""
        return tuple(int(part) for part in self.number.split(".")) if self.number else ()

    @property
    def closes(self) -> bool:
        """It is end matter by its wording."""
        return self.kind in END_KINDS

    @cached_property
    def plain(self) -> str:
        """The title's letters and digits, without its number."""
        return squash(self.text)

    @cached_property
    def whole(self) -> str:
        """All its letters and digits."""
        return squash(self.printed)


class TitleReader:
    """Reads headings by the rules of one language."""

    def __init__(self, rules: SegmentRules) -> None:
        self.rules = rules
        words = sorted({*rules.numerals, *rules.multipliers}, key=lambda word: (-len(word), word))
        spoken = "|".join(map(re.escape, words))
        spoken = f"|(?:{spoken})(?:[\\s-]?(?:{spoken}))*" if spoken else ""
        number = f"(?P<number>{_DIGITS}|(?-i:[IVXLC]+)(?![A-Za-z]){spoken})"
        self._words = [
            (rule.rank, re.compile(rule.pattern.replace("{n}", number) + _AFTER, re.IGNORECASE)) for rule in rules.words
        ]
        self._kinds = [
            (kind, re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE))
            for kind, patterns in rules.kinds.items()
        ]
        self._spoken = re.compile("|".join(map(re.escape, words)) or "(?!)", re.IGNORECASE)

    def read(self, heading: str) -> Title:
        """The heading, read."""
        printed = one_line(heading)
        title = self._worded(printed) or self._numbered(printed) or Title(printed, printed)
        kind = self._kind(title.printed) or self._kind(title.text)
        if kind is None:
            return title
        if self._kind(title.printed) and title.rank not in CHAPTER_RANKS:
            return Title(printed, printed, kind=kind)
        return replace(title, kind=kind)

    def value(self, text: str) -> str:
        """A printed number in Arabic digits; empty if it is none."""
        parts = re.findall(r"\d+", text)
        if parts:
            return ".".join(str(int(part)) for part in parts)
        if text and all(letter in _ROMAN for letter in text):
            return str(_roman(text))
        total, current = 0, None
        for word in self._spoken.findall(text):
            low = word.casefold()
            if low in self.rules.multipliers:
                total, current = total + (1 if current is None else current) * self.rules.multipliers[low], None
            else:
                total, current = total + (current or 0), self.rules.numerals[low]
        total += current or 0
        return str(total) if total else ""

    def _worded(self, printed: str) -> Title | None:
        for index, (rank, pattern) in enumerate(self._words):
            found = pattern.match(printed)
            if found and (number := self.value(found["number"])):
                named = self.rules.words[index].named
                text = printed if named else printed[found.end() :].strip()
                return Title(printed, text, number, rank, index, named)
        return None

    def _numbered(self, printed: str) -> Title | None:
        found = _BARE.match(printed)
        if not found:
            return None
        rest = found["rest"].strip()
        apart = bool(found["gap"]) or is_cjk(rest[:1]) or not rest
        if not apart or rest[:1].isdigit() or rest.startswith(("%", "×", "/", "=", "+")):
            return None
        return Title(printed, rest, self.value(found["number"]))

    def _kind(self, text: str) -> Kind | None:
        stripped = text.strip(" .:：★☆◆●*")
        return next((kind for kind, pattern in self._kinds if pattern.fullmatch(stripped)), None)


def settled(titles: Iterable[Title]) -> Callable[[Title], Title]:
    """How to understand titles like `Chapter 3 Review` in a book with these titles.

    It is end matter if another heading is chapter 3, or `3 Forces`; else it is chapter 3.
    """
    own = [title for title in titles if not title.closes]
    taken = {(title.rank, title.number) for title in own if title.rank in CHAPTER_RANKS}
    taken |= {("chapter", title.number) for title in own if title.rank is None and len(title.key) == 1}

    def settle(title: Title) -> Title:
        if title.rank not in CHAPTER_RANKS or not title.closes:
            return title
        if (title.rank, title.number) in taken:
            return Title(title.printed, title.printed, kind=title.kind)
        return replace(title, kind=None)

    return settle


def _roman(text: str) -> int:
    values = [_ROMAN[letter] for letter in text]
    signed = [-value if value < max(values[at:]) else value for at, value in enumerate(values)]
    return sum(signed)
