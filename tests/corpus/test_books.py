"""The sample books hold what they were written to hold: planted overlaps, labs, answers, contents that are right."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import pymupdf
import pytest

from corpus.markup import Block, Fence, Heading, Item, Prose, Source, read, term_entry

CORPUS = Path(__file__).parents[2] / "corpus"
ENGLISH = [CORPUS / "physics" / "physics-8.md", CORPUS / "physics" / "physics-9.md"]
BOOKS = [*ENGLISH, CORPUS / "physics_zh" / "wuli-8.md"]
Reading = Callable[[Source], dict[str, str]]
OPEN: Any = pymupdf.open  # PyMuPDF declares no types
TITLE_ONLY = {"About This Book", "Contents", "致同学们", "目录"}


def definitions(source: Source) -> dict[str, str]:
    """Terms and definitions of every list of key terms in a book, without abbreviations in brackets."""
    lists = [block for block in source.blocks if isinstance(block, Fence) and block.kind == "terms"]
    found = dict(term_entry(entry) for block in lists for entry in block.blocks)
    return {re.sub(r" \(.*\)$", "", term): text for term, text in found.items()}


def named(term: str, text: str) -> bool:
    """Whether the text names the term as a whole word, in singular or plural."""
    return re.search(rf"\b{re.escape(term)}s?\b", text, re.IGNORECASE) is not None


def prerequisites(books: list[dict[str, str]]) -> nx.DiGraph[str]:
    """An edge B -> A for every definition of A that names B, over all books."""
    terms = {term for book in books for term in book}
    return nx.DiGraph(
        (b, a)
        for book in books
        for a, text in book.items()
        for b in terms
        if a != b and named(b, without_longer(b, terms, text))
    )


def without_longer(term: str, terms: set[str], text: str) -> str:
    """The text without longer terms that contain this one: "kinetic energy" does not name "energy"."""
    for other in terms:
        if other != term and term in other:
            text = re.sub(rf"\b{re.escape(other)}s?\b", "", text, flags=re.IGNORECASE)
    return text


def prose(blocks: tuple[Block, ...]) -> Iterator[str]:
    """Every paragraph outside the lists of key terms."""
    for block in blocks:
        if isinstance(block, Prose):
            yield block.text
        elif isinstance(block, Fence) and block.kind != "terms":
            yield from prose(block.blocks)


def defining_sentences(source: Source) -> dict[str, str]:
    """Key terms of a book, each with the sentences in which it is printed bold."""
    key_terms = {term.lower(): term for term in definitions(source)}
    found: dict[str, str] = dict.fromkeys(key_terms.values(), "")
    for paragraph in prose(source.blocks):
        for sentence in re.split(r"(?<=[.!?:;])\s+(?=[A-Z*])", paragraph):
            for term in re.findall(r"\*\*(.+?)\*\*", sentence):
                found[key_terms[re.sub(r" \(.*\)$", "", term).lower()]] += f" {sentence.replace('*', '')}"
    return found


def test_every_key_term_is_printed_bold_in_a_sentence_of_its_book() -> None:
    for path in ENGLISH:
        assert [term for term, sentence in defining_sentences(read(path)).items() if not sentence] == []


@pytest.mark.parametrize("reading", [definitions, defining_sentences])
def test_each_english_book_alone_has_no_circle_of_definitions(reading: Reading) -> None:
    for path in ENGLISH:
        assert list(nx.simple_cycles(prerequisites([reading(read(path))]))) == []


@pytest.mark.parametrize("reading", [definitions, defining_sentences])
def test_together_they_close_exactly_the_two_planted_circles(reading: Reading) -> None:
    together = prerequisites([reading(read(path)) for path in ENGLISH])
    circles = {frozenset(circle) for circle in nx.simple_cycles(together)}
    assert circles == {frozenset({"work", "energy"}), frozenset({"mass", "inertia", "momentum"})}


def test_homonym_and_refined_concepts_stand_in_both_books() -> None:
    grade8, grade9 = (definitions(read(path)) for path in ENGLISH)
    assert "focal length" in grade8["power"]
    assert "rate at which work is done" in grade9["power"]
    assert "gravitational field" in grade9["weight"]
    assert "gravitational field" not in grade8["weight"]


def test_the_alias_is_stated_in_grade_9_only() -> None:
    grade8, grade9 = (path.read_text(encoding="utf-8") for path in ENGLISH)
    assert "**Momentary speed** is" in grade8
    assert "nstantaneous" not in grade8
    assert grade9.count("also called momentary speed") == 1


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_every_book_has_student_labs_and_a_demonstration(path: Path) -> None:
    labs = [block.argument for block in read(path).blocks if isinstance(block, Fence) and block.kind == "lab"]
    assert sum("Student Lab" in lab or "学生实验" in lab for lab in labs) >= 2
    assert sum("Demonstration" in lab or "演示" in lab for lab in labs) == 1


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_every_answer_belongs_to_an_exercise_and_odd_ones_are_answered(path: Path) -> None:
    exercises, answers = numbers(read(path))
    assert len(exercises) == len(answers) >= 3
    for asked, answered in zip(exercises, answers, strict=True):
        assert asked == list(range(1, len(asked) + 1))
        assert {n for n in asked if n % 2} <= set(answered) <= set(asked)


def numbers(source: Source) -> tuple[list[list[int]], list[list[int]]]:
    """The numbers of the exercises and of the answers, one list per chapter."""
    exercises: list[list[int]] = []
    answers: list[list[int]] = []
    into: list[int] = []
    back = False
    for block in source.blocks:
        if isinstance(block, Heading) and block.level <= 2:
            back = back or block.text in ("Answer Key", "参考答案")
            into = []
            if block.level == 2 and (back or block.text in ("Exercises", "习题")):
                (answers if back else exercises).append(into)
        elif isinstance(block, Item) and block.label[0].isdigit():
            into.append(int(block.label[:-1]))
    return exercises, answers


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_printed_contents_and_bookmarks_name_the_pages_where_headings_are(path: Path) -> None:
    with OPEN(path.with_suffix(".pdf")) as book:
        labels = [page.get_label() for page in book]
        contents = "\n".join(page.get_text() for page in book if page.get_label().isalpha())
        for level, title, page in book.get_toc():
            flat = re.sub(r"\s", "", book[page - 1].get_text())
            assert re.sub(r"\s", "", title) in flat, f"{title} is not on page {page}"
            if level <= 2 and title not in TITLE_ONLY:
                line = re.escape(title.removeprefix("Chapter ") if level == 1 else title)
                assert re.search(rf"{line}[.\s]*\s{labels[page - 1]}\n", contents), title


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_text_layer_is_clean_and_every_page_small_enough(path: Path) -> None:
    pdf = path.with_suffix(".pdf")
    with OPEN(pdf) as book:
        text = "".join(page.get_text() for page in book)
        assert len(book) >= (12 if book[0].get_text().startswith("开") else 20)
    assert not set("\ufffd\u00ad\u25a0\u25a1") & set(text)
    assert pdf.stat().st_size < 700_000


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_terms_are_set_in_another_face_than_the_text_around_them(path: Path) -> None:
    terms = re.findall(r"\*\*(.+?)\*\*", path.read_text(encoding="utf-8"))
    faces = ("Hei",) if path.parent.name == "physics_zh" else ("Serif-Bold",)
    with OPEN(path.with_suffix(".pdf")) as book:
        spans = [s for page in book for b in page.get_text("dict")["blocks"] for s in spans_of(b)]
    bold = "".join(s["text"] for s in spans if any(face in s["font"] for face in faces))
    missing = [term for term in terms if term.replace(" ", "") not in bold.replace(" ", "")]
    assert missing == []


def spans_of(block: dict[str, list[dict[str, list[dict[str, str]]]]]) -> list[dict[str, str]]:
    """The text spans of one block of PyMuPDF's page dictionary."""
    return [span for line in block.get("lines", []) for span in line["spans"]]
