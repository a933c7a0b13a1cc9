"""The five criteria every question has to meet, looked up in the finished item; rules look always, a model may.

In: finished items. Out: one `Rating` per rater and item. All criteria must pass; what cannot be told fails.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from derive.ask import Ask
from derive.material import Material
from derive.questions.routes import Route, RouteFinder
from derive.questions.scope import Scope
from derive.questions.settings import Rules
from derive.questions.stems import Wording
from derive.rubric import Criterion, ModelRater, Rubric, RubricCase, Rule, RuleRater
from kg.graph_io import evidence
from kg.ids import digest
from kg.item import Item
from kg.prompt import load

PROMPT = Path(__file__).parent / "prompts" / "validate.md"
LONGEST = 600
"""Characters of a question."""
RUBRIC = Rubric(
    "five criteria",
    (
        Criterion("grammar", "the question is one correct, fluent sentence, fit for a school"),
        Criterion("single_key", "the keyed answer is right, and no other option can be defended as right"),
        Criterion("option_uniqueness", "no two options say the same"),
        Criterion(
            "answerable", "the source alone answers the question, and the question does not give its answer away"
        ),
        Criterion("topic", "the question is about the topic; NA if no topic is given", optional=True),
    ),
)
_DOUBLED = re.compile(r"\b(\w{2,}) \1\b", re.IGNORECASE)


@dataclass(frozen=True)
class Finished:
    """An item with the route it asks for."""

    item: Item
    route: Route


class Validator:
    """The raters of a question set."""

    def __init__(self, material: Material, rules: Rules, finder: RouteFinder, wording: Wording, scope: Scope) -> None:
        self._m, self._rules, self._finder, self._wording, self._scope = material, rules, finder, wording, scope
        checks: dict[str, Rule] = {
            "grammar": lambda case: self._grammar(case.subject.item),
            "single_key": lambda case: self._single_key(case.subject),
            "option_uniqueness": lambda case: self._unique(case.subject.item),
            "answerable": lambda case: self._answerable(case.subject),
            "topic": lambda case: self._topic(case.subject),
        }
        self.by_rules = RuleRater(RUBRIC, checks)

    def by_model(self, ask: Ask, label: str) -> ModelRater:
        """A model that is asked the same."""
        return ModelRater(RUBRIC, load(PROMPT), ask, label)

    def sampled(self, case: RubricCase) -> bool:
        """True if the model is to look at it; by lot."""
        lot = int(digest(f"{self._rules.seed}:sample:{case.key}", 6), 36) / 36**6
        return lot < self._rules.sample

    def cases(self, finished: Sequence[Finished], shown: bool) -> list[RubricCase]:
        """What raters get; the texts that a model is `shown` are no concern of the rules."""
        return [RubricCase(one.item.id, self._shown(one) if shown else {}, one) for one in finished]

    def _shown(self, one: Finished) -> dict[str, str]:
        item, speak = one.item, self._m.speak
        nodes = list(dict.fromkeys(node for path in one.route.paths for node in path.nodes))
        order = sorted(item.options.values(), key=lambda text: digest(f"{item.id}:{text}", 16))
        quotes = [f"“{hop['quote']}”" for hop in item.origin["hops"]]
        return {
            "topic": self._scope.name or "-",
            "question": item.question,
            "options": "\n".join(f"- {text}" for text in order),
            "answers": "; ".join(item.options[letter] for letter in item.answer),
            "source": "\n".join([*(str(hop["says"]) for hop in item.origin["hops"]), *dict.fromkeys(quotes)]),
            "glosses": "\n".join(f"- {speak.option(node)}: {self._wording.gloss(node)}" for node in nodes),
        }

    def _grammar(self, item: Item) -> bool:
        pack, text = self._wording.pack, item.question
        texts = [text, *item.options.values()]
        closed = text.count("“") == text.count("”") and "{" not in text and "\n" not in text.strip()
        fit = not any(pack.unfit.search(part) for part in texts)
        ends = text[-1:] in pack.marks
        return closed and fit and ends and 0 < len(text) <= LONGEST and not _DOUBLED.search(_unquoted(text))

    def _single_key(self, one: Finished) -> bool:
        """What is keyed is exactly what the graph proves, and no wrong option goes by the name of a right one."""
        choices = one.item.choices.values()
        right = {choice.id for choice in choices if choice.right}
        proved = self._finder.answers(one.route.anchor, one.route.hops)
        twins = {twin for node in proved for twin in self._m.words.twins.get(node, ())}
        return right == proved and not twins & {choice.id for choice in choices if not choice.right}

    def _unique(self, item: Item) -> bool:
        keyed = [self._m.words.keyed(text).strip() or text for text in item.options.values()]
        return all(one != other for one, other in combinations(keyed, 2))

    def _answerable(self, one: Finished) -> bool:
        """Every hop is quoted, and the question names no answer."""
        view, speaks = self._m.view, self._m.words
        quoted = all(evidence(step.edge(view)) for path in one.route.paths for step in path.steps)
        text = speaks.keyed(one.item.question.replace(self._wording.name(one.route.anchor), " "))
        leaks = any(speaks.speaks_of(text, answer) for answer in one.route.answers)
        return (quoted or not self._rules.evidence) and not leaks

    def _topic(self, one: Finished) -> bool | None:
        return None if self._scope.whole else self._scope.covers(one.route.anchor, one.route.answers)


def _unquoted(text: str) -> str:
    """Without what is named in it: names may double words."""
    return re.sub(r"“[^”]*”", "·", text)
