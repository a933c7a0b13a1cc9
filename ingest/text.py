"""Characters as printed made into characters as meant: ligatures, odd spaces, doubled glyphs.

In: strings of a text layer. Out: cleaned strings, and how many characters no reader could read.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

SOFT_HYPHEN = "\u00ad"
_REPLACED: dict[int, str] = {
    0xFB00: "ff",
    0xFB01: "fi",
    0xFB02: "fl",
    0xFB03: "ffi",
    0xFB04: "ffl",
    0xFB05: "st",
    0xFB06: "st",
    0xFFFE: SOFT_HYPHEN,
    0xF0B7: "•",
    0xF0A7: "▪",
    0xF0D8: "➢",
    0xF0FC: "✓",
    **dict.fromkeys([0x00A0, 0x202F, 0x205F, 0x3000, *range(0x2000, 0x200B), *range(0x09, 0x0E)], " "),
    **dict.fromkeys([0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x200E, 0x200F], ""),
    **dict.fromkeys([*range(0x00, 0x09), *range(0x0E, 0x20), 0x7F], "\ufffd"),
    **{code: bytes([code]).decode("cp1252", "replace") for code in range(0x80, 0xA0)},
}
"""Ligatures are expanded, spaces made plain, invisible characters dropped, control characters marked as unreadable.
U+0080–U+009F are control characters that no text means: they are Windows quotation marks in the wrong table."""


_RAISED = dict(zip("0123456789+-\u2212\u2013", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻", strict=True))
_LOWERED = dict(zip("0123456789+-\u2212\u2013", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋", strict=True))


class Mark(NamedTuple):
    """Characters `start <= i < end` are set in this style; a `kg.document.Span` in the making."""

    start: int
    end: int
    style: str


def raised_and_lowered(text: str, spans: Sequence[Mark]) -> str:
    """The same text with superscript and subscript numbers as such: 10³ is not 103. Offsets stay."""
    for span in spans:
        table = {"superscript": _RAISED, "subscript": _LOWERED}.get(span.style)
        inside = text[span.start : span.end]
        if table is not None and all(character in table for character in inside):
            text = text[: span.start] + "".join(table[character] for character in inside) + text[span.end :]
    return text


def clean(text: str) -> str:
    """The same text in plain characters; offsets may move."""
    return text if text.isascii() and text.isprintable() else text.translate(_REPLACED)


def unreadable(text: str) -> int:
    """Number of characters without a known meaning: U+FFFD, private use, unassigned."""
    if text.isascii():
        return 0
    counts = Counter(text).items()
    return sum(count for character, count in counts if character > "\u036f" and _is_unreadable(character))


def _is_unreadable(character: str) -> bool:
    return character == "\ufffd" or unicodedata.category(character) in ("Co", "Cn")


def is_doubled(text: str) -> bool:
    """True if nearly every letter stands there twice (义义务务), as in a badly made bold face."""
    if len(text) < 8 or text[0] != text[1]:
        return False
    letters = [character for character in text if character.isalpha()]
    if len(letters) < 8 or len(text) % 2:
        pairs = sum(a == b for a, b in zip(letters[::2], letters[1::2], strict=False))
        return len(letters) >= 8 and pairs * 2 > 0.9 * len(letters)
    return all(a == b for a, b in zip(text[::2], text[1::2], strict=True))


def undouble(text: str) -> str:
    """Every second one of two equal neighbours dropped."""
    kept: list[str] = []
    pending = ""
    for character in text:
        if character == pending:
            pending = ""
            continue
        kept.append(character)
        pending = character
    return "".join(kept)
