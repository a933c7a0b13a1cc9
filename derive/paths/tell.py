"""Paths in words: parts joined by `; `, in every language there is a pack for, with the answer shown or masked.

In: trails, a `Material`, packs, glossaries. Out: texts. A translation that loses a part or a number is refused.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from derive.ask import Ask
from derive.material import Material
from derive.paths.mine import Trail
from derive.paths.pack import Pack
from derive.respond import BETWEEN
from kg.errors import InputError
from kg.language import Language
from kg.prompt import load
from kg.text import one_line

PROMPT = Path(__file__).parent / "prompts" / "translate.md"
_NUMBERS = re.compile(r"\d+(?:[.,]\d+)*")
Glossary = Mapping[tuple[str, str], str]
"""(language, name in the graph) -> name in that language."""


@dataclass(frozen=True)
class Told:
    """A path in one language."""

    text: str
    left: int
    """Names of nodes and values that no glossary has in that language."""


class Teller:
    """Says paths."""

    def __init__(self, material: Material, packs: Mapping[str, tuple[Language, Pack]], glossary: Glossary) -> None:
        self._m, self._packs, self._glossary = material, packs, glossary

    def parts(self, trail: Trail, code: str) -> tuple[str, ...]:
        """Node, relation, node … in that language; no part has a separator of its own."""
        pack, nodes = self._packs[code][1], trail.nodes
        parts = [self.name(nodes[0], code)]
        for step in trail.steps:
            along, against = pack.relations.get(step.role, (step.role, step.role))
            parts += [along if step.forward else against, self.name(step.end, code)]
        if trail.value:
            parts += [pack.literals.get(trail.value.property, trail.value.property), trail.value.text]
        return tuple(one_line(part).replace(BETWEEN.strip(), ",") for part in parts)

    def name(self, node: str, code: str) -> str:
        """What the node is called; by the graph where no glossary knows better."""
        # of an exercise its short name: the whole of it stands in the question
        own = self._m.view.nodes[node].name if self._m.view.role(node) == "question" else self._m.speak.option(node)
        return self._glossary.get((code, own)) or self._alias(node, code) or own

    def _alias(self, node: str, code: str) -> str:
        """Another name of the node that is written in the script of that language and not in the graph's own."""
        if code == self._m.language.code:
            return ""
        letters, own = (re.compile(pack.script) for pack in (self._packs[code][0], self._m.language))
        aliases = self._m.view.nodes[node].properties.get("aliases") or ()
        texts = [alias for alias in aliases if isinstance(alias, str)]
        return next((text for text in texts if letters.search(text) and not own.search(text)), "")

    def tell(self, trail: Trail, code: str) -> Told:
        """The path; its number of parts is twice its hops and one."""
        home = self._m.language.code
        left = sum(self.name(node, code) == self.name(node, home) for node in trail.nodes) if code != home else 0
        return Told(BETWEEN.join(self.parts(trail, code)), left)

    def masked(self, parts: Sequence[str], names: Sequence[str], code: str) -> str:
        """The path without its answer: the last part, and every name of it in the others, is the mask."""
        mask = self._packs[code][1].mask
        known = sorted({name for name in (*names, parts[-1]) if len(name) > 1}, key=lambda name: (-len(name), name))
        if not known:
            return BETWEEN.join([*parts[:-1], mask])
        bound = r"\b" if self._m.language.spaces else ""
        pattern = re.compile("|".join(f"{bound}{re.escape(name)}{bound}" for name in known), re.IGNORECASE)
        return BETWEEN.join([*(pattern.sub(lambda _: mask, part) for part in parts[:-1]), mask])


class Translator:
    """Asks a model for texts in other languages."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self.prompt = load(PROMPT)

    def translate(self, texts: Sequence[tuple[str, str, str]]) -> list[str | None]:
        """Each (text, its language, the other language) in the other; none where the call or the check failed."""
        many = [self.prompt.messages({"text": text, "from": one, "to": other}) for text, one, other in texts]
        replies = self._ask(many) if many else []
        return [
            reply.strip() if reply and preserved(text, reply) else None
            for (text, _, _), reply in zip(texts, replies, strict=True)
        ]


def preserved(text: str, translated: str) -> bool:
    """True if the translation is one line with as many parts, the same numbers, and something in every part."""
    parts = [part.strip() for part in translated.strip().replace("；", ";").split(";")]
    whole = len(parts) == len(text.split(";")) and all(parts) and "\n" not in translated.strip()
    return whole and sorted(_NUMBERS.findall(text)) == sorted(_NUMBERS.findall(translated))


def read_glossary(file: Path | None) -> dict[tuple[str, str], str]:
    """Names by language: CSV with a column `name` and one per language code. Raises InputError if it is none."""
    if file is None:
        return {}
    try:
        rows = list(csv.DictReader(file.read_text(encoding="utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"not readable: {error}", where=str(file)) from None
    if rows and "name" not in rows[0]:
        raise InputError("no column `name`", where=str(file), remedy="columns: name, and one per language code")
    return {
        (code, row["name"].strip()): text.strip()
        for row in rows
        for code, text in row.items()
        if code and code != "name" and row["name"] and isinstance(text, str) and text.strip()
    }
