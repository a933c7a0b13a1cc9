"""Signals that a page's text layer is not what is printed on it, besides those that need no language.

In: the lines of a page and the rules of the book's language. Out: the reason, or nothing.
A font whose codes are shifted or mapped wrongly gives text of normal length in which no word can be read: letters of
foreign scripts, words without vowels, or none of the language's frequent characters. Limits as measured on good and
broken pages; a page with little text is never judged.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from ingest.lines import Line
from ingest.rules import Rules

FOREIGN = 0.15
"""Share of letters in scripts that neither the language nor formulas use."""
LEAST_LETTERS = 200
VOWELS = 0.75
"""At least this share of the words of a readable page has a vowel …"""
FUNCTION_WORDS = 0.02
"""… or at least this share of them is function words."""
FREQUENT = 0.25
"""At least this share of a readable page's letters is frequent, in a language that lists its frequent letters."""
LEAST_FREQUENT = 100
KNOWN = r"[A-Za-zÀ-ɏͰ-Ͽἀ-῿ℂ-ℵ𝐀-𝟿]+"
"""Letters that a text in any language may hold: names, units, formulas."""
WORD = re.compile(r"[^\W\d_]{3,}")


def fault(lines: Sequence[Line], rules: Rules) -> str:
    """Why the text layer cannot be what is printed; empty if it can."""
    level = [line.text for line in lines if not line.angle]
    text = "\n".join(level)
    if not text.isascii():
        letters = sum(map(str.isalpha, text))
        odd = "".join([one for one in level if not one.isascii()])
        foreign = sum(map(str.isalpha, _pattern(f"{KNOWN}|{rules.language.script}").sub("", odd)))
        if letters >= LEAST_LETTERS and foreign > FOREIGN * letters:
            return "text layer in the wrong script"
    if rules.part.vowels and _is_shifted(text, rules):
        return "text layer with shifted letters"
    if rules.part.frequent and _is_rare(_pattern(rules.language.script).findall(text), rules.part.frequent):
        return "text layer with wrong characters"
    return ""


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _is_shifted(text: str, rules: Rules) -> bool:
    """Words of three letters and more of the language's script; shorter ones are units and formulas."""
    own = _pattern(f"{rules.language.script}+").fullmatch
    words = [word for word in WORD.findall(text) if own(word)]
    if sum(map(len, words)) < LEAST_LETTERS:
        return False
    spoken = _pattern(f"[{re.escape(rules.part.vowels)}]").search
    if len(list(filter(spoken, words))) >= VOWELS * len(words):
        return False
    known = frozenset(rules.language.stopwords)
    return sum(word.casefold() in known for word in words) < FUNCTION_WORDS * len(words)


def _is_rare(letters: Sequence[str], frequent: str) -> bool:
    common = frozenset(frequent)
    return len(letters) >= LEAST_FREQUENT and sum(letter in common for letter in letters) < FREQUENT * len(letters)
