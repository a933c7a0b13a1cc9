"""Open questions in one form: the graph's own, and those of any file (JSON, JSON lines, CSV, TSV).

In: a graph's `Material`, files and the names of their columns. Out: `kg.item.Item`s without options; `accepted` holds
the answer first and then what may stand for it, `origin` the rest (`source`, `domain`, `incorrect`, `context`,
`subjects`, `objects`), and why any was left out.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from derive.material import Material
from derive.paths.pack import Pack
from derive.tasks.catalogue import TASKS
from kg.errors import Failure, InputError
from kg.ids import digest
from kg.item import Item
from kg.row import Row
from kg.text import one_line

Fields = Mapping[str, Sequence[str]]
LISTS = ("alternatives", "incorrect", "subjects", "objects")


class Dropped(Row):
    """A question or a path that was not kept."""

    id: str
    what: str
    """`question` or `path`."""
    reason: str


@dataclass
class Gathered:
    """Questions and what became of those that are not among them."""

    items: list[Item] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)

    def drop(self, key: str, reason: str) -> None:
        """Notes a question that is left out."""
        self.dropped.append(Dropped(id=key, what="question", reason=reason))


def open_item(key: str, question: str, accepted: Iterable[str], origin: Mapping[str, Any], task: str = "") -> Item:
    """An item without options; each accepted text once, white space runs as one space."""
    texts = tuple(dict.fromkeys(filter(None, map(one_line, accepted))))
    kept = {name: value for name, value in origin.items() if value}
    return Item(id=key, question=question, options={}, answer=(), accepted=texts, task=task, origin=kept)


class OwnQuestions:
    """What a graph asks by itself: its exercises, the questions of its benchmark without options, its values."""

    def __init__(self, material: Material, pack: Pack, tasks: Sequence[str], unanswered: Mapping[str, Any]) -> None:
        self._m, self._pack, self._tasks, self._unanswered = material, pack, tasks, unanswered

    def gather(self) -> Gathered:
        """All of them, sorted by id."""
        found = Gathered()
        for item in (*self._exercises(found), *self._tasks_items(), *self._values()):
            if item.accepted:
                found.items.append(item)
            else:
                found.drop(item.id, "no_answer")
        found.items.sort(key=lambda item: item.id)
        return found

    def _exercises(self, found: Gathered) -> Iterator[Item]:
        view = self._m.view
        for node in view.with_role("question"):
            record = view.nodes[node]
            key, properties = f"exercise::{node}", record.properties
            if any(properties.get(name) == value for name, value in self._unanswered.items()):
                found.drop(key, "answer_not_printed")
            elif self._m.pack.needs_more.search(str(properties.get("stem") or record.name)):
                found.drop(key, "needs_more_than_its_text")
            else:
                origin = {"source": "exercise", "subjects": list(view.after(node, "assessment")), "node": node}
                item = open_item(key, self._m.speak.plain(node), [str(properties.get("answer") or "")], origin)
                yield self._placed(item, node, record.provenance)

    def _tasks_items(self) -> Iterator[Item]:
        speak, seen = self._m.speak, set[str]()
        for task in self._tasks:
            for draft in sorted(TASKS[task](self._m), key=lambda draft: draft.key):
                if not (wording := self._wording(draft.template, draft.key)):
                    continue
                fields = {"name": speak.asked(draft.query), "subject": speak.subject(draft.query)}
                golds = [gold.id for gold in draft.golds]
                origin = {"source": "benchmark", "subjects": [draft.query], "objects": golds}
                question = wording.format(**fields)
                texts = [speak.option(gold) for gold in golds]
                if question not in seen:
                    item = open_item(draft.key, question, texts, origin, draft.template)
                    yield self._placed(item, draft.query, ())
                seen.add(question)

    def _values(self) -> Iterator[Item]:
        for node, record in self._m.view.nodes.items():
            for name in sorted(self._pack.literals):
                wording, value = self._wording(name, node), record.properties.get(name)
                if wording and isinstance(value, str) and value.strip():
                    fields = {"name": self._m.speak.asked(node), "subject": self._m.speak.subject(node)}
                    origin = {"source": "value", "subjects": [node]}
                    item = open_item(f"{name}::{node}", wording.format(**fields), [value], origin, name)
                    yield self._placed(item, node, ())

    def _wording(self, template: str, key: str) -> str:
        wordings = self._pack.questions.get(template, ())
        return wordings[int(digest(key, 4), 36) % len(wordings)] if wordings else ""

    def _placed(self, item: Item, node: str, provenance: Any) -> Item:
        """With subject, language and chapter (as domain) of the node."""
        view, places = self._m.view, self._m.places
        chapter = places.scope(node, "chapter")
        domain = view.nodes[chapter].name if chapter else ""
        where = {"language": self._m.language.code, "query": node, "provenance": provenance}
        return item.model_copy(update={**where, "origin": {**item.origin, **({"domain": domain} if domain else {})}})


class FileQuestions:
    """Reads question sets; a row that is none is a failure, and the others go on."""

    def __init__(self, fields: Fields, keep: Mapping[str, Sequence[str]], separator: str, language: str) -> None:
        self._fields, self._keep, self._separator, self._language = fields, keep, separator, language

    def gather(self, files: Sequence[Path]) -> Gathered:
        """The questions of all files in their order. Raises InputError for a file that cannot be read."""
        found = Gathered()
        for file in files:
            for number, row in enumerate(_rows(file), 1):
                self._row(file, number, row, found)
        twice = set[str]()
        for place, item in enumerate(found.items):
            if item.id in twice:
                found.items[place] = item.model_copy(update={"id": f"{item.id}~{place}"})
            twice.add(item.id)
        return found

    def _row(self, file: Path, number: int, row: Any, found: Gathered) -> None:
        where = f"{file.name}, row {number}"
        if not isinstance(row, Mapping):
            found.failures.append(Failure(stage="derive", item=where, what="not an object"))
            return
        question, answer = one_line(str(self._value(row, "question") or "")), self._answers(row)
        if not question:
            have = ", ".join(map(str, row))[:80]
            remedy = "name its column: fields.question=[NAME]"
            found.failures.append(Failure(stage="derive", item=where, what=f"no question in: {have}", remedy=remedy))
            return
        key = str(self._value(row, "id") or f"{file.stem}-{digest(question)}")
        if not all(self._kept(row, column, values) for column, values in self._keep.items()):
            found.drop(key, "not_kept")
        elif not answer:
            found.drop(key, "no_answer")
        else:
            lists = {name: self._list(self._value(row, name)) for name in LISTS if name != "alternatives"}
            texts = {name: self._value(row, name) for name in ("context", "domain")}
            source = self._value(row, "source") or file.stem
            origin = {"source": source, **lists, **texts, "choices": isinstance(row.get("options"), Mapping)}
            item = open_item(key, question, answer, origin)
            language = str(self._value(row, "language") or self._language)
            found.items.append(item.model_copy(update={"language": language}))

    def _answers(self, row: Mapping[str, Any]) -> list[str]:
        """The answer and what may stand for it; of a multiple-choice row the texts of its right options."""
        answer, options = self._value(row, "answer"), self._value(row, "options")
        if isinstance(options, Mapping) and answer:
            letters = answer if isinstance(answer, list) else list(str(answer).replace(",", "").replace(" ", ""))
            if all(letter in options for letter in letters):
                return [str(options[letter]) for letter in letters]
        texts = self._list(answer) if isinstance(answer, list) else [str(answer)] if answer is not None else []
        return [text for text in (*texts, *self._list(self._value(row, "alternatives"))) if text.strip()]

    def _value(self, row: Mapping[str, Any], name: str) -> Any:
        """The first of the columns for this that says anything."""
        return next((row[one] for one in self._fields.get(name, (name,)) if row.get(one) not in (None, "", [])), None)

    def _list(self, value: Any) -> list[str]:
        values = value if isinstance(value, list) else str(value or "").split(self._separator)
        return [one_line(str(one)) for one in values if str(one).strip()]

    def _kept(self, row: Mapping[str, Any], column: str, values: Sequence[str]) -> bool:
        return column not in row or str(row[column]).strip().casefold() in {str(one).casefold() for one in values}


def _rows(file: Path) -> list[Any]:
    """The records of a file. Raises InputError if it is not readable as what its name says."""
    try:
        text = file.read_text(encoding="utf-8-sig")
        if file.suffix in (".csv", ".tsv"):
            return list(csv.DictReader(io.StringIO(text), delimiter="\t" if file.suffix == ".tsv" else ","))
        if file.suffix == ".jsonl":
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        data = json.loads(text)
    except (OSError, ValueError, csv.Error) as error:
        raise InputError(f"not readable: {error}", where=str(file), remedy="JSON, JSON lines, CSV or TSV") from None
    return data if isinstance(data, list) else [data]
