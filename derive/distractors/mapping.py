"""Which nodes a question and its answers speak of: by exact name, by likeness, by a model's choice; or none.

In: items, a `Linker`, perhaps a model. Out: a `Mapping` per item; its `Mapped` rows are the report.
"""

from __future__ import annotations

from collections.abc import Mapping as Dictionary
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass as settings

from derive.distractors.replies import AskJson
from derive.linker import SURE, Candidate, Linker
from derive.material import Material
from kg.item import Item
from kg.prompt import load
from kg.row import Row

PROMPTS = Path(__file__).parent / "prompts"
Part = Literal["question", "answer"]
NONE = "none"


@settings(frozen=True, config=ConfigDict(extra="forbid"))
class LinkRules:
    """When a text is taken for a node."""

    by: Literal["rules", "model"] = "rules"
    """Who names the entities of a question and chooses among candidates."""
    sure: float = Field(default=SURE, gt=0, le=1)
    slips: bool = True
    """See `derive.linker.Linker`; for a likeness by meaning rather: 0.85 and false."""
    candidates: int = Field(default=10, ge=1)
    """Nodes a model chooses from where no name fits."""
    likely: int = Field(default=3, ge=0)
    """Nodes most like a question that names none, as places to start from."""


class Mapped(Row):
    """What became of one entity."""

    item: str
    part: Part
    entity: str
    type: str = ""
    """As a model sees it: one of the graph's node types."""
    node: str = ""
    """Empty: no node."""
    stage: str = NONE
    """`gold` (the item says so), `exact`, `alias`, `similar`, `model`, `likely` (a start only), or `none`."""
    score: float = 0.0
    reason: str = ""
    candidates: tuple[str, ...] = ()
    """Of an entity without a node: those that come nearest."""


@dataclass(frozen=True)
class Mapping:
    """The nodes of one item."""

    starts: tuple[str, ...]
    """Of the question, in the order of its words."""
    answers: tuple[str, ...]
    """Of the right options, in their order; as many as there are right options, or none."""
    rows: tuple[Mapped, ...]


class Mapper:
    """Rules first; what they leave open goes to a model if there is one."""

    def __init__(self, material: Material, linker: Linker, rules: LinkRules, ask: AskJson | None = None) -> None:
        self._m, self._linker, self._rules, self._ask = material, linker, rules, ask
        self.prompts = {name: load(PROMPTS / f"{name}.md") for name in ("entities", "select")}

    def mappings(self, items: Sequence[Item]) -> list[Mapping]:
        """One per item, in order. Raises Unanswered where a model answers nothing."""
        found = self._entities(items)
        rows = [[self._mapped(item, row) for row in entities] for item, entities in zip(items, found, strict=True)]
        if self._ask:
            rows = self._chosen(items, rows)
        return [self._mapping(item, own) for item, own in zip(items, rows, strict=True)]

    def _entities(self, items: Sequence[Item]) -> list[list[Mapped]]:
        """The entities of each item, those of the graph's own items with their nodes."""
        own = [self._gold(item) for item in items]
        due = [item for item, rows in zip(items, own, strict=True) if not any(row.part == "question" for row in rows)]
        named = dict(zip((item.id for item in due), self._named(due), strict=True))
        whole: list[list[Mapped]] = []
        for item, rows in zip(items, own, strict=True):
            answers = {row.entity for row in rows if row.part == "answer"}
            rest = [Mapped(item=item.id, part="answer", entity=item.options[letter]) for letter in item.answer]
            whole.append([*rows, *named.get(item.id, []), *(row for row in rest if row.entity not in answers)])
        return whole

    def _gold(self, item: Item) -> list[Mapped]:
        nodes = self._m.view.nodes
        tested = self._m.view.after(item.query, "assessment") if not item.task or item.choices == {} else ()
        starts = [node for node in (tested or (item.query,)) if node in nodes]
        rows = [self._known(item, "question", nodes[node].name, node) for node in starts]
        for letter in item.answer:
            choice = item.choices.get(letter)
            if choice and choice.id in nodes:
                rows.append(self._known(item, "answer", item.options[letter], choice.id))
        return rows

    def _known(self, item: Item, part: Part, entity: str, node: str) -> Mapped:
        return Mapped(item=item.id, part=part, entity=entity, node=node, stage="gold", score=1.0)

    def _named(self, items: Sequence[Item]) -> list[list[Mapped]]:
        """The entities of the questions, by their words or as a model sees them."""
        if self._ask is None or not items:
            return [self._mentioned(item) for item in items]
        kinds = ", ".join(sorted({self._m.view.nodes[node].label for node in self._linker.nodes}))
        values = [{"question": item.question, "answer": _answer(item), "types": kinds} for item in items]
        replies = self._ask([self.prompts["entities"].messages(one) for one in values], _entity_list)
        return [
            self._mentioned(item) if one is None else _rows(item, one) for item, one in zip(items, replies, strict=True)
        ]

    def _mentioned(self, item: Item) -> list[Mapped]:
        names = dict.fromkeys(mention.name for mention in self._linker.mentions(item.question))
        return [Mapped(item=item.id, part="question", entity=name) for name in names]

    def _mapped(self, item: Item, row: Mapped) -> Mapped:
        if row.node:
            return row
        found = self._linker.resolve(row.entity)
        if found:
            return row.model_copy(update={"node": found.node, "stage": found.stage, "score": found.score})
        near = self._linker.candidates(row.entity, self._rules.candidates)
        return row.model_copy(update={"candidates": tuple(one.node for one in near)})

    def _chosen(self, items: Sequence[Item], rows: list[list[Mapped]]) -> list[list[Mapped]]:
        """A model chooses one of the candidates of what is still open, or none."""
        due = [
            (place, at)
            for place, own in enumerate(rows)
            for at, row in enumerate(own)
            if not row.node and row.candidates
        ]
        nodes = self._m.view.nodes
        values = []
        for place, at in due:
            row = rows[place][at]
            lines = "\n".join(f"{number}: {nodes[node].name}" for number, node in enumerate(row.candidates))
            asked = {"question": items[place].question, "answer": _answer(items[place])}
            values.append({**asked, "entity": row.entity, "candidates": lines})
        assert self._ask is not None
        replies = self._ask([self.prompts["select"].messages(one) for one in values], _selection) if values else []
        for (place, at), reply in zip(due, replies, strict=True):
            row, choice = rows[place][at], (reply or {}).get("id")
            said = {"reason": str((reply or {}).get("reason", ""))}
            if isinstance(choice, int) and 0 <= choice < len(row.candidates):
                said |= {"node": row.candidates[choice], "stage": "model"}
            rows[place][at] = row.model_copy(update=said)
        return rows

    def _mapping(self, item: Item, rows: Sequence[Mapped]) -> Mapping:
        starts = [row.node for row in rows if row.part == "question" and row.node]
        by_text = {row.entity: row.node for row in rows if row.part == "answer"}
        answers = tuple(by_text.get(item.options[letter], "") for letter in item.answer)
        kept = answers if all(answers) and len(set(answers)) == len(answers) else ()
        likely: tuple[Mapped, ...] = ()
        if not starts:
            likely = tuple(self._likely(item, one) for one in self._nearest(item, answers))
            starts = [row.node for row in likely]
        return Mapping(tuple(dict.fromkeys(starts)), kept, (*rows, *likely))

    def _nearest(self, item: Item, answers: Sequence[str]) -> list[Candidate]:
        near = self._linker.candidates(item.question, self._rules.likely + len(answers))
        return [one for one in near if one.node not in answers][: self._rules.likely]

    def _likely(self, item: Item, one: Candidate) -> Mapped:
        fields: dict[str, Any] = {"node": one.node, "stage": "likely", "score": one.score}
        return Mapped(item=item.id, part="question", entity=self._m.view.nodes[one.node].name, **fields)


def _answer(item: Item) -> str:
    return "; ".join(item.options[letter] for letter in item.answer)


def _rows(item: Item, found: Sequence[Dictionary[str, str]]) -> list[Mapped]:
    return [Mapped(item=item.id, part="question", entity=one["name"], type=one.get("type", "")) for one in found]


def _entity_list(reply: Any) -> list[dict[str, str]]:
    """The entities of the question. Raises ValueError saying what is wrong with the reply."""
    found = reply.get("question") if isinstance(reply, dict) else None
    if not isinstance(found, list) or not all(
        isinstance(one, dict) and str(one.get("name", "")).strip() for one in found
    ):
        raise ValueError('"question" must be a list of {"type", "name"}')
    return [{"name": str(one["name"]), "type": str(one.get("type", ""))} for one in found]


def _selection(reply: Any) -> dict[str, Any]:
    """The choice, `NONE` included. Raises ValueError saying what is wrong with the reply."""
    if not isinstance(reply, dict) or not (isinstance(reply.get("id"), int) or reply.get("id") == "NONE"):
        raise ValueError('"id" must be the number of a candidate, or "NONE"')
    return reply
