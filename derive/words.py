"""What things are called, what is said about them, and whether a text speaks of them.

In: a `GraphView` and a language pack. Out: `Words`. Texts are compared as keys: without case, punctuation and plural.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property

from derive.view import GraphView
from kg.graph import Edge
from kg.graph_io import evidence
from kg.language import Language
from kg.names import inside_brackets, key, outside_brackets, singular
from kg.text import fold, is_cjk, words

SHORTEST = 2
"""Characters a name needs before its appearance in a text means anything."""


class Words:
    """Everything is worked out at its first use and kept."""

    def __init__(self, view: GraphView, language: Language) -> None:
        self._view, self._language = view, language
        self._names: dict[str, frozenset[str]] = {}
        self._said: dict[str, str] = {}
        self._singular: dict[str, str] = {}

    def keyed(self, text: str) -> str:
        """The text as a row of singular words; where words are spaced, with a space at both ends."""
        known = self._singular
        found = words(text)
        for word in found:
            if word not in known:
                known[word] = singular(word, self._language)
        if self._language.spaces:
            return f" {' '.join(known[word] for word in found)} "
        return "".join(known[word] for word in found)

    def names(self, node: str) -> frozenset[str]:
        """Keys of the node's name, of its parts in and outside brackets, and of its aliases."""
        if node not in self._names:
            record = self._view.nodes[node]
            if self._view.role(node) == "question":
                # brackets and signs tell exercises apart, so only case and spaces are left out
                text = record.properties.get(self._view.schema.nodes[record.label].key) or record.name
                self._names[node] = frozenset({"".join(fold(str(text)).split())})
                return self._names[node]
            aliases = record.properties.get("aliases") or ()
            bracketed = [name for name in inside_brackets(record.name) if len(name) >= (2 if is_cjk(name) else 3)]
            every = [record.name, outside_brackets(record.name), *bracketed]
            every += [alias for alias in aliases if isinstance(alias, str)]
            keys = (key(name, self._language) for name in every if name.strip())
            self._names[node] = frozenset(name for name in keys if name)
        return self._names[node]

    def said(self, node: str) -> str:
        """All that the node's own record says, keyed: name and properties."""
        if node not in self._said:
            record = self._view.nodes[node]
            self._said[node] = self.keyed(" ".join([record.name, *_texts(record.properties.values())]))
        return self._said[node]

    def quoted(self, edges: Iterable[Edge | None]) -> str:
        """The evidence of the edges, keyed."""
        return self.keyed(" ".join(quote for edge in edges if edge for quote in evidence(edge)))

    def speaks_of(self, text: str, node: str) -> bool:
        """True if a name of the node stands in the keyed text."""
        bound = " " if self._language.spaces else ""
        return any(len(name) >= SHORTEST and f"{bound}{name}{bound}" in text for name in self.names(node))

    def inside(self, node: str, other: str) -> bool:
        """True if a name of one of the two is a part of a name of the other, be it a single Han character."""
        bound = " " if self._language.spaces else ""
        one, two = ([f"{bound}{name}{bound}" for name in self.names(end)] for end in (node, other))
        return any(a in b or b in a for a in one for b in two)

    def instruction(self, node: str) -> str:
        """The words of an exercise without numbers, signs and single letters; empty if they say too little."""
        found = [word for word in words(self._view.nodes[node].name) if word.isalpha() and len(word) > 1]
        text = " ".join(found)
        return text if len(found) > 2 or (len("".join(found)) > 2 and is_cjk(text)) else ""

    @cached_property
    def twins(self) -> dict[str, frozenset[str]]:
        """Node id -> ids of other nodes of its type that share a name with it."""
        by_name: dict[tuple[str, str], set[str]] = defaultdict(set)
        for node, record in self._view.nodes.items():
            for name in self.names(node):
                by_name[record.label, name].add(node)
        found: dict[str, set[str]] = defaultdict(set)
        for same in by_name.values():
            for node in same:
                found[node] |= same - {node}
        return {node: frozenset(others) for node, others in found.items() if others}

    @cached_property
    def quotes_in(self) -> dict[str, str]:
        """Section id -> every quotation that the graph took from it, keyed."""
        texts: dict[str, set[str]] = defaultdict(set)
        every = [found for node in self._view.nodes.values() for found in node.provenance]
        every += [found for edge in self._view.edges() for found in edge.provenance]
        for found in every:
            texts[found.section].add(found.quote)
        return {section: self.keyed(" ".join(sorted(quotes))) for section, quotes in texts.items()}


def _texts(values: Iterable[object]) -> list[str]:
    """The texts in property values; lists are opened."""
    found: list[str] = []
    for value in values:
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, list):
            found.extend(item for item in value if isinstance(item, str))
    return found
