"""Worked examples: problem, strategy, solution, discussion.

In: parts of the role `example`. Out: `Question`s of the kind `worked_example`, with the printed solution as answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from extract.exercises import Question, difficulty
from extract.numbered import asks
from extract.parts import Part
from extract.view import BookView, SectionView
from kg.text import one_line

KIND = "worked_example"


def worked_examples(book: BookView) -> Iterator[Question]:
    """The book's worked examples, in order; those without any text are left out."""
    for view in book.sections:
        for at, part in enumerate(view.outline.parts):
            if part.role == "example" and not any(p.role == "example" for p in _around(view, part)):
                question = _question(view, at)
                if question is not None:
                    yield question


def _around(view: SectionView, part: Part) -> Iterator[Part]:
    at = part.parent
    while at >= 0:
        yield view.outline.parts[at]
        at = view.outline.parts[at].parent


def _question(view: SectionView, at: int) -> Question | None:
    part = view.outline.parts[at]
    own = _texts(view, at)
    problem = [block for child in view.outline.child(at, "problem") for block in _texts(view, child)]
    solution = _everything(view, at, "solution", "answer")
    if not problem:
        problem, rest = (own, []) if solution else (own[:1], own[1:])
        solution = solution or rest
    stem = view.content(problem)
    if not stem or not (solution or asks(stem, view)):
        return None
    start = view.said(problem[0])[0]
    end = view.span(_unbroken(problem))[1]
    question = Question(view, view, part.title or one_line(stem)[:80], stem, KIND, start, end)
    question.answer = view.content(solution) if solution else ""
    question.solved = [view.said(block) for block in solution]
    question.analysis = view.content(_everything(view, at, "strategy", "discussion"))
    question.difficulty = difficulty(stem, (), 0, view)
    question.evidence = [view.quote(start, end)]
    if solution:
        last = _unbroken(solution)
        question.evidence.append(view.quote(view.said(solution[0])[0], view.span(last)[1]))
    return question


def _texts(view: SectionView, at: int) -> list[int]:
    """Blocks of the part itself that hold text besides its label."""
    return [
        i
        for i in view.outline.own_blocks(at)
        if view.blocks[i].label in {"text", "list_item", "formula", "table"}
        and view.blocks[i].text.strip()
        and view.outline.label_end(i) < len(view.blocks[i].text)
    ]


def _everything(view: SectionView, at: int, *roles: str) -> list[int]:
    """Text blocks of all parts of these roles inside part `at`, with what is nested in them."""
    found: list[int] = []
    for child in view.outline.child(at, *roles):  # type: ignore[arg-type]
        part = view.outline.parts[child]
        inside = {child, *_descendants(view, child)}
        found += [i for one in sorted(inside) for i in _texts(view, one) if part.first <= i < part.last]
    return sorted(set(found))


def _descendants(view: SectionView, at: int) -> Iterator[int]:
    for child in view.outline.parts[at].children:
        yield child
        yield from _descendants(view, child)


def _unbroken(blocks: list[int]) -> int:
    """The last block of the unbroken run that the first one starts."""
    last = blocks[0]
    for block in blocks[1:]:
        if block != last + 1:
            break
        last = block
    return last
