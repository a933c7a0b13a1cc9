"""Exercises and worked examples: stem, options, answer, kind and difficulty.

In: exercise sections and parts, worked examples, the answer key. Out: `Question`s.
Difficulty (1–5): 2; +1 if the stem gives two quantities or more; +1 if it has several parts; and what the pack says
about group headings and the stem's words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from extract.answers import AnswerKey
from extract.numbered import Numbered, asks, read, regions
from extract.pack import compiled
from extract.view import BookView, SectionView, same_chapter
from kg.graph import Provenance
from kg.text import one_line, squash

LONGEST_OPTION = 400
_QUESTION = ("?", "？")
_QUANTITY = re.compile(r"\d\s*[^\W\d_]{1,4}\b|\d\s*[%°℃$¥]|[$¥]\s*\d")
_INLINE_OPTION = "(?<![A-Za-z0-9])[(（]?{}[)）]?[.．、:：)]\\s*(?=\\S)"


@dataclass
class Question:
    """An exercise or a worked example."""

    view: SectionView
    """Where it is printed."""
    topic: SectionView
    """The section it belongs to; its own where nothing tells."""
    name: str
    stem: str
    kind: str
    start: int
    end: int
    """Characters of its stem."""
    options: list[str] = field(default_factory=list)
    answer: str = ""
    analysis: str = ""
    difficulty: int = 2
    evidence: list[Provenance] = field(default_factory=list)
    solved: list[tuple[int, int]] = field(default_factory=list)
    """Characters of its solution in `view`."""
    number: str = ""
    told: list[tuple[int, int]] = field(default_factory=list)
    """Characters of the instruction before it, where its stem begins with that."""
    offered: list[tuple[int, int]] = field(default_factory=list)
    """Characters of its options and printed answer in `view`."""


def exercises(book: BookView, key: AnswerKey) -> Iterator[Question]:
    """The book's exercises, in order."""
    items = [item for view in book.sections for item in _items(view)]
    rivals = Counter((item.view.row.chapter_number, item.number) for item in items)
    ends = Counter((item.view.row.chapter_number, item.number) for item in items if _at_the_end(item))
    for item in items:
        question = _question(item, book)
        if question is None:
            continue
        if not question.answer and item.number:
            groups = [*item.headings, question.topic.row.section_title, item.view.row.section_title]
            chapter = item.view.row.chapter_number
            same = (ends if _at_the_end(item) else rivals)[chapter, item.number]
            found = key.find(chapter, item.number, groups, same)
            if found is not None:
                question.answer = _with_option(one_line(found.text), question, item)
                question.evidence.append(found.evidence)
        yield question


def _at_the_end(item: Numbered) -> bool:
    """True for the exercises of a whole chapter, to which an answer key's numbers belong before all others."""
    return item.view.row.kind == "exercises"


def _items(view: SectionView) -> Iterator[Numbered]:
    if view.row.kind == "exercises" or view.teaches or view.row.kind == "summary":
        for region in regions(view, view.row.kind == "exercises"):
            yield from read(view, region)


def _question(item: Numbered, book: BookView) -> Question | None:
    """The item as a question; none if it asks nothing."""
    view = item.view
    stem, options = item.text(), [item.text(option.pieces) for option in item.options]
    if options and not _to_choose(stem, options, view):
        lettered = [f"({option.letter}) {text}" for option, text in zip(item.options, options, strict=True)]
        stem, options, parts = "\n".join(filter(None, [stem, *lettered])), [], len(lettered)
    else:
        parts = 0
    if not options:
        stem, options = _inline_options(stem)
    if not stem or not (options or parts or item.number or asks(stem, view)):
        return None
    told = [(item.told.start, item.told.end)] if item.told and not asks(stem, view) else []
    name = _short(f"{one_line(stem)} ({view.line(*told[0])})" if told else stem)
    if told:
        stem = f"{view.line(*told[0])}\n{stem}"
    if not item.number and not asks(stem, view):
        return None
    question = Question(view, topic_of(item, book), name, stem, "open", item.start, item.end, options)
    question.number, question.told = item.number, told
    question.answer = _with_option(item.text(item.answer), question, item) if item.answer else ""
    question.offered = [(piece.start, piece.end) for option in item.options for piece in option.pieces]
    question.kind = _kind(stem, options, view)
    question.difficulty = difficulty(stem, item.headings, parts, view)
    question.end = max([piece.end for piece in item.pieces] if options else [item.end])
    question.evidence = [view.quote(question.start, max(question.end, question.start + 1))]
    question.evidence += [view.quote(*instruction) for instruction in told]
    return question


def _to_choose(stem: str, texts: list[str], view: SectionView) -> bool:
    """True if the lettered parts are answers to choose from, not tasks; behind a question what is none is an answer."""
    question = stem.rstrip().endswith(_QUESTION)
    tasks = sum((text.endswith(_QUESTION) if question else asks(text, view)) for text in texts)
    tasks += sum(len(text) > LONGEST_OPTION for text in texts)
    return len(texts) >= 2 and 2 * tasks <= len(texts)


def _inline_options(stem: str) -> tuple[str, list[str]]:
    """Stem and options, where the options `A. … B. … C. …` stand in one paragraph with the stem."""
    cuts: list[tuple[int, int]] = []
    at = 0
    for letter in "ABCDEF":
        hit = re.compile(_INLINE_OPTION.format(letter)).search(stem, at)
        if hit is None:
            break
        cuts.append(hit.span())
        at = hit.end()
    if len(cuts) < 3:
        return stem, []
    ends = [start for start, _ in cuts[1:]] + [len(stem)]
    options = [one_line(stem[end:stop]) for (_, end), stop in zip(cuts, ends, strict=True)]
    return stem[: cuts[0][0]].strip(), options


def _kind(stem: str, options: list[str], view: SectionView) -> str:
    if len(options) == 2 and compiled(view.pack.true_false).search(" ".join(options)):
        return "true_false"
    if options:
        return "multiple_choice"
    if compiled(view.pack.true_false).search(stem):
        return "true_false"
    return "fill_in" if compiled(view.pack.blank).search(stem) else "open"


def difficulty(stem: str, headings: tuple[str, ...], parts: int, view: SectionView) -> int:
    """The stated rule, kept within 1 and 5."""
    level = 2 + (len(_QUANTITY.findall(stem)) >= 2) + (parts >= 2)
    for rule in view.pack.difficulty:
        texts = headings if rule.where == "group" else (stem,)
        if any(compiled(rule.pattern).search(text) for text in texts):
            level += rule.change
    return max(1, min(5, level))


def topic_of(item: Numbered, book: BookView) -> SectionView:
    """The section of the chapter that a heading above the item names; in a chapter with several exercise sections

    the section before; its own if nothing tells."""
    if item.view.teaches:
        return item.view
    chapter = book.of_chapter(item.view)
    for heading in reversed(item.headings):
        wanted = squash(heading)
        for view in chapter:
            title, number = squash(view.row.section_title), squash(view.row.section_number)
            if title and wanted in {title, number + title, squash(view.blocks[0].text) if view.blocks else title}:
                return view
    rows = [view for view in book.sections if view.row.kind == "exercises" and same_chapter(view, item.view)]
    before = [view for view in chapter if view.index < item.view.index]
    return before[-1] if before and len(rows) > 1 else item.view


def _with_option(answer: str, question: Question, item: Numbered) -> str:
    """An answer that is only a letter, with the words of that option."""
    hit = compiled(item.view.pack.correct_option).fullmatch(one_line(answer))
    if hit is None or not question.options:
        return answer
    at = ord(hit.group("option").lower()) - ord("a")
    return f"{answer} {question.options[at]}" if at < len(question.options) else answer


def _short(text: str, longest: int = 80) -> str:
    """The first words of a text, as a name."""
    line = one_line(text)
    if len(line) <= longest:
        return line
    cut = line[:longest]
    return (cut.rsplit(" ", 1)[0] if " " in cut else cut) + "…"
