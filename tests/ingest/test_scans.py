"""Recognised text becomes a page like any other, straight, in points, and says how sure it is."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.page import PageContent
from ingest.recognised import Piece, Recognised, TextLine
from ingest.scans import Seen, content, marked, marked_pages, text_of
from kg.document import Block, Page, Prov

DPI, WIDE, HIGH = 144.0, 1000, 1400


def line(text: str, x: float, y: float, size: float = 20.0, slope: float = 0.0, sure: float = 0.9) -> TextLine:
    """A line of words of 10 pixels a letter whose baseline starts at (x, y)."""
    pieces, at = [], x
    for word in text.split(" "):
        pieces.append(Piece(text=word, left=at, right=at + 10 * len(word), confidence=sure))
        at += 10 * len(word) + 6
    end = pieces[-1].right
    foot = y + slope * (end - x)
    box = (x, min(y, foot) - size, end, max(y, foot) + 5)
    return TextLine(pieces=tuple(pieces), baseline=(slope, y - slope * x), size=size, box=box)


def page(*lines: TextLine) -> Recognised:
    return Recognised(engine="reader 1.0", width=WIDE, height=HIGH, dpi=DPI, lines=lines)


def old(**known: object) -> PageContent:
    return PageContent(3, 500.0, 700.0, **{"display_size": (500.0, 700.0), **known})  # type: ignore[arg-type]


def test_pixels_become_points_and_words_a_line() -> None:
    made, seen = content(page(line("a good day", 100, 200)), old(), "no text layer")
    (fragment,) = made.fragments
    (run,) = fragment.runs
    assert run.text == "a good day" and run.size == 10.0 and run.baseline == 100.0
    assert fragment.box == (50.0, 91.5, 96.0, 102.5) and made.index == 3
    assert seen.engine == "reader 1.0" and seen.reason == "no text layer" and seen.places[0][1:] == (0.9, 10)


@given(st.floats(-0.05, 0.05))
def test_a_turned_page_is_read_straight(slope: float) -> None:
    lines = [line("words " * 12 + "end", 100, 200 + 40 * at, slope=slope) for at in range(8)]
    made, _ = content(page(*lines), old(), "")
    bases = [fragment.runs[0].baseline for fragment in made.fragments]
    lefts = [fragment.box[0] for fragment in made.fragments]
    steps = [b - a for a, b in itertools.pairwise(bases)]
    assert max(steps) - min(steps) < 0.01 and steps[0] == pytest.approx(20 * math.cos(math.atan(slope)), abs=0.01)
    assert max(lefts) - min(lefts) < 20 * abs(slope) * 8 + 0.01


def test_small_differences_of_size_are_no_headings_and_large_ones_are() -> None:
    sizes = [20, 21, 18.5, 24, 20, 34]
    lines = [line("some words in a line", 100, 100 + 50 * at, size=size) for at, size in enumerate(sizes)]
    made, _ = content(page(*lines), old(), "")
    assert [fragment.runs[0].size for fragment in made.fragments][:5] == [10.0] * 5
    assert made.fragments[5].runs[0].size > 15


def test_wide_white_parts_two_columns_and_han_characters_stand_without_spaces() -> None:
    row = line("left", 100, 200)
    far = Piece(text="right", left=400, right=450, confidence=0.5)
    made, seen = content(page(row.model_copy(update={"pieces": (*row.pieces, far)})), old(), "")
    assert [fragment.runs[0].text for fragment in made.fragments] == ["left", "right"]
    assert [sure for _, sure, _ in seen.places] == [0.9, 0.5]
    made, _ = content(page(line("位 移 x 轴", 100, 200)), old(), "")
    assert made.fragments[0].runs[0].text == "位移 x 轴"


def test_the_scan_itself_is_no_picture_of_the_page() -> None:
    small = (50.0, 50.0, 150.0, 150.0)
    made, _ = content(page(), old(pictures=[(0.0, 0.0, 500.0, 700.0), small]), "")
    assert made.pictures == [small] and made.fragments == []


def test_blocks_and_pages_that_were_recognised_say_so() -> None:
    def block(page: int, box: tuple[float, float, float, float]) -> Block:
        return Block(id=f"b{page}", label="text", text="words", prov=(Prov(page=page, bbox=box, start=0, end=5),))

    seen = {1: Seen("reader 1.0", "no text layer", (((0, 0, 10, 10), 0.5, 10), ((0, 90, 10, 100), 0.9, 10)))}
    plain, sure, empty = marked([block(0, (0, 0, 9, 9)), block(1, (0, 0, 20, 20)), block(1, (50, 50, 60, 60))], seen)
    assert plain.source is None
    assert sure.source is not None and (sure.source.route, sure.source.confidence) == ("ocr", 0.5)
    assert empty.source is not None and empty.source.confidence is None
    pages = marked_pages([Page(index=at, width=1, height=1) for at in (0, 1)], seen)
    assert [(one.route, one.reason) for one in pages] == [("text", ""), ("ocr", "no text layer")]


def test_the_words_of_a_page_are_told_for_its_language() -> None:
    assert text_of(page(line("one two", 0, 20), line("three", 0, 60))) == "one two three"


def test_a_triangle_before_a_small_letter_is_a_delta() -> None:
    made, _ = content(page(line("v=△x/∆t in △ABC", 100, 200)), old(), "")
    assert made.fragments[0].runs[0].text == "v=Δx/Δt in △ABC"


def test_lines_of_a_picture_that_was_turned_lie_where_they_are_on_the_page() -> None:
    read = page(line("a good day", 100, 200))
    made, seen = content(read.model_copy(update={"turned": 180}), old(), "")
    assert (made.width, made.height) == (500.0, 700.0) and made.fragments[0].box == (50.0, 91.5, 96.0, 102.5)
    assert seen.places[0][0] == (404.0, 597.5, 450.0, 608.5)
    read = page(line("a good day", 100, 200)).model_copy(update={"turned": 90})
    made, seen = content(read, old(display_size=(700.0, 500.0)), "")
    assert (made.width, made.height) == (500.0, 700.0)
    assert seen.places[0][0] == (91.5, 404.0, 102.5, 450.0)
