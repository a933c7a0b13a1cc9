"""Any server that speaks OpenAI's chat completions: OpenAI itself, vLLM, Ollama, llama.cpp, LM Studio, gateways.

In: `Request`. Out: `Reply`, or a `CallFailure` with what to do about it. One try per call: patience, pace and budget
are `kg/llm_client.py`'s. What a server refuses (a parameter's name, a temperature) is left out from then on and noted.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Mapping
from dataclasses import field
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.dataclasses import dataclass

from kg.errors import SettingsError
from kg.llm import Answer, Budget, CallFailure, Kind, Limits, Price, Reply, Request, Transport, Usage
from kg.llm_openai_batch import Batching, BatchTransport

if TYPE_CHECKING:
    import openai

_UNSUPPORTED = ("support", "unrecognized", "unknown", "unexpected", "not permitted", "extra inputs", "deprecated")
"""Words by which servers say that they do not know a parameter."""
_FORMS = {"response_format", "structured_outputs"}
"""Fields that a caller sets to have a schema enforced: without them the request would be another one."""
_NO_KEY = "none"
"""Local servers want some key, whatever it is."""
_NAMES_OF_TOKENS = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class OpenAIEndpoint:
    """Settings of one model at one server."""

    model: str
    base_url: str
    name: str = ""
    """Shown in reports and used in paths; empty: the model's."""
    api_key_env: str = ""
    """Name of the environment variable that holds the key; empty: the server wants none."""
    timeout: float = 120.0
    """Seconds per try."""
    extra_body: dict[str, Any] = field(default_factory=dict)
    """Fields every request's body gets, as this server knows them (`reasoning_effort: none`, …)."""
    limits: Limits = Limits()
    prices: dict[str, Price] = field(default_factory=dict)
    """Per model; a model that is not listed has no known price."""
    budget: Budget = Budget()
    cache: str = "outputs/llm/replies.sqlite"
    batch: Batching | None = None
    """Put requests together in batches; none: ask one by one."""

    @property
    def price(self) -> Price | None:
        """Of the model; none where it is not known."""
        return self.prices.get(self.model)

    def connect(self) -> Transport:
        """A connection for the running event loop.

        Raises SettingsError if the library is not installed or the key is not in the environment.
        """
        client = _client(self)
        single = OpenAITransport(client, self)
        if self.batch is None:
            return single
        ledger = Path(self.cache + ".batches")
        return BatchTransport(client, self.batch, ledger, single.send, (single.body, lambda raw: _reply(raw, 0.0)))


class OpenAITransport:
    """An open connection; remembers what its server does not take."""

    def __init__(self, client: openai.AsyncOpenAI, endpoint: OpenAIEndpoint) -> None:
        self._client, self._endpoint = client, endpoint
        self._dropped: set[str] = set()
        self._renamed: dict[str, str] = {}

    async def close(self) -> None:
        """Nothing is open afterwards."""
        await self._client.close()

    async def send(self, request: Request) -> Answer:
        """One try; more only to find out which parameters this server takes."""
        while True:
            body = self.body(request)
            answer = await self._post(body)
            if isinstance(answer, Reply):
                return answer.model_copy(update={"adapted": self._adapted()})
            wanted = set(request.sampling.extra) & _FORMS
            if answer.kind != "request" or not self._adapt(answer.what, body, wanted):
                return answer

    def body(self, request: Request) -> dict[str, Any]:
        """The request as this server takes it, as far as that is known."""
        sampling = request.sampling
        body: dict[str, Any] = {
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "max_tokens": sampling.max_tokens,
            "seed": sampling.seed,
            **sampling.extra,
        }
        if request.answer_schema is not None:
            form = {"name": "answer", "strict": True, "schema": request.answer_schema}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        kept = {
            self._renamed.get(name, name): value
            for name, value in body.items()
            if value is not None and name not in self._dropped
        }
        messages = [message.model_dump() for message in request.messages]
        return {"model": request.model, "messages": messages, **kept}

    def _adapt(self, complaint: str, body: Mapping[str, Any], wanted: Collection[str]) -> bool:
        """True if the complaint names a parameter of the body that can be renamed or left out the next time.

        What is `wanted` is never left out.
        """
        if not any(word in complaint.casefold() for word in _UNSUPPORTED):
            return False
        optional = sorted(set(body) - {"model", "messages", *wanted}, key=lambda name: (-len(name), name))
        for name in optional:
            if name not in complaint:
                continue
            if name == "max_tokens":
                self._renamed[name] = _NAMES_OF_TOKENS[name]
                return True
            if name not in self._renamed.values():
                self._dropped.add(name)
                return True
        return False

    def _adapted(self) -> tuple[str, ...]:
        renamed = [f"{name} sent as {other}" for name, other in sorted(self._renamed.items())]
        return (*renamed, *(f"{name} dropped" for name in sorted(self._dropped)))

    async def _post(self, body: dict[str, Any]) -> Answer:
        import openai

        began = time.monotonic()
        try:
            raw = await self._client.chat.completions.with_raw_response.create(
                model=body["model"],
                messages=[],  # those of `extra_body` take their place, without the library rewriting each of them
                extra_body=body,
            )
        except openai.APITimeoutError:
            hint = "raise llm.timeout, or ask fewer at once with llm.limits.concurrency"
            return CallFailure(kind="timeout", what=f"no answer within {self._endpoint.timeout:g} s", hint=hint)
        except openai.APIConnectionError as error:
            hint = f"is a server running at {self._endpoint.base_url}? (llm.base_url)"
            cause = str(error.__cause__ or "").strip() or "connection closed"
            return CallFailure(kind="connection", what=f"no connection: {cause}", hint=hint)
        except openai.APIStatusError as error:
            return _refusal(error, self._endpoint)
        return _reply(raw.content, time.monotonic() - began)


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None
    reasoning: str | None = None
    reasoning_content: str | None = None


class _Likely(BaseModel):
    token: str
    logprob: float


class _Token(BaseModel):
    top_logprobs: list[_Likely] = []


class _Logprobs(BaseModel):
    content: list[_Token] | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None
    logprobs: _Logprobs | None = None


class _Details(BaseModel):
    reasoning_tokens: int | None = None


class _Usage(BaseModel):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    completion_tokens_details: _Details | None = None


class _Completion(BaseModel):
    """What we need of a chat completion; everything else may be missing or new."""

    model_config = ConfigDict(extra="ignore")
    model: str | None = None
    choices: list[_Choice]
    usage: _Usage | None = None


def _reply(content: bytes, seconds: float) -> Answer:
    """The body of a 200 as a reply, or what is wrong with it."""
    try:
        completion = _Completion.model_validate_json(content)
        choice = completion.choices[0]
    except (ValidationError, IndexError):
        start = content[:60].decode("utf-8", "replace").strip()
        hint = "does llm.base_url end in /v1, and is no proxy in between?"
        return CallFailure(kind="malformed", what=f"not a chat completion: {start!r}", hint=hint)
    usage = _usage(completion.usage)
    text = choice.message.content or choice.message.refusal or ""
    finish = choice.finish_reason or ""
    if not text.strip():
        return _without_text(finish, usage)
    return Reply(
        text=text,
        finish=finish,
        model=completion.model or "",
        usage=usage,
        seconds=round(seconds, 3),
        reasoning=choice.message.reasoning_content or choice.message.reasoning or "",
        first=_first(choice),
    )


def _first(choice: _Choice) -> tuple[tuple[str, float], ...]:
    """The likeliest beginnings of the text, if the server says."""
    tokens = choice.logprobs.content if choice.logprobs else None
    return tuple((likely.token, likely.logprob) for likely in tokens[0].top_logprobs) if tokens else ()


def _without_text(finish: str, usage: Usage) -> CallFailure:
    if finish == "length":
        hint = "a reasoning model? raise max_tokens, or switch its thinking off with llm.extra_body"
        return CallFailure(kind="cut", what="the token limit was reached before any text", hint=hint, usage=usage)
    return CallFailure(kind="empty", what="an empty reply", hint="run again to ask once more", usage=usage)


def _usage(usage: _Usage | None) -> Usage:
    if usage is None:
        return Usage()
    details = usage.completion_tokens_details or _Details()
    return Usage(
        prompt=usage.prompt_tokens or 0,
        completion=usage.completion_tokens or 0,
        reasoning=details.reasoning_tokens or 0,
    )


def _refusal(error: openai.APIStatusError, endpoint: OpenAIEndpoint) -> CallFailure:
    """An HTTP status other than 2xx as data."""
    status = error.status_code
    kind, hint = _meaning(status, str(error.code or ""), endpoint)
    what = f"HTTP {status}: {_complaint(error)}"
    wait = _retry_after(error.response.headers)
    return CallFailure(kind=kind, what=what, hint=hint, status=status, wait=wait)


def _meaning(status: int, code: str, endpoint: OpenAIEndpoint) -> tuple[Kind, str]:
    if code == "insufficient_quota" or status == 402:
        return "access", "the account has no credit left"
    if status in (401, 403):
        return "access", f"check the key in {endpoint.api_key_env or 'llm.api_key_env'}"
    if status == 404:
        return "access", f"does {endpoint.base_url} serve the model {endpoint.model}? (llm.base_url, llm.model)"
    if status == 429:
        return "rate", "lower llm.limits.concurrency"
    if status in (408, 409) or status >= 500:
        return "server", "run again later; what was answered is kept"
    return "request", "the server does not take this request"


def _complaint(error: openai.APIStatusError) -> str:
    """The server's words in one line, the parameter it names included."""
    body = error.body if isinstance(error.body, Mapping) else {}
    words = str(body.get("message") or error.response.text or "").strip()
    param = f" [{error.param}]" if error.param else ""
    return (" ".join(words.split())[:300] or "no reason given") + param


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds the server asks us to wait: milliseconds, seconds or a date; none if it does not say."""
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return max(0.0, float(milliseconds) / 1000)
        if value := headers.get("retry-after"):
            if value.replace(".", "", 1).isdigit():
                return float(value)
            return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None
    return None


def _client(endpoint: OpenAIEndpoint) -> openai.AsyncOpenAI:
    try:
        import openai
    except ImportError:
        raise SettingsError(
            "the openai package is not installed", where="llm", remedy="pip install 'textbook-kg[llm]'"
        ) from None
    key = os.environ.get(endpoint.api_key_env, "") if endpoint.api_key_env else _NO_KEY
    if not key:
        raise SettingsError(
            f"the environment variable {endpoint.api_key_env} is empty",
            where="llm.api_key_env",
            remedy=f"export {endpoint.api_key_env}=…",
        )
    return openai.AsyncOpenAI(base_url=endpoint.base_url, api_key=key, timeout=endpoint.timeout, max_retries=0)
