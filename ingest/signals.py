"""Signals that a page's text layer is not what is printed on it, besides those that need no language.

In: the lines of a page and the rules of the book's language. Out: the reason, or nothing.
A font whose codes are shifted or mapped wrongly gives text of normal length in which no word can be read: letters of
foreign scripts, words without vowels, or none of the language's frequent characters. Limits as measured on good and
broken pages; a page with little text is never judged.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

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
KNOWN = re.compile(r"[A-Za-zÀ-ɏͰ-Ͽἀ-῿ℂ-ℵ𝐀-𝟿]")
"""Letters that a text in any language may hold: names, units, formulas."""
WORD = re.compile(r"[^\W\d_]{3,}")


def fault(lines: Sequence[Line], rules: Rules) -> str:
    """Why the text layer cannot be what is printed; empty if it can."""
    text = "".join(line.text for line in lines if not line.angle)
    letters = [character for character in text if character.isalpha()]
    own = re.compile(rules.language.script)
    if len(letters) >= LEAST_LETTERS:
        foreign = sum(not own.match(letter) and not KNOWN.match(letter) for letter in letters)
        if foreign > FOREIGN * len(letters):
            return "text layer in the wrong script"
    if rules.part.vowels and _is_shifted([line.text for line in lines], rules):
        return "text layer with shifted letters"
    if rules.part.frequent and _is_rare([letter for letter in letters if own.match(letter)], rules.part.frequent):
        return "text layer with wrong characters"
    return ""


def _is_shifted(texts: Sequence[str], rules: Rules) -> bool:
    own = re.compile(f"(?:{rules.language.script})+")
    words = [word.casefold() for text in texts for word in WORD.findall(text) if own.fullmatch(word)]
    if sum(len(word) for word in words) < LEAST_LETTERS:
        return False
    vowels = frozenset(rules.part.vowels)
    known = frozenset(rules.language.stopwords)
    spoken = sum(not vowels.isdisjoint(word) for word in words)
    return spoken < VOWELS * len(words) and sum(word in known for word in words) < FUNCTION_WORDS * len(words)


def _is_rare(letters: Sequence[str], frequent: str) -> bool:
    common = frozenset(frequent)
    return len(letters) >= LEAST_FREQUENT and sum(letter in common for letter in letters) < FREQUENT * len(letters)
