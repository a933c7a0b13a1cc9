"""Questions by the batch: at half the price, answered within a day, where a server takes OpenAI's batches.

In: requests, as they come. Out: their answers. What comes within a moment goes out as one batch; a few are asked at
once. Batches under way are written down beside the cache, so that a run that was stopped picks them up again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from kg.llm import Answer, CallFailure, Kind, Request
from kg.row import Row

if TYPE_CHECKING:
    import openai

ENDPOINT: Literal["/v1/chat/completions"] = "/v1/chat/completions"
WINDOW: Literal["24h"] = "24h"
OVER = ("completed", "failed", "expired", "cancelled")
HINT = "run again to ask once more"


class Batching(Row):
    """When requests are put together."""

    least: int = 20
    """Fewer are asked one by one."""
    most: int = 20_000
    """In one batch."""
    gather: float = 2.0
    """Seconds without a new request after which what is there goes out."""
    poll: float = 30.0
    """Seconds between two looks at a batch."""


class Under(Row):
    """A batch under way."""

    id: str
    keys: tuple[str, ...]
    """Of its requests."""


class BatchTransport:
    """Sends requests in batches; `one` asks a single one, `body` writes a request as this server takes it."""

    def __init__(
        self,
        client: openai.AsyncOpenAI,
        batching: Batching,
        ledger: Path,
        one: Callable[[Request], Awaitable[Answer]],
        read: tuple[Callable[[Request], dict[str, Any]], Callable[[bytes], Answer]],
    ) -> None:
        self._client, self._batching, self._ledger, self._one = client, batching, ledger, one
        self._body, self._answer = read
        self._pending: dict[str, Request] = {}
        self._futures: dict[str, asyncio.Future[Answer]] = {}
        self._under = {key: under for under in _read(ledger) for key in under.keys}
        self._tasks: set[asyncio.Task[None]] = set()
        self._gathering: asyncio.Task[None] | None = None

    async def close(self) -> None:
        """Nothing is open afterwards; batches under way go on at the server."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._client.close()

    async def send(self, request: Request) -> Answer:
        """The answer, once the request's batch is over."""
        key = request.key()
        if key not in self._futures:
            self._futures[key] = asyncio.get_running_loop().create_future()
            if key in self._under:
                self._start(self._follow(self._under[key]))
            else:
                self._pending[key] = request
                self._later()
        try:
            return await asyncio.shield(self._futures[key])
        finally:
            self._futures.pop(key, None)

    def _later(self) -> None:
        """What is there goes out when nothing more has come for a moment."""
        if self._gathering is not None:
            self._gathering.cancel()
        self._gathering = self._start(self._gather())

    async def _gather(self) -> None:
        await asyncio.sleep(self._batching.gather)
        self._gathering = None
        while self._pending:
            chosen = dict(list(self._pending.items())[: self._batching.most])
            self._pending = {key: request for key, request in self._pending.items() if key not in chosen}
            few = len(chosen) < self._batching.least
            self._start(self._directly(chosen) if few else self._batch(chosen))

    def _start(self, work: Any) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _directly(self, requests: Mapping[str, Request]) -> None:
        async def ask(key: str, request: Request) -> None:
            self._settle({key: await self._one(request)})

        await asyncio.gather(*(ask(key, request) for key, request in requests.items()))

    async def _batch(self, requests: Mapping[str, Request]) -> None:
        import openai

        lines = [
            json.dumps({"custom_id": key, "method": "POST", "url": ENDPOINT, "body": self._body(request)})
            for key, request in requests.items()
        ]
        try:
            file = await self._client.files.create(
                file=("requests.jsonl", ("\n".join(lines) + "\n").encode("utf-8")), purpose="batch"
            )
            batch = await self._client.batches.create(
                input_file_id=file.id, endpoint=ENDPOINT, completion_window=WINDOW
            )
        except openai.OpenAIError as error:
            hint = "does this server take batches? (llm.batch: null asks one by one)"
            failure = CallFailure(kind="request", what=f"no batch: {' '.join(str(error).split())[:200]}", hint=hint)
            self._settle(dict.fromkeys(requests, failure))
            return
        under = Under(id=batch.id, keys=tuple(requests))
        with self._ledger.open("a", encoding="utf-8") as stream:
            stream.write(under.to_json() + "\n")
        await self._follow(under)

    async def _follow(self, under: Under) -> None:
        """Waits for the end of a batch and hands out its answers."""
        import openai

        for key in under.keys:
            self._under.pop(key, None)
        try:
            batch = await self._client.batches.retrieve(under.id)
            while batch.status not in OVER:
                await asyncio.sleep(self._batching.poll)
                batch = await self._client.batches.retrieve(under.id)
            answers: dict[str, Answer] = {}
            for file in (batch.output_file_id, batch.error_file_id):
                if file:
                    answers.update(self._answers((await self._client.files.content(file)).content))
        except openai.OpenAIError as error:
            lost: Answer = CallFailure(
                kind="connection", what=f"batch {under.id}: {' '.join(str(error).split())[:200]}"
            )
            self._settle(dict.fromkeys(under.keys, lost))
            return
        missing = CallFailure(kind="server", what=f"batch {under.id} is {batch.status}, without an answer", hint=HINT)
        self._settle({key: answers.get(key, missing) for key in under.keys})
        _forget(self._ledger, under.id)

    def _answers(self, content: bytes) -> dict[str, Answer]:
        """The answers of a result file by key."""
        found: dict[str, Answer] = {}
        for line in content.splitlines():
            row = json.loads(line)
            response = row.get("response") or {}
            body, status = response.get("body") or {}, response.get("status_code")
            if status == 200:
                found[row["custom_id"]] = self._answer(json.dumps(body).encode("utf-8"))
            else:
                error = row.get("error") or body.get("error") or {}
                what = f"HTTP {status}: {str(error.get('message') or 'no reason given')[:300]}"
                kind: Kind = "request" if status and 400 <= status < 500 and status != 429 else "server"
                found[row["custom_id"]] = CallFailure(kind=kind, what=what, status=status)
        return found

    def _settle(self, answers: Mapping[str, Answer]) -> None:
        for key, answer in answers.items():
            future = self._futures.get(key)
            if future is not None and not future.done():
                future.set_result(answer)


def _read(ledger: Path) -> Iterable[Under]:
    """Batches that were under way when an earlier run ended."""
    if not ledger.is_file():
        return []
    lines = ledger.read_text(encoding="utf-8").splitlines()
    return [Under.model_validate_json(line) for line in lines if line.endswith("}")]


def _forget(ledger: Path, batch: str) -> None:
    """The batch is over: its answers are in the cache, or its requests go into another one."""
    left = [under for under in _read(ledger) if under.id != batch]
    part = ledger.with_name(ledger.name + ".part")
    part.write_text("".join(under.to_json() + "\n" for under in left), encoding="utf-8")
    part.replace(ledger)
