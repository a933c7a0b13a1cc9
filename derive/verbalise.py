"""How nodes and questions are put into words, by the templates of a language pack.

In: a `GraphView`, its `Places`, a `Pack`. Out: texts that can be understood without the graph.
"""

from __future__ import annotations

from collections import Counter
from string import ascii_lowercase

from derive.pack import Pack
from derive.places import Places
from derive.view import GraphView
from kg.graph import Node
from kg.text import one_line


class Verbaliser:
    """Says what a node is called where it stands alone.

    `offered` is the property with the answers that an exercise gives to choose from: they belong to its text.
    """

    def __init__(self, view: GraphView, places: Places, pack: Pack, offered: str = "") -> None:
        self._view, self._places, self._pack, self._offered = view, places, pack, offered
        self._options: dict[str, str] = {}
        self._names = Counter((node.label, one_line(node.name).casefold()) for node in view.nodes.values())

    def option(self, node: str) -> str:
        """The node as an option: a question's stem, a section with chapter and book, else the name."""
        if node not in self._options:
            self._options[node] = self._option(node)
        return self._options[node]

    def _option(self, node: str) -> str:
        role = self._view.role(node)
        if role == "section":
            return self._section(node)
        if role == "chapter":
            fields = {"chapter": _titled(self._view.nodes[node]), "book": self._name(self._places.book(node))}
            return one_line(self._pack.chapter.format(**fields))
        return one_line(self.plain(node))

    def plain(self, node: str) -> str:
        """The node as it stands in a question: what identifies it, line breaks kept."""
        record = self._view.nodes[node]
        value = record.properties.get(self._view.schema.nodes[record.label].key)
        offered = record.properties.get(self._offered) if self._view.role(node) == "question" else None
        letters = zip(ascii_lowercase, offered if isinstance(offered, list) else (), strict=False)
        return "\n".join([str(value or record.name).strip(), *(f"({letter}) {text}" for letter, text in letters)])

    def asked(self, node: str) -> str:
        """The node as a question names it; with its place where another one of its type has the same name."""
        text = self.option(node) if self._view.role(node) == "chapter" else self.plain(node)
        home = self._places.home(node)
        record = self._view.nodes[node]
        if home is None or self._names[record.label, one_line(record.name).casefold()] < 2:
            return text
        return self._pack.twin.format(name=text, place=self._place(home))

    def subject(self, node: str) -> str:
        """The subject of the node's book, as the pack puts it before a name; empty where the book tells none."""
        home = self._places.home(node)
        book = self._places.book(home) if home else ""
        subject = str(self._view.nodes[book].properties.get("subject") or "") if book else ""
        return self._pack.subject.format(subject=subject) if subject else ""

    def _place(self, home: str) -> str:
        return self._section(home) if self._view.role(home) == "section" else self.option(home)

    def _section(self, section: str) -> str:
        chapter, book = self._places.chapter(section), self._places.book(section)
        fields = {"section": _titled(self._view.nodes[section]), "book": self._name(book)}
        if not chapter:
            return one_line(self._pack.loose_section.format(**fields))
        return one_line(self._pack.section.format(**fields, chapter=_titled(self._view.nodes[chapter])))

    def _name(self, node: str) -> str:
        return self._view.nodes[node].name if node else ""


def _titled(node: Node) -> str:
    """Number and name; the number once."""
    number = str(node.properties.get("number") or "").strip()
    return f"{number} {node.name}" if number and not node.name.startswith(number) else node.name
