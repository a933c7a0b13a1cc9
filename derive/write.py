"""Who writes the rows of training data: templates that only put together what the graph says, or a model.

In: a `Topic`. Out: a question and answer, or why there is none.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from pydantic import ValidationError

from derive.ask import Ask, Messages
from derive.pack import Pack
from derive.topics import Thing, Topic, shown
from kg.ids import digest
from kg.language import Language
from kg.prompt import Prompt, load
from kg.row import Row
from kg.text import squash

PROMPTS = Path(__file__).parent / "prompts"
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


class Pair(Row):
    """A question and its answer."""

    question: str
    answer: str


@dataclass(frozen=True)
class Written:
    """What a writer made of a topic."""

    pair: Pair | None
    reason: str = ""
    """Why there is no pair."""
    origin: str = ""
    """Who wrote it, where it was not the writer that was asked."""


class Writer(Protocol):
    """Puts topics into words."""

    @property
    def label(self) -> str:
        """Goes into each row as its origin."""

    def write_all(self, topics: Sequence[Topic]) -> list[Written]:
        """For each topic a pair, or why there is none; in order."""


class TemplateWriter:
    """Fills the language pack's sentences. What it says is in the graph, word by word; it explains nothing new."""

    label = "template"

    def __init__(self, pack: Pack, language: Language, boxed: frozenset[str]) -> None:
        self._pack, self._boxed = pack, boxed
        self._gap = " " if language.spaces else ""

    def write_all(self, topics: Sequence[Topic]) -> list[Written]:
        """For each topic what `write` gives."""
        return [self.write(topic) for topic in topics]

    def write(self, topic: Topic) -> Written:
        """The pair, or `no_wording` where the pack has no question of this kind."""
        wordings = self._pack.training.get(f"{topic.path}_{topic.kind}", ())
        if not wordings:
            return Written(None, "no_wording")
        wording = wordings[int(digest(topic.key, 4), 36) % len(wordings)]
        question = wording.format(**names(topic))
        compose = {"node": self._node, "relation": self._relation, "exercise": self._exercise}.get(topic.path)
        return Written(Pair(question=question, answer=compose(topic) if compose else self._assessment(topic)))

    def _part(self, part: str, **fields: str) -> str:
        return self._pack.answers.get(part, "{value}").format(**fields)

    def _node(self, topic: Topic) -> str:
        return "\n".join(self._properties(topic.things[0]))

    def _properties(self, thing: Thing) -> list[str]:
        """One line per property; the core ones boxed."""
        lines: list[str] = []
        for name, value in thing.properties.items():
            text = shown(value)
            lines.append(f"\\box{{{text}}}" if name in self._boxed else self._part(name, value=text))
        return lines

    def _relation(self, topic: Topic) -> str:
        source, target = topic.things
        # a description that only repeats the name, and a quotation that only repeats both, say nothing
        telling = [thing for thing in topic.things if squash(thing.core) != squash(thing.name)]
        lines = [self._part("defines", name=thing.name, value=thing.core) for thing in telling]
        said = {squash(text) for thing in topic.things for text in (thing.core, f"{thing.name}{thing.core}")}
        lines += [self._part("quote", value=quote) for quote in topic.quotes[:1] if squash(quote) not in said]
        lines.append(self._part(topic.kind, source=source.name, target=target.name))
        return "\n".join(lines)

    def _exercise(self, topic: Topic) -> str:
        exercise, *tested = topic.things
        lines = [self._part("uses", name=thing.name, value=thing.core) for thing in tested if thing.core]
        lines += [self._part(name, value=shown(value)) for name, value in list(exercise.properties.items())[1:]]
        return "\n".join(lines)

    def _assessment(self, topic: Topic) -> str:
        listed = self._pack.answers.get("and", "; ").join(thing.name for thing in topic.things[1:])
        return self._part(f"assessment_{topic.kind}", value=listed)


def names(topic: Topic) -> dict[str, str]:
    """The fields a question's wording may use."""
    first, last = topic.things[0].name, topic.things[-1].name
    return {"name": first, "source": first, "target": last, "stem": first}


class ModelWriter:
    """Asks a model with the paper's prompts (§9.1) about many topics at once, each in a call of its own.

    A call that fails leaves no pair.
    """

    def __init__(self, label: str, ask: Ask, pack: Pack, language: Language) -> None:
        self.label = label
        self._ask, self._pack, self._language = ask, pack, language
        self._prompts = {path: load(PROMPTS / f"{path}.md") for path in ("node", "relation", "exercise")}
        self._facts = TemplateWriter(pack, language, frozenset())

    def write(self, topic: Topic) -> Written:
        """What `write_all` gives for one topic."""
        return self.write_all([topic])[0]

    def write_all(self, topics: Sequence[Topic]) -> list[Written]:
        """What the model wrote; of assessments, which are facts, what the template says."""
        asked = [topic for topic in topics if topic.path != "assessment"]
        replies = iter(self._ask([self._messages(topic) for topic in asked]) if asked else [])
        return [self._fact(topic) if topic.path == "assessment" else _read(next(replies)) for topic in topics]

    def _fact(self, topic: Topic) -> Written:
        return replace(self._facts.write(topic), origin=self._facts.label)

    def _messages(self, topic: Topic) -> Messages:
        return self._prompts[topic.path].messages(self._values(topic))

    @property
    def fingerprints(self) -> dict[str, str]:
        """Of the prompts, by path."""
        return {path: prompt.fingerprint for path, prompt in self._prompts.items()}

    def prompt(self, path: str) -> Prompt:
        """The prompt of a path, for the record."""
        return self._prompts[path]

    def _values(self, topic: Topic) -> dict[str, str]:
        source, target = topic.things[0], topic.things[-1]
        wordings = self._pack.training.get(f"{topic.path}_{topic.kind}", ("",))
        return {
            "label": source.label,
            "language": self._language.name,
            "name": source.name,
            "properties": _json(source),
            "relation": topic.type,
            "about": topic.about,
            "source": source.name,
            "source_properties": _json(source),
            "target": target.name,
            "target_properties": _json(target),
            "evidence": " ".join(topic.quotes) or "-",
            "knowledge": "; ".join(f"{thing.name}: {thing.core}" for thing in topic.things[1:]),
            "question": wordings[0].format(**names(topic)),
        }


class WithTemplate:
    """A writer in whose place the template stands wherever it brought no pair."""

    def __init__(self, writer: Writer, template: TemplateWriter) -> None:
        self.label = writer.label
        self._writer, self._template = writer, template
        self.replaced: Counter[str] = Counter()
        """Why the template stood in -> topics."""

    def write_all(self, topics: Sequence[Topic]) -> list[Written]:
        """The writer's pairs, and the template's where there is none, marked as such."""
        return [
            written if written.pair else self._instead(topic, written.reason)
            for topic, written in zip(topics, self._writer.write_all(topics), strict=True)
        ]

    def _instead(self, topic: Topic, reason: str) -> Written:
        self.replaced[reason] += 1
        return replace(self._template.write(topic), origin=self._template.label)


def _read(reply: str | None) -> Written:
    """The first object in the reply as a pair."""
    if reply is None:
        return Written(None, "call_failed")
    hit = _OBJECT.search(reply)
    try:
        pair = Pair.model_validate(json.loads(hit.group())) if hit else None
    except (json.JSONDecodeError, ValidationError):
        pair = None
    return Written(pair, "" if pair else "not_json")


def _json(thing: Thing) -> str:
    return json.dumps(dict(thing.properties), ensure_ascii=False)
