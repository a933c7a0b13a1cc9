"""Puts many questions to a model at once: for the teacher of the benchmark and the writer of training data.

In: message lists and an `Endpoint`. Out: a text for each, or none where the call failed; and `ModelUse`, what it took.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from kg.errors import Failure, KgError
from kg.llm import Answer, CallFailure, Endpoint, Message, Reply, Request, Sampling, request_to
from kg.llm_client import Client, Spend
from kg.row import Row

Messages = tuple[Message, ...]
Ask = Callable[[Sequence[Messages]], list[str | None]]
"""Sends many lists of messages to a model; for each the text that came back, none if the call failed."""


class Unanswered(KgError):
    """The model answers nothing, and what depends on it cannot be made; a later run may succeed."""


class ModelUse(Row):
    """What a product asked of a model. Replies that were kept from earlier runs count like new ones."""

    model: str
    served_by: tuple[str, ...]
    """Names by which the server called what answered."""
    prompts: dict[str, str]
    """Prompt -> fingerprint."""
    calls: int
    """Different requests; a second try of one is no further call."""
    failed: dict[str, int]
    """Kind of failure -> calls without a reply."""
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    """None where the price is not known."""
    currency: str = ""


class Asker:
    """An `Ask` that remembers its answers, and over all its calls what was spent and why to ask no more."""

    def __init__(self, endpoint: Endpoint, sampling: Sampling) -> None:
        self.endpoint = endpoint
        self.spend = Spend(price=endpoint.price)
        """What this run asked for, repeated tries included."""
        self._sampling = sampling
        self._answers: dict[str, Answer] = {}
        self._stopped: CallFailure | None = None

    def __call__(self, many: Sequence[Messages]) -> list[str | None]:
        """Every list of messages has been asked once, many at a time.

        Raises SettingsError if the connection or the cache lacks something.
        """
        return [answer.text if isinstance(answer, Reply) else None for answer in self.answers(many)]

    def answers(self, many: Sequence[Messages]) -> list[Answer]:
        """As a call, with all that came back besides the text."""
        requests = [request_to(self.endpoint, messages, self._sampling) for messages in many]
        keys = [request.key() for request in requests]
        due = {key: request for key, request in zip(keys, requests, strict=True) if key not in self._answers}
        if due:
            asyncio.run(self._ask(due))
        return [self._answers[key] for key in keys]

    def surely(self, many: Sequence[Messages]) -> list[str | None]:
        """As a call. Raises Unanswered where the model answers nothing (more): going on would be no use."""
        texts = self(many)
        last = next((answer for answer in self._failures() if answer.kind in ("stopped", "access", "budget")), None)
        if last is None and self._answers and not self._replies():
            last = self._failures()[0]
        if last is not None:
            what = last.what.removeprefix("not asked: ")
            raise Unanswered(f"{self.endpoint.model} does not answer: {what}", remedy=last.hint)
        return texts

    def use(self, prompts: Mapping[str, str]) -> ModelUse:
        """What all calls took; the same whether replies were kept or not. `prompts`: their fingerprints by name."""
        replies, price = self._replies(), self.endpoint.price
        cost = sum(price.of(reply.usage) for reply in replies) if price else None
        return ModelUse(
            model=self.endpoint.model,
            served_by=tuple(sorted({reply.model for reply in replies if reply.model})),
            prompts=dict(sorted(prompts.items())),
            calls=len(self._answers),
            failed=dict(sorted(Counter(str(failure.kind) for failure in self._failures()).items())),
            prompt_tokens=sum(reply.usage.prompt for reply in replies),
            completion_tokens=sum(reply.usage.completion for reply in replies),
            cost=None if cost is None else round(cost, 6),
            currency=price.currency if price else "",
        )

    def counts(self) -> dict[str, int]:
        """What this run asked for, for its closing line."""
        return self.spend.counts()

    def lost(self, product: str) -> tuple[Failure, ...]:
        """One line about the calls without a reply, with the reason most of them have; empty if there is none."""
        failures = self._failures()
        if not failures:
            return ()
        # what was not sent any more has the reason of what was
        reasons = Counter((failure.what.removeprefix("not asked: "), failure.hint) for failure in failures)
        (what, hint), _ = min(reasons.items(), key=lambda pair: (-pair[1], pair[0]))
        line = f"{len(failures)} of {len(self._answers)} questions to {self.endpoint.model} have no answer: {what}"
        return (Failure(stage="derive", item=product, what=line, remedy=hint, retry=True),)

    def _failures(self) -> list[CallFailure]:
        return [answer for answer in self._answers.values() if isinstance(answer, CallFailure)]

    def _replies(self) -> list[Reply]:
        return [answer for answer in self._answers.values() if isinstance(answer, Reply)]

    async def _ask(self, due: Mapping[str, Request]) -> None:
        async def work(client: Client, keys: Iterator[str]) -> None:
            for key in keys:
                found[key] = await client.ask(due[key])

        found: dict[str, Answer] = {}
        client = Client(self.endpoint)
        # budget and despair hold for all batches together
        client.spend, client.stopped = self.spend, self._stopped
        keys = iter(due)
        async with client, asyncio.TaskGroup() as group:
            for _ in range(min(len(due), self.endpoint.limits.concurrency)):
                group.create_task(work(client, keys))
        self._stopped = client.stopped
        self._answers.update((key, found[key]) for key in due)  # in the order of the questions, not of the replies


def check(endpoint: Endpoint) -> None:
    """A connection can be made. Raises SettingsError if the library, the key or a price is missing."""

    async def opened() -> None:
        async with Client(endpoint):
            pass

    asyncio.run(opened())
