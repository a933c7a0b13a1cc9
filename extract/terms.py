"""The terms of a book: every name that a list or the running text marks, with where it is introduced and mentioned.

In: a `BookView`. Out: `Terms`. Definitions and other fields are read from there by `extract/fields.py`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from extract.definitions import definition_at, introduced, with_term
from extract.glossary import Entry, apart, entries
from extract.marks import Mark, marks
from extract.mentions import Mention, Names
from extract.naming import is_name
from extract.pack import TERM, Pack, compiled
from extract.view import BookView, SectionView, name_tokens, same_chapter, tokens
from kg.language import Language
from kg.names import inside_brackets, key, outside_brackets, singular
from kg.text import is_cjk

MARKED_BOOK = 1.0
"""Marked or listed terms per teaching section from which a book is taken at its word: nothing else is a term."""
WINDOW = 20
"""Characters before and after a mention that show how it is meant."""
OFTEN = 5
"""Uses from which a name that is never in the singular keeps its plural."""
LEAST_HEADING_USES = 3
"""Mentions in running text that make a heading's words a term, in a book that marks none."""


@dataclass
class Term:
    """One idea the book names."""

    key: str
    name: str
    listed: list[Entry] = field(default_factory=list)
    marked: list[Mark] = field(default_factory=list)
    cued: list[Mark] = field(default_factory=list)
    """Introduced by a sentence pattern or a heading, in a book that marks no terms."""
    aliases: list[str] = field(default_factory=list)
    home: SectionView | None = None
    """Where it is introduced."""
    start: int = 0
    """Offset in the home section at which it is introduced."""

    @property
    def order(self) -> tuple[int, int]:
        """Place of its introduction in the book."""
        return (self.home.index if self.home else -1, self.start)


@dataclass
class Terms:
    """All terms of a book by key, and where each is mentioned."""

    book: BookView
    by_key: dict[str, Term]
    names: Names
    mentions: list[list[Mention]]
    """For every section, in text order."""
    places: dict[str, list[tuple[int, Mention]]]
    """For every term: section index and mention, in book order."""

    def in_range(self, view: SectionView, start: int, end: int) -> list[Mention]:
        """Mentions that begin at `start <= i < end`."""
        return [mention for mention in self.mentions[view.index] if start <= mention.start < end]


def terms(book: BookView) -> Terms:
    """The book's terms, each anchored in the section that introduces it."""
    found = _collect(book)
    names = Names(_spoken(found, book.pack), book.language)
    mentions = [[m for m in names.find(view.tokens, view.text) if is_meant(view, m)] for view in book.sections]
    places: dict[str, list[tuple[int, Mention]]] = defaultdict(list)
    for index, here in enumerate(mentions):
        for mention in here:
            places[mention.key].append((index, mention))
    result = Terms(book, found, names, mentions, dict(places))
    small = _lists_in_small_letters(found)
    for term in found.values():
        term.name = _display(term, result, small)
        _anchor(term, result)
    return result


def is_meant(view: SectionView, mention: Mention) -> bool:
    """False where the word is no name: a verb, a unit behind a number, an ordinal."""
    start, end = mention.start, mention.end
    if view.blocks[view.section.block_at(start)].label == "section_header":
        return True
    around = f"{view.text[max(0, start - WINDOW) : start]}@{view.text[start:end]}@{view.text[end : end + WINDOW]}"
    return not any(compiled(pattern).search(around.replace("@", TERM)) for pattern in view.pack.misuses)


def _collect(book: BookView) -> dict[str, Term]:
    """Terms by key: listed ones, then marked ones, then (in a book that marks none) introduced ones."""
    found: dict[str, Term] = {}
    every = marks(book)
    for entry in apart(entries(book), [mark.name for mark in every if mark.style == "bold"], book):
        _term(found, entry.name, book).listed.append(entry)
    bold = [mark for mark in every if mark.style == "bold"]
    listed = Names([(term.name, term.key) for term in found.values()], book.language)
    for mark in bold:
        whole = _listed_around(mark, listed)
        (found[whole] if whole else _term(found, mark.name, book)).marked.append(mark)
    teaching = sum(view.teaches for view in book.sections)
    if len(found) < MARKED_BOOK * teaching:
        italics = [mark for mark in every if mark.style == "italic" and definition_at(mark.view, mark.start, mark.end)]
        cued = [mark for view in book.sections if view.teaches for mark in introduced(view)]
        for mark in [*italics, *cued, *_headings(book)]:
            _term(found, mark.name, book).cued.append(mark)
    found.pop("", None)
    _join_short_forms(found, book)
    _join_second_names(found, book)
    return found


def _join_second_names(found: dict[str, Term], book: BookView) -> None:
    """A term that is marked only where the text says it is another name of a marked term is that term's alias."""
    for at, term in list(found.items()):
        if term.listed or len(term.marked) != 1:
            continue
        second = term.marked[0]
        begin = second.view.sentence(second.start)[0]
        for owner in list(found.values()):
            before = [m for m in owner.marked if m.view is second.view and begin <= m.start < second.start]
            if any(_says_alias(first, at, book) for first in before):
                owner.aliases += [name for name in [term.name, *term.aliases] if name not in owner.aliases]
                del found[at]
                break


def _says_alias(mark: Mark, at: str, book: BookView) -> bool:
    """True if the sentence says that what it marks there is also called by the name with the key `at`."""
    sentence = with_term(mark.view, mark.view.sentence(mark.start), mark.start, mark.end)
    hits = (compiled(pattern).search(sentence) for pattern in book.pack.aliases)
    return any(hit and key(hit.group("alias"), book.language) == at for hit in hits)


def _join_short_forms(found: dict[str, Term], book: BookView) -> None:
    """`Newton’s first law` is `Newton’s first law of motion`, where the book has both and lists one at most."""
    for at, term in list(found.items()):
        hit = compiled(book.pack.short_forms).match(term.name)
        short = found.get(key(hit.group(1), book.language)) if hit else None
        if short is not None and short is not term and not (short.listed and term.listed):
            term.listed += short.listed
            term.marked += short.marked
            term.cued += short.cued
            del found[short.key]
            found[at] = term


def _listed_around(mark: Mark, listed: Names) -> str | None:
    """The listed term that the text names where only a part of it is bold."""
    view = mark.view
    start, end = view.sentence(mark.start)
    here = tokens(view.text[start:end], view.language, start)
    for mention in listed.find(here, view.text):
        if mention.start <= mark.start and mark.end <= mention.end:
            return mention.key
    return None


def _term(found: dict[str, Term], name: str, book: BookView) -> Term:
    first, _, rest = name.partition(" ")
    name = rest if rest and first.lower() in book.language.articles else name
    spoken = _unbracketed(name)
    at = key(spoken, book.language)
    term = found.setdefault(at, Term(at, spoken))
    for alias in _bracketed(name, spoken):
        if alias not in term.aliases:
            term.aliases.append(alias)
    return term


def _unbracketed(name: str) -> str:
    """The name without a bracket that holds another name: `logarithmic (log) scale` is the logarithmic scale.

    A bracket that says what kind of thing is meant stays: `head (of a vector)`.
    """
    bare = outside_brackets(name)
    qualified = [inside for inside in inside_brackets(name) if " " in inside and name.rstrip().endswith((")", "）"))]
    return name if qualified and name.startswith(bare) else bare


def _bracketed(name: str, spoken: str) -> list[str]:
    """Second names that brackets in the printed name give: an abbreviation, or the name with a word replaced."""
    aliases: list[str] = []
    for inside in inside_brackets(name) if spoken != name else []:
        if len(inside) < 2 or not inside[0].isalpha():
            continue
        at = max(name.find(bracket + inside) for bracket in "(（[") + 1
        before, after = name[: at - 1].split(), name[at + len(inside) + 1 :].split()
        if after and before and before[-1].casefold().startswith(inside.casefold()):
            aliases.append(" ".join([*before[:-1], inside, *after]))
        elif not after:
            aliases.append(inside)
    return [alias for alias in aliases if alias.casefold() != spoken.casefold()]


def _headings(book: BookView) -> Iterable[Mark]:
    """Headings whose words the text uses as a name, without those that occur all over the book."""
    seen: Counter[str] = Counter()
    candidates: list[Mark] = []
    for view in book.sections:
        for part in view.outline.parts if view.teaches else ():
            name = compiled(view.pack.enumerator).sub("", part.title, count=1)
            at = view.blocks[part.heading].text.rfind(name) if name else -1
            if part.role or part.first == part.heading or at < 0 or compiled(view.pack.boilerplate).search(name):
                continue
            seen[name.casefold()] += 1
            start = view.section.starts[part.heading] + at
            candidates += [Mark(view, start + a, start + b, "italic") for a, b in _name_part(view, name)]
    kept = [mark for mark in candidates if seen[mark.name.casefold()] <= 1 and _used(mark)]
    return [mark for mark in kept if is_name(mark.name, mark.view) and not _everywhere(mark, book)]


def _everywhere(mark: Mark, book: BookView) -> bool:
    """True for a word that most sections use."""
    using = sum(mark.name.casefold() in view.text.casefold() for view in book.sections if view.teaches)
    return 2 * using > sum(view.teaches for view in book.sections)


def _name_part(view: SectionView, title: str) -> list[tuple[int, int]]:
    """Where in a heading names stand: the whole heading, or its parts between conjunctions."""
    found, at = [], 0
    for piece in compiled(view.pack.heading_cut).split(title):
        at = title.find(piece, at) if piece else at
        if piece and piece.strip() and len(name_tokens(piece, view.language)) <= (8 if is_cjk(piece) else 4):
            lead = len(piece) - len(piece.lstrip())
            found.append((at + lead, at + len(piece.rstrip())))
        at += len(piece or "")
    return found


def _used(mark: Mark) -> bool:
    wanted = name_tokens(mark.name, mark.view.language)
    keys = [token.key for token in mark.view.tokens]
    hits = sum(tuple(keys[i : i + len(wanted)]) == wanted for i in range(len(keys)))
    return hits > LEAST_HEADING_USES


def _spoken(found: dict[str, Term], pack: Pack) -> list[tuple[str, str]]:
    """Names before aliases and short forms, so that these never take a term's own name."""
    names = [(term.name, term.key) for term in found.values()]
    aliases = [(alias, term.key) for term in found.values() for alias in term.aliases]
    hits = [(compiled(pack.short_forms).match(term.name), term.key) for term in found.values()]
    return names + aliases + [(hit.group(1), at) for hit, at in hits if hit]


def _lists_in_small_letters(found: dict[str, Term]) -> bool:
    """True if most lists print names with a small letter, so that a capital there belongs to the name."""
    names = [entry.name for term in found.values() for entry in term.listed]
    return 2 * sum(name[:1].islower() for name in names) > len(names)


def _display(term: Term, every: Terms, small: bool) -> str:
    """The glossary's form; else the singular; in lower case, unless the capital belongs to the name."""
    printed = next((entry.name for entry in term.listed if entry.definition), "")
    name = _unbracketed(printed) if printed else term.name
    forms: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    for index, mention in every.places.get(term.key, []):
        view = every.book.sections[index]
        if view.teaches and view.prose[view.section.block_at(mention.start)]:
            form = view.line(mention.start, mention.end)
            forms[form] += 1
            sentence = view.sentence(mention.start)
            inside[form] += view.own(*sentence) < mention.start
    name = _lower(name, inside, bool(term.listed) and small)
    if not printed:
        name = _singular(name, forms, every.book.language)
    return name


def _lower(name: str, inside: Counter[str], small: bool) -> str:
    """The name as it stands `inside` sentences; where it never does, in lower case, unless a list that is `small`

    prints it with a capital, or more than its first letter is one.
    """
    lower = name[:1].lower() + name[1:]
    most = max((lower, name.lower()), key=lambda form: inside[form])
    if inside[most] > inside[name]:
        return most
    plain = name[1:].islower() and not re.search("['’]", name)
    return lower if plain and not small and not inside[name] else name


def _singular(name: str, forms: Counter[str], language: Language) -> str:
    """The name in the singular, unless the text has it only in the plural, and often."""
    head, space, last = name.rpartition(" ")
    single = head + space + singular(last, language) if last.islower() else name
    if single == name or (not forms[single] and forms[name] >= OFTEN):
        return name
    return single


def _anchor(term: Term, every: Terms) -> None:
    """Home: the first mark in running text, else the section whose own list has it, else the first mention."""
    first = min(
        [mark for mark in [*term.marked, *term.cued] if mark.view.teaches],
        key=lambda mark: (mark.view.index, mark.start),
        default=None,
    )
    if first is not None:
        term.home, term.start = first.view, first.start
        return
    chapters = [entry.view for entry in term.listed] or [mark.view for mark in term.marked]
    for view in chapters:
        if view.teaches:
            term.home, term.start = view, _first_use(term, every, view)
            return
    for index, mention in every.places.get(term.key, []):
        view = every.book.sections[index]
        if view.teaches and any(same_chapter(view, other) for other in chapters) and _in_prose(view, mention):
            term.home, term.start = view, mention.start
            return
    for index, mention in every.places.get(term.key, []):
        view = every.book.sections[index]
        if view.teaches and _in_prose(view, mention):
            term.home, term.start = view, mention.start
            return
    entry = term.listed[0] if term.listed else None
    mark = term.marked[0] if term.marked else None
    term.home = entry.view if entry else mark.view if mark else None
    term.start = entry.start if entry else mark.start if mark else 0


def _in_prose(view: SectionView, mention: Mention) -> bool:
    return view.prose[view.section.block_at(mention.start)]


def _first_use(term: Term, every: Terms, view: SectionView) -> int:
    uses = [m.start for i, m in every.places.get(term.key, []) if i == view.index and _in_prose(view, m)]
    return min(uses, default=next((entry.start for entry in term.listed if entry.view is view), 0))
