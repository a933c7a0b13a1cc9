"""The fields of a term: definition, importance, aliases, unit, formula, examples, each in the book's own words.

In: `Terms`, headings and objectives, named formulas. Out: node claims of the role `term`.
Importance: 3 if a list or bold marks the term and a heading or learning objective names it, 2 if it is listed or bold,
else 1 (place in the schema's ascending list of values).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from extract.claims import Desk, End
from extract.definitions import Definition, definition_at, rank, whole, with_term
from extract.formulas import Formula
from extract.mentions import Mention
from extract.naming import is_name
from extract.pack import compiled
from extract.terms import Term, Terms
from extract.view import SectionView, name_tokens
from kg.graph import Provenance
from kg.names import key, outside_brackets, singular
from kg.text import one_line

UNDEFINED = 99
"""Rank of a sentence that only mentions its term: no edge is read from it."""
MOST_EXAMPLES = 5
MOST_LOOKED_AT = 60
"""Mentions of one term that are tried for a definition, the home section's first."""
LEAST_USES = 3
"""Of a word, before they say that it only describes others."""
LONGEST_FIELD = 60
"""Characters of an alias, unit or example."""


@dataclass(frozen=True)
class Described:
    """A term with the text that defines it."""

    term: Term
    definition: Definition
    rule: str


def describe(terms: Terms) -> dict[str, Described]:
    """Every term with its best definition; terms that no sentence names are left out."""
    found = {}
    for at, term in terms.by_key.items():
        described = _describe(term, terms)
        if described is not None:
            found[at] = described
    return found


def _describe(term: Term, terms: Terms) -> Described | None:
    for entry in term.listed:
        if entry.definition:
            return Described(term, Definition(entry.view, *entry.definition, rank=-1), "listed_definition")
    rule = "listed" if term.listed else "bold" if term.marked else "introduced"
    best = min(_defining(term, terms), key=lambda pair: pair[0], default=None)
    if best is not None:
        return Described(term, best[1], rule)
    if not term.listed and _only_describes(term, terms):
        return None
    marks = sorted([*term.marked, *term.cued], key=lambda mark: (not mark.view.teaches, mark.view.index, mark.start))
    for view, start in [(mark.view, mark.start) for mark in marks] + [
        (terms.book.sections[index], mention.start) for index, mention in _ordered(term, terms)
    ]:
        if view.prose[view.section.block_at(start)]:
            return Described(term, Definition(view, *whole(view, view.sentence(start)), rank=UNDEFINED), rule)
    return None


def _only_describes(term: Term, terms: Terms) -> bool:
    """True for a single word that always stands right before another one (`graphical`): it names nothing itself."""
    language = terms.book.language
    words = name_tokens(term.name, language)
    if len(words) != 1 or not language.spaces:
        return False
    uses = [
        after.key not in language.stopwords and view.text[here.end : after.start] == " "
        for view in terms.book.sections
        if view.teaches
        for here, after in pairwise([*view.tokens, *view.tokens[-1:]])
        if here.key == words[0]
    ]
    return len(uses) >= LEAST_USES and all(uses)


def _ordered(term: Term, terms: Terms) -> list[tuple[int, Mention]]:
    """Its mentions in teaching sections, those of the home section first."""
    home = term.home.index if term.home else -1
    places = [pair for pair in terms.places.get(term.key, []) if terms.book.sections[pair[0]].teaches]
    return sorted(places, key=lambda pair: (pair[0] != home, pair[0], pair[1].start))


def _summed_up(term: Term, terms: Terms) -> list[tuple[int, Mention]]:
    """Its mentions in summaries, which say in one sentence what the sections say at length."""
    places = terms.places.get(term.key, [])
    return [pair for pair in places if terms.book.sections[pair[0]].row.kind == "summary"][:MOST_LOOKED_AT]


def _defining(term: Term, terms: Terms) -> Iterator[tuple[tuple[int, bool, bool, int, int], Definition]]:
    """Definitions in running text with their sort key: pattern, home section, marked, place."""
    marked = {(mark.view.index, mark.start) for mark in [*term.marked, *term.cued]}
    for index, mention in [*_ordered(term, terms)[:MOST_LOOKED_AT], *_summed_up(term, terms)]:
        view = terms.book.sections[index]
        if not view.prose[view.section.block_at(mention.start)]:
            continue
        found = definition_at(view, mention.start, mention.end)
        if found is None:
            continue
        is_marked = (index, mention.start) in marked
        yield (found.rank - 2 * is_marked, view is not term.home, not is_marked, index, mention.start), found


def claim_terms(
    terms: Terms, described: Mapping[str, Described], formulas: list[Formula], desk: Desk
) -> dict[str, list[str]]:
    """One node claim for every described term. Returns the second names of each."""
    second: dict[str, list[str]] = {}
    prominent = _prominent(terms)
    units = {at for at, item in described.items() if is_unit(item)}
    by_term = {formula.term: formula for formula in reversed(formulas) if formula.term and formula.text}
    taken = set(terms.by_key)
    for at, item in sorted(described.items()):
        term = item.term
        looked_at = list(_sentences(term, terms, item))
        formula = by_term.get(at)
        second[at] = _aliases(item, looked_at, taken)
        properties = {
            "definition": item.definition.text,
            "importance": _importance(term, at in prominent, desk),
            "examples": _all(looked_at, "examples", "example")[:MOST_EXAMPLES],
            "aliases": second[at],
            "unit": "" if at in units else _unit(looked_at, units),
            "formula": formula.text if formula else "",
        }
        home = term.home or item.definition.view
        desk.node(End("term", term.name), properties, _evidence(item, formula), home.row.id, item.rule)
    return second


def _evidence(item: Described, formula: Formula | None) -> list[Provenance]:
    """Definition, first mark, formula; each once."""
    term, definition = item.term, item.definition
    start = definition.start
    entry = next((entry for entry in term.listed if entry.definition and entry.definition[0] == start), None)
    quotes = [definition.view.quote(entry.start if entry else start, definition.end)]
    for mark in term.marked[:1]:
        quotes.append(mark.view.quote(*mark.view.sentence(mark.start)))
    if formula:
        quotes.append(formula.view.quote(formula.start, formula.end))
    return list(dict.fromkeys(quotes))


def _importance(term: Term, prominent: bool, desk: Desk) -> str:
    values = desk.schema.nodes[desk.schema.node_type("term")].fields["importance"].values
    marked = bool(term.listed or term.marked)
    return str(values[min(len(values) - 1, marked + (marked and prominent))])


def _prominent(terms: Terms) -> set[str]:
    """Terms that a heading or a learning objective names."""
    found: set[str] = set()
    for view in terms.book.sections:
        if not view.teaches:
            continue
        for mention in terms.mentions[view.index]:
            i = view.section.block_at(mention.start)
            is_heading = view.blocks[i].label in {"section_header", "title"} and not view.outline.roles(i)
            if is_heading or "objectives" in view.outline.roles(i):
                found.add(mention.key)
    return found


def _sentences(term: Term, terms: Terms, item: Described) -> Iterator[tuple[SectionView, str]]:
    """Sentences about the term with a placeholder for it: its definition, then those of the home section."""
    view, definition = item.definition.view, item.definition
    if definition.rank < 0:
        yield view, f"\ue000 {definition.text}"
    for index, mention in _ordered(term, terms)[:MOST_LOOKED_AT]:
        here = terms.book.sections[index]
        if here is not term.home and here is not view:
            continue
        if here.prose[here.section.block_at(mention.start)]:
            yield here, with_term(here, here.sentence(mention.start), mention.start, mention.end)


def _all(looked_at: list[tuple[SectionView, str]], kind: str, group: str) -> list[str]:
    """What the pack's patterns of one kind find in the sentences, each once, in order."""
    found: list[str] = []
    for view, sentence in looked_at:
        patterns: tuple[str, ...] = getattr(view.pack, kind)
        place = rank(sentence, patterns)
        if place is None:
            continue
        hit = compiled(patterns[place]).search(sentence)
        value = one_line(hit.group(group)).strip(" .,;:。，；：") if hit else ""
        if value and len(value) <= LONGEST_FIELD and "\ue000" not in value and value not in found:
            found.append(value)
    return found


def is_unit(item: Described) -> bool:
    """True for the name of a unit."""
    return compiled(item.definition.view.pack.unit_term).match(item.definition.text) is not None


def _unit(looked_at: list[tuple[SectionView, str]], units: set[str]) -> str:
    """The first unit the sentences give: one of the book's own, one the language knows, or one with its symbol."""
    for value in _all(looked_at, "units", "unit"):
        view = looked_at[0][0]
        bare = outside_brackets(value)
        compound = bare != value or " " in bare
        if key(bare, view.language) in units or compiled(view.pack.unit_words).match(bare):
            words = [singular(word, view.language) for word in bare.split(" ")]
            return " ".join(words) + value[len(bare) :] if value.startswith(bare) and compound else " ".join(words)
    return ""


def _aliases(item: Described, looked_at: list[tuple[SectionView, str]], taken: set[str]) -> list[str]:
    """Second names, without symbols and those that are terms of their own."""
    term, view = item.term, item.definition.view
    keys = {term.key}
    kept = []
    for alias in [*term.aliases, *_all(looked_at, "aliases", "alias")]:
        at = key(alias, view.language)
        symbol = not is_name(alias, view) and not (is_unit(item) and at not in view.language.stopwords)
        if at and at not in keys and at not in taken and not symbol:
            keys.add(at)
            kept.append(alias)
    return kept
