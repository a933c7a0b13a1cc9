"""The same questions under several conditions: without help, with a path, with one that is masked, wrong or random.

In: questions with their kept and rejected paths. Out: `Trial`s, each an item for a responder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from derive.material import Material
from derive.paths.grade import Grader
from derive.paths.mine import Literal
from derive.paths.select import Told
from derive.paths.tell import Teller
from derive.respond import BETWEEN, SHOWN
from kg.ids import digest
from kg.item import Item

ARMS = ("qa", "gold", "masked", "wrong", "random", "sentence", "low")
"""Nothing; a kept path; it without the answer; it with a wrong end; one of another question; its sentences; one that
was not kept."""


@dataclass(frozen=True)
class Scored:
    """A path of a question with its score and the sentences it rests on."""

    told: Told
    score: int
    sentences: str


@dataclass(frozen=True)
class Case:
    """A question of the set."""

    item: Item
    kept: tuple[Scored, ...]
    """Best first."""
    rejected: tuple[Scored, ...]
    """Those that were scored too low, best first."""


@dataclass(frozen=True)
class Trial:
    """One question under one condition."""

    arm: str
    item: Item
    """As a responder sees it: `mode` is the arm, `origin["shown"]` what it is shown."""
    score: int = 0
    """Of the path shown; 0 without."""
    wrong: str = ""
    """The end of a wrong path."""


class Arms:
    """Makes the trials of all questions."""

    def __init__(self, material: Material, teller: Teller, grader: Grader, literals: Sequence[Literal]) -> None:
        self._m, self._teller, self._grader, self._literals = material, teller, grader, literals

    def trials(self, cases: Sequence[Case], arms: Sequence[str], most: int, seed: int) -> list[Trial]:
        """In the order of cases and `ARMS`; at most `most` paths of a question are shown."""
        found = []
        for place, case in enumerate(cases):
            other = self._other(cases, place, seed)
            found += [trial for trial in self._of(case, other, most, seed) if trial.arm in arms]
        return found

    def _of(self, case: Case, other: str, most: int, seed: int) -> Iterator[Trial]:
        code, kept = self._m.language.code, case.kept[:most]
        yield _trial("qa", case, "", "")
        for number, path in enumerate(kept):
            parts, suffix = self._teller.parts(path.told.candidate.trail, code), f"_{number}"
            yield _trial("gold", case, suffix, path.told.text, path.score)
            names = [*case.item.accepted, parts[-1]]
            yield _trial("masked", case, suffix, self._teller.masked(parts, names, code), path.score)
            if wrong := self._wrong(case, path, seed):
                yield _trial("wrong", case, suffix, BETWEEN.join([*parts[:-1], wrong]), path.score, wrong)
        if other:
            yield _trial("random", case, "", other)
        yield from (_trial("sentence", case, "", path.sentences, path.score) for path in kept[:1])
        yield from (_trial("low", case, "_low", path.told.text, path.score) for path in case.rejected[:1])

    def _other(self, cases: Sequence[Case], place: int, seed: int) -> str:
        """A path of another question whose end is no answer to this one; empty if there is none."""
        start = int(digest(f"{seed}:{cases[place].item.id}", 8), 36)
        for step in range(len(cases)):
            other = cases[(start + step) % len(cases)]
            text = other.kept[0].told.text
            if other is not cases[place] and not self._grader.right(cases[place].item, text.rpartition(BETWEEN)[2]):
                return text
        return ""

    def _wrong(self, case: Case, path: Scored, seed: int) -> str:
        """Something of the kind of the path's end that is not the answer and that the graph does not say instead."""
        trail = path.told.candidate.trail
        lot = lambda text: digest(f"{seed}:{case.item.id}:{text}", 16)  # noqa: E731
        if trail.value:
            same = {one.text for one in self._literals if one.property == trail.value.property}
            texts = sorted((text for text in same if not self._grader.right(case.item, text)), key=lot)
            return next(iter(texts), "")
        view, last = self._m.view, trail.steps[-1]
        barred = {*trail.nodes, *view.near(last.start), *view.both_ways(last.start, last.role)}
        barred |= view.kin(last.end) | set(case.item.origin.get("sure", ()))
        near = self._m.places.members("chapter", self._m.places.scope(last.end, "chapter"))
        for pool in (near, list(view.nodes)):
            ids = [node for node in pool if node not in barred and view.nodes[node].label == view.nodes[last.end].label]
            for text in sorted(map(self._m.speak.option, ids), key=lot):
                if not self._grader.right(case.item, text):
                    return text
        return ""


def _trial(arm: str, case: Case, suffix: str, shown: str, score: int = 0, wrong: str = "") -> Trial:
    origin = {**case.item.origin, "question": case.item.id, SHOWN: shown}
    item = case.item.model_copy(update={"id": f"{case.item.id}{suffix}", "mode": arm, "origin": origin})
    return Trial(arm, item, score, wrong)
