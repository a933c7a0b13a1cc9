"""Puts the questions of a benchmark to a model, by the paper's answer-only protocol (§8.4).

In: items, a model's endpoint, prompts. Out: `Asked`: an answer for every item that got one, the reason for every
other. Replies are kept as they come in, so that a stopped run loses nothing and the next one goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluate.predictions import Prediction, Reader, answered
from evaluate.settings import Protocol
from evaluate.words import language_of
from kg.errors import SettingsError
from kg.item import Item
from kg.language import Language
from kg.llm import Answer, CallFailure, Endpoint, Message, Reply, Request, Sampling, Usage, request_to
from kg.llm_client import Client, Spend
from kg.prompt import Prompt, load
from kg.stage import ROOT

PROMPTS = ROOT / "evaluate" / "prompts"
PLACES = frozenset({"question", "options", "letters"})
"""What a prompt can show of an item."""

Progress = Callable[[int, int, int, Spend], None]
"""Called with items done, items in all, items failed so far, and what was spent."""


@dataclass(frozen=True)
class Asked:
    """What a model answered."""

    predictions: dict[str, Prediction]
    """By item id; every item has one, failed ones included."""
    usage: Usage
    """Tokens of all replies, those that were kept from earlier runs included."""
    models: tuple[str, ...]
    """Names by which the server called what answered."""
    adapted: tuple[str, ...]
    """What had to be changed in requests for this server."""
    spend: Spend
    """What this run asked for."""
    hints: dict[str, int]
    """Why items have no answer, with how many."""


def prompts_of(protocol: Protocol, languages: Mapping[str, Language], folder: Path = PROMPTS) -> dict[str, Prompt]:
    """The prompt to use for questions of each language; a language without its own gets the first there is.

    Raises SettingsError if a named prompt is not there.
    """
    own = {code: folder / f"{protocol.prompt}.{code}.md" for code in sorted(languages)}
    if protocol.prompt_language:
        return dict.fromkeys(own, _usable(folder / f"{protocol.prompt}.{protocol.prompt_language}.md"))
    there = {code: _usable(path) for code, path in own.items() if path.is_file()}
    if not there:
        raise SettingsError(f"no prompt {protocol.prompt}.*.md in {folder}", where="protocol.prompt")
    first = next(iter(there.values()))
    return {code: there.get(code, first) for code in own}


def _usable(path: Path) -> Prompt:
    prompt = load(path)
    if not {"question", "options"} <= prompt.places <= PLACES:
        raise SettingsError(
            f"a prompt shows {{{{question}}}} and {{{{options}}}}, and knows only {', '.join(sorted(PLACES))}",
            where=str(path),
        )
    return prompt


def request_of(
    item: Item, endpoint: Endpoint, protocol: Protocol, prompts: Mapping[str, Prompt], languages: Mapping[str, Language]
) -> Request:
    """The request that puts this item to the model."""
    sampling = Sampling(
        temperature=protocol.temperature, top_p=protocol.top_p, max_tokens=protocol.max_tokens, seed=protocol.seed
    )
    return request_to(endpoint, messages_of(item, prompts, languages), sampling)


def messages_of(item: Item, prompts: Mapping[str, Prompt], languages: Mapping[str, Language]) -> tuple[Message, ...]:
    """The prompt in the item's language, filled in."""
    code = item.language if item.language in prompts else language_of(item.question, languages)
    values = {
        "question": item.question,
        "options": "\n".join(f"{letter}. {text}" for letter, text in item.options.items()),
        "letters": "/".join(item.options),
    }
    return prompts[code].messages(values)


def ask(
    items: Sequence[Item],
    requests: Sequence[Request],
    endpoint: Endpoint,
    reader: Reader,
    progress: Progress,
    rounds: int,
) -> Asked:
    """Every item has been asked until it was answered, `rounds` times at most.

    Raises SettingsError if the connection or the cache lacks something.
    """
    answers, spend = asyncio.run(_ask(requests, endpoint, progress, rounds))
    replies = [answer for answer in answers if isinstance(answer, Reply)]
    hints: dict[str, int] = {}
    for answer in answers:
        if isinstance(answer, CallFailure):
            hints[str(answer)] = hints.get(str(answer), 0) + 1
    return Asked(
        predictions={item.id: _prediction(item, answer, reader) for item, answer in zip(items, answers, strict=True)},
        usage=Usage(
            prompt=sum(reply.usage.prompt for reply in replies),
            completion=sum(reply.usage.completion for reply in replies),
            reasoning=sum(reply.usage.reasoning for reply in replies),
        ),
        models=tuple(sorted({reply.model for reply in replies if reply.model})),
        adapted=tuple(sorted({change for reply in replies for change in reply.adapted})),
        spend=spend,
        hints=hints,
    )


def _prediction(item: Item, answer: Answer, reader: Reader) -> Prediction:
    if isinstance(answer, Reply):
        return answered(item, answer.text, answer.finish, reader)
    return Prediction(id=item.id, failure=answer.what)


async def _ask(
    requests: Sequence[Request], endpoint: Endpoint, progress: Progress, rounds: int
) -> tuple[list[Answer], Spend]:
    answers: dict[int, Answer] = {}
    failed: set[int] = set()

    async def work(client: Client, numbers: Iterator[int]) -> None:
        for number in numbers:
            answer = answers[number] = await client.ask(requests[number])
            (failed.add if isinstance(answer, CallFailure) else failed.discard)(number)
            progress(len(answers), len(requests), len(failed), client.spend)

    async with Client(endpoint) as client:
        for _ in range(rounds):
            due = [n for n in range(len(requests)) if _is_due(answers.get(n))]
            if not due or client.stopped:
                break
            numbers = iter(due)
            async with asyncio.TaskGroup() as group:
                for _ in range(min(len(due), endpoint.limits.concurrency)):
                    group.create_task(work(client, numbers))
    return [answers[number] for number in range(len(requests))], client.spend


def _is_due(answer: Answer | None) -> bool:
    return answer is None or (isinstance(answer, CallFailure) and answer.retryable)
