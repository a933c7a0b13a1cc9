"""Where things stand in the curriculum: books, chapters and sections in teaching order, and what is taught in each.

In: a `GraphView`. Out: `Places`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from derive.view import GraphView
from kg.document import Book
from kg.graph import Node
from kg.subject import curriculum_order

Scope = Literal["section", "chapter", "book", "stage", "subject"]
SCOPES: tuple[Scope, ...] = ("section", "chapter", "book", "stage", "subject")
"""From near to far."""


class Places:
    """The order of the books is that of a run (`order`, `grade`, then name), of parts that of their `order` or id."""

    def __init__(self, view: GraphView, stages: Sequence[tuple[str, str]] = ()) -> None:
        self._view = view
        self._stages = [(re.compile(pattern), name) for pattern, name in stages]
        self.books = sorted(view.with_role("book"), key=lambda book: curriculum_order(_as_book(view.nodes[book])))
        self.chapters: list[str] = []
        self.sections: list[str] = []
        self._chapter: dict[str, str] = {}
        self._book: dict[str, str] = {}
        for book in self.books:
            self._enter(book, self._parts(book))
        self.order = {part: place for place, part in enumerate([*self.books, *self.chapters, *self.sections])}
        """Id of a book, chapter or section -> a number that grows with its place among its like."""
        self._at = {part: at for parts in (self.chapters, self.sections) for at, part in enumerate(parts)}
        self._members: dict[tuple[Scope, str], list[str]] | None = None
        self._homes: dict[str, str | None] = {}

    def _parts(self, whole: str) -> list[str]:
        parts = self._view.before(whole, "containment")
        return sorted(parts, key=lambda part: _part_order(self._view.nodes[part]))

    def _enter(self, book: str, parts: Iterable[str]) -> None:
        for part in parts:
            if part in self._book:
                continue
            self._book[part] = book
            if self._view.role(part) == "chapter":
                self.chapters.append(part)
                inside = self._parts(part)
                self._chapter.update(dict.fromkeys(inside, part))
                self._enter(book, inside)
            else:
                self.sections.append(part)

    def chapter(self, section: str) -> str:
        """Id of the section's chapter; empty outside chapters."""
        return self._chapter.get(section, "")

    def book(self, part: str) -> str:
        """Id of the book of a chapter or section; empty if it is in none."""
        return part if part in self.books else self._book.get(part, "")

    def around(self, part: str, before: int, after: int) -> list[str]:
        """Up to so many chapters (or sections) before and after this one, itself left out."""
        if part not in self._at:
            return []
        parts = self.chapters if self._view.role(part) == "chapter" else self.sections
        at = self._at[part]
        return parts[max(0, at - before) : at] + parts[at + 1 : at + 1 + after]

    def where(self, node: str) -> list[str]:
        """Ids of all sections in which the node appears, in curriculum order."""
        located = [place for place in self._view.after(node, "location") if place in self._book]
        return sorted(set(located), key=lambda place: self.order[place])

    def home(self, node: str) -> str | None:
        """The section where the node is met first; of a question, the place of its quotation or of what it tests."""
        if node not in self._homes:
            self._homes[node] = self._home(node)
        return self._homes[node]

    def _home(self, node: str) -> str | None:
        if node in self.order:
            return node
        places = self.where(node)
        if not places:
            quoted = {found.section for found in self._view.nodes[node].provenance if found.section in self._book}
            tested = {place for target in self._view.after(node, "assessment") for place in self.where(target)[:1]}
            places = sorted(quoted or tested, key=lambda place: self.order[place])
        return places[0] if places else None

    def scope(self, node: str, scope: Scope) -> str:
        """Name of the section, chapter, book, stage or subject the node belongs to; empty where that is unknown."""
        home = self.home(node)
        if home is None:
            return ""
        if scope == "section":
            return home
        if scope == "chapter":
            return home if home in self.chapters else self.chapter(home)
        book = self.book(home)
        if scope == "book":
            return book
        subject = str(self._view.nodes[book].properties.get("subject", "")) if book else ""
        return subject or "all" if scope == "subject" else self._stage_key(subject, book)

    def _stage_key(self, subject: str, book: str) -> str:
        stage = self.stage(book)
        return f"{subject}/{stage}" if stage else ""

    def stage(self, book: str) -> str:
        """The school stage of a book by the language's words for grades; empty where they say nothing."""
        if not book:
            return ""
        node = self._view.nodes[book]
        text = f"{node.properties.get('stage') or node.properties.get('grade') or ''} {node.name}"
        return next((name for pattern, name in self._stages if pattern.search(text)), "")

    def members(self, scope: Scope, name: str) -> Sequence[str]:
        """Ids of all nodes that belong to the scope of this name, sorted."""
        if self._members is None:
            members: dict[tuple[Scope, str], list[str]] = defaultdict(list)
            for node in self._view.nodes:
                for level in SCOPES:
                    members[level, self.scope(node, level)].append(node)
            self._members = members
        return self._members.get((scope, name), ()) if name else ()

    def homes(self) -> Mapping[str, str]:
        """Node id -> id of the chapter in which it is introduced; others are missing."""
        chapters = {node: self.scope(node, "chapter") for node in self._view.with_role("term", "procedure", "activity")}
        return {node: chapter for node, chapter in chapters.items() if chapter}


def _as_book(node: Node) -> Book:
    order = node.properties.get("order")
    number = float(order) if isinstance(order, int | float) else None
    return Book(slug=node.id, file="", grade=str(node.properties.get("grade") or ""), order=number)


def _part_order(node: Node) -> tuple[float, tuple[float, ...], str]:
    """By the given order; without one, by the numbers in the id."""
    order = node.properties.get("order")
    given = float(order) if isinstance(order, int | float) else float("inf")
    return (given, tuple(float(number) for number in re.findall(r"\d+", node.id)), node.id)
