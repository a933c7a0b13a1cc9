"""Comparing texts as readers do: without case, width, spacing, punctuation and plural endings."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"\w+", re.UNICODE)
_SPACES = re.compile(r"\s+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


def one_line(text: str) -> str:
    """White space runs become one space; none at the ends."""
    return _SPACES.sub(" ", text).strip()


def is_cjk(text: str) -> bool:
    """True if any character is a Han ideograph or a kana."""
    return bool(_CJK.search(text))


def fold(text: str) -> str:
    """NFKC and case folding: full width, ligatures and case no longer tell texts apart."""
    return unicodedata.normalize("NFKC", text).casefold()


def words(text: str) -> list[str]:
    """Runs of letters and digits after folding; a run of Han characters counts as one word."""
    return _WORD.findall(fold(text))


def squash(text: str) -> str:
    """Letters and digits only, folded: what a quote keeps whatever happened to its spacing."""
    return "".join(_WORD.findall(fold(text))).replace("_", "")


def squash_map(text: str) -> tuple[str, list[int]]:
    """`squash(text)` and, for each of its characters, the offset in `text` it came from."""
    characters: list[str] = []
    offsets: list[int] = []
    for offset, character in enumerate(text):
        for folded in fold(character):
            if folded.isalnum():
                characters.append(folded)
                offsets.append(offset)
    return "".join(characters), offsets
