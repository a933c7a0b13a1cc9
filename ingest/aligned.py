"""Tables without any rule: cells that keep to columns under (or over) a table's caption, and lists of named formulas.

In: the lines of a page that are in no ruled table. Out: tables, and the lines that are in none.
Lines side by side alone make no table: two columns of text look the same. A caption next to them does, and so does a
second column that holds nothing but formulas, each with words before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ingest.columns import gutters
from ingest.formulas import LONG_WORD, RELATIONS
from ingest.lines import Line
from ingest.page import PageContent, union
from ingest.rules import Rules
from ingest.tables import Table, columns_of, rows_of, table_of
from kg.text import fold, is_cjk

NEAR = 2.4
"""Heights of a line between two rows of a table at most …"""
FIRST = 3.2
"""… and between the caption and the first one."""
CAPTION_LINES = 3
MANY_CELLS = 0.6
"""At least this share of a table's rows have several cells."""
LONGEST = 32
"""Characters of a short cell at most; a Chinese one counts twice."""
SHORT = 0.6
"""At least this share of the cells is short: lines of text side by side are columns of text."""
SAME = 3.0
"""Points by which the cells of a column of formulas may start apart."""
Row = Sequence[Line]


def tables(page: PageContent, lines: Sequence[Line], rules: Rules) -> tuple[list[Table], list[Line]]:
    """The tables of a page and the lines outside of them."""
    captions = [line for line in lines if _titles_a_table(line, rules)]
    equations = sum(RELATIONS.search(line.text) is not None for line in lines)
    if not captions and equations < 2:
        return [], list(lines)
    found: list[Table] = []
    left = list(lines)
    bodies = [(rows, False) for rows in _captioned(left, captions, rules)]
    bodies += [(rows, True) for rows in _equations(left, rules)] if equations > 1 else []
    for rows, is_list in bodies:
        own = {id(line) for row in rows for line in row}
        if own <= {id(line) for line in left}:
            box = union([line.box for row in rows for line in row])
            edges = [box[0], min(row[1].box[0] for row in rows)] if is_list else []
            found.append(table_of(page.index, rows, box, rules.joint, edges=edges))
            left = [line for line in left if id(line) not in own]
    return found, left


def _titles_a_table(line: Line, rules: Rules) -> bool:
    match = rules.caption.match(line.text)
    return match is not None and not line.angle and fold(match.group("kind")) in rules.part.table_kinds


def _captioned(lines: Sequence[Line], captions: Sequence[Line], rules: Rules) -> Iterator[list[Row]]:
    """The rows below each caption, or above it where there are none below."""
    for caption in captions:
        beside = _same_column(lines, caption)
        below = rows_of([line for line in beside if line.box[1] >= caption.box[3] - 2])
        above = rows_of([line for line in beside if line.box[3] <= caption.box[1] + 2])[::-1]
        body = _body(caption, below, rules) or _body(caption, above, rules)[::-1]
        if body:
            yield body


def _same_column(lines: Sequence[Line], caption: Line) -> list[Line]:
    """Lines on the caption's side of every gutter that it does not cross."""
    low, high = -1e9, 1e9
    for strip in gutters(lines):
        if strip.top < caption.box[3] and caption.box[1] < strip.bottom:
            low = strip.high - 1 if caption.box[0] >= strip.low else low
            high = strip.low + 1 if caption.box[2] <= strip.high else high
    return [one for one in lines if one.angle == 0 and one is not caption and low <= one.box[0] and one.box[2] <= high]


def _body(caption: Line, rows: Sequence[Row], rules: Rules) -> list[Row]:
    """The rows that follow the caption closely and keep to columns; none if that is no table."""
    start = next((at for at, row in enumerate(rows[: CAPTION_LINES + 1]) if len(row) > 1), None)
    if start is None:
        return []
    body: list[Row] = []
    for at, row in enumerate(rows):
        last = rows[at - 1] if at else [caption]
        limit = (NEAR if body else FIRST) * max(row[0].height, 1.0)
        if _apart(last, row) > limit or (len(row) > 1 and _is_listed(row, rules)):
            break
        if at < start:
            continue
        if len(columns_of([line for one in [*body, row] for line in one])) < 2:
            break
        body.append(row)
    while body and len(body[-1]) == 1:
        body.pop()
    several = sum(len(row) > 1 for row in body)
    short = sum(_is_short(line.text) for row in body for line in row)
    cells = sum(len(row) for row in body)
    return body if several >= 2 and several >= MANY_CELLS * len(body) and short >= SHORT * cells else []


def _is_short(text: str) -> bool:
    return len(text) * (2 if is_cjk(text[:1]) else 1) <= LONGEST


def _apart(one: Row, two: Row) -> float:
    """Points between two rows, whichever is above."""
    first, second = union([line.box for line in one]), union([line.box for line in two])
    return max(second[1] - first[3], first[1] - second[3])


def _is_listed(row: Row, rules: Rules) -> bool:
    """True for options or list items side by side."""
    return all(rules.marker.match(line.text) for line in row)


def _equations(lines: Sequence[Line], rules: Rules) -> Iterator[list[Row]]:
    """Runs of rows with a name on the left and a formula on the right."""
    run: list[Row] = []
    for row in [*rows_of([line for line in lines if line.angle == 0]), []]:
        if row and _names_a_formula(row, rules) and (not run or _goes_on(run[-1], row)):
            run.append(row)
            continue
        if len(run) > 1:
            yield run
        run = [row] if row and _names_a_formula(row, rules) else []


def _names_a_formula(row: Row, rules: Rules) -> bool:
    if len(row) < 2 or row[0].frame != row[1].frame:
        return False
    name, formula = row[0], " ".join(line.text for line in row[1:])
    if RELATIONS.search(name.text) or not RELATIONS.search(formula) or rules.marker.match(name.text):
        return False
    words = sum(map(len, LONG_WORD.findall(formula)))
    named = sum(character.isalpha() for character in name.text) > 0.6 * len(name.text.replace(" ", ""))
    return named and words < 0.5 * len(formula) and row[1].box[0] - name.box[2] > 0.6 * name.size


def _goes_on(last: Row, row: Row) -> bool:
    level = all(abs(one.box[0] - two.box[0]) < SAME for one, two in zip(last[:2], row[:2], strict=True))
    return level and _apart(last, row) <= NEAR * row[0].height
