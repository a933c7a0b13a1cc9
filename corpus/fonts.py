"""The typefaces of the sample books: found where Debian puts them, registered with reportlab.

In: a language tag. Out: registered families `Serif`, `Sans` (Liberation) and, for Chinese, `Kai`/`Hei`.
Licences that allow embedding are listed in corpus/README.md.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reportlab.lib import textsplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import paragraph

from corpus.inline import CJK

ROOT = Path("/usr/share/fonts/truetype")
CLOSING = "，。、；：？！）》”’"


class FontMissing(RuntimeError):
    """A typeface is not installed; the message names the Debian package that brings it."""


@dataclass(frozen=True)
class Face:
    """One font file under a name of our own; the first of `places` that exists is used."""

    name: str
    places: tuple[str, ...]
    package: str

    def path(self) -> Path:
        """Where the file lies. Raises FontMissing if it lies nowhere."""
        for place in self.places:
            if (ROOT / place).is_file():
                return ROOT / place
        raise FontMissing(
            f"font {Path(self.places[0]).name} is not installed: apt-get install {self.package}"
            f" (looked in {', '.join(str(ROOT / p) for p in self.places)})"
        )


def _liberation(name: str, file: str) -> Face:
    """A Liberation 2 face (SIL OFL 1.1); newer Debian keeps it under the old folder name."""
    return Face(name, (f"liberation2/{file}.ttf", f"liberation/{file}.ttf"), "fonts-liberation2")


LATIN = (
    _liberation("Serif", "LiberationSerif-Regular"),
    _liberation("Serif-Bold", "LiberationSerif-Bold"),
    _liberation("Serif-Italic", "LiberationSerif-Italic"),
    _liberation("Serif-BoldItalic", "LiberationSerif-BoldItalic"),
    _liberation("Sans", "LiberationSans-Regular"),
    _liberation("Sans-Bold", "LiberationSans-Bold"),
    _liberation("Sans-Italic", "LiberationSans-Italic"),
)
CHINESE = (
    Face("Kai", ("lxgw-wenkai/LXGWWenKai-Light.ttf",), "fonts-lxgw-wenkai"),
    Face("Hei", ("wqy/wqy-zenhei.ttc",), "fonts-wqy-zenhei"),
)


def faces(language: str) -> tuple[Face, ...]:
    """The faces a book in this language needs."""
    return LATIN + CHINESE if language.startswith("zh") else LATIN


def register(language: str) -> None:
    """Make the families usable by reportlab; doing it twice changes nothing.

    Raises FontMissing with the package to install.
    """
    for face in faces(language):
        pdfmetrics.registerFont(TTFont(face.name, str(face.path())))
    for family in ("Serif", "Sans"):
        slanted = f"{family}-BoldItalic" if family == "Serif" else f"{family}-Bold"
        pdfmetrics.registerFontFamily(
            family, normal=family, bold=f"{family}-Bold", italic=f"{family}-Italic", boldItalic=slanted
        )
    if language.startswith("zh"):
        # reportlab lets no line begin with Japanese punctuation, but knows only half of the Chinese marks.
        for module in (vars(paragraph), vars(textsplit)):
            module["ALL_CANNOT_START"] += "".join(c for c in CLOSING if c not in module["ALL_CANNOT_START"])
        pdfmetrics.registerFontFamily("Kai", normal="Kai", bold="Hei", italic="Kai", boldItalic="Hei")
        pdfmetrics.registerFontFamily("Hei", normal="Hei", bold="Hei", italic="Hei", boldItalic="Hei")


def unprintable(text: str, language: str) -> list[str]:
    """The characters of this text that no face of the book has a glyph for, in order of code point.

    Chinese characters must be in every Chinese face, all others in the four Latin serif faces.
    """
    chinese = {face.name for face in CHINESE} if language.startswith("zh") else set()
    latin = {face.name for face in LATIN if face.name.startswith("Serif")}
    return sorted(
        letter
        for letter in set(text) - {"\n"}
        if any(ord(letter) not in _glyphs(name) for name in (chinese if chinese and CJK.match(letter) else latin))
    )


def _glyphs(name: str) -> dict[int, int]:
    """Code points to glyph numbers of a registered face."""
    font: Any = pdfmetrics.getFont(name)
    return dict(font.face.charToGlyph)


def fingerprints(language: str) -> dict[str, str]:
    """sha256 of every font file used, by file name: another version of a font gives other bytes."""
    return {face.path().name: hashlib.sha256(face.path().read_bytes()).hexdigest() for face in faces(language)}
