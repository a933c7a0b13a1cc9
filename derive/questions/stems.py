"""Puts a route into words: the question, and each hop as a sentence; by templates, or by a model.

In: `Route`s. Out: stems of one sentence that name the anchor and not the answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from derive.ask import Ask
from derive.material import Material
from derive.path import Path as Walk
from derive.path import Step
from derive.questions.pack import Noun, Pack
from derive.questions.routes import ANCHORS, Hop, Route
from derive.questions.search import terms
from derive.rubric import json_object
from kg.errors import SettingsError
from kg.ids import digest
from kg.prompt import load
from kg.schema import described_by
from kg.text import one_line

PROMPT = Path(__file__).parent / "prompts" / "stem.md"


class Stems(Protocol):
    """Writes many stems at a time."""

    def write(self, routes: Sequence[Route]) -> list[str]:
        """One stem per route, in order."""


class Wording:
    """What routes are called in a language. Another seed, another wording."""

    def __init__(self, material: Material, pack: Pack, seed: int, trace: float = 0.0) -> None:
        self._m, self.pack, self._seed, self._trace = material, pack, seed, trace
        self._glosses: dict[str, str] = {}
        self._quoted: dict[str, frozenset[str]] = {}

    def write(self, routes: Sequence[Route]) -> list[str]:
        """One stem per route, from templates."""
        return [self.stem(route) for route in routes]

    def stem(self, route: Route) -> str:
        """The question: the first hop innermost."""
        x = self.name(route.anchor)
        for hop, node in zip(route.hops[:-1], route.paths[0].nodes[1:], strict=False):
            noun = self._noun(str(self._m.view.role(node)))
            x = self.pack.clause.format(bare=noun.bare, one=noun.one, predicate=self._predicate(hop, route, x))
        roles = {self._m.view.role(answer) for answer in route.answers}
        noun = self._noun(str(roles.pop()) if len(roles) == 1 else "any")
        last = self._predicate(route.hops[-1], route, x)
        question = self.pack.question.format(bare=noun.bare, one=noun.one, predicate=last)
        question = question[:1].upper() + question[1:]
        return self.pack.several.format(question=question) if len(route.answers) > 1 else question

    def _noun(self, role: str) -> Noun:
        if role not in self.pack.nouns:
            where = f"conf/language/{self._m.language.code}.yaml, parts.questions.nouns"
            raise SettingsError(f"no noun for {role}", where=where)
        return self.pack.nouns[role]

    def name(self, node: str) -> str:
        """The node as a question names it."""
        wording = self.pack.names.get(str(self._m.view.role(node)), self.pack.names.get("any", "{name}"))
        return wording.format(name=one_line(self._m.speak.asked(node)))

    def _predicate(self, hop: Hop, route: Route, x: str) -> str:
        wordings = self._wordings(hop)
        turn = int(digest(f"{self._seed}:{route.anchor}:{route.code}:{hop}", 4), 36)
        return wordings[turn % len(wordings)].format(x=x)

    def _wordings(self, hop: Hop) -> tuple[str, ...]:
        wordings = self.pack.predicates.get(str(hop)) or ()
        if not wordings:
            where = f"conf/language/{self._m.language.code}.yaml, parts.questions.predicates"
            raise SettingsError(f"no wording for {hop}", where=where)
        return wordings

    def hop(self, step: Step) -> str:
        """What one step says, as a sentence."""
        symmetric = self._m.view.schema.edges[step.edge(self._m.view).type].symmetric
        wording = self._wordings(Hop(step.role, step.forward or symmetric))[0]
        start, end = self.name(step.start), self.name(step.end)
        text = self.pack.sentence.format(name=end, predicate=wording.format(x=start))
        return text[:1].upper() + text[1:]

    def told(self, path: Walk) -> str:
        """The path in words, a sentence per hop."""
        return " ".join(self.hop(step) for step in path.steps)

    def gloss(self, node: str) -> str:
        """What the graph says that the node is, if its books say so, too; else empty."""
        if node not in self._glosses:
            text = self._described(node)
            self._glosses[node] = text if text and self.traced(node, text) >= self._trace else ""
        return self._glosses[node]

    def _described(self, node: str) -> str:
        record = self._m.view.nodes[node]
        return one_line(str(record.properties.get(described_by(self._m.view.schema.nodes[record.label])) or ""))

    def glosses(self) -> dict[str, int]:
        """How many things the graph describes, and how many of the descriptions the books bear out."""
        things = [node for node in self._m.view.with_role(*ANCHORS) if self._described(node)]
        return {"described": len(things), "traced": sum(bool(self.gloss(node)) for node in things)}

    def traced(self, node: str, text: str) -> float:
        """Share of the text's words (pairs of characters) that stand in what is quoted from the node's sections.

        1 where nothing is quoted: a released graph has no places.
        """
        sections = sorted({found.section for found in self._m.view.nodes[node].provenance})
        said = set(terms(self._m.words.keyed(text), self._m.language))
        if not sections or not said:
            return 1.0
        return len(said & frozenset().union(*map(self._terms_of, sections))) / len(said)

    def _terms_of(self, section: str) -> frozenset[str]:
        if section not in self._quoted:
            self._quoted[section] = frozenset(terms(self._m.words.quotes_in.get(section, ""), self._m.language))
        return self._quoted[section]


class ModelStems:
    """Asks a model to word each question better; where its words will not do, the template's stand."""

    def __init__(self, material: Material, wording: Wording, ask: Ask) -> None:
        self._m, self._wording, self._ask = material, wording, ask
        self.prompt = load(PROMPT)
        self.replaced: Counter[str] = Counter()
        """Why a template stands -> stems."""

    def write(self, routes: Sequence[Route]) -> list[str]:
        """One stem per route."""
        plain = self._wording.write(routes)
        replies = self._ask([self.prompt.messages(self._values(*pair)) for pair in zip(routes, plain, strict=True)])
        return [self._usable(*three) for three in zip(routes, plain, replies, strict=True)]

    def _values(self, route: Route, stem: str) -> dict[str, str]:
        nodes = list(dict.fromkeys(node for path in route.paths for node in path.nodes))
        return {
            "language": self._m.language.name,
            "stem": stem,
            "anchor": self._wording.name(route.anchor),
            "path": " ".join(self._wording.told(path) for path in route.paths),
            "glosses": "\n".join(f"- {self._m.speak.option(node)}: {self._wording.gloss(node)}" for node in nodes),
            "answers": "; ".join(self._m.speak.option(answer) for answer in route.answers),
        }

    def _usable(self, route: Route, plain: str, reply: str | None) -> str:
        said = json_object(reply) if reply is not None else None
        stem = one_line(str((said or {}).get("stem") or ""))
        reason = "call_failed" if reply is None else self._problem(route, stem)
        if reason:
            self.replaced[reason] += 1
        return plain if reason else stem

    def _problem(self, route: Route, stem: str) -> str:
        words = self._m.words
        text = words.keyed(stem)
        if not stem:
            return "not_json"
        if not words.speaks_of(text, route.anchor):
            return "anchor_not_named"
        if any(words.speaks_of(text, node) for path in route.paths for node in path.nodes[1:]):
            return "answer_or_step_named"
        return "" if stem[-1] in self._wording.pack.marks else "no_question"
