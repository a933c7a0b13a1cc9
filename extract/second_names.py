"""Second names as mentions: where the book says `compression waves`, it speaks of longitudinal waves.

In: a book's terms, and the second names that its sentences give them. Out: the terms, with more mentions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from extract.fields import Described
from extract.mentions import Mention, Names
from extract.terms import Terms, is_meant
from extract.view import name_tokens, tokens


def hear(terms: Terms, described: Mapping[str, Described], second: Mapping[str, Sequence[str]]) -> None:
    """The names count from now on, but for those that may mean something else.

    These are single words that the book uses before the term is introduced, and names that hold the name of another
    term which the term's own does not hold (`gravitational force` for weight). `second`: names by term.
    """
    for at, names in second.items():
        for name in names:
            places = list(_places(name, described[at], terms))
            early = bool(places) and (places[0][0], places[0][1].start) < terms.by_key[at].order
            single = len(name_tokens(name, terms.book.language)) == 1
            if places and not (early and single) and not _others(name, at, terms):
                terms.names.add(name, at)
                for index, mention in places:
                    _add(terms, index, mention)


def _others(name: str, at: str, terms: Terms) -> bool:
    """True if a part of the name is another term's name and no part of the term's own."""
    language = terms.book.language
    own = set(name_tokens(terms.by_key[at].name, language))
    found = {mention.key for mention in terms.names.find(tokens(name, language), name)}
    return any(not own.issuperset(name_tokens(terms.by_key[one].name, language)) for one in found - {at})


def _places(name: str, item: Described, terms: Terms) -> Iterator[tuple[int, Mention]]:
    """Where the name stands and is no part of a longer one; what defines the term may be no more than that name."""
    own = item.definition
    alone = Names([(name, item.term.key)], terms.book.language)
    for view in terms.book.sections:
        for mention in alone.find(view.tokens, view.text):
            inside = any(_within(mention, other) for other in terms.mentions[view.index])
            defines = view is own.view and own.start <= mention.start < own.end
            if not inside and not defines and is_meant(view, mention):
                yield view.index, mention


def _add(terms: Terms, index: int, mention: Mention) -> None:
    """Takes the place of the names that are parts of it."""
    covered = [other for other in terms.mentions[index] if _within(other, mention)]
    for other in covered:
        terms.places[other.key].remove((index, other))
    kept = [other for other in terms.mentions[index] if other not in covered]
    terms.mentions[index] = sorted([*kept, mention], key=lambda one: one.start)
    terms.places[mention.key] = sorted([*terms.places.get(mention.key, []), (index, mention)])


def _within(one: Mention, other: Mention) -> bool:
    return other.start <= one.start and one.end <= other.end
