"""Contents pages: one entry a block, its dot leaders shortened, its page number kept.

In: the lines of one page in reading order. Out: `document_index` drafts and the lines that are no entries.
A page is a contents page if enough of its rows have leaders before a page number, or if it is titled so (or follows
such a page) and most of its rows end with page numbers that do not fall.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from ingest.drafts import Draft, draft
from ingest.lines import Line
from ingest.page import x_overlap, y_overlap
from ingest.rules import Rules

LEADERS = re.compile(r"\s*(?:(?:[.．·•‧∙⋅]\s*){4,}|(?:…\s*){2,}|_{4,})\s*")
ONLY_LEADERS = re.compile(r"[\s.．·•‧∙⋅…_]{4,}$")
PAGE = re.compile(r"(?:^|\s|…\s?)[(（]?(\d{1,4}|[ivxlcIVXLC]{1,7})[)）]?$")
NUMBER = re.compile(r"[(（]?(?:\d{1,4}|[ivxlcIVXLC]{1,7})[)）]?$")
LAST = tuple("0123456789ivxlcIVXLC)）")
LOOK_BACK = 4
"""Parts of a row may come this many rows later in the file."""
LEADER = " … "
LEAST = 3
SHARE = 0.5


def is_contents(lines: Sequence[Line], rules: Rules, after_contents: bool) -> bool:
    """True if these lines are a page of contents."""
    if sum(line.text.endswith(LAST) and PAGE.search(line.text) is not None for line in lines) < LEAST:
        return False
    rows = [_text(row) for row in _rows(lines)]
    led = sum(bool(LEADERS.search(row)) and bool(PAGE.search(row)) for row in rows)
    if led >= LEAST and led >= 0.3 * len(rows):
        return True
    titled = any(rules.is_contents_title(row) for row in rows[:4])
    numbers = [int(match.group(1)) for row in rows if (match := PAGE.search(row)) and match.group(1).isdigit()]
    if not (titled or after_contents) or len(numbers) < max(LEAST, SHARE * len(rows)):
        return False
    falls = sum(second < first for first, second in itertools.pairwise(numbers))
    return falls <= 0.1 * len(numbers)


def entries(lines: Sequence[Line], rules: Rules) -> list[Draft | Line]:
    """The page's rows in order: entries as drafts, all else (headings, text) as the lines they are."""
    found: list[Draft | Line] = []
    pending: list[Line] = []
    for row in _rows(lines):
        text = _text(row)
        if PAGE.search(text) and len(text) > 4:
            found.append(_entry([*pending, *row], rules))
            pending = []
            continue
        if pending:
            found += pending
            pending = []
        if _may_wrap(row, lines):
            pending = list(row)
        else:
            found += row
    return [*found, *pending]


def _rows(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines on one baseline of one column that are parts of an entry: number, title, leaders, page number."""
    rows: list[list[Line]] = []
    for line in lines:
        row = next((row for row in reversed(rows[-LOOK_BACK:]) if _same_row(row, line)), None)
        if row is None:
            rows.append([line])
        else:
            row.append(line)
            row.sort(key=lambda one: one.box[0])
    return rows


def _same_row(row: Sequence[Line], line: Line) -> bool:
    level = y_overlap(row[0].box, line.box) > 0.5 * min(row[0].height, line.height)
    if not level or row[0].column != line.column or any(x_overlap(one.box, line.box) > 2 for one in row):
        return False
    ordered = sorted([*row, line], key=lambda one: one.box[0])
    return any(_is_rest(one) for one in ordered[1:]) or _is_heading_number(ordered[0])


def _is_rest(line: Line) -> bool:
    return bool(NUMBER.match(line.text) or LEADERS.match(line.text) or ONLY_LEADERS.search(line.text))


def _is_heading_number(line: Line) -> bool:
    return len(line.text) <= 8 and line.text[:1].isdigit()


def _text(row: Sequence[Line]) -> str:
    return " ".join(line.text for line in row)


def _may_wrap(row: Sequence[Line], lines: Sequence[Line]) -> bool:
    """The first of two lines of a long entry: it reaches far to the right and has no number."""
    right = max(line.box[2] for line in lines)
    left = min(line.box[0] for line in lines)
    return not row[-1].bold and row[-1].box[2] - left > 0.6 * (right - left)


def _entry(row: list[Line], rules: Rules) -> Draft:
    one = draft("document_index", row)
    one.breaks = " "
    return one


def shortened(text: str) -> str:
    """An entry with its leaders shown as ` … ` before the page number, also where none are printed."""
    text = LEADERS.sub(LEADER, text).strip()
    match = PAGE.search(text)
    if match and LEADER.strip() not in text and match.start() > 0:
        text = f"{text[: match.start()]}{LEADER}{text[match.start() :].strip()}"
    return text
