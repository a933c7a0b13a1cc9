"""Tables without upright lines: rows of cells between horizontal rules, columns by the white space between them.

In: the rules of a page and its lines. Out: tables, and the lines that are in none.
Between two rules of one width there is a table if most rows hold several cells and the cells keep to columns;
paragraphs between rules (a box, a summary) have one cell a row.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

from ingest.lines import Line
from ingest.page import PageContent
from ingest.tables import Table, column_at, columns_of, rows_of, table_of
from kg.document import Box

SAME = 4.0
"""Rules whose ends differ by at most this many points belong to one table."""
LEAST_WIDTH = 60.0
TALLEST = 0.75
"""Rules further apart than this part of the page are no table's."""
MANY_CELLS = 0.6
"""At least this share of the rows have several cells."""
BANDS = 4
"""With so many rules each row may stand between two of them …"""
TALLEST_ROW = 6
"""… and then has at most this many lines."""


def tables(page: PageContent, lines: Sequence[Line], joint: str) -> tuple[list[Table], list[Line]]:
    """The tables of a page and the lines outside of them."""
    found: list[Table] = []
    left = [line for line in lines if line.angle == 0]
    for rules in _groups(page):
        for run in _tabular(rules, left):
            box = (run[0][0], run[0][1], run[0][2], run[-1][3])
            mine = [line for line in left if _holds(box, line.box)]
            table = _table(page.index, mine, run, joint)
            if table is not None:
                found.append(table)
                used = {id(line) for line in mine}
                left = [line for line in left if id(line) not in used]
    kept = {id(line) for line in left}
    return found, [line for line in lines if line.angle or id(line) in kept]


def _groups(page: PageContent) -> list[list[Box]]:
    """Horizontal rules of one width, one under the other; not the top and bottom lines of boxes."""
    upright = [box for box in page.rules if box[3] - box[1] > 8]
    flat = sorted((box for box in page.rules if box[3] - box[1] <= 3 and box[2] - box[0] >= LEAST_WIDTH), key=_top)
    groups: list[list[Box]] = []
    for rule in flat:
        if _is_edge(rule, upright):
            continue
        fitting = next((own for own in reversed(groups) if _fits(own, rule, page.height)), None)
        if fitting is None:
            groups.append([rule])
        elif rule[1] - fitting[-1][1] > 3:
            fitting.append(rule)
    return [own for own in groups if len(own) >= 2]


def _tabular(rules: Sequence[Box], lines: Sequence[Line]) -> list[list[Box]]:
    """Runs of rules between which rows have several cells; two rules alone need three such rows."""
    runs: list[list[Box]] = []
    open_ = False
    for upper, lower in itertools.pairwise(rules):
        box = (upper[0], upper[1], upper[2], lower[3])
        rows = rows_of([line for line in lines if _holds(box, line.box)])
        several = sum(len(row) > 1 for row in rows)
        if several < (1 if open_ else MANY_CELLS * max(len(rows), 1)):
            open_ = False
            continue
        if open_:
            runs[-1].append(lower)
        else:
            runs.append([upper, lower])
        open_ = True
    return runs


def _top(box: Box) -> tuple[float, float]:
    return (box[1], box[0])


def _fits(own: Sequence[Box], rule: Box, height: float) -> bool:
    same = abs(own[0][0] - rule[0]) < SAME and abs(own[0][2] - rule[2]) < SAME
    return same and rule[1] - own[-1][1] < 0.4 * height and rule[1] - own[0][1] < TALLEST * height


def _is_edge(rule: Box, upright: Sequence[Box]) -> bool:
    """True for the top or bottom line of a box: lines go up or down from its ends."""
    at_end = (box for box in upright if min(abs(box[0] - rule[0]), abs(box[2] - rule[2])) < SAME)
    return any(box[1] - 2 <= rule[1] <= box[3] + 2 for box in at_end)


def _holds(box: Box, inner: Box) -> bool:
    middle = (inner[1] + inner[3]) / 2
    return box[0] - SAME <= inner[0] and inner[2] <= box[2] + SAME and box[1] - 1 < middle < box[3] + 1


def _table(page: int, lines: Sequence[Line], rules: Sequence[Box], joint: str) -> Table | None:
    """The table between these rules; none if its rows have not several cells each."""
    rows = _banded(rows_of(lines), rules)
    several = sum(len(row) > 1 for row in rows)
    if len(rows) < 2 or several < max(2, MANY_CELLS * len(rows)) or (len(rules) == 2 and several < 3):
        return None
    if len(columns_of([line for row in rows for line in row])) < 2:
        return None
    return table_of(page, rows, (rules[0][0], rules[0][1], rules[0][2], rules[-1][3]), joint, rules)


def _banded(rows: list[list[Line]], rules: Sequence[Box]) -> list[list[Line]]:
    """The rows; where every row stands between rules of its own, a cell in the middle of a higher one is of its row."""
    if len(rules) < BANDS:
        return rows
    found: list[list[Line]] = []
    for upper, lower in itertools.pairwise(rules):
        band = [row for row in rows if upper[1] < (row[0].box[1] + row[0].box[3]) / 2 < lower[1]]
        lines = [line for row in band for line in row]
        edges = columns_of(lines)
        counts = Counter(column_at(edges, line) for line in lines)
        whole = len(edges) > 1 and min(counts.values()) == 1 and len(band) <= TALLEST_ROW
        found += [sorted(lines, key=lambda line: (line.box[0], line.box[1]))] if whole and len(band) > 1 else band
    return found
