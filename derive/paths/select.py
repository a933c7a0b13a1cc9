"""Which paths are kept: the best of many, chosen in two shuffled passes, then each scored from 1 to 5.

In: candidate paths in words with what rules know of them. Out: `Selection`s and ratings. Nothing is ever filled in at
random, and what a judge does not say counts as nothing.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from derive.ask import Ask
from derive.material import Material
from derive.paths.ground import SURE, Candidate, Grounded
from derive.paths.mine import Miner
from derive.paths.pack import Pack
from derive.rubric import Criterion, Rubric, RubricCase
from kg.ids import digest
from kg.item import Item
from kg.prompt import load
from kg.schema import EdgeRole
from kg.text import one_line

SUPPORT = "support"
ANSWERS = 10
"""Most accepted texts that a judge is shown."""
PROMPTS = Path(__file__).parent / "prompts"
BACKGROUND: tuple[EdgeRole, ...] = ("location", "containment", "assessment", "sequence")
"""Where things stand: a path over them says little about the things, unless that is what was asked."""
_LINE = re.compile(r"^\W*path\W*[:：]\s*(.+?)\s*$", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class Told:
    """A candidate in words."""

    candidate: Candidate
    text: str


@dataclass
class Pool:
    """The candidates of one question."""

    grounded: Grounded
    told: Sequence[Told]
    chosen: dict[str, None] = field(default_factory=dict)
    """Texts that both passes of an attempt named, in order."""
    attempts: int = 0
    foreign: int = 0
    """Lines a judge gave back that are no path of this question."""

    @property
    def key(self) -> str:
        """Id of the question."""
        return self.grounded.item.id


@dataclass(frozen=True)
class Ballot:
    """What one pass over one question shows a selector."""

    pool: Pool
    shown: tuple[Told, ...]
    most: int


class Selector(Protocol):
    """Names the best paths of many questions at a time."""

    @property
    def label(self) -> str:
        """Who selects, for the record."""

    def name(self, ballots: Sequence[Ballot]) -> list[list[str]]:
        """For each ballot the texts it names; empty where it says nothing."""


class Rules:
    """What rules say of a path: its score from 1 to 5, and how special it is."""

    label = "rules"

    def __init__(self, material: Material, pack: Pack, miner: Miner) -> None:
        self._m, self._pack, self._miner = material, pack, miner

    def score(self, question: str, told: Told) -> int:
        """5: leads to the answer by the relations asked for. 4: leads to it in one hop or by one relation. 3: a start,
        by where things stand, by several relations, by doubtful links, or by one asked for the other way round.
        2: shares words. 1: nothing.
        """
        candidate = told.candidate
        cues, marks = self._pack.cued(question), self._marks(candidate)
        sure = candidate.object.stage in SURE and candidate.subject.stage != "similar"
        # that A goes with B and B with C says nothing of A and C
        sure_way = sum(len(mark) > 1 for mark in marks) < 2
        if sure and sure_way and all(mark & cues for mark in marks):
            return 5
        named = candidate.object.stage in SURE or candidate.object.stage == "mention"
        if sure and sure_way and not self._doubtful(candidate, marks, cues):
            return 4
        if named:
            return 3
        return 2 if self._shares_words(question, told.text) else 1

    def _marks(self, candidate: Candidate) -> list[set[str]]:
        """Per hop the cues that would ask for it."""
        found = []
        for step in candidate.trail.steps:
            edge = step.edge(self._m.view)
            both = self._m.view.schema.edges[edge.type].symmetric
            found.append({f"{step.role}{way}" for way in ("><" if both else ">" if step.forward else "<")})
        return [*found, {candidate.trail.value.property}] if candidate.trail.value else found

    def _doubtful(self, candidate: Candidate, marks: Sequence[set[str]], cues: frozenset[str]) -> bool:
        if any(step.role in BACKGROUND for step in candidate.trail.steps):
            return True
        # of two different relations, or one there and back, the end may have nothing to do with the start
        if len(set.intersection(*marks)) == 0:
            return True
        turned = {_turned(mark) for some in marks for mark in some}
        return any(cue in turned and not any(cue in mark for mark in marks) for cue in cues)

    def _shares_words(self, question: str, text: str) -> bool:
        stop = set(self._m.language.stopwords)
        if not self._m.language.spaces:
            return len(set(question) & set(text)) > 3
        return bool((set(self._m.words.keyed(question).split()) & set(self._m.words.keyed(text).split())) - stop)

    def name(self, ballots: Sequence[Ballot]) -> list[list[str]]:
        """The highest scores; then the shortest, the most special (whose nodes have few neighbours), and by text."""
        return [self._best(ballot) for ballot in ballots]

    def rank(self, question: str, told: Told) -> tuple[int, int, int, str]:
        """Sort key: the best path first."""
        trail = told.candidate.trail
        return (-self.score(question, told), trail.hops, sum(map(self._miner.degree, trail.nodes[1:])), told.text)

    def _best(self, ballot: Ballot) -> list[str]:
        question = ballot.pool.grounded.item.question
        ranked = sorted(ballot.shown, key=lambda told: self.rank(question, told))
        return [told.text for told in ranked[: ballot.most]]

    def supports(self, case: RubricCase) -> int:
        """As a rule of a `RuleRater`: the subject is the question and the path in words."""
        question, told = case.subject
        return self.score(question, told)


def _turned(cue: str) -> str:
    """The same relation the other way round."""
    return cue[:-1] + {">": "<", "<": ">"}.get(cue[-1], cue[-1])


class ModelSelector:
    """Asks a model; its lines count as far as they begin with `Path:`."""

    def __init__(self, label: str, ask: Ask) -> None:
        self.label = label
        self._ask = ask
        self.prompt = load(PROMPTS / "select.md")

    def name(self, ballots: Sequence[Ballot]) -> list[list[str]]:
        """The lines it gives back; none for a failed call."""
        replies = self._ask([self.prompt.messages(self._values(ballot)) for ballot in ballots])
        return [_LINE.findall(reply or "") for reply in replies]

    def _values(self, ballot: Ballot) -> dict[str, str]:
        item = ballot.pool.grounded.item
        paths = "\n".join(f"Path: {told.text}" for told in ballot.shown)
        return {"most": str(ballot.most), "question": item.question, "answer": _answers(item), "paths": paths}


def _answers(item: Item) -> str:
    """The accepted texts, the first so many."""
    return " / ".join(item.accepted[:ANSWERS])


def select(pools: Sequence[Pool], selector: Selector, most: int, attempts: int, seed: int) -> None:
    """Each pool's `chosen` are at most `most` of its paths. A pool of no more keeps all and asks nobody.

    An attempt shows a question's paths twice, in different orders, and keeps what both answers name. It is repeated
    while some are missing.
    """
    for pool in pools:
        if len(pool.told) <= most:
            pool.chosen = dict.fromkeys(told.text for told in pool.told)
    for attempt in range(attempts):
        due = [pool for pool in pools if len(pool.chosen) < min(most, len(pool.told))]
        ballots = [_ballot(pool, most, f"{seed}:{attempt}:{turn}") for pool in due for turn in (0, 1)]
        named = selector.name(ballots) if ballots else []
        for place, pool in enumerate(due):
            pool.attempts += 1
            _count(pool, named[2 * place], named[2 * place + 1], most)


def _ballot(pool: Pool, most: int, salt: str) -> Ballot:
    order = sorted(pool.told, key=lambda told: told.text)
    random.Random(digest(f"{salt}:{pool.key}", 16)).shuffle(order)
    return Ballot(pool, tuple(order), most)


def _count(pool: Pool, first: Sequence[str], second: Sequence[str], most: int) -> None:
    known = {one_line(told.text): told.text for told in pool.told}
    pool.foreign += sum(one_line(text) not in known for text in (*first, *second))
    again = {one_line(text) for text in second}
    for text in map(one_line, first):
        if text in known and text in again and len(pool.chosen) < most:
            pool.chosen[known[text]] = None


def rubric(passes: int) -> Rubric:
    """One criterion: how far a path supports the answer."""
    about = (
        "5 answers the question directly; 4 lets it be answered; 3 is a start that says nothing without the answer; "
        "2 only shares words with it; 1 has nothing to do with it"
    )
    return Rubric("path", (Criterion(SUPPORT, about, 1, 5, passes),))


def case_of(key: str, grounded: Grounded, told: Told) -> RubricCase:
    """A path to be rated, for rules and models."""
    values: Mapping[str, str] = {
        "question": grounded.item.question,
        "answer": _answers(grounded.item),
        "path": told.text,
    }
    return RubricCase(key, values, (grounded.item.question, told))
