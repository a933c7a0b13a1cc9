"""Plots are well-formed, stay inside their frame, and hide nothing that is not text."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from evaluate.plot import LABEL, RIGHT, WIDTH, Dot, Line, dot_plot


def test_a_value_stands_where_the_axis_says() -> None:
    svg = dot_plot("EM", [Line("task", (Dot("m", 50, 40, 60),), Dot("floor", 25, 25, 25))])
    middle = LABEL + (WIDTH - LABEL - RIGHT) / 2
    assert f'cx="{middle}"' in svg
    assert "m: 50.0 (40.0 to 60.0)" in svg and "floor: 25.0" in svg


@given(st.lists(st.tuples(st.text("a<&\"'力", max_size=9), st.floats(-10, 110)), max_size=6))
def test_every_plot_is_well_formed_and_inside_its_frame(rows: list[tuple[str, float]]) -> None:
    svg = dot_plot("<&", [Line(name, (Dot(name, value, value, value),) * 2) for name, value in rows])
    ElementTree.fromstring(svg)
    assert all(LABEL - 1 <= float(x) <= WIDTH - RIGHT + 1 for x in re.findall(r'cx="([^"]+)"', svg))
