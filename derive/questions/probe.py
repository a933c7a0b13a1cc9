"""Asks a served model every question and keeps how sure it was: the entropy over the letters of the options.

In: single-answer items. Out: one `Probed` per item. A server that gives no logprobs leaves the entropy open.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from derive.ask import Messages
from derive.questions.readers import Reading, entropy, reading
from kg.item import Item
from kg.llm import Answer, Reply, Sampling
from kg.prompt import load
from kg.row import Row

PROMPT = Path(__file__).parent / "prompts" / "probe.md"
MOST_LOGPROBS = 20
SAMPLING = Sampling(temperature=0.0, max_tokens=4, extra={"logprobs": True, "top_logprobs": MOST_LOGPROBS})


class Probed(Row):
    """What the model made of one question."""

    id: str
    level: int
    shares: dict[str, float] = {}
    """Letter -> its share of the probability that all letters got; empty where the server does not say."""
    entropy: float | None = None
    """In nats."""
    answered: str = ""
    """The likeliest letter, or the one that was written; empty if there is none."""
    right: bool = False


def probe(items: Sequence[Item], ask: Callable[[Sequence[Messages]], list[Answer]]) -> list[Probed]:
    """One row per item, in order; a failed call is a wrong answer without entropy."""
    prompt = load(PROMPT)
    shown = [{"question": item.question, "options": _lines(item)} for item in items]
    answers = ask([prompt.messages(values) for values in shown])
    return [_probed(item, answer) for item, answer in zip(items, answers, strict=True)]


def _lines(item: Item) -> str:
    return "\n".join(f"{letter}) {text}" for letter, text in item.options.items())


def _probed(item: Item, answer: Answer) -> Probed:
    if not isinstance(answer, Reply):
        return Probed(id=item.id, level=item.level)
    mass: Counter[str] = Counter()
    for token, logprob in answer.first:
        if (letter := _letter(token)) in item.options:
            mass[letter] += math.exp(logprob)  # type: ignore[assignment]
    total = sum(mass.values())
    shares = {letter: round(mass[letter] / total, 6) for letter in item.options} if total > 0 else {}
    said = max(shares, key=lambda letter: shares[letter]) if shares else _letter(answer.text)
    said = said if said in item.options else ""
    sure = round(entropy(list(shares.values())), 6) if shares else None
    return Probed(
        id=item.id, level=item.level, shares=shares, entropy=sure, answered=said, right=item.answer == (said,)
    )


def _letter(token: str) -> str:
    """The letter a token or a text begins with: `(B`, ` b)`, `**B**` are B, `Be` is none."""
    bare = token.strip(" \t\n()[]*.:,：。）（").upper()
    return bare if len(bare) == 1 else bare[:1] if bare[1:2] and not bare[1:2].isalnum() else ""


def by_level(rows: Sequence[Probed]) -> dict[str, Reading]:
    """Level -> reading."""
    levels = sorted({row.level for row in rows})
    found = {str(level): overall([row for row in rows if row.level == level]) for level in levels}
    return {level: one for level, one in found.items() if one is not None}


def overall(rows: Sequence[Probed]) -> Reading | None:
    """Accuracy over all rows, entropy over those that have one (0 if none has)."""
    every = reading([(float(row.right), 0.0) for row in rows])
    known = reading([(float(row.right), row.entropy) for row in rows if row.entropy is not None])
    if every is None or known is None:
        return every
    return every.model_copy(update={"entropy": known.entropy, "spread": known.spread})
