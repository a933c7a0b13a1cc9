"""Files of answers: our own, and those of other tools.

In: JSON lines with an id and either the text of a reply or letters. Out: `Prediction` per item. Replies are read
anew, so that a better parser costs no call; a failed call is a failure, never an answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluate.metric import Points, points
from evaluate.parse import Reading
from evaluate.settings import FieldNames
from kg.errors import Failure, SettingsError
from kg.item import Item
from kg.row import Row

GIVEN = "given"
"""How letters were found that a file states without a reply."""

Reader = Callable[[str, Mapping[str, str]], Reading]
"""Text of a reply and options in, letters out."""


class Prediction(Row):
    """What was answered to one item."""

    id: str
    letters: tuple[str, ...] = ()
    how: str = ""
    """How the letters were found, or why there are none (`evaluate.parse.Reading`); empty if the call failed."""
    raw: str = ""
    """The reply, verbatim."""
    finish: str = ""
    """Why the model stopped."""
    failure: str = ""
    """Why there is no reply. Such an item is not scored."""


def read_predictions(
    path: Path, items: Sequence[Item], fields: FieldNames, reader: Reader
) -> tuple[dict[str, Prediction], list[Failure]]:
    """Answers by item id, and a line for everything that is none. The last line on an item counts.

    Raises SettingsError if the file is not there or answers none of the items.
    """
    if not path.is_file():
        raise SettingsError(f"no such file: {path}", where="predictions", remedy="name a JSON-lines file of answers")
    known = {item.id: item for item in items}
    found: dict[str, Prediction] = {}
    failures: list[Failure] = []
    with path.open(encoding="utf-8", errors="replace") as stream:
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            prediction = _prediction(line, known, fields, reader)
            if isinstance(prediction, Prediction):
                found[prediction.id] = prediction
            elif prediction:
                place = f"{path.name}, line {number}"
                failures.append(Failure(stage="evaluate", item=place, what=prediction, remedy="left out"))
    if not found:
        raise SettingsError(f"{path} answers no item of the benchmark", where="predictions")
    return found, failures


def _prediction(line: str, known: Mapping[str, Item], fields: FieldNames, reader: Reader) -> Prediction | str:
    """The answer of a line, or what is wrong with it; empty if it is about an item that is not evaluated."""
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        return f"no JSON: {error.msg}"
    item_id = _look(row, fields.id)
    if not isinstance(item_id, str):
        return f"no id (looked for {', '.join(fields.id)})"
    if item_id not in known:
        return ""
    failure, raw, letters = (_look(row, names) for names in (fields.failure, fields.raw, fields.letters))
    if failure or (isinstance(raw, str) and raw.strip().startswith(fields.failed_marks or ("\0",))):
        return Prediction(id=item_id, failure=str(failure or raw).strip())
    if isinstance(raw, str):
        return answered(known[item_id], raw, str(_look(row, ("finish",)) or ""), reader)
    if letters is None:
        return "neither a reply nor letters"
    return _given(known[item_id], letters)


def answered(item: Item, raw: str, finish: str, reader: Reader) -> Prediction:
    """A reply and what it chooses."""
    reading = reader(raw, item.options)
    return Prediction(id=item.id, letters=reading.letters, how=reading.how, raw=raw, finish=finish)


def _given(item: Item, letters: Any) -> Prediction | str:
    said = {str(letter).strip() for letter in (letters.split(",") if isinstance(letters, str) else letters)} - {""}
    if said - set(item.options):
        return f"letters that no option has: {', '.join(sorted(said - set(item.options)))}"
    return Prediction(id=item.id, letters=tuple(sorted(said)), how=GIVEN if said else "empty")


def _look(row: Any, names: Iterable[str]) -> Any:
    """The value at the first dotted path that leads to one."""
    for name in names:
        value = row
        for step in name.split("."):
            if isinstance(value, Mapping):
                value = value.get(step)
            elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
                value = value[int(step)]
            else:
                value = None
        if value is not None:
            return value
    return None


def scored(items: Sequence[Item], predictions: Mapping[str, Prediction]) -> list[Points | None]:
    """Points per item: 0 where a reply could not be read, none where there is no reply."""
    rows = (predictions.get(item.id) for item in items)
    return [
        None if row is None or row.failure else points(item.answer, row.letters)
        for item, row in zip(items, rows, strict=True)
    ]
