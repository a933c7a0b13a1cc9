"""Books of a subject: found, listed, ordered, and refused with a reason."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from kg.document import Book
from kg.errors import SettingsError
from kg.subject import books_of, curriculum_order, slug_of, subject_of


def test_a_folder_gives_its_matching_files_in_natural_order(tmp_path: Path) -> None:
    for name in ("book 10.pdf", "book 9.pdf", "notes.txt", "Größe.v2.pdf"):
        (tmp_path / name).write_bytes(b"")
    subject = subject_of({"name": "mine", "path": str(tmp_path), "language": "en", "license": "CC0-1.0"})
    books = books_of(subject)
    assert [book.slug for book in books] == ["book-9", "book-10", "Größe.v2"]
    assert {(book.language, book.license) for book in books} == {("en", "CC0-1.0")}


def test_the_order_of_books_does_not_depend_on_how_they_are_listed() -> None:
    books = [
        Book(slug="z", file="", order=1),
        Book(slug="b", file="", grade="grade 8"),
        Book(slug="a", file="", grade="9"),
        Book(slug="part-2", file=""),
        Book(slug="part-10", file=""),
    ]
    for seed in range(10):
        shuffled = random.Random(seed).sample(books, len(books))
        assert [book.slug for book in sorted(shuffled, key=curriculum_order)] == ["z", "b", "a", "part-2", "part-10"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"name": "a/b", "path": "."}, "subject.name"),
        ({"name": "x"}, "path"),
        ({"name": "x", "path": "/no/such/folder"}, "no such folder"),
        ({"name": "x", "path": ".", "pattern": "*.nothing"}, "no file matches"),
        ({"name": "x", "path": ".", "books": [{"file": "a.pdf"}, {"file": "sub/a.pdf"}]}, "two books are called a"),
        ({"name": "x", "path": ".", "books": [{"title": "A"}]}, "a book without a file"),
        ({"name": "x", "path": ".", "books": [{"file": "a.pdf", "titel": "A"}]}, "titel"),
        ({"name": "x", "path": ".", "patern": "*"}, "patern"),
    ],
)
def test_wrong_settings_are_refused_by_name(settings: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        books_of(subject_of(settings))


def test_slugs_are_safe_in_paths_and_ids() -> None:
    assert slug_of(Path("Physics, Part 1 (2nd ed.).pdf")) == "Physics-Part-1-2nd-ed."
    assert slug_of(Path("物理 八年级.pdf")) == "物理-八年级"
