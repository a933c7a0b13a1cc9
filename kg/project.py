"""What a run is about: one subject, its books, the graph schema and the language packs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kg.document import Book
from kg.language import Language
from kg.schema import GraphSchema
from kg.store import Store, canonical, sha256


@dataclass(frozen=True)
class Project:
    """Handed to every stage; picklable."""

    store: Store
    subject: str
    """Short name of the subject; first part of every node id."""
    title: str
    books: tuple[Book, ...]
    """In curriculum order."""
    schema: GraphSchema
    languages: Mapping[str, Language]
    """By language code."""

    def fingerprint(self) -> str:
        """Changes with everything that may change a result and is not an input of one item."""
        packs = {code: pack.model_dump(mode="json") for code, pack in self.languages.items()}
        return sha256(canonical([self.subject, self.schema.model_dump(mode="json"), packs]))
