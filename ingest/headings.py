"""Headings told from text by their type, their number and the bookmarks.

In: the drafts of the whole book. Out: drafts labelled `section_header`; a label over a title (`Chapter 2` over `Motion
in One Dimension`) and a heading of several lines are one draft.
Type alone makes a heading if it is larger than the text, or bold, or another face with a number, and if it is not used
for long paragraphs too. Bold words with text beside them, bold lists and lines of a chapter's own contents are none.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from ingest.drafts import Draft, draft
from ingest.lines import family
from ingest.page import x_overlap
from ingest.rules import Rules
from kg.document import OutlineItem
from kg.text import is_cjk, squash

LONGEST = 200
"""Characters of a heading at most."""
MOST_LINES = 4
TITLE_PAGE = 600
"""A title page has at most this many characters."""
LARGER = 1.12
"""Type this many times the size of the text makes a heading …"""
SMALLER = 0.84
"""… bold type may be down to this many times."""
NEVER = frozenset({"rotated", "in_picture"})
LONG = 250
"""A paragraph of at least this many characters is running text, whatever its type."""
FULL_STOP, COMMA = "。", "，"
CLAUSE = 24
"""Characters from which a Chinese line with a comma is a sentence."""
UNFINISHED = re.compile(r"[,;，；、。]$|[a-z)\]]\.$")
TITLED = re.compile(r"[:：—–]\s*\S*\w{2}")
"""A label with a title behind it."""
PERIOD = re.compile(r"[.:：]$")
Style = tuple[float, bool, str]


class Styles:
    """What type the text of a book is set in, and which types are used for running text."""

    def __init__(self, drafts: Sequence[Draft]) -> None:
        sizes: Counter[float] = Counter()
        faces: Counter[str] = Counter()
        self.running: Counter[Style] = Counter()
        self.short: Counter[Style] = Counter()
        for one in drafts:
            if one.label in ("code", "document_index"):
                continue
            lengths = [len(line.text) for line in one.lines]
            uses = self.running if sum(lengths) + len(lengths) > LONG else self.short
            for line, length in zip(one.lines, lengths, strict=True):
                style = line.style
                sizes[style[0]] += length
                faces[style[2]] += length
                uses[style] += length
        self.size = max(sizes, key=lambda size: (sizes[size], -size)) if sizes else 10.0
        self.face = max(faces, key=lambda face: (faces[face], face)) if faces else ""

    def is_running(self, style: Style) -> bool:
        """True if the type is used for long paragraphs more than for short pieces."""
        return self.running[style] > self.short[style]


def body_size(drafts: Sequence[Draft]) -> float:
    """Type size of most of the text, to half a point."""
    return Styles(drafts).size


def find(drafts: list[Draft], outline: Sequence[OutlineItem], rules: Rules) -> list[Draft]:
    """The drafts in order; headings among them are labelled and merged."""
    styles = Styles(drafts)
    marked = _match_outline(drafts, outline)
    for one in drafts:
        if id(one) in marked or is_candidate(one, styles, rules):
            one.mark("candidate")
    _drop_lists(drafts, marked, rules)
    merged = _merged(drafts, styles, rules)
    _title_page(merged, marked)
    for one in merged:
        if "candidate" in one.flags:
            one.unmark("candidate")
            one.label, one.number = "section_header", None
    return merged


def _title_page(drafts: Sequence[Draft], marked: dict[int, int]) -> None:
    """On a first page with nothing but a few short lines the largest is the title and the others are text."""
    first = [one for one in drafts if one.page == 0 and one.lines]
    candidates = [one for one in first if "candidate" in one.flags]
    if (
        not candidates
        or any(id(one) in marked for one in candidates)
        or sum(len(one.text) for one in first) > TITLE_PAGE
    ):
        return
    listed = sum(one.label in ("document_index", "list_item") for one in first)
    if listed > 2 or any(len(one.lines) > 2 and "candidate" not in one.flags for one in first):
        return
    for one in candidates:
        one.unmark("candidate")
    max(candidates, key=lambda one: (one.size, -one.place[1])).label = "title"


def is_candidate(one: Draft, styles: Styles, rules: Rules) -> bool:
    """True if the draft's type and form are those of a heading."""
    large_code = one.label == "code" and len(one.lines) == 1 and one.size >= LARGER * styles.size
    if not (one.label in ("text", "list_item") or large_code) or not one.lines or one.flags & NEVER:
        return False
    if len(one.lines) > MOST_LINES or any(line.beside for line in one.lines):
        return False
    text = one.text
    numbered = rules.number_of(text)
    if one.label == "list_item" and numbered is None:
        return False
    if rules.caption.fullmatch(text.rstrip(" .:：")):
        return False
    ratio = one.size / styles.size
    if not _reads_like_a_heading(text.rstrip(".") if ratio >= LARGER else text, numbered is not None):
        return False
    plain = numbered is not None and numbered[2] is not None and numbered[2].plain
    if styles.is_running(one.lines[0].style) and not plain:
        return False
    return _is_set_apart(one, ratio, styles, numbered is not None) or (plain and len(one.lines) == 1)


def _reads_like_a_heading(text: str, numbered: bool) -> bool:
    if len(text) > LONGEST:
        return False
    letters = sum(map(str.isalpha, text))
    if letters < (1 if is_cjk(text) or numbered else 2):
        return False
    if (
        FULL_STOP in text
        or (COMMA in text and len(text) > CLAUSE)
        or UNFINISHED.search(text)
        or (PERIOD.search(text) and not text[-2:].isupper())
    ):
        return False
    return letters > 0.4 * len(text.replace(" ", ""))


def _is_set_apart(one: Draft, ratio: float, styles: Styles, numbered: bool) -> bool:
    if ratio >= LARGER:
        return True
    other_face = family(one.lines[0].font) != styles.face
    if one.bold:
        return ratio >= 0.97 or (ratio >= SMALLER and (other_face or one.text.isupper()))
    return numbered and other_face and ratio >= 0.97 and not one.lines[0].mono


def _match_outline(drafts: Sequence[Draft], outline: Sequence[OutlineItem]) -> dict[int, int]:
    """`id()` of a draft -> level of the bookmark that it carries word for word, on the bookmark's page."""
    by_page: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for item in outline:
        if item.page is not None and squash(item.title):
            by_page[item.page].setdefault(squash(item.title), item.level)
    best: dict[tuple[int, str], Draft] = {}
    for one in drafts:
        if one.label not in ("text", "list_item", "section_header") or len(one.lines) > MOST_LINES:
            continue
        title = squash(one.text)
        if title in by_page.get(one.page, {}) and not any(line.beside for line in one.lines):
            known = best.get((one.page, title))
            if known is None or one.size > known.size:
                best[(one.page, title)] = one
    return {id(one): by_page[page][title] for (page, title), one in best.items()}


def _drop_lists(drafts: Sequence[Draft], marked: dict[int, int], rules: Rules) -> None:
    """Three candidates of one type in a row, or two numbered ones, are a list: what a chapter holds, terms, answers."""
    run: list[Draft] = []
    for one in [*drafts, None]:
        if one is not None and one.label == "picture":
            continue
        if one is not None and "candidate" in one.flags and (not run or _alike(run[-1], one)):
            run.append(one)
            continue
        if _is_list(run, rules):
            for item in run:
                if id(item) not in marked:
                    item.unmark("candidate")
        run = [one] if one is not None and "candidate" in one.flags else []


def _is_list(run: Sequence[Draft], rules: Rules) -> bool:
    """True unless each of the candidates is numbered one deeper than the one before: chapter, section, part."""
    depths = [number[1] for one in run if (number := rules.number_of(one.text)) is not None]
    nested = len(depths) == len(run) and all(first < second for first, second in pairwise(depths))
    return not nested and (len(run) >= 3 or (len(run) == 2 and len(depths) == 2))


def _alike(first: Draft, second: Draft) -> bool:
    return first.lines[0].style == second.lines[0].style and first.frame == second.frame


def _merged(drafts: Sequence[Draft], styles: Styles, rules: Rules) -> list[Draft]:
    """Drafts with a label and the title under it made one."""
    merged: list[Draft] = []
    for one in drafts:
        if merged and _titles(merged[-1], one, styles, rules):
            last = merged.pop()
            joined = draft("text", [*last.lines, *one.lines])
            joined.flags, joined.breaks = frozenset({"candidate", "label"}), " "
            merged.append(joined)
        else:
            merged.append(one)
    return merged


def _titles(label: Draft, title: Draft, styles: Styles, rules: Rules) -> bool:
    """True if `label` is a label (`Chapter 2`, `2`, `WORKED EXAMPLE`) and `title` the title that goes with it."""
    if "candidate" not in title.flags or not label.lines or label.page != title.page or label.frame != title.frame:
        return False
    step = title.lines[0].baseline - label.lines[-1].baseline
    if not 0 < step < 3.5 * max(title.size, label.size) or x_overlap(label.place, title.place) <= 0:
        return False
    text = label.text.strip()
    if text.isdigit() and len(text) <= 2:
        return label.size >= 1.5 * styles.size
    if "candidate" not in label.flags:
        return False
    if _same_heading(label, title):
        return True
    if rules.number_of(title.text) is not None:
        return False
    number = rules.number_of(text)
    if number is not None and number[2] is not None and number[2].label:
        rest = number[2].pattern
        return re.fullmatch(rf"(?:{rest})[\s.:：·•—–-]*", text, re.IGNORECASE) is not None
    if TITLED.search(text) or rules.is_box_part(title.text):
        return False
    return rules.is_box_label(text) and title.size >= label.size and not rules.is_box_label(title.text)


def _same_heading(first: Draft, second: Draft) -> bool:
    """Two lines of one heading that wraps: same type, no wider gap than between its lines."""
    if first.lines[-1].style != second.lines[0].style or first.size < 1e-6:
        return False
    step = second.lines[0].baseline - first.lines[-1].baseline
    return step < 1.4 * first.size
