"""Tasks out to Label Studio and annotations back, as the JSON files that it imports and exports.

In: tasks, or a file of annotations. Out: a file of tasks with the labelling interface beside it, or votes. Whoever
`completed_by` names is the annotator. Corrections need our page: there, `change` is a note to the lead in the comment.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from kg.decisions import VERDICTS
from kg.errors import InputError
from review.task import Task
from review.votes import Refused, Said, Votes, seen

CHOICE, COMMENT = "verdict", "comment"


@dataclass(frozen=True)
class TakenIn:
    """What became of a file of annotations."""

    votes: int
    known: int
    """Votes that had been taken in before."""
    refused: tuple[str, ...]
    """One line for every annotation that could not be taken in."""


def export(tasks: Sequence[Task], path: Path) -> None:
    """`path` holds the tasks and `path` with the ending `.xml` the labelling interface."""
    rows = [{"data": _data(task)} for task in tasks]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    path.with_suffix(".xml").write_text(interface(), encoding="utf-8")


def interface() -> str:
    """Labelling interface: what is asked, the evidence, one choice with a hot key, a comment."""
    kinds = "\n".join(_choices(kind) for kind in VERDICTS)
    return f"""<View>
  <Header value="$content"/>
  <Text name="reasons" value="$reasons"/>
  <Text name="evidence" value="$evidence"/>
  <Text name="about" value="$about"/>
{kinds}
  <TextArea name="{COMMENT}" toName="evidence" rows="2"/>
</View>
"""


def _choices(kind: str) -> str:
    choices = "".join(
        f"<Choice value={quoteattr(verdict)} hotkey={quoteattr(verdict[0])}/>"
        for verdict in VERDICTS[kind]  # type: ignore[index]
        if verdict != "change"
    )
    shown = f'visibleWhen="task-data" whenTaskData="kind" whenTaskDataValue={quoteattr(kind)}'
    name = f"{CHOICE}_{kind}"
    return f'  <Choices name="{name}" toName="evidence" choice="single" required="true" {shown}>{choices}</Choices>'


def _data(task: Task) -> dict[str, Any]:
    passages = [*task.passages, *(passage for card in task.cards for passage in card.passages)]
    evidence = [f"{p.book}, {p.section}, {p.page}: {p.before}[[{p.quote}]]{p.after}" for p in passages]
    cards = [f"{card.type} {card.name}\n" + "\n".join(f"{k}: {v}" for k, v in card.fields) for card in task.cards]
    return {
        "id": task.id,
        "seen": seen(task),
        "kind": task.kind,
        "type": task.type,
        "content": task.content,
        "reasons": "\n".join(task.reasons),
        "evidence": "\n\n".join(evidence),
        "about": "\n\n".join(cards),
    }


def take_in(path: Path, tasks: Sequence[Task], votes: Votes) -> TakenIn:
    """Every annotation is a vote or a line that says why not. Taking a file in twice changes nothing.

    Raises InputError if the file is no export of Label Studio.
    """
    try:
        rows = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise InputError(f"cannot be read: {error}", where=str(path)) from None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError("not a list of tasks", where=str(path), remedy="export as JSON, not as JSON-MIN or CSV")
    known = {task.id: task for task in tasks}
    new, old, refused = 0, 0, []
    for number, row in enumerate(rows, 1):
        for given in _list(row.get("annotations")):
            try:
                if _cast(row, given, known, votes):
                    new += 1
                else:
                    old += 1
            except Refused as error:
                refused.append(f"task {number}: {error}")
    return TakenIn(new, old, tuple(refused))


def _cast(row: Mapping[str, Any], given: Any, known: Mapping[str, Task], votes: Votes) -> bool:
    """True if the vote is new. Raises Refused if there is none."""
    data = row.get("data") if isinstance(row.get("data"), dict) else {}
    task = known.get(str(data.get("id", "")))  # type: ignore[union-attr]
    if task is None or not isinstance(given, dict):
        raise Refused("not one of our questions")
    if given.get("was_cancelled"):
        raise Refused("skipped by the annotator")
    results = [result for result in _list(given.get("result")) if isinstance(result, dict)]
    verdict = _first(results, "choices", "choices")
    if not verdict:
        raise Refused("nothing was chosen")
    who = _person(given.get("completed_by"))
    before = [vote.said for vote in votes.votes(task.id) if vote.person == who]
    now = Said(verdict, {}, _first(results, "textarea", "text"))
    if now in before:
        return False
    votes.give(who, task.id)
    seconds = given.get("lead_time")
    lead_time = float(seconds) if isinstance(seconds, int | float) else 0.0
    votes.cast(who, task.id, str(data.get("seen", "")), now, lead_time)  # type: ignore[union-attr]
    return True


def _first(results: Sequence[Mapping[str, Any]], kind: str, name: str) -> str:
    for result in results:
        value = result.get("value")
        if result.get("type") == kind and isinstance(value, dict):
            entries = _list(value.get(name))
            if entries and isinstance(entries[0], str):
                return entries[0]
    return ""


def _person(value: Any) -> str:
    """Name of an annotator: e-mail address, else number."""
    if isinstance(value, dict):
        value = value.get("email") or value.get("id")
    if not isinstance(value, str | int) or not str(value).strip():
        raise Refused("it does not say who completed it")
    return f"label-studio:{value}"[:80]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
