"""Paragraphs put together again over columns, pages and figures, and words over line ends.

In: the drafts of a book in reading order. Out: drafts with the two halves of a paragraph made one; texts of drafts.
A hyphen at a line's end goes only if it is soft, or if the word without it occurs elsewhere in the book.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ingest.drafts import Draft
from ingest.lines import Line, merged_spans
from ingest.page import x_overlap
from ingest.paragraphs import SIZES
from ingest.text import SOFT_HYPHEN, Mark
from kg.text import is_cjk

BETWEEN = frozenset({"picture", "caption", "table", "footnote", "page_header", "page_footer"})
"""What may stand between the two halves of a paragraph."""
APART = frozenset({"rotated", "in_picture"})
"""Flags of text that is never part of a paragraph."""
FINISHED = re.compile(r"[.!?:;。！？：；…][\"'”’」』)\]）】\d]*$")
WORDS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
AT_END = re.compile(r"([^\W\d_]+)[-‐]$")
HYPHENS = ("-", "‐")
AT_START = re.compile(r"[^\W\d_]+")
SPACED, UNSPACED = " spaced", " unspaced"
"""Keys under which the vocabulary counts Han characters beside Latin ones, with and without a space between."""
BETWEEN_SCRIPTS = re.compile(r"[\u3400-\u9fff] [A-Za-z0-9]|[A-Za-z0-9] [\u3400-\u9fff]")
NEXT_TO_EACH_OTHER = re.compile(r"[\u3400-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u3400-\u9fff]")
MOST_BETWEEN = 8


def vocabulary(drafts: Iterable[Draft]) -> Counter[str]:
    """How often each word occurs inside a line, in lower case."""
    words: Counter[str] = Counter()
    for one in drafts:
        text = "\n".join([line.text for line in one.lines])
        if not text.isascii():
            words[SPACED] += len(BETWEEN_SCRIPTS.findall(text))
            words[UNSPACED] += len(NEXT_TO_EACH_OTHER.findall(text))
        words.update(WORDS.findall(text.lower()))
    return words


def joined(drafts: Sequence[Draft], spaced: bool) -> list[Draft]:
    """The drafts with split paragraphs joined; a joined one stands where it began and has the flag `continued`."""
    kept: list[Draft] = []
    for one in drafts:
        head = _head(kept, one)
        if head is not None and _belong(head, one, spaced):
            head.lines = [*head.lines, *one.lines]
            head.mark("continued")
        else:
            kept.append(one)
    return kept


def _head(kept: Sequence[Draft], one: Draft) -> Draft | None:
    """The paragraph that may go on in `one`: the last one before it, with nothing but floats between them."""
    if one.label != "text" or not one.lines or one.flags & APART:
        return None
    for before in reversed(kept[-MOST_BETWEEN:]):
        if before.label in BETWEEN or before.flags & APART:
            continue
        return before if before.label in ("text", "list_item") else None
    return None


def _belong(head: Draft, one: Draft, spaced: bool) -> bool:
    last, line = head.lines[-1], one.lines[0]
    if _defines(head) and _defines(one):
        return False
    same_place = last.page == line.page and last.column == line.column and x_overlap(last.box, line.box) > 0
    if same_place and not (line.box[1] - last.box[3] > 2 * line.size):
        return False
    if line.page - last.page > 1 or head.parent is not one.parent or last.bold != line.bold:
        return False
    if abs(last.size - line.size) > SIZES * line.size or FINISHED.search(last.text):
        return False
    if last.text.endswith(("-", "‐", SOFT_HYPHEN)):
        return True
    first = next((character for character in line.text if character.isalnum()), "")
    if spaced:
        return first.islower() or (last.text.endswith(",") and not same_place) or (first.isdigit() and not same_place)
    return is_cjk(first) and not same_place and is_cjk(last.text[-1:] + first)


def _defines(one: Draft) -> bool:
    """True if it starts with a bold word and goes on in another type, as a glossary's entries do."""
    first = one.lines[0]
    return any(span.start == 0 and span.style == "bold" for span in first.spans) and not first.bold


@dataclass(slots=True)
class Joined:
    """The text of a draft."""

    text: str
    spans: Sequence[Mark]
    starts: list[int]
    """Offset of each line's first character."""


def assemble(lines: Sequence[Line], breaks: str, words: Mapping[str, int], joint: str) -> Joined:
    """The lines as one text. `breaks`, if given, stands between lines as it is; else words are joined."""
    pieces: list[str] = []
    starts: list[int] = []
    marks: list[tuple[int, int, str]] = []
    length = 0
    for at, line in enumerate(lines):
        starts.append(length)
        after = lines[at + 1] if at + 1 < len(lines) else None
        text = line.text
        if after is None:
            piece = text.replace(SOFT_HYPHEN, "")
        elif breaks:
            piece = text.replace(SOFT_HYPHEN, "") + breaks
        else:
            piece = _with_joint(text, after.text, words, joint)
        if SOFT_HYPHEN in text[:-1]:
            marks.extend((length, length + len(piece.rstrip()), span.style) for span in line.spans if span.start == 0)
        else:
            limit = len(piece)
            marks.extend((length + s.start, length + min(s.end, limit), s.style) for s in line.spans if s.start < limit)
        pieces.append(piece)
        length += len(piece)
    text = "".join(pieces)
    return Joined(text, merged_spans(text, marks), starts)


def _with_joint(text: str, after: str, words: Mapping[str, int], joint: str) -> str:
    """The line, hyphen resolved, with what stands between it and the next one."""
    if text.endswith(SOFT_HYPHEN):
        return text.rstrip(SOFT_HYPHEN)
    hyphened = text.endswith(HYPHENS)
    if hyphened and (left := AT_END.search(text)) and (right := AT_START.match(after)):
        return text[:-1] if _is_one_word(left.group(1), right.group(0), words) else text
    if hyphened and len(text) > 1 and not text[-2].isspace() and after[:1].isalnum():
        return text
    if text.endswith(("/", "—")) and joint:
        return text
    if is_cjk(text[-1:]) != is_cjk(after[:1]) and (text[-1:] + after[:1]).isalnum():
        return f"{text} " if words.get(SPACED, 0) > words.get(UNSPACED, 0) else text
    if is_cjk(text[-1:]) or is_cjk(after[:1]) or _is_wide(text[-1:]) or _is_wide(after[:1]):
        return text if not joint or (is_cjk(text[-1:]) and is_cjk(after[:1])) else _mixed(text, after, joint)
    return f"{text} "


def _mixed(text: str, after: str, joint: str) -> str:
    return text if _is_wide(text[-1:]) or _is_wide(after[:1]) else text + joint


def _is_wide(character: str) -> bool:
    return character in "，。；：！？、（）《》“”‘’【】…—" and bool(character)


def _is_one_word(left: str, right: str, words: Mapping[str, int]) -> bool:
    whole, hyphened = f"{left}{right}".lower(), f"{left}-{right}".lower()
    return words.get(whole, 0) > 0 and words.get(whole, 0) >= words.get(hyphened, 0)
