"""What a form says about a task, checked before anybody stores it.

In: fields of a form. Out: `Said`. A correction holds only what differs from what was shown, and fits the schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kg.schema import Field, GraphSchema
from review.task import Task
from review.things import Thing, Things
from review.votes import Refused, Said

LONGEST_COMMENT = 2000
PREFIX = "to_"
"""Of the form's fields that hold corrected values."""
FLIP = "flip"


def said(form: Mapping[str, str], task: Task, schema: GraphSchema, things: Things | None = None) -> Said:
    """The judgement. `things` are what a relation may be led to instead.

    Raises Refused if the correction changes nothing or does not fit the schema.
    """
    verdict = form.get("verdict", "")
    comment = " ".join(form.get("comment", "").split())[:LONGEST_COMMENT]
    if verdict not in task.verdicts:
        raise Refused(f"“{verdict[:20]}” cannot be said about this task")
    if verdict != "change":
        return Said(verdict, {}, comment)
    change = _edge(form, task, schema, things or Things()) if task.kind == "edge" else _node(form, task, schema)
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


def _edge(form: Mapping[str, str], task: Task, schema: GraphSchema, things: Things) -> dict[str, Any]:
    shown = task.change
    kind = form.get(PREFIX + "type", shown["type"])
    cards = {card.id: Thing(card.id, card.type, card.name) for card in task.cards}
    ends = [_end(form.get(PREFIX + end, ""), cards.get(shown[end]), shown[end], things) for end in ("source", "target")]
    if form.get(FLIP):
        ends.reverse()
    if not schema.allows(kind, ends[0].label, ends[1].label):
        raise Refused(f"the schema has no {kind[:40]} between these two in this direction")
    if ends[0].id == ends[1].id:
        raise Refused("a relation leads from one thing to another")
    new = {"type": kind, "source": ends[0].id, "target": ends[1].id}
    return {name: value for name, value in new.items() if value != shown[name]}


def _end(text: str, shown: Thing | None, key: str, things: Things) -> Thing:
    """The thing that is named; the one that was shown where nothing else is."""
    here = shown or Thing(key, "", "")
    if text.strip() in ("", here.name.strip(), here.id):
        return here
    found = things.called(text)
    if len(found) > 1:
        raise Refused(f"several things are called “{text[:60]}”", remedy=" or ".join(thing.id for thing in found))
    if not found:
        near = ", ".join(f"“{name}”" for name in things.near(text))
        raise Refused(f"there is no “{text[:60]}” in the graph", remedy=f"is it one of {near}?" if near else "")
    return found[0]


def relations(task: Task, schema: GraphSchema) -> list[str]:
    """Types an edge may have between these ends, in one direction or the other."""
    if task.kind != "edge" or len(task.cards) < 2:
        return []
    one, other = task.cards[0].type, task.cards[1].type
    return [name for name in schema.edges if schema.allows(name, one, other) or schema.allows(name, other, one)]


def near(task: Task) -> list[str]:
    """Names of what the two ends are related to: where a wrong relation often should have led."""
    names = {name for card in task.cards for line in card.lines for name in (line.source, line.target)}
    return sorted(names | {card.name for card in task.cards})
