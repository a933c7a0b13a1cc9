from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ingest.columns import columns, gutters, reading_order
from ingest.lines import Line


def at(x0: float, y0: float, x1: float, text: str = "words") -> Line:
    return Line(0, text, (x0, y0, x1, y0 + 10), 10, "Times", False, False, False, y0 + 8)


def column(x0: float, x1: float, top: float, count: int) -> list[Line]:
    return [at(x0, top + 13 * number, x1 - number % 3, f"{x0:.0f}/{number}") for number in range(count)]


def test_a_gutter_is_found_between_columns_and_not_in_a_single_one() -> None:
    (gutter,) = gutters([at(50, 40, 450), *column(50, 240, 60, 12), *column(260, 450, 60, 12)])
    assert 238 <= gutter.low < gutter.high <= 260
    assert gutters(column(50, 450, 60, 20)) == []


def test_a_column_beside_short_lines_is_none() -> None:
    assert gutters([*column(50, 450, 60, 12), *[at(300, 230 + 13 * n, 330) for n in range(3)]]) == []


def test_lines_in_columns_are_numbered_and_headings_over_both_have_the_full_width() -> None:
    head = at(50, 70, 450)
    left, right = column(50, 240, 83, 10), column(260, 450, 83, 10)
    columns([head, *left, *right])
    assert head.column == 0
    assert {line.column for line in left}.isdisjoint({line.column for line in right})


def test_rows_of_cells_stand_beside_each_other_and_columns_on_one_grid_do_not() -> None:
    rows = [cell for number in range(6) for cell in (at(50, 60 + 13 * number, 200), at(260, 60 + 13 * number, 450))]
    columns(rows)
    assert all(line.beside for line in rows)
    flow = [*column(50, 240, 60, 12), *column(260, 450, 60, 12)]
    columns(flow)
    assert not any(line.beside for line in flow[:4])


def test_parts_written_in_any_order_are_read_from_above_and_left_column_first() -> None:
    head, left, right = at(50, 40, 450, "head"), column(50, 240, 60, 8), column(260, 450, 60, 8)
    assert reading_order([*left, *right, head]) == [head, *left, *right]
    assert reading_order([*right, *left, head])[0] is head


def test_content_order_is_kept_where_it_runs_down() -> None:
    lines = [*column(50, 240, 60, 8), *column(260, 450, 60, 8)]
    assert reading_order(lines) == lines


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 600), st.integers(5, 300)), max_size=40))
def test_no_line_is_lost_or_doubled_by_ordering(places: list[tuple[int, int, int]]) -> None:
    lines = [at(x, y, x + wide) for x, y, wide in places]
    columns(lines)
    assert sorted(map(id, reading_order(lines))) == sorted(map(id, lines))
