"""What a form says about a task, checked before anybody stores it.

In: fields of a form. Out: `Said`. A correction holds only what differs from what was shown, and fits the schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kg.schema import Field, GraphSchema
from review.task import Task
from review.votes import Refused, Said

LONGEST_COMMENT = 2000
PREFIX = "to_"
"""Of the form's fields that hold corrected values."""
FLIP = "flip"


def said(form: Mapping[str, str], task: Task, schema: GraphSchema) -> Said:
    """The judgement. Raises Refused if the correction changes nothing or does not fit the schema."""
    verdict = form.get("verdict", "")
    comment = " ".join(form.get("comment", "").split())[:LONGEST_COMMENT]
    if verdict not in task.verdicts:
        raise Refused(f"“{verdict[:20]}” cannot be said about this task")
    if verdict != "change":
        return Said(verdict, {}, comment)
    change = _edge(form, task, schema) if task.kind == "edge" else _node(form, task, schema)
    if not change:
        raise Refused("nothing was changed", remedy="correct a value, or keep it as it is")
    return Said(verdict, change, comment)


def _node(form: Mapping[str, str], task: Task, schema: GraphSchema) -> dict[str, Any]:
    kind = schema.nodes[task.type]
    change: dict[str, Any] = {}
    for name, shown in task.change.items():
        text = form.get(PREFIX + name, shown).replace("\r\n", "\n").strip()
        if text != shown.strip():
            change[name] = _value(name, text, kind.fields.get(name, Field()))
    if not change.get("name", task.cards[0].name):
        raise Refused("the name is empty")
    old = {name: _value(name, text, kind.fields.get(name, Field())) for name, text in task.change.items() if text}
    old.pop("name", None)
    new = {**old, **{name: value for name, value in change.items() if name != "name"}}
    known = schema.problems(task.type, old)
    if problems := [problem for problem in schema.problems(task.type, new) if problem not in known]:
        raise Refused(problems[0])
    return change


def _value(name: str, text: str, field: Field) -> Any:
    if field.type == "list":
        return [line.strip() for line in text.split("\n") if line.strip()]
    if field.type == "integer":
        try:
            return int(text)
        except ValueError:
            raise Refused(f"{name}: “{text[:20]}” is not a whole number") from None
    return text


def _edge(form: Mapping[str, str], task: Task, schema: GraphSchema) -> dict[str, Any]:
    shown = task.change
    new = dict(shown) | {"type": form.get(PREFIX + "type", shown["type"])}
    labels = {card.id: card.type for card in task.cards}
    if form.get(FLIP):
        new["source"], new["target"] = shown["target"], shown["source"]
    if not schema.allows(new["type"], labels.get(new["source"], ""), labels.get(new["target"], "")):
        raise Refused(f"the schema has no {new['type'][:40]} between these two in this direction")
    return {name: value for name, value in new.items() if value != shown[name]}


def relations(task: Task, schema: GraphSchema) -> list[str]:
    """Types an edge may have between these ends, in one direction or the other."""
    if task.kind != "edge" or len(task.cards) < 2:
        return []
    one, other = task.cards[0].type, task.cards[1].type
    return [name for name in schema.edges if schema.allows(name, one, other) or schema.allows(name, other, one)]
