"""Dot leaders are taken out of pictures, and put back into lines as what joins a title to its page number."""

from __future__ import annotations

import shutil

import numpy as np
import pymupdf
import pytest

from ingest.leaders import Leader, erased, put_back
from ingest.reader import Image
from ingest.recognised import Piece, Recognised, TextLine
from ingest.tesseract import Tesseract

DPI = 300.0


def picture(*texts: tuple[float, str]) -> Image:
    """Lines of text at these heights in points, as a scanner sees them."""
    with pymupdf.open() as file:
        page = file.new_page(width=300, height=160)
        for height, text in texts:
            page.insert_text((20, height), text, fontname="helv", fontsize=10)
        drawn = page.get_pixmap(dpi=int(DPI), colorspace=pymupdf.csGRAY)
        return Image(drawn.width, drawn.height, bytes(drawn.samples), DPI)


def ink(image: Image, left: float, right: float) -> int:
    """Dark pixels between two edges in points."""
    shades = np.frombuffer(image.pixels, np.uint8).reshape(image.height, image.width)
    return int((shades[:, round(left * DPI / 72) : round(right * DPI / 72)] < 128).sum())


def test_a_row_of_dots_is_taken_out_and_its_place_told() -> None:
    made = picture((50, "Motion" + " ." * 30 + " 12"))
    plain, (leader,) = erased(made)
    assert ink(plain, 60, 210) == 0 < ink(made, 60, 210)
    assert ink(plain, 0, 52) == ink(made, 0, 52) > 0 and ink(plain, 222, 300) == ink(made, 222, 300) > 0
    assert 52 < leader.left * 72 / DPI < 60 and 210 < leader.right * 72 / DPI < 222
    assert 48 < leader.height * 72 / DPI < 50


@pytest.mark.parametrize("text", ["i.e. initial, civil, e.g. inviting; 1.1.1", "wait ... and ... see", "a : b : c"])
def test_points_and_dots_of_letters_are_no_leaders(text: str) -> None:
    made = picture((50, text))
    assert erased(made) == (made, [])


def test_specks_at_odd_distances_are_no_leader() -> None:
    shades = np.full((600, 1250), 255, np.uint8)
    for x in (40, 47, 80, 89, 128, 140, 176, 183, 220):
        shades[300:304, x : x + 4] = 0
    image = Image(1250, 600, shades.tobytes(), DPI)
    assert erased(image) == (image, [])


def line(text: str, left: float, height: float = 100.0) -> TextLine:
    right = left + 20 * len(text)
    piece = Piece(text=text, left=left, right=right, confidence=0.9)
    return TextLine(pieces=(piece,), baseline=(0.0, height), size=40.0, box=(left, height - 30, right, height + 10))


def page(*lines: TextLine) -> Recognised:
    return Recognised(engine="reader 1.0", width=1000, height=800, dpi=DPI, lines=lines)


def words(found: Recognised) -> list[list[str]]:
    return [[piece.text for piece in line.pieces] for line in found.lines]


def test_a_title_and_its_page_number_found_far_apart_become_one_line() -> None:
    found = page(line("Motion", 50), line("Force", 50, 160), line("12", 900), line("15", 900, 160))
    made = put_back(found, [Leader(200, 880, 95), Leader(180, 880, 155)])
    assert words(made) == [["Motion", "....", "12"], ["Force", "....", "15"]]
    assert made.lines[0].box == (50, 70, 940, 110)


def test_a_leader_that_follows_no_words_is_left_out() -> None:
    found = page(line("12", 900), line("Force", 50, 400))
    assert put_back(found, [Leader(200, 880, 95)]) == found


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="the program tesseract is not installed")
def test_a_printed_contents_page_is_read_with_its_leaders() -> None:
    rows = (("Introduction", "1"), ("Speed and Velocity", "58"), ("Newton and Motion", "131"))
    made = picture(*((40 + 30 * at, f"{title}{' .' * 25} {page}") for at, (title, page) in enumerate(rows)))
    plain, leaders = erased(made)
    found = words(put_back(Tesseract().read(plain, "eng"), leaders))
    assert [" ".join(one) for one in found] == [f"{title} .... {page}" for title, page in rows]
