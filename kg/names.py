"""Canonical keys of names: two spellings of one name have one key, two different names have two."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from kg.language import Language

_BRACKETS = re.compile(r"[\(\[{（［【〔][^()\[\]{}（）［］【】〔〕]*[\)\]}）］】〕]")
_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b|(?<=s)['’](?=\s|$)")
_TOKEN = re.compile(r"[^\W_]+(?:[+\u2212](?!\w))?")
_DASHES = str.maketrans({dash: "-" for dash in "‐‑‒–—―"} | {"－": "-"})


def outside_brackets(name: str) -> str:
    """The name without what stands in brackets; the whole name if nothing else is left."""
    bare = " ".join(_BRACKETS.sub(" ", name).split())
    return bare or name.strip()


def inside_brackets(name: str) -> list[str]:
    """What stands in brackets in the name."""
    return [group[1:-1].strip() for group in _BRACKETS.findall(name)]


def singular(word: str, language: Language) -> str:
    """The singular of a noun in lower case; the word itself where no rule of the language speaks."""
    if word in language.irregular:
        return language.irregular[word]
    if len(word) <= 3 or word in language.invariant:
        return word
    for pattern, replacement in language.plural:
        changed, hits = re.subn(pattern, replacement, word)
        if hits:
            return changed
    return word


@lru_cache(maxsize=200_000)
def key(name: str, language: Language) -> str:
    """The canonical key: NFKC, case, brackets, possessives, articles, punctuation and plural no longer count.

    Digits, signs of charge and negating prefixes are kept. Words are separated by one space.
    """
    text = unicodedata.normalize("NFKC", outside_brackets(name)).casefold().translate(_DASHES)
    tokens = _TOKEN.findall(_POSSESSIVE.sub("", text))
    while len(tokens) > 1 and tokens[0] in language.articles:
        tokens.pop(0)
    joiner = " " if language.spaces else ""
    return joiner.join(singular(token, language) for token in tokens) or text.strip()
