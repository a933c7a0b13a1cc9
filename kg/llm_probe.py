"""What a server really enforces: asked once per server and model, and never believed without a canary.

Many servers take a JSON schema, answer 200 and ignore it. So each way of asking is tried with a question whose honest
answer the schema forbids: only an answer inside the schema shows that it is enforced.
In: an open `Client`. Out: a `Capability`, kept in the cache of replies; `formed` puts a schema into a request that way.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

from kg.llm import CallFailure, Endpoint, Message, Reply, Request, Sampling, request_to
from kg.llm_client import Client
from kg.row import Row
from kg.store import sha256

Rung = Literal["strict", "schema", "structured_outputs", "object_schema", "object", "text"]
"""Ways to ask for JSON, best first: `response_format` json_schema strict; without `strict`; vLLM's field; llama.cpp's
json_object with a schema; any JSON object; plain text."""
LADDER: tuple[Rung, ...] = get_args(Rung)
ENFORCING: frozenset[Rung] = frozenset({"strict", "schema", "structured_outputs", "object_schema"})
"""Rungs on which the reply fits the schema by construction."""
FORMS = ("response_format", "structured_outputs")
"""Fields of the body that carry a schema."""
VERSION = "1"
_INSIDE = ["kestrel", "plover"]
_CANARY = {
    "type": "object",
    "properties": {"word": {"type": "string", "enum": _INSIDE}},
    "required": ["word"],
    "additionalProperties": False,
}
_ASK = 'Reply with this JSON object and nothing else: {"word": "banana"}'
_ASK_PROSE = "Reply with the single word banana, in plain prose, not as JSON."
_LEAST_CHARACTERS = 400
"""Of a text that shows how many tokens this server counts; shorter ones say little."""


class Capability(Row):
    """What one model at one server was found to do."""

    rung: Rung
    tried: tuple[str, ...] = ()
    """Every rung that was tried and what came of it."""
    adapted: tuple[str, ...] = ()
    """Parameters that had to be renamed or left out."""
    counts: dict[str, float] = {}
    """By language: tokens the server counts per token of our estimate; missing where it reports no usage."""

    @property
    def enforces(self) -> bool:
        """True if replies fit their schema by construction."""
        return self.rung in ENFORCING

    def cut(self, prompt: int, expected: int, language: str, least: float = 0.8) -> bool:
        """True if the server read clearly fewer tokens (`prompt`) than were sent (`expected`, our estimate)."""
        return bool(prompt) and prompt < least * self.counts.get(language, 0.0) * expected


def form(rung: Rung, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of the body that ask for this schema; empty where it can only be asked for in words."""
    named = {"name": "answer", "schema": dict(schema)}
    fields: dict[Rung, dict[str, Any]] = {
        "strict": {"response_format": {"type": "json_schema", "json_schema": {**named, "strict": True}}},
        "schema": {"response_format": {"type": "json_schema", "json_schema": named}},
        "structured_outputs": {"structured_outputs": {"json": dict(schema)}},
        "object_schema": {"response_format": {"type": "json_object", "schema": dict(schema)}},
        "object": {"response_format": {"type": "json_object"}},
        "text": {},
    }
    return fields[rung]


def formed(request: Request, rung: Rung, schema: Mapping[str, Any]) -> Request:
    """The request, asking for JSON of this schema in this way."""
    extra = {**request.sampling.extra, **form(rung, schema)}
    return request.model_copy(update={"sampling": request.sampling.model_copy(update={"extra": extra})})


async def probe(client: Client, samples: Mapping[str, str], rung: Rung | None = None) -> Capability | CallFailure:
    """What the client's server does, from the cache if it was asked before; why not, if it cannot be asked.

    `samples`: a text per language, from which the server's way of counting tokens is learned. `rung` is taken as given
    where it is not none.
    """
    record = _record(client.endpoint, samples, rung)
    known = remembered(client.kept, client.endpoint, samples, rung)
    if known is not None:
        return known
    climb = _climb(client) if rung is None else _given(rung)
    found, *counted = await asyncio.gather(climb, *(_counted(client, text) for text in samples.values()))
    for answer in (found, *counted):
        if isinstance(answer, CallFailure):
            return answer
    assert isinstance(found, Capability)
    counts = {name: count for name, count in zip(samples, counted, strict=True) if isinstance(count, float)}
    found = found.model_copy(update={"counts": dict(sorted(counts.items()))})
    client.keep(record, Reply(text=found.to_json(), finish="stop"))
    return found


def remembered(
    kept: Callable[[Request], Reply | None], endpoint: Endpoint, samples: Mapping[str, str], rung: Rung | None = None
) -> Capability | None:
    """What an earlier `probe` with these arguments found out; none if there was none. `kept` looks into the cache."""
    known = kept(_record(endpoint, samples, rung))
    return Capability.model_validate_json(known.text) if known else None


def _record(endpoint: Endpoint, samples: Mapping[str, str], rung: Rung | None) -> Request:
    """The key under which a capability is kept; it tells servers apart without naming them."""
    server = sha256(str(getattr(endpoint, "base_url", "")))[:12]
    what = json.dumps(["capability", VERSION, server, rung, dict(samples)], sort_keys=True, ensure_ascii=False)
    return request_to(endpoint, [Message(role="user", content=what)], Sampling())


async def _given(rung: Rung) -> Capability:
    return Capability(rung=rung)


async def _climb(client: Client) -> Capability | CallFailure:
    """Tries the rungs from the best down; what needs no proof is the last one."""
    tried: list[str] = []
    for rung in LADDER:
        answer = await client.fresh(_question(client, rung), tries=1)
        if isinstance(answer, CallFailure):
            if answer.kind not in ("request", "cut", "empty", "server", "malformed"):
                return answer
            tried.append(f"{rung}: {answer.what}")
        elif _holds(rung, answer.text):
            return Capability(rung=rung, tried=(*tried, f"{rung}: holds"), adapted=answer.adapted)
        else:
            tried.append(f"{rung}: accepted but not enforced")
    return answer if isinstance(answer, CallFailure) else Capability(rung="text", tried=tuple(tried))


def _question(client: Client, rung: Rung) -> Request:
    words = _ASK_PROSE if rung == "object" else _ASK
    sampling = Sampling(temperature=0.0, max_tokens=256)
    request = request_to(client.endpoint, [Message(role="user", content=words)], sampling)
    return formed(request, rung, _CANARY)


def _holds(rung: Rung, text: str) -> bool:
    """True if the reply shows that this way of asking is enforced."""
    if rung == "text":
        return True
    try:
        value = json.loads(text)
    except ValueError:
        return False
    if rung == "object":
        return isinstance(value, dict)
    return isinstance(value, dict) and list(value) == ["word"] and value["word"] in _INSIDE


async def _counted(client: Client, text: str) -> float | CallFailure | None:
    """Tokens the server counts per token of our estimate; none if it does not say."""
    if len(text) < _LEAST_CHARACTERS:
        return None
    request = request_to(client.endpoint, [Message(role="user", content=text)], Sampling(max_tokens=16))
    answer = await client.fresh(request)
    if isinstance(answer, CallFailure) and answer.kind not in ("cut", "empty"):
        return answer
    return round(answer.usage.prompt / request.tokens(), 3) if answer.usage.prompt else None
