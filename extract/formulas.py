"""Named formulas: lists of key equations, and displayed formulas that a sentence gives to a term.

In: key-equation sections and formula blocks. Out: `Formula`s with the term whose name they carry.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from extract.definitions import with_term
from extract.mentions import Mention
from extract.pack import compiled
from extract.terms import Terms
from extract.view import SectionView, tokens
from kg.document import Block
from kg.text import one_line

LONGEST = 120
TALL = 1.6
"""Heights of its letters from which a formula may hold a fraction."""
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
    """Without the printed number; nothing if it is long, or stands in several lines whose fractions may be lost."""
    bare = one_line(text).removesuffix(block.number or "").strip(" .,;。，；")
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
        for mention in terms.in_range(view, *sentence):
            if compiled(view.pack.formula_lead).search(with_term(view, sentence, mention.start, mention.end)):
                yield Formula(view, sentence[0], end, _clean(view.line(start, end), block), mention.key)
                break


def names_of(mentions: list[Mention]) -> list[str]:
    """Keys of mentions, each once, in order."""
    return list(dict.fromkeys(mention.key for mention in mentions))
