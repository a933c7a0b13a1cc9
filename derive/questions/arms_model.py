"""Ablations that a model writes; what each arm gives it to go by stands in `arms.py`.

In: routes of a question set, a model. Out: `ArmMade` per arm. A reply that is no question is dropped with its reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from derive.ask import Ask
from derive.material import Material
from derive.questions.arms import OPTIONS, ArmMade
from derive.questions.routes import Route
from derive.questions.search import Search
from derive.questions.settings import Rules
from derive.questions.stems import Wording
from derive.rubric import ModelRater, RubricCase, json_object
from kg.graph_io import evidence
from kg.ids import digest
from kg.item import LETTERS, Item
from kg.prompt import load
from kg.text import one_line, words

PROMPT = Path(__file__).parent / "prompts" / "arm.md"
TOLD = ("repeated", "option_uniqueness", "answerable")
"""Flags that texts alone can tell."""


class ModelArms:
    """Lets a model write, with as much to go by as the arm has; all arms get the same topics."""

    def __init__(self, material: Material, rules: Rules, wording: Wording, ask: Ask, judge: ModelRater) -> None:
        self._m, self._rules, self._wording = material, rules, wording
        self._ask, self._judge = ask, judge
        self._prompt = load(PROMPT)
        self._quotes = dict(_passages(material))
        self._search = Search(
            {name: material.words.keyed(text) for name, text in self._quotes.items()}, material.language
        )
        self._sources: dict[str, str] = {}

    def make(self, arm: str, routes: Sequence[Route]) -> ArmMade:
        """The arm's items on these routes."""
        made = ArmMade(arm, "model", [], Counter())
        chosen = sorted(routes, key=lambda route: digest(f"{self._rules.seed}:arm:{route.anchor}:{route.code}", 24))
        chosen = chosen[: self._rules.arm_items]
        replies = self._ask([self._prompt.messages(self._values(arm, route)) for route in chosen])
        for number, (route, reply) in enumerate(zip(chosen, replies, strict=True)):
            item = self._read(arm, number, route, reply)
            if isinstance(item, str):
                made.dropped[item] += 1
            else:
                made.items.append(item)
        return self._validated(made) if arm.endswith("_val") or arm == "full" else made

    def flags(self, item: Item) -> list[str]:
        """What the texts alone tell: options that are the same, and a key of which no source that was seen speaks."""
        keyed = [self._m.words.keyed(text) for text in item.options.values()]
        source = set(words(self._m.words.keyed(self._sources.get(item.id, ""))))
        key = words(self._m.words.keyed(item.options[item.answer[0]]))
        unknown = bool(source) and not any(word in source for word in key)
        found = {"option_uniqueness": len(set(keyed)) < len(keyed), "answerable": unknown or not source}
        return [name for name, bad in found.items() if bad]

    def _values(self, arm: str, route: Route) -> dict[str, str]:
        path = " ".join(self._wording.told(walk) for walk in route.paths) if arm in ("rag_kg", "full") else ""
        return {
            "language": self._m.language.name,
            "topic": self._wording.name(route.anchor),
            "level": str(route.level),
            "passages": self._seen(route) if arm != "plain" else "-",
            "path": path or "-",
        }

    def _seen(self, route: Route) -> str:
        asked = self._m.words.keyed(self._m.speak.plain(route.anchor))
        return "\n".join(f"- {self._quotes[name]}" for name, _ in self._search.best(asked)) or "-"

    def _read(self, arm: str, number: int, route: Route, reply: str | None) -> Item | str:
        """An item with the model's texts, or why there is none."""
        said = json_object(reply) if reply is not None else None
        if said is None:
            return "call_failed" if reply is None else "not_json"
        options = said.get("options")
        texts = [one_line(str(text)) for text in options] if isinstance(options, list) else []
        question, key = one_line(str(said.get("question") or "")), one_line(str(said.get("answer") or ""))
        if len(texts) != OPTIONS or texts.count(key) != 1 or not question:
            return "not_four_options_with_the_answer"
        order = sorted(texts, key=lambda text: digest(f"{self._rules.seed}:{arm}:{number}:{text}", 24))
        values = self._values(arm, route)
        name = f"{arm}::{number:05}"
        self._sources[name] = "\n".join(values[part] for part in ("passages", "path") if values[part] != "-")
        letters = dict(zip(LETTERS, order, strict=False))
        return Item(
            id=name,
            question=question,
            options=letters,
            answer=tuple(letter for letter, text in letters.items() if text == key),
            task=f"arm_{arm}",
            language=self._m.language.code,
            query=route.anchor,
            level=route.level,
            mode=arm,
        )

    def _validated(self, made: ArmMade) -> ArmMade:
        ratings = self._judge.rate([self._case(item) for item in made.items])
        kept = [item for item, rating in zip(made.items, ratings, strict=True) if rating.ok]
        lost = Counter("validation" for rating in ratings if not rating.ok)
        return ArmMade(made.arm, made.by, kept, made.dropped + lost)

    def _case(self, item: Item) -> RubricCase:
        values = {
            "topic": self._m.speak.option(item.query),
            "question": item.question,
            "options": "\n".join(f"- {text}" for text in item.options.values()),
            "answers": item.options[item.answer[0]],
            "source": self._sources[item.id] or "-",
            "glosses": "-",
        }
        return RubricCase(item.id, values, item)


def _passages(material: Material) -> Iterator[tuple[str, str]]:
    """Everything the graph quotes, each quotation once, under a name that sorts."""
    view = material.view
    every = [found.quote for node in view.nodes.values() for found in node.provenance]
    every += [quote for edge in view.edges() for quote in evidence(edge)]
    for quote in sorted(set(map(one_line, every))):
        yield digest(quote, 16), quote
