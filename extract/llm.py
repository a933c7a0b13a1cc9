"""The extractor that asks a language model, and believes nothing it cannot find in the book.

In: the sections of all books, a model at a server. Out: a `Reading` per book. Replies are kept as they come in, so that
a stopped run loses at most the calls under way; what is kept is judged anew on every run, without a call.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from pydantic import ConfigDict, Field, InstanceOf
from pydantic.dataclasses import dataclass as settings

from extract.asking import Asker, Line, line_of
from extract.example import Example, example
from extract.gate import Trust
from extract.marked import Marked
from extract.prompting import Prompts, prompt_file
from extract.reading import Plan, Reader, Reading
from kg.language import Language
from kg.llm import CallFailure, Endpoint, Sampling
from kg.llm_client import Client, Spend
from kg.llm_probe import ENFORCING, Capability, Rung, probe
from kg.prompt import load
from kg.schema import GraphSchema
from kg.section import Kind, Section

Moved = Callable[[int, int, str], None]
SAMPLE_REPEATS = 4
"""Of the passage from which a server's way of counting tokens is learned: the frame around it counts little then."""


@dataclass(frozen=True, eq=False)
class BookToRead:
    """One book of a run."""

    slug: str
    title: str
    sections: Sequence[Section]
    language: Language

    @cache  # noqa: B019 - made once per book, and there are few
    def marked(self) -> Marked:
        """What the book marks itself."""
        return Marked(self.sections, self.language)


@dataclass(frozen=True, repr=False)  # asyncio writes out what a task returns when it gives Ctrl-C back
class Asked:
    """What came of a run."""

    readings: Mapping[str, Reading]
    """By book; empty if the server could not be asked at all."""
    capability: Capability | None
    failure: CallFailure | None
    """Why the server could not be asked."""
    spend: Spend


@settings(frozen=True, config=ConfigDict(extra="forbid"))
class Llm:
    """How a model is asked."""

    endpoint: InstanceOf[Endpoint]
    calls: Literal["two", "one"] = "two"
    """Per chunk: nodes, then edges between the nodes that were accepted; or everything at once."""
    kinds: tuple[Kind, ...] = ("introduction", "section", "exercises")
    """Kinds of sections that are read."""
    tokens: int = Field(default=1200, ge=0)
    """Most of a chunk; 0: whole sections."""
    passes: int = Field(default=1, ge=1)
    """Further ones ask for terms that the book marks and nothing covers yet."""
    least_yield: float = Field(default=0.05, ge=0)
    """Share of new nodes in a pass below which no further one is made."""
    splits: int = Field(default=1, ge=0)
    """How often a chunk whose reply broke off is cut in two."""
    known: int = Field(default=40, ge=0)
    """Most nodes of earlier chunks that are offered as ends of edges."""
    tries: int = Field(default=2, ge=1)
    """Replies that may be asked for until one can be read."""
    max_tokens: int = Field(default=4096, ge=1)
    """Of a reply."""
    temperature: float | None = 0.0
    top_p: float | None = None
    seed: int | None = None
    enforce: Rung | None = None
    """How the server is asked for JSON (`kg.llm_probe`); none: found out by a probe."""
    prompt: str = "whole"
    """Prompt of `extract/prompts` for one call per chunk."""
    prompt_language: str = ""
    """Language of the prompts; empty: the book's."""
    example: str = "example"
    """Worked example that is shown; empty: none."""
    reply_tokens: int = Field(default=700, ge=0)
    """Expected of a reply, for the estimate of `dry_run`."""
    trust: Trust = Trust()

    @property
    def name(self) -> str:
        """Under which claims remember the model."""
        return str(getattr(self.endpoint, "name", "") or self.endpoint.model)

    @property
    def sampling(self) -> Sampling:
        """How the model picks its words."""
        return Sampling(temperature=self.temperature, top_p=self.top_p, seed=self.seed, max_tokens=self.max_tokens)

    def plan(self, title: str) -> Plan:
        """How one book is read."""
        return Plan(
            title=title,
            kinds=self.kinds,
            tokens=self.tokens,
            calls=self.calls,
            passes=self.passes,
            least_yield=self.least_yield,
            splits=self.splits,
            known=self.known,
            trust=self.trust,
            extractor=self.name,
        )

    def shown(self, schema: GraphSchema, languages: Mapping[str, Language]) -> dict[str, Example]:
        """The worked example for books of each language, checked. Raises SettingsError if one would not pass."""
        if not self.example:
            return {}
        found = {}
        for code, language in sorted(languages.items()):
            path = prompt_file(self.example, self.prompt_language or code)
            spoken = languages.get(path.stem.rpartition(".")[2], language)
            found[code] = example(path, schema, spoken)
        return found

    def asker(
        self, line: Line, capability: Capability, schema: GraphSchema, language: str, shown: Mapping[str, Example]
    ) -> Asker:
        """Asks about books of one language."""
        spoken = self.prompt_language or language
        worded = capability.rung not in ENFORCING
        return Asker(
            line=line,
            capability=capability,
            prompts=Prompts(schema, spoken, self.prompt, shown.get(language), worded),
            schema=schema,
            sampling=self.sampling,
            language=language,
            tries=self.tries,
        )

    async def read(
        self, books: Sequence[BookToRead], schema: GraphSchema, languages: Mapping[str, Language], moved: Moved
    ) -> Asked:
        """All books, at once. Raises SettingsError if the connection lacks something and nothing is kept to replay."""
        spoken = {book.language.code: languages[book.language.code] for book in books}
        shown = self.shown(schema, spoken)
        async with Client(self.endpoint, replays=True) as client:
            capability = await probe(client, samples(spoken), self.enforce)
            if isinstance(capability, CallFailure):
                if client.lacking is not None:
                    raise client.lacking
                return Asked({}, None, capability, client.spend)
            bar, line = _Bar(moved), line_of(client)
            waiting = []
            for book in books:
                asker = self.asker(line, capability, schema, book.language.code, shown)
                reader = Reader(asker, schema, book.language, self.plan(book.title), bar.of(book.slug))
                bar.total += len(reader.chunks(book.sections)) * (2 if self.calls == "two" else 1)
                waiting.append(reader.read(book.sections, book.marked))
            readings = await asyncio.gather(*waiting)
        return Asked(
            {book.slug: reading for book, reading in zip(books, readings, strict=True)},
            capability,
            None,
            client.spend,
        )


class _Bar:
    """Counts questions that are done."""

    def __init__(self, moved: Moved) -> None:
        self.moved, self.done, self.total = moved, 0, 0

    def of(self, book: str) -> Callable[[], None]:
        """To be called whenever one more question about the book is done."""

        def one() -> None:
            self.done += 1
            self.moved(min(self.done, self.total), self.total, book)

        return one


def samples(languages: Mapping[str, Language]) -> dict[str, str]:
    """A passage per language from which a server's way of counting tokens is learned."""
    found = {}
    for code in sorted(languages):
        path = prompt_file("example", code)
        if path.is_file():
            found[code] = "\n".join([load(path).parts[0].content] * SAMPLE_REPEATS)
    return found
