"""Kept paths as rows: ours, and those of the paper with its seventeen columns.

In: cases, what was judged by whom. Out: `PathRow`s; CSV with lists joined by `<SEP>`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

from derive.paths.arms import Case, Scored
from derive.paths.ground import Link
from derive.paths.mine import Hop, Sentences
from derive.paths.tell import Teller, Translator
from kg.item import Item
from kg.row import Row

SEPARATOR = "<SEP>"
COLUMNS = (
    *("id", "source_dataset", "domain", "input", "output", "optional_output", "incorrect_answers", "context"),
    *("answer_type", "subjects", "objects", "responses", "responses_formatted", "trip_labels"),
    *("judged_by", "judged_score", "language"),
)
TYPES = {"number": "numerical"}
"""Our kinds of answers -> the paper's; what it has no word for is `other`."""


class PathRow(Row):
    """A question and a path that supports its answer."""

    id: str
    """Of the question, and the path's place among its paths."""
    question: str
    start: str
    end: str
    """Node ids, or the text of a value."""
    subject_stage: str
    object_stage: str
    hops: tuple[Hop, ...]
    score: int
    judged_by: str
    texts: dict[str, str]
    """Language -> the path in words; the graph's own first."""

    @property
    def home(self) -> str:
        """The graph's language."""
        return next(iter(self.texts))


def rows_of(case: Case, sentences: Sentences, teller: Teller, codes: Sequence[str], judge: str) -> list[PathRow]:
    """One row per kept path, best first."""
    return [_row(case.item, number, path, sentences, teller, codes, judge) for number, path in enumerate(case.kept)]


def _row(  # noqa: PLR0913
    item: Item, number: int, path: Scored, sentences: Sentences, teller: Teller, codes: Sequence[str], judge: str
) -> PathRow:
    candidate = path.told.candidate
    node, text = candidate.trail.end
    return PathRow(
        id=f"{item.id}_{number}",
        question=item.id,
        start=candidate.trail.nodes[0],
        end=text or node,
        subject_stage=candidate.subject.stage,
        object_stage=candidate.object.stage,
        hops=sentences.hops(candidate.trail),
        score=path.score,
        judged_by=judge,
        texts={code: teller.tell(candidate.trail, code).text for code in codes},
    )


class Wording(Row):
    """A question and its accepted texts in one language."""

    question: str
    accepted: tuple[str, ...]


def table(
    rows: Iterable[tuple[Item, PathRow]],
    links: Mapping[str, tuple[Sequence[Link], Sequence[Link]]],
    code: str,
    wordings: Mapping[str, Wording],
) -> bytes:
    """The paper's file in one language: a row per question and path of those questions that have a wording in it."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(_columns(item, row, links[item.id], code, wordings) for item, row in rows if item.id in wordings)
    return out.getvalue().encode("utf-8")


def translated(
    pairs: Sequence[tuple[Item, PathRow]],
    wordings: Mapping[str, Wording],
    translator: Translator,
    names: tuple[str, str],
    code: str,
) -> tuple[list[tuple[Item, PathRow]], dict[str, Wording]]:
    """Rows and wordings in another language; a question or path that did not come through whole is left out."""
    texts = sorted({text for one in wordings.values() for text in (one.question, *one.accepted)})
    texts += sorted({row.texts[row.home] for _, row in pairs} - set(texts))
    said = dict(zip(texts, translator.translate([(text, *names) for text in texts]), strict=True))
    found: dict[str, Wording] = {}
    for key, one in wordings.items():
        question, accepted = said[one.question], tuple(text for old in one.accepted if (text := said[old]))
        if question and accepted and said[one.accepted[0]]:
            found[key] = Wording(question=question, accepted=accepted)
    rows = [(item, row, said[row.texts[row.home]]) for item, row in pairs]
    kept = [(item, row.model_copy(update={"texts": {**row.texts, code: text}})) for item, row, text in rows if text]
    return kept, found


def _columns(
    item: Item,
    row: PathRow,
    links: tuple[Sequence[Link], Sequence[Link]],
    code: str,
    wordings: Mapping[str, Wording],
) -> dict[str, object]:
    wording, origin = wordings[item.id], item.origin
    subjects, objects = (SEPARATOR.join(dict.fromkeys(_end(link) for link in some)) for some in links)
    return {
        "id": row.id,
        "source_dataset": origin.get("source", ""),
        "domain": origin.get("domain", ""),
        "input": wording.question,
        "output": wording.accepted[0],
        "optional_output": SEPARATOR.join(wording.accepted[1:]),
        "incorrect_answers": SEPARATOR.join(map(str, origin.get("incorrect", ()))),
        "context": origin.get("context", ""),
        "answer_type": item.answer_type if item.answer_type == "date" else TYPES.get(item.answer_type, "other"),
        "subjects": subjects,
        "objects": objects,
        "responses": SEPARATOR.join(_triples(row.hops)),
        "responses_formatted": " ".join(_alternating(row)),
        "trip_labels": row.texts[code],
        "judged_by": row.judged_by,
        "judged_score": row.score,
        "language": code,
    }


def _end(link: Link) -> str:
    return link.value.text if link.value else link.node


def _triples(hops: Sequence[Hop]) -> Iterator[str]:
    """Each edge as it stands in the graph."""
    return (f"{hop.source} {hop.type} {hop.target}" for hop in hops)


def _alternating(row: PathRow) -> Iterator[str]:
    """Ids and types in the order of the walk; a type walked against its edge begins with `^`."""
    yield row.start
    for hop in row.hops:
        yield hop.type if hop.forward else f"^{hop.type}"
        yield hop.target if hop.forward else hop.source
