"""Columns that begin anew under a heading are read band by band."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from ingest.bands import ordered
from ingest.page import Fragment, Run

Place = tuple[str, float, float, float]
"""Text, left edge, top, type size."""


def lines(*places: Place) -> list[Fragment]:
    found = []
    for text, left, top, size in places:
        box = (left, top, left + 200, top + 1.1 * size)
        found.append(Fragment([Run(text, box, size, "")], box))
    return found


def texts(fragments: Sequence[Fragment]) -> str:
    return " ".join(one.runs[0].text for one in fragments)


def column(name: str, left: float, top: float, count: int) -> list[Place]:
    return [(f"{name}{at}", left, top + 12 * at, 10.0) for at in range(count)]


def test_the_right_column_above_a_heading_is_read_before_it() -> None:
    left = [*column("a", 60, 100, 3), ("Heading", 60.0, 150.0, 13.0), *column("c", 60, 180, 3)]
    right = [*column("b", 300, 100, 3), *column("d", 300, 180, 3)]
    assert texts(ordered(lines(*left, *right), 10)) == "a0 a1 a2 b0 b1 b2 Heading c0 c1 c2 d0 d1 d2"


def test_a_heading_with_text_beside_it_belongs_to_its_column() -> None:
    left = [*column("a", 60, 100, 3), ("Heading", 60.0, 150.0, 13.0), *column("c", 60, 180, 3)]
    made = lines(*left, *column("b", 300, 100, 10))
    assert ordered(made, 10) == made


def test_a_heading_in_a_column_that_is_longer_than_the_next_stays_in_it() -> None:
    left = [*column("a", 60, 100, 3), ("Heading", 60.0, 150.0, 13.0), *column("c", 60, 180, 3)]
    made = lines(*left, *column("b", 300, 100, 3))
    assert ordered(made, 10) == made


def test_a_running_head_apart_from_the_text_comes_first_and_a_foot_last() -> None:
    made = lines(("7", 300, 700, 10), *column("a", 60, 100, 3), ("Head", 300, 40, 10), *column("b", 300, 100, 3))
    assert texts(ordered(made, 10)) == "Head a0 a1 a2 b0 b1 b2 7"


def test_last_lines_of_two_columns_on_one_row_stay_in_their_columns() -> None:
    made = lines(*column("a", 60, 100, 6), *column("b", 300, 100, 6))
    assert ordered(made, 10) == made


@given(st.lists(st.tuples(st.floats(0, 500), st.floats(0, 700), st.sampled_from([9.0, 10.0, 14.0])), max_size=30))
def test_no_line_is_lost_or_read_twice(places: list[tuple[float, float, float]]) -> None:
    made = lines(*((str(at), *place) for at, place in enumerate(places)))
    assert sorted(map(id, ordered(made, 10))) == sorted(map(id, made))
