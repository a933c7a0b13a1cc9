"""The language of a book, recognised from its text by the scripts and function words of the language packs.

In: text and packs. Out: a language code, and whether the text is likely to be in it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from kg.language import Language

LETTERS, SIGNS = 5.0, 1.6
"""Characters of a word in a script with spaces between words, and in one without."""
SAMPLE = 60_000
"""Characters looked at."""


def recognise(text: str, languages: Mapping[str, Language]) -> tuple[str, float]:
    """The code of the best pack and its share of function words; ties go to the first code in alphabetical order."""
    sample = text[:SAMPLE].casefold()
    words = {code: _words(sample, language) for code, language in languages.items()}
    best = ("", -1.0, 0.0)
    for code in sorted(languages):
        share = _function_words(sample, languages[code])
        score = words[code] * (0.1 + share)
        if score > best[1]:
            best = (code, score, share)
    return best[0], best[2]


def _words(sample: str, language: Language) -> float:
    """About how many words there are in the language's script: a Chinese book full of commands stays Chinese."""
    return len(re.findall(language.script, sample)) / (LETTERS if language.spaces else SIGNS)


def _function_words(sample: str, language: Language) -> float:
    """Share of words, or of letters where words are not spaced, that are function words."""
    if language.spaces:
        words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", sample)
        known = frozenset(language.stopwords)
        return sum(word in known for word in words) / max(1, len(words))
    letters = max(1, len(re.findall(language.script, sample)))
    hits = sum(sample.count(word) * len(word) for word in language.stopwords)
    return min(1.0, hits / letters)
