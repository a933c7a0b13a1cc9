"""Edges between terms: what a definition presupposes, kinds, and what sentences relate.

In: `Terms` and their definitions. Out: edge claims of the roles prerequisite, taxonomy and association, each with the
sentence that says so. After AL-CPL style rules measured in design/extract-merge.md §3.3–3.4.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from extract.claims import Desk, End
from extract.definitions import explains, rank
from extract.fields import Described
from extract.mentions import Mention
from extract.pack import OTHER, TERM, compiled
from extract.terms import Term, Terms
from extract.view import SectionView, name_tokens

_NEXT_SENTENCE = re.compile(r"[.。]\s+(?=[^\W\d_a-z][^\W\d_A-Z]+\s)")
"""Behind a single letter, where a sentence's end looks like an initial's."""
EVERYDAY = 0.35
"""Share of teaching sections, before its introduction, that use a one-word term as an everyday word."""
MOST_MENTIONS = 5
"""Terms of one sentence that are tried in pairs."""


@dataclass(frozen=True)
class Named:
    """The definition of one term names another."""

    source: Term
    """The one named."""
    target: Term
    item: Described
    mention: Mention


def relate(terms: Terms, described: Mapping[str, Described], desk: Desk) -> None:
    """Claims all edges between terms."""
    named = list(_named(terms, described))
    kinds = set(_kinds(terms, described, named, desk))
    taken = _prerequisites(terms, named, kinds, desk)
    _associations(terms, described, kinds | taken, desk)


def _named(terms: Terms, described: Mapping[str, Described]) -> Iterator[Named]:
    """What definitions name; sentences of the weaker patterns or of none say nothing sure."""
    for item in described.values():
        if item.definition.rank >= terms.book.pack.sure:
            continue
        seen = {item.term.key}
        definition = item.definition
        start, end = _definiens(item, terms)
        for mention in terms.in_range(definition.view, start, end):
            aside = definition.rank >= 0 and _in_brackets(definition.view, definition.start, mention.start)
            if mention.key not in seen and mention.key in described and not aside and not _passing(mention, item):
                seen.add(mention.key)
                yield Named(terms.by_key[mention.key], item.term, item, mention)


def _definiens(item: Described, terms: Terms) -> tuple[int, int]:
    """The part of the definition that explains: what stands before `… is called X`, or behind `X is …`."""
    definition = item.definition
    for mention in terms.in_range(definition.view, definition.start, definition.end):
        if definition.rank >= 0 and mention.key == item.term.key:
            side = explains(definition.view, mention.start, mention.end)
            if side:
                if side == "before":
                    return definition.start, mention.start
                stop = _NEXT_SENTENCE.search(definition.view.text, mention.end, definition.end)
                return mention.end, stop.start() if stop else definition.end
    return definition.start, definition.end


def _passing(mention: Mention, item: Described) -> bool:
    """True if the definition only mentions the other term: as a second name, or as the unit."""
    definition = item.definition
    view = definition.view
    before, after = view.text[definition.start : mention.start], view.text[mention.end : definition.end]
    return rank(" ".join(f"{before}{OTHER}{after}".split()), view.pack.not_needed) is not None


def _in_brackets(view: SectionView, start: int, at: int) -> bool:
    """True if a bracket that opened after `start` is still open at `at`: examples, remarks."""
    before = view.text[start:at]
    return sum(before.count(sign) for sign in "(（") > sum(before.count(sign) for sign in ")）")


def _quote(one: Named) -> tuple[int, int]:
    """The definition, with the term it belongs to where a list gives it."""
    definition = one.item.definition
    entry = next((e for e in one.target.listed if e.definition and e.definition[0] == definition.start), None)
    return (entry.start if entry and entry.view is definition.view else definition.start), definition.end


def _prerequisites(terms: Terms, named: list[Named], kinds: set[tuple[str, str]], desk: Desk) -> set[tuple[str, str]]:
    """What a definition names comes before it; of two definitions that name each other the later term's counts."""
    pairs = {(one.source.key, one.target.key) for one in named}
    taken = set()
    for one in named:
        source, target = one.source, one.target
        if (source.key, target.key) in kinds:
            continue
        mutual = (target.key, source.key) in pairs and (target.key, source.key) not in kinds
        if mutual and source.order > target.order:
            continue
        rule = _prerequisite_rule(one, terms)
        if rule is None:
            continue
        view = one.item.definition.view
        desk.edge("prerequisite", End("term", source.name), End("term", target.name), [view.quote(*_quote(one))], rule)
        taken.add((source.key, target.key))
    return taken


def _prerequisite_rule(one: Named, terms: Terms) -> str | None:
    listed = one.item.definition.rank < 0
    later = one.source.order[0] > one.target.order[0]
    if later:
        return "definition_names_later" if listed else None
    if everyday(one.source, terms):
        return "definition_names_everyday"
    if listed:
        return "definition_names"
    return "sentence_names"


def everyday(term: Term, terms: Terms) -> bool:
    """True for a word that the book uses in many sections before it introduces it as a term."""
    if term.home is None or len(name_tokens(term.name, terms.book.language)) > 1:
        return False
    before = [view for view in terms.book.sections if view.teaches and view.index < term.home.index]
    if len(before) < 3:
        return False
    using = {index for index, _ in terms.places.get(term.key, [])}
    return sum(view.index in using for view in before) >= max(3, EVERYDAY * len(before))


def rarity(key: str, terms: Terms) -> float:
    """Inverse document frequency over sections: 0 for a term that every section names."""
    sections = {index for index, _ in terms.places.get(key, [])}
    return math.log((1 + len(terms.book.sections)) / (1 + len(sections)))


def _kinds(
    terms: Terms, described: Mapping[str, Described], named: list[Named], desk: Desk
) -> Iterator[tuple[str, str]]:
    """(kind, wider term): by the definition's beginning, or by the name's head where the definition confirms it,

    or at least does not name it otherwise (`specific heat`: an amount of heat).
    """
    seen: set[tuple[str, str]] = set()
    otherwise: set[tuple[str, str]] = set()
    for one in named:
        rule = "definition_kind" if _begins_with(one) else "head_noun_defined" if _head(one, terms) else ""
        otherwise.add((one.target.key, one.source.key))
        if rule:
            seen.add((one.target.key, one.source.key))
            view = one.item.definition.view
            quote = [view.quote(*_quote(one))]
            desk.edge("taxonomy", End("term", one.target.name), End("term", one.source.name), quote, rule)
    yield from seen
    for item in described.values():
        wider = _head_term(item.term, terms)
        if wider is None or wider.key not in described or (item.term.key, wider.key) in otherwise:
            continue
        view, definition = item.definition.view, item.definition
        quote = [view.quote(definition.start, definition.end)]
        desk.edge("taxonomy", End("term", item.term.name), End("term", wider.name), quote, "head_noun")


def _begins_with(one: Named) -> bool:
    """True if the definition begins `a … <other term> that …`."""
    definition = one.item.definition
    view, mention = definition.view, one.mention
    text = view.text[definition.start : mention.start] + OTHER + view.text[mention.end : definition.end]
    text = " ".join(text.split())
    if definition.rank >= 0:
        own = view.line(definition.start, definition.end)
        text = _after_copula(own, text, one, view)
    return bool(text) and any(compiled(pattern).match(text) for pattern in view.pack.kind_of)


def _after_copula(own: str, text: str, one: Named, view: SectionView) -> str:
    """What follows `<term> is` in a defining sentence; nothing if it has another shape."""
    at = own.casefold().find(one.target.name.casefold())
    if at < 0:
        return ""
    replaced = text.replace(own[at : at + len(one.target.name)], TERM, 1)
    hit = compiled(view.pack.copula).search(replaced)
    return replaced[hit.end() :] if hit else ""


def _head(one: Named, terms: Terms) -> bool:
    wider = _head_term(one.target, terms)
    if wider is None or wider.key != one.source.key:
        return False
    definition, view = one.item.definition, one.item.definition.view
    text = view.text[definition.start : one.mention.start] + OTHER + view.text[one.mention.end : definition.end]
    return compiled(view.pack.not_a_kind).search(" ".join(text.split())) is None


def _head_term(term: Term, terms: Terms) -> Term | None:
    """The longest other term that the name ends in, as in `electric current`."""
    if compiled(terms.book.pack.head_stop).search(term.name):
        return None
    keys = name_tokens(term.name, terms.book.language)
    for start in range(1, len(keys)):
        joiner = " " if terms.book.language.spaces else ""
        other = terms.by_key.get(joiner.join(keys[start:]))
        if other is not None and other.key != term.key:
            return other
    return None


def _associations(terms: Terms, described: Mapping[str, Described], taken: set[tuple[str, str]], desk: Desk) -> None:
    """Pairs that a sentence of running text relates and no other rule orders."""
    done = {frozenset(pair) for pair in taken}
    for view in terms.book.sections:
        if not (view.teaches or view.row.kind == "summary"):
            continue
        for sentence, mentions in _sentences(view, terms):
            for one, other in combinations(mentions[:MOST_MENTIONS], 2):
                pair = frozenset({one.key, other.key})
                if len(pair) < 2 or pair in done or not pair <= described.keys():
                    continue
                rule = _relation(view, sentence, one, other)
                if rule:
                    done.add(pair)
                    ends = sorted([terms.by_key[one.key], terms.by_key[other.key]], key=lambda term: term.order)
                    source, target = (End("term", term.name) for term in ends)
                    desk.edge("association", source, target, [view.quote(*sentence)], rule)


def _sentences(view: SectionView, terms: Terms) -> Iterator[tuple[tuple[int, int], list[Mention]]]:
    """Sentences of running text that name two terms or more."""
    here = [mention for mention in terms.mentions[view.index] if view.prose[view.section.block_at(mention.start)]]
    at = 0
    while at < len(here):
        sentence = view.sentence(here[at].start)
        group = [here[at]]
        at += 1
        while at < len(here) and here[at].start < sentence[1]:
            group.append(here[at])
            at += 1
        if len(group) > 1:
            yield sentence, group


def _relation(view: SectionView, sentence: tuple[int, int], one: Mention, other: Mention) -> str:
    text = view.text
    marked = text[sentence[0] : one.start] + TERM + text[one.end : other.start] + OTHER + text[other.end : sentence[1]]
    line = " ".join(marked.split())
    governed = compiled(view.pack.governed).search(line[: line.find(TERM)]) is not None
    rules = (rule for rule in view.pack.relations if not (rule.subject and governed))
    return next((rule.rule for rule in rules if compiled(rule.pattern).search(line)), "")
