"""The worked example that models are shown, which has to pass what their own replies have to pass.

In: a Markdown file with a passage (`# user`) and the right reply to it (`# assistant`). Out: an `Example`, or a
SettingsError that says what is wrong with it before anything is spent.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from extract.forms import whole_form
from extract.gate import Gate, Trust
from extract.replies import EDGES, NODES, said
from extract.support import Page
from kg.document import Block, Prov
from kg.errors import SettingsError
from kg.language import Language
from kg.prompt import load
from kg.schema import GraphSchema
from kg.section import Section, SectionRow, markdown
from kg.text import squash

REMEDY = "correct it, or go without: extract.model.example=''"


@dataclass(frozen=True)
class Example:
    """A passage and what is to be found in it."""

    text: str
    reply: dict[str, Any]

    @property
    def whole(self) -> str:
        """The reply to the question for everything at once."""
        return _compact(self.reply)

    @property
    def squashed(self) -> str:
        """The passage without what does not count when quotes are compared."""
        return squash(self.text)

    def nodes(self, labels: Collection[str]) -> str:
        """The reply to the question for nodes of these types."""
        bare = {
            label: [{key: value for key, value in item.items() if key != "id"} for item in items]
            for label, items in self.reply[NODES].items()
            if label in labels
        }
        return _compact(bare)

    def edges(self, types: Collection[str]) -> str:
        """The reply to the question for edges of these types."""
        return _compact({name: items for name, items in self.reply[EDGES].items() if name in types})

    def listed(self) -> list[str]:
        """The nodes as they are listed for the question for edges."""
        return [
            f"{item['id']} {label}: {item.get('name') or item.get('stem')}"
            for label, items in self.reply[NODES].items()
            for item in items
        ]


def example(path: Path, schema: GraphSchema, language: Language) -> Example:
    """The example of a file.

    Raises SettingsError if its reply does not fit the form, is not all in its passage, or would not pass the gate.
    """
    prompt = load(path)
    if [part.role for part in prompt.parts] != ["user", "assistant"]:
        raise SettingsError("an example has a `# user` and an `# assistant` part", where=str(path), remedy=REMEDY)
    text, reply = (part.content for part in prompt.parts)
    try:
        data = json.loads(reply)
    except ValueError as error:
        raise SettingsError(f"the reply is no JSON: {error}", where=str(path), remedy=REMEDY) from None
    plain = text.replace("**", "")
    if problem := _problem(data, plain, schema, language):
        raise SettingsError(problem, where=str(path), remedy=REMEDY)
    return Example(plain, data)


def _problem(data: Any, text: str, schema: GraphSchema, language: Language) -> str:
    """The first thing that is wrong with a reply; empty if nothing is."""
    wrong = sorted(Draft202012Validator(whole_form(schema)).iter_errors(data), key=str)
    if wrong:
        return f"{'.'.join(str(part) for part in wrong[0].absolute_path)}: {wrong[0].message[:200]}"
    gate = Gate(Page(plain_section(text, language.code), language), schema, Trust(), "example", "example")
    read = said(json.dumps(data), "stop", schema)
    nodes = gate.nodes(read.nodes)
    edges = gate.edges(read.edges, nodes.ids)
    wrong_items = [fault.what for fault in read.faults]
    unproven = [found.message for found in [*nodes.findings, *edges.findings]]
    left_out = [fault.what for fault in [*nodes.faults, *edges.faults]]
    sure = Trust().fuzzy
    weak = [f"{node.name}: the quotation is not in the passage" for node in nodes.nodes if node.confidence < sure]
    weak += [
        f"{edge.type} {edge.source.name} → {edge.target.name}: the quotation does not say so"
        for edge in edges.edges
        if edge.confidence < sure
    ]
    return next(iter([*wrong_items, *unproven, *left_out, *weak]), "")


def plain_section(text: str, language: str) -> Section:
    """A section of plain paragraphs."""
    lines = [line for line in text.split("\n") if line.strip()]
    blocks = tuple(
        Block(id=f"b{at}", label="text", text=line, prov=(Prov(page=0, bbox=(0, 0, 0, 0), start=0, end=len(line)),))
        for at, line in enumerate(lines)
    )
    row = SectionRow(
        id="example",
        chapter_number="",
        chapter_title="",
        section_number="",
        section_title="",
        kind="section",
        start_page=0,
        end_page=0,
        file="",
        end_block=len(blocks),
    )
    parts, starts, length = [], [], 0
    for block in blocks:
        part, at = markdown(block)
        parts.append(part)
        starts.append(length + at)
        length += len(part)
    return Section("example", language, row, blocks, "".join(parts), tuple(starts))


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
