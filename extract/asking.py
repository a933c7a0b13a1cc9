"""One question to a model until it has an answer that can be read, or a reason why there is none.

In: a `Turn`. Out: an `Exchange`: what the model said, what it took, and what became of it. A reply that cannot be read
is asked for again with the reason; one that was made from a cut input is never used.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from extract.prompting import Prompts, Turn
from extract.replies import Said, said
from kg.engine import stopping
from kg.llm import CallFailure, Request, Sampling, Usage, request_to
from kg.llm_client import Client
from kg.llm_probe import Capability, formed
from kg.schema import GraphSchema

LONGEST_ECHO = 2000
"""Characters of an unreadable reply that are shown to the model again."""
CUT = "the server read {read:,} of about {sent:,} tokens: it cut the input"
CUT_HINT = "raise the server's context length (Ollama: OLLAMA_CONTEXT_LENGTH), or lower extract.model.tokens"


@dataclass
class Exchange:
    """What came of a question."""

    rule: str
    said: Said | None = None
    """None if there is no reply."""
    failure: CallFailure | None = None
    requests: list[str] = field(default_factory=list)
    """Keys of the requests, in order: under these the cache has the replies."""
    usage: Usage = field(default_factory=Usage)
    """Of the replies, whenever they were given."""
    models: set[str] = field(default_factory=set)
    raw: str = ""
    """The last reply, where it could not be read."""


@dataclass(frozen=True)
class Line:
    """The one line to the server that all books share."""

    client: Client
    places: asyncio.Semaphore
    """Bounds the questions in work, so that none is made long before it can be put."""


def line_of(client: Client) -> Line:
    """Room for half as many questions again as calls may be under way."""
    return Line(client, asyncio.Semaphore(client.endpoint.limits.concurrency * 3 // 2 + 1))


@dataclass(frozen=True)
class Asker:
    """Asks about books of one language."""

    line: Line
    capability: Capability
    prompts: Prompts
    schema: GraphSchema
    sampling: Sampling
    language: str
    tries: int
    """Replies that may be asked for until one can be read."""

    def request(self, turn: Turn) -> Request:
        """The request of a turn, in the way this server takes a form."""
        return formed(
            request_to(self.line.client.endpoint, turn.messages, self.sampling), self.capability.rung, turn.form
        )

    async def ask(self, turn: Turn) -> Exchange:
        """The exchange; it has either something said or a failure."""
        exchange = Exchange(turn.rule)
        for _ in range(self.tries):
            if stopping.is_set():
                exchange.failure = CallFailure(kind="stopped", what="not asked: the run was stopped")
                return exchange
            request = self.request(turn)
            answer = await self.line.client.ask(request)
            exchange.usage = _sum(exchange.usage, answer.usage)
            if isinstance(answer, CallFailure):
                exchange.failure = answer
                return exchange
            if self.capability.cut(answer.usage.prompt, request.tokens(), self.language):
                self.line.client.forget(request)
                what = CUT.format(read=answer.usage.prompt, sent=self._expected(request))
                exchange.failure = CallFailure(kind="request", what=what, hint=CUT_HINT)
                return exchange
            exchange.requests.append(request.key())
            exchange.models.add(answer.model)
            exchange.said = said(answer.text, answer.finish, self.schema)
            if exchange.said.readable or exchange.said.truncated:
                return exchange
            exchange.raw = answer.text
            turn = self.prompts.mend(turn, answer.text[:LONGEST_ECHO], exchange.said.faults[-1].what)
        return exchange

    def _expected(self, request: Request) -> int:
        """Tokens the request has by the server's own count, roughly."""
        return int(request.tokens() * self.capability.counts.get(self.language, 1.0))


def _sum(one: Usage, other: Usage) -> Usage:
    return Usage(
        prompt=one.prompt + other.prompt,
        completion=one.completion + other.completion,
        reasoning=one.reasoning + other.reasoning,
    )
