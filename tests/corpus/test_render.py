"""Rendering the sample books again gives the committed bytes, and mistakes in a source are named."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("reportlab", reason="the extra 'corpus' (reportlab) is not installed")

from corpus import fonts, render
from corpus.inline import Inline
from corpus.markup import MarkupError, read

HEAD = "---\ntitle: T\nsubtitle: S\nseries: R\nauthor: A\nlanguage: en\nsubject: U\nkeywords: k\n---\n"


def fonts_or_skip() -> None:
    """Skip where a font of the sample books is not installed, naming its package."""
    try:
        render.environment()
    except fonts.FontMissing as missing:
        pytest.skip(str(missing))


def test_rendering_gives_the_committed_bytes() -> None:
    fonts_or_skip()
    try:
        assert render.differences() == []
    except RuntimeError as other:
        pytest.skip(str(other))


def test_rendering_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    fonts_or_skip()
    source = tmp_path / "b.md"
    parts = ["# Contents", "[[contents]]", "[[body]]", "# Chapter 1 A", "A **cat** is an animal.", "[[index]]"]
    source.write_text(HEAD + "\n\n".join([*parts, "# Index", "[[entries]]"]), encoding="utf-8")
    pages = [render.render(source, tmp_path / name) for name in ("1.pdf", "2.pdf")]
    assert pages == [4, 4]
    assert (tmp_path / "1.pdf").read_bytes() == (tmp_path / "2.pdf").read_bytes()


def test_a_character_without_a_glyph_is_named(tmp_path: Path) -> None:
    fonts_or_skip()
    source = tmp_path / "b.md"
    source.write_text(HEAD + "# A\n\nA snowman \u2603.\n", encoding="utf-8")
    with pytest.raises(MarkupError, match="\u2603"):
        render.render(source, tmp_path / "b.pdf")


def test_a_missing_font_names_its_package() -> None:
    face = fonts.Face("X", ("nowhere/X.ttf",), "fonts-x")
    with pytest.raises(fonts.FontMissing, match="apt-get install fonts-x"):
        face.path()


def test_a_box_that_stays_open_is_named(tmp_path: Path) -> None:
    source = tmp_path / "b.md"
    source.write_text(HEAD + "::: note N\n\ntext\n", encoding="utf-8")
    with pytest.raises(MarkupError, match="not closed"):
        read(source)


def test_soft_hyphens_stay_inside_running_text() -> None:
    text = Inline(chinese=False, indexed=True, hyphens={"motion": "mo\u00adtion"})
    assert text.xml("motion is *motion* of motion here") == "motion is <i>motion</i> of mo\u00adtion here"


def test_a_chinese_line_sets_latin_letters_in_a_latin_face() -> None:
    text = Inline(chinese=True, indexed=False)
    assert text.xml("用*v*表示**速度**") == '用<i><font name="Serif-Italic">v</font></i>表示<b>速度</b>'
