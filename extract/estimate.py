"""What reading books with a model would take, before anything is spent.

In: the books and how they would be asked. Out: an `Estimate` of calls, tokens and money, what is kept counted out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from extract.asking import line_of
from extract.gate import Known
from extract.llm import BookToRead, Llm, samples
from extract.reading import Reader
from kg.language import Language
from kg.llm import Price, Usage
from kg.llm_cache import Cache
from kg.llm_client import Client
from kg.llm_probe import LADDER, Capability, remembered
from kg.schema import GraphSchema

NODES = 12
"""Nodes of a chunk, roughly, of which the question for edges gives a list."""
NAME = "of middling length"


@dataclass
class Estimate:
    """What a run would ask for."""

    model: str
    chunks: int = 0
    calls: int = 0
    kept: int = 0
    """First questions whose reply is in the cache."""
    prompt: int = 0
    completion: int = 0
    price: Price | None = None

    def text(self) -> str:
        """In one line."""
        money = "price unknown (llm.prices)"
        if self.price is not None:
            spent = Usage(prompt=self.prompt, completion=self.completion)
            money = f"about {self.price.of(spent):,.2f} {self.price.currency}"
        kept = f"; {self.kept:,} replies are kept already" if self.kept else ""
        return (
            f"{self.model}: {self.chunks:,} chunks, {self.calls:,} calls, about {self.prompt:,} prompt and "
            f"{self.completion:,} completion tokens, {money}{kept}. Nothing was asked."
        )


def estimate(
    model: Llm, books: Sequence[BookToRead], schema: GraphSchema, languages: Mapping[str, Language]
) -> Estimate:
    """The estimate for these books. Raises SettingsError if an example or a prompt is of no use."""
    found = Estimate(model.endpoint.model, price=model.endpoint.price)
    spoken = {book.language.code: languages[book.language.code] for book in books}
    shown = model.shown(schema, spoken)
    with Cache(model.endpoint.cache) as cache:
        known = remembered(cache.get, model.endpoint, samples(spoken), model.enforce)
        capability = known or Capability(rung=model.enforce or LADDER[0])
        line = line_of(Client(model.endpoint))
        for book in books:
            asker = model.asker(line, capability, schema, book.language.code, shown)
            reader = Reader(asker, schema, book.language, model.plan(book.title), lambda: None)
            _add(found, model, reader, book, cache)
    return found


def _add(found: Estimate, model: Llm, reader: Reader, book: BookToRead, cache: Cache) -> None:
    """A book's first questions as they would be put, and as many second ones as there may be."""
    for chunk in reader.chunks(book.sections):
        request = reader.asker.request(reader.turn(chunk, book.marked))
        found.chunks += 1
        if cache.get(request) is not None:
            found.kept += 1
            continue
        rounds = model.passes if model.calls == "two" else 1
        relations = [Known(f"n{at}", "", NAME, ()) for at in range(NODES)] if model.calls == "two" else []
        found.calls += rounds + bool(relations)
        found.prompt += rounds * request.tokens()
        found.completion += (rounds + bool(relations)) * model.reply_tokens
        if relations:
            asked = reader.asker.request(reader.asker.prompts.edges(chunk, book.title, relations, []))
            found.prompt += asked.tokens()
