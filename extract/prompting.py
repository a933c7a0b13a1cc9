"""The conversations with a model: Markdown prompts filled in for a chunk, with a worked example in between.

In: prompt files of `extract/prompts` in a language, the graph schema, chunks. Out: messages, and the fingerprint under
which claims remember what was asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from extract.chunks import Chunk, breadcrumb
from extract.example import Example
from extract.forms import described, edge_form, edges_described, node_form, whole_form
from extract.gate import Known
from kg.errors import SettingsError
from kg.llm import Message
from kg.prompt import Prompt, load
from kg.schema import GraphSchema, NodeRole
from kg.stage import ROOT

FOLDER = ROOT / "extract" / "prompts"
FALLBACK = "en"
NOTHING = "–"
Form = dict[str, Any]


@dataclass(frozen=True)
class Turn:
    """What is put to a model once."""

    messages: tuple[Message, ...]
    form: Form
    rule: str
    """Name and fingerprint of the prompt."""


def prompt_file(name: str, language: str, folder: Path = FOLDER) -> Path:
    """The file of a prompt: in the language, else in English, else in the only one there is."""
    files = [folder / f"{name}.{language}.md", folder / f"{name}.{FALLBACK}.md", folder / f"{name}.md"]
    return next((file for file in files if file.is_file()), files[0])


class Prompts:
    """Everything that is put to a model about books of one language."""

    def __init__(self, schema: GraphSchema, language: str, whole: str, example: Example | None, worded: bool) -> None:
        """`whole`: name of the prompt for one call; `worded`: the form has to be asked for in words.

        Raises SettingsError if a prompt is not there or asks for something unknown.
        """
        self.schema, self.example, self.worded = schema, example, worded
        self._nodes = _usable("nodes", language, {"types", "form", "place", "before", "text"})
        self._edges = _usable("edges", language, {"types", "form", "place", "nodes", "known", "text"})
        self._whole = _usable(whole, language, {"types", "form", "place", "known", "before", "text"})
        self._more = _usable("more", language, {"accepted", "marked", "form"})
        self._mend = _usable("mend", language, {"problem"})

    def nodes(self, chunk: Chunk, book: str, roles: Sequence[NodeRole]) -> Turn:
        """Which nodes a chunk teaches."""
        form = node_form(self.schema, roles)
        values = {**self._place(chunk, book), "types": described(self.schema, roles), "form": self._form(form)}
        example = None
        if self.example is not None:
            shown = {"place": NOTHING, "before": NOTHING, "text": self.example.text}
            example = (shown, self.example.nodes(form["properties"]))
        return Turn(self._filled(self._nodes, values, example), form, _rule(self._nodes))

    def more(self, turn: Turn, accepted: Iterable[str], marked: Iterable[str]) -> Turn:
        """The same chunk again: what was found already, and what is marked and was not."""
        form = node_form(
            self.schema, [self.schema.nodes[label].role for label in turn.form["properties"]], rejected=True
        )
        values = {"accepted": _list(accepted), "marked": _list(marked), "form": self._form(form)}
        asked = self._more.messages(values)[-1].content
        last = turn.messages[-1]
        whole = last.model_copy(update={"content": f"{last.content}\n\n{asked}"})
        return Turn((*turn.messages[:-1], whole), form, _rule(self._more))

    def edges(self, chunk: Chunk, book: str, own: Sequence[Known], earlier: Sequence[Known]) -> Turn:
        """Which relations hold between the nodes of a chunk, and to nodes of earlier ones."""
        ends = {node.id: node.label for node in [*own, *earlier]}
        form = edge_form(self.schema, ends)
        types = edges_described(self.schema, sorted(set(ends.values())))
        lists = {"nodes": _list(_line(node) for node in own), "known": _list(_line(node) for node in earlier)}
        values = {**self._place(chunk, book), **lists, "types": types, "form": self._form(form)}
        example = None
        if self.example is not None:
            shown = {
                "place": NOTHING,
                "nodes": _list(self.example.listed()),
                "known": NOTHING,
                "text": self.example.text,
            }
            example = (shown, self.example.edges(form["properties"]))
        return Turn(self._filled(self._edges, values, example), form, _rule(self._edges))

    def whole(self, chunk: Chunk, book: str, earlier: Sequence[str]) -> Turn:
        """Nodes and edges of a chunk at once."""
        form = whole_form(self.schema)
        types = {"types": described(self.schema), "form": self._form(form), "known": _list(earlier)}
        example = None
        if self.example is not None:
            shown = {"place": NOTHING, "before": NOTHING, "known": NOTHING, "text": self.example.text}
            example = (shown, self.example.whole)
        return Turn(self._filled(self._whole, {**self._place(chunk, book), **types}, example), form, _rule(self._whole))

    def mend(self, turn: Turn, reply: str, problem: str) -> Turn:
        """The same again, after a reply that could not be read."""
        asked = self._mend.messages({"problem": problem})
        return Turn((*turn.messages, Message(role="assistant", content=reply), *asked), turn.form, turn.rule)

    @cached_property
    def fingerprints(self) -> dict[str, str]:
        """Fingerprint of every prompt, by its name."""
        used = (self._nodes, self._edges, self._whole, self._more, self._mend)
        return {prompt.name: prompt.fingerprint for prompt in used}

    def _place(self, chunk: Chunk, book: str) -> dict[str, str]:
        return {"place": breadcrumb(chunk.section, book), "before": chunk.before or NOTHING, "text": chunk.text}

    def _form(self, form: Form) -> str:
        if not self.worded:
            return ""
        schema = json.dumps(form, ensure_ascii=False, separators=(",", ":"))
        return f"\nReply with one JSON object and nothing else. It has to fit this JSON Schema:\n{schema}"

    def _filled(
        self, prompt: Prompt, values: dict[str, str], example: tuple[dict[str, str], str] | None
    ) -> tuple[Message, ...]:
        """The prompt's messages, with the example as a finished exchange before the last one."""
        messages = prompt.messages(values)
        if example is None:
            return messages
        shown, reply = example
        before = prompt.messages({**values, **shown})[-1]
        return (*messages[:-1], before, Message(role="assistant", content=reply), messages[-1])


def _usable(name: str, language: str, values: set[str]) -> Prompt:
    path = prompt_file(name, language)
    prompt = load(path)
    if unknown := prompt.places - values:
        raise SettingsError(
            f"there is no {{{{{sorted(unknown)[0]}}}}}", where=str(path), remedy=f"use: {', '.join(sorted(values))}"
        )
    return prompt


def _rule(prompt: Prompt) -> str:
    return f"{prompt.name}-{prompt.fingerprint[:8]}"


def _line(node: Known) -> str:
    return f"{node.id} {node.label}: {node.name}"


def _list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines) or NOTHING
