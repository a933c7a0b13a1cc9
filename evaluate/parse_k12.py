"""How the released K12-Bench evaluator reads replies: for comparing with published numbers, not for trusting.

In: the text of a reply and the item's options. Out: `Reading`. "The correct answer is B" reads as A, B and C here,
because every letter A to D of the first line counts (K12-Dataset, eval_multiselect).
"""

from __future__ import annotations

from collections.abc import Mapping

from evaluate.parse import Reading


def read_first_line(reply: str, options: Mapping[str, str]) -> Reading:
    """Every option letter among the characters of the first line after reasoning; of the whole text if it has none."""
    text = reply.upper().rpartition("</THINK>")[2].strip()
    first = text.splitlines()[0] if text else ""
    for piece in (first, text):
        letters = tuple(letter for letter in options if letter in piece)
        if letters:
            return Reading(letters, "list")
    return Reading((), "unclear" if text else "empty")
