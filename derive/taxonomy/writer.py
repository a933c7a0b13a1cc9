"""Questions a model writes: three about what a thing is, one about each of three things it belongs to.

In: `Thing`s and what they are linked with. Out: items, and how many replies could not be used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from derive.ask import Ask, Messages
from derive.material import Material
from derive.rubric import json_object
from derive.taxonomy.definitions import Thing
from derive.taxonomy.questions import EACH, OPTIONS
from kg.ids import digest
from kg.item import LETTERS, Choice, Item
from kg.prompt import load

PROMPTS = Path(__file__).parent / "prompts"


class QuestionWriter:
    """Asks about all things at once, each question set in a call of its own."""

    def __init__(self, ask: Ask, material: Material, origin: Mapping[str, object]) -> None:
        self._ask, self._m, self._origin = ask, material, origin
        self.prompts = {name: load(PROMPTS / f"{name}.md") for name in ("basic", "relation")}
        self.dropped: Counter[str] = Counter()

    def write(self, things: Sequence[Thing], passages: Mapping[str, str]) -> list[Item]:
        """All questions that came back in the form asked for."""
        asked = [(thing, entity) for thing in things for entity in ("", *self._entities(thing))]
        replies = self._ask([self._messages(thing, entity, passages[thing.id]) for thing, entity in asked])
        found: list[Item] = []
        for (thing, entity), reply in zip(asked, replies, strict=True):
            found += self._items(thing, entity, reply)
        return found

    def _entities(self, thing: Thing) -> list[str]:
        """Things near it in the graph; the thing itself is none."""
        near = sorted(self._m.view.near(thing.id), key=lambda other: digest(f"{thing.id}:{other}", 16))
        return near[:EACH]

    def _messages(self, thing: Thing, entity: str, passage: str) -> Messages:
        values = {"name": thing.name, "passage": passage, "language": self._m.language.name}
        if not entity:
            return self.prompts["basic"].messages(values)
        return self.prompts["relation"].messages(values | {"entity": self._m.view.nodes[entity].name})

    def _items(self, thing: Thing, entity: str, reply: str | None) -> list[Item]:
        said = json_object(reply) if reply is not None else None
        if said is None or not isinstance(said.get("questions"), list):
            self.dropped["call_failed" if reply is None else "not_json"] += 1
            return []
        most = 1 if entity else EACH
        found = [self._item(thing, entity, place, one) for place, one in enumerate(said["questions"][:most])]
        return [item for item in found if item is not None]

    def _item(self, thing: Thing, entity: str, place: int, said: object) -> Item | None:
        options = said.get("options") if isinstance(said, dict) else None
        if not isinstance(said, dict) or not isinstance(options, dict) or set(options) != set(LETTERS[:OPTIONS]):
            self.dropped["not_json"] += 1
            return None
        family = "relation" if entity else "basic"
        answer = str(said.get("answer") or "").strip().upper()[:1]
        return Item(
            id="::".join(part for part in ("model", family, thing.id, entity or str(place)) if part),
            question=str(said.get("question") or ""),
            options={letter: str(options[letter]) for letter in LETTERS[:OPTIONS]},
            answer=(answer,),
            task=f"model_{family}",
            family=family,
            language=self._m.language.code,
            query=thing.id,
            choices={letter: Choice(right=letter == answer) for letter in LETTERS[:OPTIONS]},
            provenance=self._m.view.nodes[thing.id].provenance[:2],
            origin={**self._origin, "reason": str(said.get("reason") or "")},
            mode="model",
        )
