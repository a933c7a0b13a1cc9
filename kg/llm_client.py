"""Asks a model: from the cache if it has answered before, else with patience, within the budget, and never for nothing.

In: an `Endpoint` and requests. Out: a `Reply` or a `CallFailure` for each, and a count of what was spent.
"""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass
from types import TracebackType

from kg.errors import SettingsError
from kg.llm import BROKEN, FATAL, Answer, Budget, CallFailure, Endpoint, Price, Reply, Request, Transport, Usage
from kg.llm_cache import Cache
from kg.llm_limit import Limiter


@dataclass
class Spend:
    """What a run has asked for; repeated tries and failures included."""

    price: Price | None = None
    kept: int = 0
    """Replies that came from the cache."""
    calls: int = 0
    failed: int = 0
    """Calls without a usable reply."""
    prompt: int = 0
    completion: int = 0
    reserved_calls: int = 0
    reserved_tokens: int = 0
    reserved_cost: float = 0.0

    @property
    def cost(self) -> float | None:
        """Money of the calls of this run; none where the price is not known."""
        return self.price.of(Usage(prompt=self.prompt, completion=self.completion)) if self.price else None

    def counts(self) -> dict[str, int]:
        """What a stage's closing line says; replies that were kept cost nothing."""
        found = {
            "calls": self.calls,
            "failed calls": self.failed,
            "kept replies": self.kept,
            "prompt tokens": self.prompt,
            "completion tokens": self.completion,
        }
        if self.price is not None:
            found[f"{self.price.currency} thousandths"] = round(1000 * (self.cost or 0.0))
        return found

    def add(self, answer: Answer) -> None:
        """One call is over."""
        self.calls += 1
        self.failed += isinstance(answer, CallFailure)
        self.prompt += answer.usage.prompt
        self.completion += answer.usage.completion

    def exceeds(self, budget: Budget, more: Usage) -> str:
        """Which limit one more call would break, calls under way counted in; empty: none."""
        tokens = self.prompt + self.completion + self.reserved_tokens + more.prompt + more.completion
        if budget.calls is not None and self.calls + self.reserved_calls + 1 > budget.calls:
            return f"{budget.calls} calls"
        if budget.tokens is not None and tokens > budget.tokens:
            return f"{budget.tokens} tokens"
        if budget.cost is not None and self.price is not None:
            total = (self.cost or 0.0) + self.reserved_cost + self.price.of(more)
            if total > budget.cost:
                return f"{budget.cost} {self.price.currency}"
        return ""

    def reserve(self, more: Usage, sign: int) -> None:
        """A call is under way (`sign` 1), or no longer (-1)."""
        self.reserved_calls += sign
        self.reserved_tokens += sign * (more.prompt + more.completion)
        self.reserved_cost += sign * (self.price.of(more) if self.price else 0.0)


class Client:
    """`async with Client(endpoint) as client: answer = await client.ask(request)`, any number of them at once."""

    def __init__(self, endpoint: Endpoint, *, replays: bool = False) -> None:
        """`replays`: what the connection lacks is the answer to the first request that is not kept, not an error."""
        self.endpoint, self._replays = endpoint, replays
        self.spend = Spend(price=endpoint.price)
        self.stopped: CallFailure | None = None
        """Why nothing more is sent, once that is so."""
        self.lacking: SettingsError | None = None
        """Why there is no connection, where it may replay without one."""
        self._jitter = random.Random(0)
        self._broken = 0
        self._broke_at = 0.0

    async def __aenter__(self) -> Client:
        """Raises SettingsError if the cache cannot be opened, or the connection or the budget lacks something."""
        self._transport: Transport | None = None
        if self.endpoint.budget.cost is not None and self.endpoint.price is None:
            raise SettingsError(
                f"a budget in money, but no price of {self.endpoint.model}",
                where="llm.budget.cost",
                remedy="add the model to llm.prices",
            )
        self._limiter = Limiter(self.endpoint.limits.concurrency)
        try:
            self._transport = self.endpoint.connect()
        except SettingsError as error:
            if not self._replays:
                raise
            self.lacking = error
            self.stopped = CallFailure(kind="access", what=error.what, hint=error.remedy)
        self._cache = Cache(self.endpoint.cache)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._cache.close()
        if self._transport is not None:
            await self._transport.close()

    async def ask(self, request: Request) -> Answer:
        """The reply, at once if it is kept; else after as much patience as the limits allow, or why there is none."""
        kept = self._cache.get(request)
        if kept is not None:
            self.spend.kept += 1
            return kept
        answer = await self.fresh(request)
        if isinstance(answer, Reply):
            self._cache.put(request, answer)
        return answer

    def kept(self, request: Request) -> Reply | None:
        """The reply that is kept for this request."""
        return self._cache.get(request)

    def keep(self, request: Request, reply: Reply) -> None:
        """The reply is kept, in place of an earlier one."""
        self._cache.put(request, reply)

    def forget(self, request: Request) -> None:
        """The request will be asked anew: its reply turned out to be of no use."""
        self._cache.forget(request)

    async def fresh(self, request: Request, tries: int = 0) -> Answer:
        """What the server says now, neither taken from the cache nor kept; as patient as `ask`, or with fewer tries."""
        limits, began = self.endpoint.limits, time.monotonic()
        most = tries or limits.tries
        faults = refusals = 0
        while True:
            answer = await self._try(request)
            if isinstance(answer, Reply):
                return answer
            refused = answer.kind == "rate"
            faults, refusals = faults + (not refused), refusals + refused
            spent = time.monotonic() - began > limits.patience if refused else faults >= most
            if spent or not answer.retryable:
                return answer
            await asyncio.sleep(self._pause(answer, refusals if refused else faults))

    async def _try(self, request: Request) -> Answer:
        expected = Usage(prompt=request.tokens(), completion=request.sampling.max_tokens or 0)
        async with self._limiter.place() as began:
            if self.stopped is not None:
                return self.stopped
            assert self._transport is not None, "without one, `stopped` says why"
            limit = self.spend.exceeds(self.endpoint.budget, expected)
            if limit:
                return CallFailure(
                    kind="budget", what=f"the budget of {limit} is spent", hint="raise llm.budget and run again"
                )
            self.spend.reserve(expected, 1)
            try:
                answer = await self._transport.send(request)
            finally:
                self.spend.reserve(expected, -1)
            self.spend.add(answer)
            self._learn(answer, began)
        return answer

    def _learn(self, answer: Answer, began: float) -> None:
        """Adapts the pace to what came back, and stops the run where going on is no use."""
        if isinstance(answer, Reply):
            self._broken = 0
            self._limiter.faster()
            return
        if answer.kind == "rate":
            self._limiter.slower(began, min(answer.wait or 0.0, self.endpoint.limits.longest_wait))
        if answer.kind in FATAL:
            self._stop(answer)
        elif answer.kind in BROKEN:
            if began >= self._broke_at:
                self._broken, self._broke_at = self._broken + 1, time.monotonic()
            if self._broken >= self.endpoint.limits.give_up:
                self._stop(answer)
        else:
            self._broken = 0

    def _stop(self, cause: CallFailure) -> None:
        self.stopped = CallFailure(kind="stopped", what=f"not asked: {cause.what}", hint=cause.hint)

    def _pause(self, failure: CallFailure, count: int) -> float:
        """Seconds until the next try: what the server asks for, else exponential with jitter."""
        limits = self.endpoint.limits
        if failure.wait is not None:
            return min(failure.wait, limits.longest_wait)
        exponential = limits.backoff * float(2 ** min(count - 1, 30))
        return min(exponential, limits.longest_wait) * self._jitter.uniform(0.75, 1.25)
