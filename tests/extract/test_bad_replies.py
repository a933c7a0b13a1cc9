"""Replies that go wrong, one kind a line: what is kept, what waits for people, what is left out and why.

Nothing is lost without a reason on record, and no defect is accepted.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from extract.assembly import Account, account
from extract.gate import Trust
from kg.llm_cache import MEMORY
from tests.extract.teller import (
    IS_A,
    LANGUAGES,
    NODES,
    PASSAGE,
    RATE,
    SPEED,
    counted,
    edges,
    model,
    nodes,
    read,
    script,
)
from tests.fake_server import Call, FakeServer, Say, hangs_up, html, malformed, refuses, says, too_many, truncated

GOOD = nodes(SPEED, RATE)
INVENTED = {**SPEED, "quote": "Momentum is the product of mass and velocity of a body.", "name": "momentum"}
RELATED = edges(IS_A)
HALF = GOOD[: GOOD.index('"name": "rate"')]
LATEX = json.dumps({**NODES, "Concept": [{**SPEED, "formula": "@"}, RATE]}).replace("@", r"\frac{s}{t} \times \alpha")


@dataclass(frozen=True)
class Kind:
    """One kind of bad reply, and what has to become of it."""

    name: str
    nodes: str | Say | Callable[[Call], Say] = GOOD
    edges: str | Say | Callable[[Call], Say] = RELATED
    kept: tuple[str, ...] = ("rate", "speed")
    """Names of the nodes that are claimed."""
    related: int = 1
    """Edges that are claimed with a quotation and sure enough for the graph."""
    people: int = 0
    """Proposals that wait for people."""
    fault: str = ""
    """Code of a reason on record."""
    failure: str = ""
    """Part of what is reported as failed."""
    mended: str = ""
    """What was mended in the reply's JSON."""


def flat(*items: dict[str, Any]) -> str:
    return json.dumps({"nodes": list(items), "edges": []})


PROBES = 2
"""Calls before the first question about a passage."""


def once(first: str | Say, then: str) -> Callable[[Call], Say]:
    """The first answer to a passage is this, the later ones that."""

    def answer(call: Call) -> Say:
        said = first if call.number == PROBES else then
        return says(said) if isinstance(said, str) else said

    return answer


CONCEPT = {"label": "Concept", **SPEED}
RATED = {"label": "Concept", **RATE}
EMPTY = nodes()
KINDS = [
    Kind("nothing wrong"),
    Kind("fenced", f"```json\n{GOOD}\n```", mended="prose"),
    Kind("prose around", f"Here is what I found:\n{GOOD}\nI hope this helps!", mended="prose"),
    Kind("reasoning before", f"<think>{{'speed'?}} maybe</think>{GOOD}", mended="reasoning"),
    Kind("trailing comma", GOOD.replace("]}", "],}"), mended="comma"),
    Kind("LaTeX in strings", LATEX, mended="latex"),
    Kind("quotation marks not escaped", GOOD.replace("in a unit of time is", 'in a "unit" of time is'), mended="quote"),
    Kind("two objects", nodes(SPEED) + "\n" + nodes(RATE), mended="several"),
    Kind("a bare list", json.dumps([CONCEPT, RATED])),
    Kind("one list for all types", flat(CONCEPT, RATED)),
    Kind("fields under properties", flat({"label": "Concept", "name": "speed", "properties": SPEED}, RATED)),
    Kind("wrapped once more", json.dumps({"result": json.loads(GOOD)})),
    Kind("types in another case", flat({**CONCEPT, "label": "concept"}, {**RATED, "label": "CONCEPT"})),
    Kind("a list where a text belongs", nodes({**SPEED, "definition": [SPEED["definition"]]}, RATE)),
    Kind("a text where a list belongs", nodes({**SPEED, "aliases": "rate of motion"}, RATE)),
    Kind("prose first, JSON when asked again", once("I think speed is important.", GOOD)),
    Kind("only prose", "Speed matters.", kept=(), related=0, fault="unreadable", failure="no reply could be read"),
    Kind("an empty object", "{}", kept=(), related=0, fault="unreadable", failure="no reply could be read"),
    Kind(
        "a refusal",
        "I cannot help with that.",
        kept=(),
        related=0,
        fault="unreadable",
        failure="no reply could be read",
    ),
    Kind("empty lists", EMPTY, kept=(), related=0),
    Kind("cut in the middle of an item", HALF, kept=("speed",), related=0, failure="broke off"),
    Kind("cut before the first item", GOOD[:40], kept=(), related=0, fault="truncated", failure="broke off"),
    Kind("the server says it is cut", says(GOOD, finish="length"), failure="broke off"),
    Kind("cut once, whole in halves", once(Say(body=says(HALF, finish="length").body), GOOD)),
    Kind("an unknown type", json.dumps({**json.loads(GOOD), "Formula": [SPEED]}), fault="unknown_type"),
    Kind("a type nobody asked for", flat(CONCEPT, RATED, {"label": "Section", "name": "1"}), fault="not_asked"),
    Kind("an unknown field", nodes({**SPEED, "page": 3}, RATE), fault="unknown_field"),
    Kind("a value that is not allowed", nodes({**SPEED, "importance": "huge"}, RATE), fault="bad_value"),
    Kind(
        "a number out of range",
        flat(
            CONCEPT,
            RATED,
            {
                "label": "Exercise",
                "quote": PASSAGE[-75:-17],
                "stem": "A train covers 300 km in two hours. What is its speed?",
                "answer": "150 km/h",
                "difficulty": 9,
                "type": "open",
            },
        ),
        kept=("A train covers 300 km in two hours. What is its speed?", "rate", "speed"),
        fault="bad_value",
    ),
    Kind("an item that is no object", nodes(SPEED, RATE, Skill=["dividing"]), fault="not_an_item"),
    Kind("an empty name", nodes({**SPEED, "name": " "}, RATE), kept=("rate",), related=0, fault="no_name"),
    Kind(
        "no name",
        nodes({key: value for key, value in SPEED.items() if key != "name"}, RATE),
        kept=("rate",),
        related=0,
        fault="no_name",
    ),
    Kind("the same node twice", nodes(SPEED, SPEED, RATE), fault="duplicate"),
    Kind("a fabricated node", nodes(SPEED, RATE, INVENTED), people=1),
    Kind("a true name with a fabricated quote", nodes({**SPEED, "quote": INVENTED["quote"]}, RATE)),
    Kind("a true quote for an invented name", nodes(SPEED, RATE, {**SPEED, "name": "celerity"}), people=1),
    Kind("no quote", nodes({**SPEED, "quote": ""}, RATE)),
    Kind(
        "quoted from the example",
        nodes(
            SPEED,
            RATE,
            {**SPEED, "name": "evaporation", "quote": "The change of a liquid into a gas is called evaporation."},
        ),
        fault="copied",
    ),
    Kind(
        "an exercise nobody printed",
        nodes(
            SPEED,
            RATE,
            Exercise=[
                {
                    "quote": "A car goes 90 km",
                    "stem": "A car goes 90 km in one hour and 20 minutes; how fast is it?",
                    "answer": "68 km/h",
                    "difficulty": 2,
                    "type": "open",
                }
            ],
        ),
        people=1,
    ),
    Kind("an elided quote", nodes({**SPEED, "quote": "The distance covered … is called speed."}, RATE)),
    Kind(
        "a quote with a wrong letter",
        nodes({**SPEED, "quote": "The distanse covered in a unit of time is called speed."}, RATE),
    ),
    Kind("edges among the nodes", json.dumps({**json.loads(GOOD), "is_a": [IS_A]}), fault="not_asked"),
    Kind("an edge to nowhere", edges=edges({**IS_A, "target": "n9"}), related=0, fault="no_such_node"),
    Kind("an edge by names", edges=edges({**IS_A, "source": "speed", "target": "rate"})),
    Kind("an edge without ends", edges=edges({"quote": IS_A["quote"]}), related=0, fault="no_ends"),
    Kind("an edge to itself", edges=edges({**IS_A, "target": "n1"}), related=0, fault="self_loop"),
    Kind("wrong ends", edges=edges(IS_A, verifies=[{**IS_A}]), fault="ends"),
    Kind("an unknown relation", edges=edges(IS_A, causes=[IS_A]), fault="unknown_type"),
    Kind("the same edge twice", edges=edges(IS_A, IS_A), fault="duplicate"),
    Kind(
        "a fabricated quote for an edge",
        edges=edges({**IS_A, "quote": "Every speed is of course also a rate of some sort, as we know."}),
        related=0,
        people=1,
    ),
    Kind(
        "a reason instead of a quote",
        edges=edges({**IS_A, "quote": "To understand speed, one has to understand rates first."}),
        related=0,
        people=1,
    ),
    Kind(
        "a quote that speaks of neither", edges=edges({**IS_A, "quote": "Motion is a change of position."}), related=0
    ),
    Kind("an edge without a quote", edges=edges({**IS_A, "quote": ""}), related=0, people=1),
    Kind(
        "prose instead of edges",
        edges="There are none.",
        related=0,
        fault="unreadable",
        failure="no reply could be read",
    ),
    Kind("edges cut off", edges=edges(IS_A, IS_A)[:-60], failure="broke off"),
    Kind("HTTP 429 once", once(too_many(), GOOD)),
    Kind("HTTP 500 once", once(refuses(500), GOOD)),
    Kind("HTTP 500 always", refuses(500), kept=(), related=0, failure="HTTP 500"),
    Kind("HTTP 400", refuses(400, "bad request"), kept=(), related=0, failure="HTTP 400"),
    Kind("HTTP 401", refuses(401, "who are you"), kept=(), related=0, failure="HTTP 401"),
    Kind("a proxy's page", html(), kept=(), related=0, failure="not a chat completion"),
    Kind("a body that breaks off", malformed(), kept=(), related=0, failure="not a chat completion"),
    Kind("a connection that breaks", once(truncated(), GOOD)),
    Kind("no answer at all", hangs_up(), kept=(), related=0, failure="no connection"),
    Kind("an empty reply", says(""), kept=(), related=0, failure="an empty reply"),
    Kind("all tokens spent on thinking", says(None, finish="length"), kept=(), related=0, failure="token limit"),
    Kind("the input was cut", lambda call: counted(says(GOOD), 40), kept=(), related=0, failure="it cut the input"),
    Kind("edges not answered", edges=refuses(503), related=0, failure="HTTP 503"),
]


_outcomes: dict[str, Account] = {}


def outcome(kind: Kind) -> Account:
    """What comes of a kind; each is asked once."""
    if kind.name not in _outcomes:
        with FakeServer(script(nodes=kind.nodes, edges=kind.edges)) as server:
            asked = read(model(server, MEMORY))
        assert asked.failure is None
        _outcomes[kind.name] = account(asked.readings["book"], "book", LANGUAGES["en"], Trust())
    return _outcomes[kind.name]


def test_there_are_at_least_forty_kinds() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS) >= 40


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_of_a_bad_reply_the_good_is_kept_and_the_rest_has_a_reason(kind: Kind) -> None:
    found = outcome(kind)
    claims, trust = found.claims, Trust()
    assert tuple(sorted({node.name for node in claims.nodes})) == kind.kept
    sure = [edge for edge in claims.edges if edge.evidence and edge.confidence > trust.doubtful]
    assert len({edge.model_dump_json() for edge in sure}) == kind.related
    assert len(found.findings) == kind.people
    codes = {code for row in found.chunks for code in row.faults}
    assert not kind.fault or kind.fault in codes
    reasons = [failure.what for failure in claims.failures]
    assert any(kind.failure in reason for reason in reasons) if kind.failure else reasons == []
    assert not kind.mended or kind.mended in {word for row in found.chunks for word in row.mended}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_whatever_is_claimed_is_quoted_from_the_passage(kind: Kind) -> None:
    found = outcome(kind)
    text = " ".join(PASSAGE.split())
    for claim in [*found.claims.nodes, *found.claims.edges]:
        for place in claim.evidence:
            assert " ".join(place.quote.split()) in text
    assert all(node.evidence for node in found.claims.nodes)
    assert all(edge.evidence or edge.confidence <= Trust().none for edge in found.claims.edges)


@pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if kind.kept == () and kind.name != "empty lists"], ids=lambda kind: kind.name
)
def test_a_lost_chunk_never_looks_like_an_empty_one(kind: Kind) -> None:
    found = outcome(kind)
    assert found.claims.failures
    assert all(row.state == "split" or (row.state != "judged" and row.reason) for row in found.chunks)
