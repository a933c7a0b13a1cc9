"""Tables with ruled cells: the grid from the drawn lines, the text from the fragments inside its cells.

In: rules, areas and fragments of a page. Out: tables with rows of cell texts, and the fragments that were not used.
A fragment is never cut: one that reaches over a cell's edge belongs to the cell that holds its middle, except that runs
of it go to the cells they stand in. Numbers therefore stay as printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from ingest.lines import Line, lines
from ingest.page import Fragment, PageContent, inside, union, x_overlap, y_overlap
from ingest.rules import Rules
from ingest.text import raised_and_lowered
from kg.document import Box

SNAP = 3.0
"""Rules nearer to each other than this are one."""
LEAST = 14.0
"""A cell is at least this many points wide, and …"""
LEAST_HEIGHT = 8.0
"""… this many high."""
MOST_RULES = 3000
GAP = 4.0
"""Points of white space between two columns without a rule between them at least."""


@dataclass(slots=True)
class Table:
    """One ruled table."""

    page: int
    box: Box
    rows: list[list[str]]
    size: float

    @property
    def text(self) -> str:
        """A line a row, cells joined by ` | `."""
        return "\n".join(" | ".join(row) for row in self.rows)

    @property
    def html(self) -> str:
        """A plain HTML table."""
        body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in self.rows)
        return f"<table>{body}</table>"


def tables(page: PageContent, fragments: Sequence[Fragment], rules: Rules) -> tuple[list[Table], list[Fragment]]:
    """The ruled tables of a page from top to bottom, and the fragments outside of them."""
    strokes = _strokes(page)
    if not 4 <= len(strokes) <= MOST_RULES:
        return [], list(fragments)
    found: list[Table] = []
    left = list(fragments)
    for group in _groups(strokes):
        grid = _grid(group)
        if grid is None:
            continue
        xs, ys = grid
        box = (xs[0], ys[0], xs[-1], ys[-1])
        mine = [fragment for fragment in left if _middle_inside(fragment.box, box)]
        table = _fill(page.index, mine, xs, ys, rules)
        if table is not None:
            found.append(table)
            used = {id(fragment) for fragment in mine}
            left = [fragment for fragment in left if id(fragment) not in used]
    return sorted(found, key=lambda table: (table.box[1], table.box[0])), left


def _strokes(page: PageContent) -> list[Box]:
    """Rules, and the four edges of areas small enough to be cells."""
    strokes = list(page.rules)
    for area in page.areas:
        x0, y0, x1, y1 = area.box
        if y1 - y0 < 0.4 * page.height and (not area.filled or x1 - x0 < 0.5 * page.width):
            strokes += [(x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)]
    return strokes


def _groups(strokes: Sequence[Box]) -> list[list[Box]]:
    """Strokes that touch each other, directly or by others; from top to bottom."""
    groups: list[tuple[Box, list[Box]]] = []
    for stroke in sorted(strokes, key=lambda box: (box[1], box[0])):
        reach = (stroke[0] - SNAP, stroke[1] - SNAP, stroke[2] + SNAP, stroke[3] + SNAP)
        touching = [group for group in groups if _touch(group[0], reach)]
        merged = [stroke, *(other for group in touching for other in group[1])]
        groups = [group for group in groups if not _touch(group[0], reach)]
        groups.append((union(merged), merged))
    return [group for _, group in sorted(groups, key=lambda pair: (pair[0][1], pair[0][0]))]


def _touch(first: Box, second: Box) -> bool:
    return x_overlap(first, second) >= 0 and y_overlap(first, second) >= 0


def _grid(group: Sequence[Box]) -> tuple[list[float], list[float]] | None:
    """Column and row edges, at least three by three or two columns by two rows in all."""
    upright = [box for box in group if box[3] - box[1] > box[2] - box[0]]
    flat = [box for box in group if box[3] - box[1] <= box[2] - box[0]]
    if len(upright) < 2 or len(flat) < 2:
        return None
    xs = _snap([(box[0] + box[2]) / 2 for box in upright], LEAST)
    ys = _snap([(box[1] + box[3]) / 2 for box in flat], LEAST_HEIGHT)
    if len(xs) < 3 or len(ys) < 3:
        return None
    inner = sum(box[3] - box[1] for box in upright if xs[0] + SNAP < (box[0] + box[2]) / 2 < xs[-1] - SNAP)
    return (xs, ys) if inner >= 0.4 * (ys[-1] - ys[0]) else None


def _snap(values: Sequence[float], least: float) -> list[float]:
    snapped: list[float] = []
    for value in sorted(values):
        if not snapped or value - snapped[-1] >= least:
            snapped.append(value)
    return snapped


def _middle_inside(box: Box, outer: Box) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return outer[0] <= x <= outer[2] and outer[1] - 1 <= y <= outer[3] + 1


def _fill(page: int, fragments: Sequence[Fragment], xs: list[float], ys: list[float], rules: Rules) -> Table | None:
    cells: dict[tuple[int, int], list[Fragment]] = {}
    for fragment in fragments:
        for part in _split(fragment, xs):
            row = _slot(ys, (part.box[1] + part.box[3]) / 2)
            column = _slot(xs, (part.box[0] + part.box[2]) / 2)
            cells.setdefault((row, column), []).append(part)
    if not cells or len({column for _, column in cells}) < 2 or len({row for row, _ in cells}) < 2:
        return None
    rows = []
    for row in range(len(ys) - 1):
        texts = [_cell(page, cells.get((row, column), []), rules) for column in range(len(xs) - 1)]
        if any(texts):
            rows.append(texts)
    sizes = sorted(run.size for fragment in fragments for run in fragment.runs)
    return Table(page, (xs[0], ys[0], xs[-1], ys[-1]), rows, sizes[len(sizes) // 2])


def _split(fragment: Fragment, xs: Sequence[float]) -> list[Fragment]:
    """The fragment in pieces, where its runs stand in several columns."""
    slots: dict[int, list[int]] = {}
    for at, run in enumerate(fragment.runs):
        slots.setdefault(_slot(xs, (run.box[0] + run.box[2]) / 2), []).append(at)
    if len(slots) == 1:
        return [fragment]
    pieces = [[fragment.runs[at] for at in places] for places in slots.values()]
    return [Fragment(runs, union([run.box for run in runs]), fragment.angle) for runs in pieces]


def _slot(edges: Sequence[float], value: float) -> int:
    inner = sum(edge <= value for edge in edges) - 1
    return min(max(inner, 0), len(edges) - 2)


def _cell(page: int, fragments: Sequence[Fragment], rules: Rules) -> str:
    return rules.joint.join(cell_text(line) for line in lines(page, fragments, rules))


def covers(table: Table, box: Box) -> bool:
    """True if `box` lies in the table."""
    return inside(box, table.box)


def cell_text(line: Line) -> str:
    """The line as it stands in a cell: raised numbers as such, and no sign that stands between cells."""
    return raised_and_lowered(line.text, line.spans).replace("|", "¦")


def rows_of(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines in rows from top to bottom, each from left to right."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (line.box[1] + line.box[3], line.box[0])):
        last = rows[-1] if rows else None
        if last and y_overlap(union([one.box for one in last]), line.box) > 0.5 * min(line.height, last[0].height):
            last.append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.box[0]) for row in rows]


def columns_of(lines: Sequence[Line]) -> list[float]:
    """Left edges of the columns: where white space runs down through all rows."""
    spans = sorted((line.box[0], line.box[2]) for line in lines)
    edges, right = ([spans[0][0]], spans[0][1]) if spans else ([], 0.0)
    for start, end in spans[1:]:
        if start - right > GAP:
            edges.append(start)
        right = max(right, end)
    return edges


def column_at(edges: Sequence[float], line: Line) -> int:
    """Number of the column in which the line starts."""
    return max(number for number, edge in enumerate(edges) if edge <= line.box[0] + 1)


def table_of(
    page: int,
    rows: Sequence[Sequence[Line]],
    box: Box,
    joint: str,
    rules: Sequence[Box] = (),
    edges: Sequence[float] = (),
) -> Table:
    """The table of these rows, with these columns, or those that its white space shows.

    A row that only goes on with cells of the row above is one row with it.
    """
    edges = edges or columns_of([line for row in rows for line in row])
    texts: list[list[str]] = []
    bottom = 0.0
    for row in rows:
        cells = ["" for _ in edges]
        ends = [box[1] for _ in edges]
        for line in row:
            at = column_at(edges, line)
            between = joint if line.box[1] > ends[at] - 2 else " "
            cells[at] = _joined(cells[at], cell_text(line), between)
            ends[at] = line.box[3]
        if texts and _is_continuation(cells, bottom, min(line.box[1] for line in row), rules):
            texts[-1] = [_joined(above, cell, joint) for above, cell in zip(texts[-1], cells, strict=True)]
        else:
            texts.append(cells)
        bottom = max(line.box[3] for line in row)
    sizes = sorted(line.size for row in rows for line in row)
    return Table(page, box, texts, sizes[len(sizes) // 2])


def _is_continuation(cells: Sequence[str], above: float, top: float, rules: Sequence[Box]) -> bool:
    """True if the row only goes on with cells of the row above: some are empty, and no rule stands between."""
    between = any(above - 1 < rule[1] < top + 1 for rule in rules)
    return not between and not all(cells) and top - above < 6 and (len(rules) > 3 or not cells[0])


def _joined(above: str, cell: str, joint: str) -> str:
    return f"{above}{joint}{cell}" if above and cell else above or cell
