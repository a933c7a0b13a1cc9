"""The books of a subject: as listed in `conf/subject/*.yaml`, or every matching file of a folder."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from kg.document import Book
from kg.errors import SettingsError, first_problem
from kg.row import Row

_UNSAFE = re.compile(r"[^\w.\-]+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
NAME = re.compile(r"[\w.\-]+")


class Subject(Row):
    """One subject of the configuration."""

    name: str
    """Short name: output folder and first part of every node id; letters, digits, `.`, `_` and `-`."""
    title: str = ""
    language: str = ""
    """Language pack of its books; empty: recognised book by book."""
    path: str
    """Folder of the books."""
    pattern: str = "*.pdf"
    """Which files of the folder are books, where `books` is empty."""
    license: str = ""
    """SPDX id of all books that do not name their own."""
    books: tuple[Mapping[str, Any], ...] = ()
    """Facts per book (fields of `kg.document.Book`; `file` relative to `path`); empty: all files that match."""


def subject_of(settings: Mapping[str, Any]) -> Subject:
    """The subject of composed settings. Raises SettingsError naming the field that is wrong."""
    try:
        subject = Subject.model_validate(settings)
    except ValidationError as error:
        raise SettingsError(first_problem(error), where="subject") from None
    if not NAME.fullmatch(subject.name):
        raise SettingsError(
            f"{subject.name!r} cannot be a folder name and an id",
            where="subject.name",
            remedy="use letters, digits, - _ .",
        )
    return subject


def books_of(subject: Subject) -> tuple[Book, ...]:
    """The subject's books in curriculum order, whatever order they were listed in.

    Raises SettingsError if the folder is not there, holds no book, or two books share a slug.
    """
    folder = Path(subject.path).expanduser().resolve()
    if not folder.is_dir():
        raise SettingsError(f"no such folder: {folder}", where="subject.path", remedy="name the folder of your books")
    if subject.books:
        found = [_listed(subject, folder, dict(facts)) for facts in subject.books]
    else:
        found = [Book(slug=slug_of(path), file=str(path)) for path in sorted(folder.glob(subject.pattern))]
    if not found:
        raise SettingsError(f"no file matches {subject.pattern} in {folder}", where="subject.path")
    twice = [slug for slug, count in Counter(book.slug for book in found).items() if count > 1]
    if twice:
        raise SettingsError(f"two books are called {twice[0]}", where="subject.books", remedy="give each its own slug")
    default = {"language": subject.language, "license": subject.license}
    whole = [book.model_copy(update={k: v for k, v in default.items() if v and not getattr(book, k)}) for book in found]
    return tuple(sorted(whole, key=curriculum_order))


def _listed(subject: Subject, folder: Path, facts: dict[str, Any]) -> Book:
    if not facts.get("file"):
        raise SettingsError("a book without a file", where="subject.books", remedy="add `file: NAME.pdf`")
    path = folder / facts["file"]
    facts = {**facts, "file": str(path), "slug": facts.get("slug") or slug_of(path)}
    try:
        return Book.model_validate(facts)
    except ValidationError as error:
        raise SettingsError(first_problem(error), where=f"subject.books, {facts['slug']}") from None


def slug_of(path: Path) -> str:
    """The file's name without its ending, with `-` for everything that is unwelcome in ids."""
    return _UNSAFE.sub("-", path.stem).strip("-") or "book"


def curriculum_order(book: Book) -> tuple[float, float, list[tuple[int, float, str]], str]:
    """Sort key: `order`, then the first number in `grade`, then the slug with its numbers compared as numbers."""
    grade = _NUMBER.search(book.grade)
    natural = [
        (0, float(part), "") if part[0].isdigit() else (1, 0.0, part.casefold())
        for part in re.findall(r"\d+|\D+", book.slug)
    ]
    missing = float("inf")
    return (
        book.order if book.order is not None else missing,
        float(grade.group()) if grade else missing,
        natural,
        book.slug,
    )
