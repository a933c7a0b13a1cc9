"""Lists of headings find their headings, and printed pages become physical ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kg.document import Document
from segment.contents import Entry
from segment.headings import Heading, headings_of
from segment.listing import likeness, matched, with_pages
from segment.titles import TitleReader

Write = Callable[..., Document]
Readers = Mapping[str, TitleReader]


def headings(document: Document, reader: TitleReader) -> list[Heading]:
    return headings_of(document.body(), reader, range(0), frozenset())


def entries(reader: TitleReader, *lines: tuple[str, str]) -> list[Entry]:
    return [Entry(reader.read(title), 1, page) for title, page in lines]


def test_an_offset_may_change_in_the_middle_of_a_book(readers: Readers, write: Write) -> None:
    reader = readers["en"]
    early = "\n=\n".join(f"# {n} Alpha{n}\nwords" for n in range(1, 21))
    late = "\n=\n".join(f"# {n} Beta{n}\nwords" for n in range(21, 41))
    document = write(f"front\n=\n{early}\n=\nplates\n=\nplates\n=\n{late}")
    listed = [(f"{n} Alpha{n}", str(n)) for n in range(1, 21)] + [(f"{n} Beta{n}", str(n)) for n in range(21, 41)]
    paged = with_pages(entries(reader, *listed), headings(document, reader), document)
    assert [entry.page for entry in paged[:8]] == list(range(1, 9))
    assert [entry.page for entry in paged[-8:]] == list(range(35, 43))


def test_roman_pages_are_looked_up_among_the_printed_labels(readers: Readers, write: Write) -> None:
    document = write("# Preface\nwords\n=\n# Motion\nwords")
    pages = tuple(
        page.model_copy(update={"label": label}) for page, label in zip(document.pages, ("iv", "1"), strict=True)
    )
    document = document.model_copy(update={"pages": pages})
    reader = readers["en"]
    paged = with_pages(entries(reader, ("Preface", "IV"), ("Foreword", "ix")), headings(document, reader), document)
    assert [entry.page for entry in paged] == [0, None]


def test_pages_are_not_guessed_without_votes(readers: Readers, write: Write) -> None:
    document = write("# Motion\nwords\n=\n# Heat\nwords")
    reader = readers["en"]
    paged = with_pages(
        entries(reader, ("Sound", "1"), ("Light", "2"), ("Waves", "3")), headings(document, reader), document
    )
    assert [entry.page for entry in paged] == [None, None, None]


def test_a_repeated_title_is_matched_on_its_own_page(readers: Readers, write: Write) -> None:
    reader = readers["en"]
    document = write("# Review\nwords\n=\n=\n=\n=\n# Motion\nwords\n=\n# Review\nwords")
    found = headings(document, reader)
    listed = [Entry(reader.read("Motion"), 1, page=4), Entry(reader.read("Review"), 1, page=5)]
    assert matched(listed, found) == {0: 1, 1: 2}


def test_pages_that_are_wrong_throughout_are_not_believed(readers: Readers, write: Write) -> None:
    reader = readers["en"]
    document = write("\n=\n=\n=\n=\n".join(f"# Topic{n}\nwords" for n in range(5)))
    listed = [Entry(reader.read(f"Topic{n}"), 1, page=0) for n in range(5)]
    assert matched(listed, headings(document, reader)) == {n: n for n in range(5)}


def test_likeness_knows_numbers_words_and_shortened_titles(readers: Readers) -> None:
    read = readers["en"].read
    assert likeness(read("Chapter 1 Motion"), read("Chapter 1: Motion")) == 1.0
    assert likeness(read("2.1 Speed"), read("2.2 Speed")) == 0.0
    assert likeness(read("Chapter 2 Speed"), read("Unit 2 Speed")) == 0.0
    assert likeness(read("Chapter 2 Speed"), read("Chapter 2")) == 0.7
    assert likeness(read("2.1 The Scientific Methods"), read("Scientific Methods")) == 0.0
    assert 0 < likeness(read("1.2 Newton's Law of Universal"), read("1.2 Newton's Law of Universal Gravitation")) < 1
    assert likeness(read("2.1 Speed"), read("2.1 A Completely Different Title")) == 0.0
    assert likeness(read("A Sample Session"), read("Appendix A Sample Session")) > 0
    assert likeness(read("Potential Energy"), read("Gravitational Potential Energy")) == 0.0
    assert likeness(read("Laws ofMotion"), read("Laws of Motion")) == 1.0
