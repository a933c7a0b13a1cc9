"""Sentences as character ranges, by the rules of a language pack."""

from __future__ import annotations

import re

from kg.language import Language

_PARAGRAPH = re.compile(r"\n\s*\n")


def sentences(text: str, language: Language) -> list[tuple[int, int]]:
    """Ranges `start <= i < end` of the sentences of `text`, in order, without white space at their ends.

    A blank line always ends a sentence. Nothing but white space lies between two ranges.
    """
    ends = re.compile(language.sentence_end)
    spans: list[tuple[int, int]] = []
    for begin, stop in _paragraphs(text):
        start = begin
        for hit in ends.finditer(text, begin, stop):
            if hit.end() > start and not _abbreviated(text, start, hit.start(), language):
                spans.append((start, hit.end()))
                start = hit.end()
        spans.append((start, stop))
    trimmed = [_trim(text, start, end) for start, end in spans]
    return [(start, end) for start, end in trimmed if start < end]


def sentence_at(text: str, offset: int, language: Language) -> tuple[int, int]:
    """Range of the sentence that holds the character at `offset`; only its paragraph is read."""
    begin = text.rfind("\n\n", 0, offset)
    begin = 0 if begin < 0 else begin + 2
    end = text.find("\n\n", offset)
    end = len(text) if end < 0 else end
    for start, stop in sentences(text[begin:end], language):
        if begin + stop > offset:
            return begin + start, begin + stop
    return _trim(text, begin, end)


def _paragraphs(text: str) -> list[tuple[int, int]]:
    cuts = [0]
    for gap in _PARAGRAPH.finditer(text):
        cuts += [gap.start(), gap.end()]
    cuts.append(len(text))
    return [(cuts[i], cuts[i + 1]) for i in range(0, len(cuts), 2)]


def _abbreviated(text: str, start: int, end: int, language: Language) -> bool:
    """True if the text before a possible sentence end closes with an abbreviation or a single initial."""
    tail = text[max(start, end - 12) : end].rsplit(None, 1)[-1:] or [""]
    word = tail[0].lstrip("([“\"'").casefold()
    return word in language.abbreviations or bool(re.fullmatch(r"[a-z]\.", word))


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
