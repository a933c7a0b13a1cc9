"""What can be the name of an idea, and what is a label, an emphasis, a number or a symbol.

In: a text and the section it stands in. Out: yes or no.
"""

from __future__ import annotations

import re

from extract.pack import compiled
from extract.view import SectionView, name_tokens
from kg.document import Block
from kg.text import is_cjk

LONGEST_NAME = 60
"""Characters; longer text is no name."""
MOST_WORDS = 7
MOST_HAN = 14
_SYMBOL = re.compile(r"(?<=\w{2})\s+([^\W\d_\u2e80-\u9fff])\s*[=≡]?$")


def is_name(text: str, view: SectionView) -> bool:
    """True if the text can name an idea: letters, few words, no label, not only function words."""
    cjk = is_cjk(text)
    if not text or len(text) > (MOST_HAN if cjk else LONGEST_NAME) or text[0].isdigit():
        return False
    if not _has_letters(text, cjk) or re.search(r"[=≈<>+×÷√∑∆?!？！|]|[.。]\s", text):
        return False
    keys = name_tokens(text, view.language)
    if not cjk and (len(keys) > MOST_WORDS or all(key in view.language.stopwords or len(key) == 1 for key in keys)):
        return False
    return compiled(view.pack.not_a_term).fullmatch(text) is None


def _has_letters(text: str, cjk: bool) -> bool:
    """One Han character, three letters, or two capitals."""
    letters = [character for character in text if character.isalpha()]
    return len(letters) >= (1 if cjk else 2) and (cjk or len(letters) > 2 or text.isupper())


def without_symbol(block: Block, start: int, end: int, view: SectionView) -> int:
    """Where the name in characters `start <= i < end` ends, if its symbol follows in the same style (`torque τ`)."""
    hit = _SYMBOL.search(block.text, start, end)
    if hit is None or hit.end() < end:
        return end
    letter, bare = hit.group(1), block.text[start : hit.start()]
    styled = any(span.style != "bold" and span.start < end + 1 and span.end > hit.start(1) for span in block.spans)
    rare = 2 * view.text.count(block.text[start:end]) <= view.text.count(bare)
    return hit.start() if styled or rare or not letter.isascii() or letter.islower() or "=" in hit.group() else end
