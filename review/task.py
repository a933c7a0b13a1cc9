"""One question to people, with everything they need to answer it."""

from __future__ import annotations

from kg.decisions import About, Verdict
from kg.ids import digest
from kg.row import Row

RELATION = "relation"
"""The value of a `Fact` that is a type of edge."""


class Passage(Row):
    """A quotation with the text around it."""

    book: str
    section: str
    """Number and title as printed."""
    page: int
    """1-based page of the file."""
    before: str
    quote: str
    after: str
    match: str = "exact"


class Line(Row):
    """A relation in words, with one quotation that says so."""

    source: str
    type: str
    target: str
    quote: str = ""
    asked: bool = False
    """It is the relation the question is about."""


class Card(Row):
    """A node as people see it."""

    id: str
    type: str
    name: str
    fields: tuple[tuple[str, str], ...] = ()
    """Name and value of its properties, in the schema's order."""
    passages: tuple[Passage, ...] = ()
    lines: tuple[Line, ...] = ()
    """Its relations."""


class Fact(Row):
    """What a check found, as data: for saying it in the language of the page."""

    check: str
    values: dict[str, str] = {}
    """Names of things, quotations and figures, by the words that stand for them in a language pack's `messages`."""


class Task(Row):
    """One line of `review/queue.jsonl`; the lines are in the order in which people should see them."""

    id: str
    kind: About
    about: tuple[str, ...]
    """As in `kg.decisions.Decision`."""
    check: str
    """The most urgent check that asks; `all` where nothing is wrong and people are to look at everything."""
    type: str
    """Node or edge type; of a pair the type of its nodes."""
    content: str
    """What a decision will rest on."""
    reasons: tuple[str, ...] = ()
    """What the checks say, most urgent first."""
    facts: tuple[Fact, ...] = ()
    """The same as data, one for one."""
    suggest: str = ""
    """Verdict that a machine would give; shown to nobody before adjudication."""
    again: str = ""
    """What makes people judge once more what they have decided: their earlier votes do not answer this."""
    earlier: str = ""
    """What people saw when they last decided, where it has changed since."""
    cards: tuple[Card, ...] = ()
    """The nodes concerned."""
    passages: tuple[Passage, ...] = ()
    """Where the relation is stated."""
    circle: tuple[Line, ...] = ()
    """The relations that go in a circle, where that is the matter."""
    change: dict[str, str] = {}
    """Values people may correct, by name."""
    verdicts: tuple[Verdict, ...] = ()


def task_id(kind: str, about: tuple[str, ...]) -> str:
    """The same for the same subject in every run."""
    return digest("\n".join([kind, *about]), 16)
