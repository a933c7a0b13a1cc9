"""Named formulas: lists of key equations, and displayed formulas that a sentence gives to a term.

In: key-equation sections and formula blocks. Out: `Formula`s with the term whose name they carry.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from extract.mentions import Mention
from extract.pack import OTHER, TERM, compiled
from extract.terms import Terms
from extract.view import SectionView, tokens
from kg.document import Block
from kg.text import one_line

LONGEST = 120
TALL = 1.6
"""Heights of its letters from which a formula may hold a fraction."""
_LOST = re.compile(r"√[^\s(（]+\s*[/−–+-]|(?<!sin)(?<!cos)(?<!tan)(?<!log)(?<!ln)(?<=[^\W\d_])\d")
"""A root without brackets whose end cannot be told; a figure behind a letter that was a power or an index."""
_NUMBERED = re.compile(r"(?<![=≈+−×·/*<>-])\s+[(（]?\d{1,2}[.\-–]\d{1,3}[)）]?\s*$")
"""The printed number of the formula."""
_WORKED = re.compile(r"\(\s*\d[\d.,]*\s*[^\W\d_]|\d\.\d|=\s*\d[\d.,]*\s*[^\W\d_]+\s*$")
"""Quantities with their units."""
_SUM = re.compile(r"[^\s(]\s*[+−–-]\s*\S")
"""A sum left of the equals sign."""
FRACTIONS = "/÷½¼¾⁄"


@dataclass(frozen=True)
class Formula:
    """A formula under a name."""

    view: SectionView
    start: int
    end: int
    """Characters of name and formula."""
    text: str
    term: str
    """Key of its term; empty if the name is no term's."""


def formulas(terms: Terms) -> list[Formula]:
    """The book's named formulas: listed ones first, then those of the running text."""
    listed = [formula for view in terms.book.sections for formula in _listed(view, terms)]
    spoken = [formula for view in terms.book.sections if view.teaches for formula in _displayed(view, terms)]
    return listed + spoken


def _listed(view: SectionView, terms: Terms) -> Iterator[Formula]:
    """Rows of a key-equation list: name and formula in a row, or one after the other."""
    pending: tuple[int, int] | None = None
    for i, block in enumerate(view.blocks):
        if view.row.kind != "key_equations" and "key_equations" not in view.outline.roles(i):
            continue
        if block.label in {"section_header", "title", "picture", "caption"}:
            pending = None
            continue
        at = view.section.starts[i]
        for line in block.text.split("\n"):
            start, end = at, at + len(line)
            at = end + 1
            if "=" not in line:
                pending = (start, end)
                continue
            cut = _name_end(line)
            if cut:
                yield _formula(view, (start, start + cut), (start + cut, end), terms)
            elif pending:
                yield _formula(view, pending, (start, end), terms)
            pending = None


def _name_end(line: str) -> int:
    """Where the name ends in `name | formula` or `name: formula`; 0 if the line has no name."""
    for separator in (" | ", ": ", "："):
        at = line.find(separator)
        if 0 < at < line.find("="):
            return at + len(separator)
    return 0


def _formula(view: SectionView, name: tuple[int, int], text: tuple[int, int], terms: Terms) -> Formula:
    block = view.blocks[view.section.block_at(text[0])]
    return Formula(view, name[0], text[1], _clean(view.line(*text), block), _named(view, name, terms))


def _named(view: SectionView, name: tuple[int, int], terms: Terms) -> str:
    """Key of the term that the name is, but for words like `equation` or `formula`."""
    mentions = terms.in_range(view, *name)
    if len(mentions) != 1:
        return ""
    left = view.text[name[0] : mentions[0].start] + " " + view.text[mentions[0].end : name[1]]
    words = [token.key for token in tokens(compiled(view.pack.formula_words).sub(" ", left), view.language)]
    return mentions[0].key if all(word in view.language.stopwords for word in words) else ""


def _clean(text: str, block: Block) -> str:
    """Without the printed number; nothing if it is long, is a calculation or a law of sums rather than a definition,

    or may have lost a fraction's bar, a root's end or a power.
    """
    bare = _NUMBERED.sub("", one_line(text).removesuffix(block.number or "")).strip(" .,;。，；")
    if _LOST.search(bare) or _WORKED.search(bare) or _SUM.search(bare.split("=", 1)[0]):
        return ""
    box = block.prov[0].bbox
    tall = block.label == "formula" and box[3] - box[1] > TALL * (block.font_size or box[3] - box[1])
    return bare if len(bare) <= LONGEST and (not tall or any(sign in bare for sign in FRACTIONS)) else ""


def _displayed(view: SectionView, terms: Terms) -> Iterator[Formula]:
    """A displayed formula right behind a sentence that announces it for one term."""
    for i, block in enumerate(view.blocks[1:], start=1):
        if block.label != "formula" or "=" not in block.text or not view.prose[i - 1]:
            continue
        start, end = view.span(i)
        sentence = view.sentence(max(0, view.span(i - 1)[1] - 1))
        mention = _announced(view, sentence, terms)
        if mention is not None:
            text = _clean(view.line(start, end), block)
            yield Formula(view, sentence[0], end, "" if _of_another(text, mention, terms) else text, mention.key)


def _announced(view: SectionView, sentence: tuple[int, int], terms: Terms) -> Mention | None:
    """The term whose formula the sentence announces; none if another term could be meant as well."""
    mentions = terms.in_range(view, *sentence)
    for mention in mentions:
        line = view.text[sentence[0] : sentence[1]]
        for other in reversed(mentions):
            sign = TERM if other is mention else OTHER if other.key != mention.key else ""
            if sign:
                line = line[: other.start - sentence[0]] + sign + line[other.end - sentence[0] :]
        hit = compiled(view.pack.formula_lead).search(" ".join(line.split()))
        if hit and _whole_name(view, mention) and _alone(hit.group(), view):
            return mention
    return None


def _alone(lead: str, view: SectionView) -> bool:
    """True if other terms stand between term and formula only as circumstances, and not as what it is the size of."""
    governed = compiled(view.pack.governed)
    others = [at for at, character in enumerate(lead) if character == OTHER]
    first = re.match(f".*?{TERM}\\s+of\\s+(?:\\w+\\s+){{0,2}}{OTHER}", lead)
    return first is None and all(governed.search(lead[:at].replace(TERM, "")) for at in others)


def _whole_name(view: SectionView, mention: Mention) -> bool:
    """False where the term is a part of a longer name (`angular` speed) or only a circumstance (of a `wave`)."""
    if not view.language.spaces:
        return True
    start, end = view.sentence(mention.start)
    if compiled(view.pack.governed).search(view.text[start : mention.start]):
        return False
    before = tokens(view.text[start : mention.start], view.language)[-1:]
    after = tokens(view.text[mention.end : end], view.language)[:1]
    return all(token.key in view.language.stopwords or len(token.key) == 1 for token in [*before, *after])


def _of_another(text: str, mention: Mention, terms: Terms) -> bool:
    """True if a known name other than the term's stands left of the equals sign."""
    left = text.split("=", 1)[0]
    named = terms.names.find(tokens(left, terms.book.language), left)
    return any(other.key != mention.key for other in named)
