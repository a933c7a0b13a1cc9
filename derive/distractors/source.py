"""Reads anyone's multiple-choice questions: JSON lines, a JSON list or CSV, ours or another set's field names.

In: files and folders, the names that fields may have. Out: `kg.item.Item`s and a line for everything unusable.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from pydantic import ConfigDict, ValidationError
from pydantic.dataclasses import dataclass as settings

from derive.material import Material
from kg.errors import Failure
from kg.item import Item
from kg.text import one_line

KINDS = (".jsonl", ".json", ".csv")
REMEDY = "left out"


@settings(frozen=True, config=ConfigDict(extra="forbid"))
class Fields:
    """Names under which question sets keep what we need, the first that a record has counts."""

    id: tuple[str, ...] = ("id", "qid", "uuid")
    question: tuple[str, ...] = ("question", "stem", "query", "input")
    options: tuple[str, ...] = ("options", "choices")
    columns: tuple[tuple[str, ...], ...] = ()
    """Groups of columns with one option each; of the first group that a record has, those that are not empty."""
    answer: tuple[str, ...] = ("answer_idx", "answerKey", "cop", "answer", "correct", "label", "target")
    """A letter, letters, the place among the options from 0, or the text of the right one."""
    label: tuple[str, ...] = ("label", "key", "letter")
    text: tuple[str, ...] = ("text", "value", "content")
    """Of an option that is itself a record."""


class _Unusable(Exception):
    """Why a record is no question."""


def read_sets(paths: Sequence[Path], fields: Fields) -> tuple[list[Item], list[Failure]]:
    """All questions in the order of the files; an id that occurs again, and everything unusable, is a failure."""
    items: dict[str, Item] = {}
    failures: list[Failure] = []
    for path in paths:
        for number, record in _records(path, failures):
            where = f"{path.name}, line {number}"
            try:
                item = _item(record, fields, path.stem, number)
                if item.id in items:
                    raise _Unusable(f"a second question with the id {item.id}")
                items[item.id] = item
            except _Unusable as error:
                failures.append(_failure(where, str(error)))
    return list(items.values()), failures


def files(path: Path) -> list[Path]:
    """The file, or those of the folder that hold questions."""
    if not path.is_dir():
        return [path]
    return [file for file in sorted(path.iterdir()) if file.suffix in KINDS and _holds_questions(file)]


def exercises(material: Material) -> list[Item]:
    """The graph's own exercises whose answer the book prints; among its options, or short enough to be one."""
    made: list[Item] = []
    view = material.view
    for node in view.with_role("question"):
        properties = view.nodes[node].properties
        answer = str(properties.get("answer") or "").strip()
        if (
            not answer
            or properties.get("answer_printed") == 0
            or material.pack.needs_more.search(material.speak.plain(node))
        ):
            continue
        texts = [str(text) for text in properties.get("options") or () if isinstance(text, str)]
        stem = str(properties.get(view.schema.nodes[view.nodes[node].label].key) or view.nodes[node].name)
        record = {"id": f"exercise::{node}", "question": stem, "answer": answer}
        try:
            item = _item({**record, "options": texts} if texts else record, Fields(), "exercises", 0)
        except _Unusable:
            continue
        made.append(item.model_copy(update={"query": node, "provenance": view.nodes[node].provenance[:1]}))
    return made


def _holds_questions(file: Path) -> bool:
    """Something else may lie beside the questions, such as rows of reasons."""
    if file.suffix != ".jsonl":
        return file.suffix == ".csv"
    first = next((line for line in file.read_bytes().splitlines() if line.strip()), b"")
    try:
        row = json.loads(first)
    except ValueError:
        return bool(first)
    return not isinstance(row, dict) or not row.keys().isdisjoint((*Fields().question, *Fields().options))


def _records(path: Path, failures: list[Failure]) -> Iterator[tuple[int, Any]]:
    """Number of the line (of a list: of the record) and what stands there."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        what = "no such file" if isinstance(error, FileNotFoundError) else f"not readable as UTF-8 text: {error}"
        failures.append(_failure(path.name, what))
        return
    if path.suffix == ".csv":
        try:
            reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
            for row in reader:
                yield reader.line_num, row
        except csv.Error as error:
            failures.append(_failure(path.name, f"not readable as CSV: {error}"))
    elif path.suffix == ".json":
        yield from enumerate(_list(path, text, failures), 1)
    else:
        yield from _lines(path, text, failures)


def _list(path: Path, text: str, failures: list[Failure]) -> list[Any]:
    try:
        whole = json.loads(text)
    except ValueError as error:
        failures.append(_failure(path.name, f"not readable as JSON: {error}"))
        return []
    if not isinstance(whole, list):
        failures.append(_failure(path.name, "expected a list of questions"))
        return []
    return whole


def _lines(path: Path, text: str, failures: list[Failure]) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except ValueError as error:
                failures.append(_failure(f"{path.name}, line {number}", f"not readable as JSON: {error}"))


def _item(record: Any, fields: Fields, name: str, number: int) -> Item:
    """The record as an item. Raises _Unusable."""
    if not isinstance(record, Mapping):
        raise _Unusable("not an object")
    if own := _own(record, name, number):
        return own
    asked = _first(record, fields.question)
    inner = asked if isinstance(asked, Mapping) else {}
    question = one_line(str((_first(inner, fields.question) if inner else asked) or ""))
    if not question:
        raise _Unusable("no question")
    labels, texts = _options({**record, **inner}, fields)
    right = _right(_first(record, fields.answer), labels, texts)
    if len(set(texts)) < len(texts):
        raise _Unusable("two options are the same")
    letters = ascii_uppercase[: len(texts)]
    return Item(
        id=str(_first(record, fields.id) or f"{name}:{number}"),
        question=question,
        options=dict(zip(letters, texts, strict=True)),
        answer=tuple(letters[place] for place in right),
        task=name,
    )


def _own(record: Mapping[str, Any], name: str, number: int) -> Item | None:
    """The record as one of our items, or those of K12-Bench; none if it is neither."""
    if not isinstance(record.get("options"), Mapping) or not isinstance(record.get("answer"), list):
        return None
    try:
        item = Item.model_validate_json(json.dumps({"id": f"{name}:{number}", **record}))
    except ValidationError:
        return None
    usable = item.answer and set(item.answer) < set(item.options) and item.question.strip()
    return item.model_copy(update={"task": item.task or name}) if usable else None


def _options(record: Mapping[str, Any], fields: Fields) -> tuple[list[str], list[str]]:
    """Labels and texts; none for a question without options. Raises _Unusable."""
    found = _first(record, fields.options)
    if found is None:
        group = next((group for group in fields.columns if any(record.get(column) for column in group)), ())
        found = [record[column] for column in group if str(record.get(column) or "").strip()]
    if isinstance(found, Mapping) and all(isinstance(value, list) for value in found.values()) and found:
        labels, texts = _first(found, fields.label) or [], _first(found, fields.text) or []
    elif isinstance(found, Mapping):
        labels, texts = list(found), list(found.values())
    elif isinstance(found, list):
        records = [one if isinstance(one, Mapping) else {} for one in found]
        labels = [_first(one, fields.label) or letter for one, letter in zip(records, ascii_uppercase, strict=False)]
        texts = [_first(one, fields.text) if isinstance(one, Mapping) else one for one in found]
    else:
        raise _Unusable("options are neither a list nor a record")
    if len(labels) != len(texts) or len(texts) == 1 or len(texts) > len(ascii_uppercase):
        raise _Unusable(f"cannot read the options ({len(texts)} texts)")
    texts = [one_line(str("" if text is None else text)) for text in texts]
    if not all(texts):
        raise _Unusable("an option is empty")
    return [str(label).strip() for label in labels], texts


def _right(answer: Any, labels: list[str], texts: list[str]) -> list[int]:
    """Places of the right options, ascending; of a question without options the answer becomes its only text."""
    if answer is None or str(answer).strip() == "":
        raise _Unusable("no answer")
    if not texts:
        labels.append("A")
        texts.append(one_line(str(answer)))
        return [0]
    known = {label.casefold(): place for place, label in enumerate(labels)}
    named = answer if isinstance(answer, list) else [answer]
    places: list[int] = []
    for one in named:
        text = one_line(str(one))
        letters = [known[part] for part in text.casefold().replace(",", " ").split() if part in known]
        run = [known[part] for part in text.casefold() if part in known]
        if text in texts:
            places.append(texts.index(text))
        elif letters and len(letters) == len(text.replace(",", " ").split()):
            places += letters
        elif run and len(run) == len(text) and text.isalpha():
            places += run
        elif text.isdigit() and int(text) < len(texts):
            places.append(int(text))
        else:
            raise _Unusable(f"the answer {text[:40]!r} is not among the options")
    if len(set(places)) == len(texts):
        raise _Unusable("every option is right")
    return sorted(set(places))


def _first(record: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((record[name] for name in names if record.get(name) not in (None, "")), None)


def _failure(where: str, what: str) -> Failure:
    return Failure(stage="derive", item=where, what=what, remedy=REMEDY)
