"""How books present themselves in print: title, language, page numbers.

In: the settings and `ingest/<book>/document.json`. Out: `Print` per book, and the language of the subject.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from kg.project import Project


@dataclass(frozen=True)
class Print:
    """What a book is called and how it numbers its pages."""

    title: str
    language: str
    labels: tuple[str, ...]
    """Printed number of each physical page; empty where there is none."""


def prints(project: Project) -> dict[str, Print]:
    """All books of the subject by slug, in curriculum order; the settings have precedence over the document."""
    found = {}
    for book in project.books:
        name = f"ingest/{book.slug}/document.json"
        read = project.store.read_json(name) if project.store.exists(name) else {}
        labels = tuple(page.get("label") or "" for page in read.get("pages", ()))
        title = book.title or read.get("title") or book.slug
        found[book.slug] = Print(title, book.language or read.get("language") or "", labels)
    return found


def main_language(project: Project, books: Mapping[str, Print]) -> str:
    """The language of most books that we have a pack for, of the first one on a tie; without any, the first pack."""
    spoken = [book.language for book in books.values() if book.language in project.languages]
    counts = Counter(spoken)
    return max(spoken, key=lambda code: counts[code], default=min(project.languages))
