"""What a language model is to the house: a request goes out, and a reply or a failure comes back as data.

In: messages, sampling, perhaps a JSON schema. Out: `Reply` or `CallFailure`. The dialect of a server lives in the
file named after its library (`kg/llm_openai.py`), replies are kept in `kg/llm_cache.py`, and `kg/llm_client.py`
puts them together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol, runtime_checkable

from pydantic import Field

from kg.row import Row
from kg.store import canonical, sha256
from kg.text import is_cjk

Kind = Literal[
    "connection",  # nobody answers at that address, or the connection broke
    "timeout",
    "rate",  # the server asks us to slow down
    "server",  # the server broke
    "malformed",  # something came back that is no chat completion
    "empty",  # a completion without text
    "cut",  # no text before the token limit
    "request",  # the server refuses this request
    "access",  # wrong key, no permission, no such model, no credit: every call would fail
    "budget",  # ours: the budget of the run is spent
    "stopped",  # ours: not sent, because earlier failures said that it is no use
]
RETRYABLE: frozenset[Kind] = frozenset({"connection", "timeout", "rate", "server", "malformed", "empty"})
"""Worth another try in the same run."""
BROKEN: frozenset[Kind] = frozenset({"connection", "timeout", "server", "malformed"})
"""The server itself is in trouble; every call says so until it is mended."""
FATAL: frozenset[Kind] = frozenset({"access"})
"""Every other call of the run would fail the same way."""


class Message(Row):
    """One turn."""

    role: Literal["system", "user", "assistant"]
    content: str


class Sampling(Row):
    """How the model picks its words; none: the server's default."""

    temperature: float | None = Field(default=0.0, ge=0)
    top_p: float | None = Field(default=None, gt=0, le=1)
    max_tokens: int | None = Field(default=None, ge=1)
    seed: int | None = None
    extra: dict[str, Any] = {}
    """Further fields of the request's body, as this server knows them (`reasoning_effort`, …)."""


class Request(Row):
    """Everything a reply depends on."""

    model: str
    messages: tuple[Message, ...]
    sampling: Sampling = Sampling()
    answer_schema: dict[str, Any] | None = None
    """JSON Schema the reply's text has to fit; none: free text."""

    def key(self) -> str:
        """Identity of the request: SHA-256 of its canonical JSON; the same whichever server is asked."""
        return sha256(canonical(self.model_dump(mode="json")))

    def tokens(self) -> int:
        """A rough count of the prompt's tokens: 4 characters each, or 1.2 in Han and kana text."""
        return sum(1 + int(len(message.content) / (1.2 if is_cjk(message.content) else 4)) for message in self.messages)


class Usage(Row):
    """Tokens as the server counts them; 0 where it does not say."""

    prompt: int = 0
    completion: int = 0
    reasoning: int = 0
    """Those of `completion` that went into hidden reasoning."""


class Reply(Row):
    """What a model said."""

    text: str
    """Verbatim, never empty."""
    finish: str = ""
    """`stop`, `length` (cut at the token limit), …"""
    model: str = ""
    """As the server names it; may be more exact than the request."""
    usage: Usage = Usage()
    seconds: float = 0.0
    reasoning: str = ""
    """Reasoning the server reports apart from the text."""
    adapted: tuple[str, ...] = ()
    """What had to be changed for this server, for example `temperature dropped`."""
    first: tuple[tuple[str, float], ...] = ()
    """The likeliest first tokens and the logarithms of their probabilities, where `logprobs` were asked for."""


class CallFailure(Row):
    """A call without a usable reply."""

    kind: Kind
    what: str
    hint: str = ""
    """What a person can do about it."""
    status: int | None = None
    wait: float | None = None
    """Seconds the server asks us to wait."""
    usage: Usage = Usage()
    """Tokens that were paid for all the same."""

    @property
    def retryable(self) -> bool:
        """True where the same request may get through in the same run."""
        return self.kind in RETRYABLE

    def __str__(self) -> str:
        return f"{self.what} ({self.hint})" if self.hint else self.what


Answer = Reply | CallFailure


class Price(Row):
    """Money per million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    currency: str = "USD"

    def of(self, usage: Usage) -> float:
        """What these tokens cost."""
        return (usage.prompt * self.input + usage.completion * self.output) / 1e6


class Limits(Row):
    """How hard a server is asked."""

    concurrency: int = Field(default=8, ge=1)
    """Calls under way at once, at most; halved when the server asks to slow down, raised again while all goes well."""
    tries: int = Field(default=6, ge=1)
    """Per request, the first included; being told to slow down does not count."""
    patience: float = Field(default=600.0, ge=0)
    """Seconds after which a request that is only told to slow down is given up."""
    backoff: float = Field(default=0.5, ge=0)
    """Seconds before the second try; doubled for every further one, with jitter."""
    longest_wait: float = Field(default=60.0, ge=0)
    """Seconds; also the most of what a server may ask for."""
    give_up: int = Field(default=8, ge=1)
    """Calls in a row, each begun after the one before failed, that a server may fail before nothing more is sent."""


class Budget(Row):
    """Where a run stops asking; none: no limit. Failed and repeated tries count too."""

    calls: int | None = Field(default=None, ge=0)
    tokens: int | None = Field(default=None, ge=0)
    cost: float | None = Field(default=None, ge=0)


class Transport(Protocol):
    """An open connection to a server."""

    async def send(self, request: Request) -> Answer:
        """One try."""

    async def close(self) -> None:
        """Nothing is open afterwards."""


@runtime_checkable
class Endpoint(Protocol):
    """A model at a server, as configured in `conf/llm/*.yaml`."""

    @property
    def model(self) -> str:
        """The model's name there."""

    @property
    def extra_body(self) -> dict[str, Any]:
        """Fields every request's body gets."""

    @property
    def limits(self) -> Limits:
        """How hard it may be asked."""

    @property
    def price(self) -> Price | None:
        """None where it is not known."""

    @property
    def budget(self) -> Budget:
        """Where to stop."""

    @property
    def cache(self) -> str:
        """File of the kept replies."""

    def connect(self) -> Transport:
        """A connection for the running event loop. Raises SettingsError if something for it is missing."""


def request_to(
    endpoint: Endpoint, messages: Sequence[Message], sampling: Sampling, answer_schema: dict[str, Any] | None = None
) -> Request:
    """The request with the model's name and extra fields filled in."""
    full = sampling.model_copy(update={"extra": {**endpoint.extra_body, **sampling.extra}})
    return Request(model=endpoint.model, messages=tuple(messages), sampling=full, answer_schema=answer_schema)
