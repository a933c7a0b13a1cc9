"""Running heads, feet and page numbers, told from the text by where they stand and what repeats.

In: the lines of all pages. Out: which lines are furniture, and the printed number of each page.
A band is a height on the page at which many pages have their outermost line. It is furniture if what stands there is
mostly page numbers or words that come again on other pages or in the bookmarks; a text's first line is neither.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ingest.lines import Line
from ingest.page import PageContent
from kg.document import Label
from kg.text import squash

ROMAN = re.compile(r"(?=[ivxlc])(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3})", re.IGNORECASE)
NUMBER = re.compile(r"[-–—·\s|]*(\d{1,4}|[ivxlc]{1,7})[-–—·\s|]*", re.IGNORECASE)
AT_EDGE = re.compile(r"^(\d{1,4}|[ivxlc]{1,7})\b|\b(\d{1,4}|[ivxlc]{1,7})$", re.IGNORECASE)
TOLERANCE = 4.0
"""Points by which a band's lines may differ in height."""
MARGIN = 0.16
"""Furniture stands in this outer part of the page."""
SHARE_OF_PAGES = 0.15
"""A band is found on at least this share of the pages, and on two."""
SHARE_OF_WORDS = 0.6
"""At least this share of a band's lines are numbers or repeat."""
LARGER = 1.1
"""A line this many times as large as most of its band is a heading at the same height."""
TALLEST = 1.2
"""A line this many times as large as the text is no furniture."""
DEPTH = 2
"""Lines looked at from either edge."""


@dataclass(frozen=True)
class Furniture:
    """What is set apart."""

    labels: dict[int, Label]
    """`id()` of a line -> page_header or page_footer."""
    numbers: dict[int, str]
    """Page index -> printed page number."""


@dataclass(frozen=True)
class _Candidate:
    page: int
    line: Line
    text: str
    """Without the words that stand beside page numbers."""
    top: bool
    place: float
    """Distance of its middle from the page's upper or lower edge, in points."""


def find(
    pages: Sequence[PageContent], lines: Sequence[Sequence[Line]], titles: Collection[str], page_words: re.Pattern[str]
) -> Furniture:
    """Furniture of a book. `titles` are the bookmarks' titles, which running heads repeat; `page_words`
    stand beside page numbers."""
    known = frozenset(squash(title) for title in titles)
    sizes = _characters_by_size(lines)
    largest = TALLEST * (max(sizes, key=lambda size: (sizes[size], -size)) if sizes else 10.0)
    candidates = [
        one for page, own in zip(pages, lines, strict=True) for one in _outermost(page, own, page_words, largest)
    ]
    counts: Counter[tuple[bool, str]] = Counter()
    for one in candidates:
        counts[(one.top, _key(one.text))] += 1
    labels: dict[int, Label] = {}
    kept: list[_Candidate] = []
    for band in _bands(candidates):
        if _is_furniture(band, counts, known, sum(bool(own) for own in lines)):
            chosen = _chosen(band)
            kept += chosen
            labels |= {id(one.line): "page_header" if one.top else "page_footer" for one in chosen}
    for one in _lone_numbers(candidates, labels):
        kept.append(one)
        labels[id(one.line)] = "page_header" if one.top else "page_footer"
    return Furniture(labels, _numbers(kept))


def _characters_by_size(lines: Sequence[Sequence[Line]]) -> Counter[float]:
    sizes: Counter[float] = Counter()
    for own in lines:
        for line in own:
            sizes[line.size] += len(line.text)
    return sizes


def _key(text: str) -> str:
    return re.sub(r"\d+", "#", squash(text))


def _outermost(
    page: PageContent, lines: Sequence[Line], page_words: re.Pattern[str], largest: float
) -> list[_Candidate]:
    """The rows next to the upper and lower edge, all lines of a row together."""
    upright = [line for line in lines if line.angle == 0 and line.size <= largest]
    found: list[_Candidate] = []
    for top in (True, False):
        places = [line.box[1] if top else page.height - line.box[3] for line in upright]
        middles = [place + line.height / 2 for place, line in zip(places, upright, strict=True)]
        rows: list[float] = []
        for place, middle, line in sorted(zip(places, middles, upright, strict=True), key=lambda row: row[:2]):
            if place > MARGIN * page.height:
                break
            if not rows or abs(middle - rows[-1]) > TOLERANCE:
                rows.append(middle)
            if len(rows) > DEPTH:
                break
            found.append(_Candidate(page.index, line, page_words.sub("", line.text).strip(), top, middle))
    return found


def _bands(candidates: Sequence[_Candidate]) -> list[list[_Candidate]]:
    bands: list[list[_Candidate]] = []
    for top in (True, False):
        own = sorted((one for one in candidates if one.top is top), key=lambda one: (one.place, one.page))
        for one in own:
            if bands and bands[-1][0].top is top and one.place - bands[-1][-1].place <= TOLERANCE / 2:
                bands[-1].append(one)
            else:
                bands.append([one])
    return bands


def _is_furniture(
    band: Sequence[_Candidate], counts: Counter[tuple[bool, str]], known: Collection[str], pages: int
) -> bool:
    on_pages = len({one.page for one in band})
    if on_pages < max(2, SHARE_OF_PAGES * pages):
        return False
    good = sum(_is_telling(one, counts, known) for one in band)
    return good >= SHARE_OF_WORDS * len(band)


def _is_telling(one: _Candidate, counts: Counter[tuple[bool, str]], known: Collection[str]) -> bool:
    text = one.text
    if NUMBER.fullmatch(text) or counts[(one.top, _key(text))] > 1:
        return True
    bare = squash(AT_EDGE.sub("", text.strip()))
    return bool(bare) and any(bare == title or title in bare for title in known if len(title) > 3)


def _usual_styles(band: Sequence[_Candidate]) -> set[tuple[float, bool, str]]:
    """The type in which the band is mostly set; a chapter's title at the same height is set otherwise."""
    counts = Counter(one.line.style for one in band)
    sizes = sorted(one.line.size for one in band)
    largest = LARGER * sizes[len(sizes) // 2]
    return {style for style, count in counts.items() if count >= max(2, 0.1 * len(band)) and style[0] <= largest}


def _chosen(band: Sequence[_Candidate]) -> list[_Candidate]:
    """The band without lines in a type of their own; a script's own font beside another part of a head is none."""
    usual = _usual_styles(band)
    pages = {one.page for one in band if one.line.style in usual}
    looks = {style[:2] for style in usual}
    return [one for one in band if one.line.style in usual or (one.page in pages and one.line.style[:2] in looks)]


def _lone_numbers(candidates: Sequence[_Candidate], labels: dict[int, Label]) -> list[_Candidate]:
    """Numbers that stand alone at the edge and count the pages, on books too short or odd for bands."""
    alone = [one for one in candidates if id(one.line) not in labels and NUMBER.fullmatch(one.text)]
    votes: defaultdict[tuple[bool, bool, int], list[_Candidate]] = defaultdict(list)
    for one in alone:
        word = _edge_words(one.text)[0]
        value = _amount(word)
        if value is not None:
            votes[(one.top, word.isdigit(), value - one.page)].append(one)
    return [one for same in votes.values() if len({one.page for one in same}) > 1 for one in same]


def _numbers(furniture: Sequence[_Candidate]) -> dict[int, str]:
    """The printed numbers that fit most of their neighbours; others (a chapter's number) are not page numbers."""
    seen: defaultdict[int, list[tuple[str, int]]] = defaultdict(list)
    votes: Counter[tuple[bool, int]] = Counter()
    for one in furniture:
        for word in _edge_words(one.text):
            value = _amount(word)
            if value is not None:
                seen[one.page].append((word, value))
                votes[(word.isdigit(), value - one.page)] += 1
    numbers: dict[int, str] = {}
    for page, words in seen.items():
        word, value = max(words, key=lambda pair: (votes[(pair[0].isdigit(), pair[1] - page)], pair[0]))
        if votes[(word.isdigit(), value - page)] >= 2:
            numbers[page] = word
    return numbers


def _edge_words(text: str) -> list[str]:
    whole = NUMBER.fullmatch(text)
    if whole:
        return [whole.group(1)]
    return [word for pair in AT_EDGE.findall(text.strip()) for word in pair if word]


def _amount(word: str) -> int | None:
    if word.isdigit():
        return int(word)
    if not ROMAN.fullmatch(word):
        return None
    values = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
    digits = [values[letter] for letter in word.lower()]
    pairs = zip(digits, [*digits[1:], 0], strict=True)
    return sum(-digit if digit < after else digit for digit, after in pairs)
