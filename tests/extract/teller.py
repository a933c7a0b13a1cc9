"""A passage, a true reply to it, and a model that says what a test wants it to say."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from extract.example import plain_section
from extract.llm import Asked, BookToRead, Llm
from kg.language import load as load_languages
from kg.llm import Limits
from kg.llm_openai import OpenAIEndpoint
from kg.schema import GraphSchema
from kg.schema import load as load_schema
from kg.section import Section
from kg.stage import ROOT
from tests.fake_server import Call, FakeServer, Say, says

LANGUAGES = load_languages(ROOT / "conf" / "language")
SCHEMA: GraphSchema = load_schema(ROOT / "conf" / "schema" / "k12.yaml")
QUICK = Limits(backoff=0.001, tries=3, concurrency=4, give_up=3)
PASSAGE = """Motion is a change of position. An object at rest keeps its position.
The distance covered in a unit of time is called speed. Speed is a kind of rate, as it compares a distance with a time.
A rate compares two quantities of different kinds. The unit of speed is the metre per second.
To find the speed, divide the distance by the time. This works for every journey.
Roll a ball down a ramp and take the time it needs. The ball covers more distance in every second, so its speed grows.
1. A train covers 300 km in two hours. What is its speed? Answer: 150 km/h."""
SPEED = {
    "quote": "The distance covered in a unit of time is called speed.",
    "name": "speed",
    "definition": "The distance covered in a unit of time",
    "importance": "important",
    "examples": None,
    "aliases": None,
    "formula": None,
    "unit": "metre per second",
}
RATE = {**SPEED, "quote": "A rate compares two quantities of different kinds.", "name": "rate", "unit": None}
RATE["definition"] = "compares two quantities of different kinds"
NODES: dict[str, Any] = {"Concept": [SPEED, RATE], "Skill": [], "Experiment": [], "Exercise": []}
IS_A = {"quote": "Speed is a kind of rate, as it compares a distance with a time.", "source": "n1", "target": "n2"}
EDGES: dict[str, Any] = {"is_a": [IS_A], "prerequisites_for": [], "relates_to": []}


def nodes(*concepts: Mapping[str, Any], **lists: Any) -> str:
    """A reply with these concepts."""
    return json.dumps({**NODES, "Concept": list(concepts), **lists}, ensure_ascii=False)


def edges(*kinds: Mapping[str, Any], **lists: Any) -> str:
    """A reply with these edges of the first type."""
    return json.dumps({**EDGES, "is_a": list(kinds), **lists}, ensure_ascii=False)


def part(call: Call) -> str:
    """What is asked: `canary`, `count`, `nodes`, `edges`."""
    form = call.body.get("response_format", {})
    schema = (form.get("json_schema") or form).get("schema", call.body.get("structured_outputs", {}).get("json", {}))
    keys = set(schema.get("properties", {}))
    if "word" in keys or "banana" in call.text:
        return "canary"
    if call.body.get("max_tokens") == 16:
        return "count"
    if keys:
        return "nodes" if keys & {"Concept", "nodes", "Exercise"} else "edges"
    return "edges" if "Ideas of this passage" in call.text or "本片段的内容" in call.text else "nodes"


def counted(say: Say, tokens: int) -> Say:
    """The same with another count of prompt tokens."""
    body = json.loads(say.body)
    body["usage"] = {"prompt_tokens": tokens, "completion_tokens": 5, "total_tokens": tokens + 5}
    return Say(say.status, json.dumps(body).encode(), say.headers, say.seconds)


def script(**answers: str | Say | Callable[[Call], Say]) -> Callable[[Call], Say]:
    """A server that enforces schemas and gives these answers to `nodes` and `edges`; true ones by default."""
    given: dict[str, str | Say | Callable[[Call], Say]] = {
        "canary": '{"word": "kestrel"}',
        "count": "yes",
        "nodes": nodes(SPEED, RATE),
        "edges": edges(IS_A),
        **answers,
    }

    def answer(call: Call) -> Say:
        said = given[part(call)]
        said = said(call) if callable(said) else said
        whole = says(said) if isinstance(said, str) else said
        sent = sum(len(message["content"]) for message in call.body["messages"]) // 4
        plain = whole.cut is None and b'"prompt_tokens": 100' in whole.body
        return counted(whole, sent) if plain else whole

    return answer


def a_section(text: str = PASSAGE, at: str = "s1", language: str = "en", kind: str = "section") -> Section:
    """A section of paragraphs, one a line."""
    plain = plain_section(text, language)
    row = plain.row.model_copy(update={"id": at, "kind": kind})
    return Section("book", language, row, plain.blocks, plain.text, plain.starts)


def model(server: FakeServer | str, cache: str, endpoint: Mapping[str, Any] | None = None, **settings: Any) -> Llm:
    """The extractor at this server."""
    url = server if isinstance(server, str) else server.url
    options: dict[str, Any] = {"limits": QUICK, "cache": cache, "timeout": 5.0, **(endpoint or {})}
    return Llm(endpoint=OpenAIEndpoint(model="m", base_url=url, **options), **settings)


def read(extractor: Llm, sections: Sequence[Section] = (), language: str = "en") -> Asked:
    """What comes of reading a book of these sections (of the passage, if there are none)."""
    books = [BookToRead("book", "Book", list(sections) or [a_section()], LANGUAGES[language])]
    return asyncio.run(extractor.read(books, SCHEMA, LANGUAGES, lambda *_: None))
