"""Tables without upright lines: rows of cells between horizontal rules, columns by the white space between them.

In: the rules of a page and its lines. Out: tables, and the lines that are in none.
Between two rules of one width there is a table if most rows hold several cells and the cells keep to columns;
paragraphs between rules (a box, a summary) have one cell a row.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from ingest.lines import Line
from ingest.page import PageContent, union, y_overlap
from ingest.tables import Table
from kg.document import Box

SAME = 4.0
"""Rules whose ends differ by at most this many points belong to one table."""
LEAST_WIDTH = 60.0
TALLEST = 0.75
"""Rules further apart than this part of the page are no table's."""
MANY_CELLS = 0.6
"""At least this share of the rows have several cells."""
GAP = 4.0
"""Points of white space between two columns at least."""


def tables(page: PageContent, lines: Sequence[Line], joint: str) -> tuple[list[Table], list[Line]]:
    """The tables of a page and the lines outside of them."""
    found: list[Table] = []
    left = [line for line in lines if line.angle == 0]
    for rules in _groups(page):
        for run in _tabular(rules, left):
            box = (run[0][0], run[0][1], run[0][2], run[-1][3])
            mine = [line for line in left if _holds(box, line.box)]
            table = _table(page.index, _rows(mine), run, joint)
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
        rows = _rows([line for line in lines if _holds(box, line.box)])
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


def _rows(lines: Sequence[Line]) -> list[list[Line]]:
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (line.box[1] + line.box[3], line.box[0])):
        last = rows[-1] if rows else None
        if last and y_overlap(union([one.box for one in last]), line.box) > 0.5 * min(line.height, last[0].height):
            last.append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.box[0]) for row in rows]


def _table(page: int, rows: Sequence[Sequence[Line]], rules: Sequence[Box], joint: str) -> Table | None:
    several = sum(len(row) > 1 for row in rows)
    if len(rows) < 2 or several < max(2, MANY_CELLS * len(rows)) or (len(rules) == 2 and several < 3):
        return None
    edges = _columns([line for row in rows for line in row])
    if len(edges) < 2:
        return None
    texts: list[list[str]] = []
    bottoms: list[float] = []
    for row in rows:
        cells = ["" for _ in edges]
        for line in row:
            at = max(number for number, edge in enumerate(edges) if edge <= line.box[0] + 1)
            cells[at] = f"{cells[at]} {line.text}".strip().replace("|", "¦")
        top, bottom = min(line.box[1] for line in row), max(line.box[3] for line in row)
        if texts and _is_continuation(cells, bottoms[-1], top, rules):
            texts[-1] = [_joined(above, cell, joint) for above, cell in zip(texts[-1], cells, strict=True)]
        else:
            texts.append(cells)
        bottoms.append(bottom)
    sizes = sorted(line.size for row in rows for line in row)
    box = (rules[0][0], rules[0][1], rules[0][2], rules[-1][3])
    return Table(page, box, texts, sizes[len(sizes) // 2])


def _columns(lines: Sequence[Line]) -> list[float]:
    """Left edges of the columns: where white space runs down through all rows."""
    spans = sorted((line.box[0], line.box[2]) for line in lines)
    edges, right = [spans[0][0]], spans[0][1]
    for start, end in spans[1:]:
        if start - right > GAP:
            edges.append(start)
        right = max(right, end)
    return edges


def _is_continuation(cells: Sequence[str], above: float, top: float, rules: Sequence[Box]) -> bool:
    """True if the row only goes on with cells of the row above: some are empty, and no rule stands between."""
    between = any(above - 1 < rule[1] < top + 1 for rule in rules)
    return not between and not all(cells) and top - above < 6 and (len(rules) > 3 or not cells[0])


def _joined(above: str, cell: str, joint: str) -> str:
    return f"{above}{joint}{cell}" if above and cell else above or cell
