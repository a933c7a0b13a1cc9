"""Wrong options written by a model, with paths to build on or without, and the checks that they must pass.

In: questions with the paths of their pools. Out: per question so many wrong options as it had, or why not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping as Dictionary
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from derive.distractors.mutate import kind_of
from derive.distractors.pools import MODEL, Question, Wrong
from derive.distractors.replies import AskJson
from derive.draft import Draft
from derive.judge import Case, Judge
from derive.linker import Linker
from derive.material import Material
from kg.prompt import load
from kg.similarity import ngrams
from kg.text import fold, squash

PROMPTS = Path(__file__).parent / "prompts"
Arm = Literal["model_only", "path_model"]


class ModelAuthor:
    """Writes one arm; what its checks refuse is counted."""

    def __init__(self, material: Material, linker: Linker, ask: AskJson, judges: Sequence[Judge], near: float) -> None:
        """The first of the judges are rules about nodes, the others look at texts (`near`: `PoolRules.near_text`)."""
        self._m, self._linker, self._ask, self._judges, self._near = material, linker, ask, judges, near
        self.prompts = {"path_model": load(PROMPTS / "guided.md"), "model_only": load(PROMPTS / "direct.md")}
        self.refused: Counter[str] = Counter()

    def written(
        self, arm: Arm, questions: Sequence[Question], pools: Dictionary[str, Sequence[Wrong]]
    ) -> tuple[dict[str, tuple[Wrong, ...]], dict[str, str]]:
        """Id -> wrong options, and id -> reason. Raises Unanswered where the model answers nothing."""
        found: dict[str, tuple[Wrong, ...]] = {}
        dropped: dict[str, str] = {}
        due = [question for question in questions if arm == "model_only" or pools.get(question.item.id)]
        prompts = [self.prompts[arm].messages(self._values(one, pools.get(one.item.id, ()))) for one in due]
        for question, reply in zip(due, self._ask(prompts, _distractors) if due else [], strict=True):
            paths = pools.get(question.item.id, ()) if arm == "path_model" else None
            kept = self._kept(question, reply or [], paths)
            if len(kept) >= question.wanted:
                found[question.item.id] = tuple(kept[: question.wanted])
            else:
                dropped[question.item.id] = "no_reply" if reply is None else "too_few_written"
        return found, dropped

    def _values(self, question: Question, pool: Sequence[Wrong]) -> dict[str, str]:
        paths = "\n".join(f"{number}: {wrong.why}" for number, wrong in enumerate(pool, 1))
        return {
            "question": question.item.question,
            "answer": "; ".join(question.right),
            "count": str(question.wanted),
            "paths": paths,
            "language": self._m.language.name,
        }

    def _kept(
        self, question: Question, reply: Sequence[Dictionary[str, Any]], paths: Sequence[Wrong] | None
    ) -> list[Wrong]:
        kept: list[Wrong] = []
        for one in reply:
            place = one.get("path")
            reached = paths[place - 1] if paths and isinstance(place, int) and 0 < place <= len(paths) else None
            text = str(one["text"]).strip()
            node = self._linker.resolve(text)
            reason = "no_path" if paths is not None and reached is None else ""
            if reason := reason or self._fault(question, text, node.node if node else "", kept):
                self.refused[reason] += 1
                continue
            made = Wrong(text, MODEL, node.node if node else "", why=str(one.get("why", "")))
            if reached:
                made = replace(made, path=reached.path, nodes=reached.nodes, evidence=reached.evidence)
            kept.append(made)
        return kept

    def _fault(self, question: Question, text: str, node: str, kept: Sequence[Wrong]) -> str:
        """Why the text cannot be a wrong option; empty if it can."""
        others = [*question.right, *(wrong.text for wrong in kept)]
        if any(squash(text) == squash(other) or _alike(text, other) >= self._near for other in others):
            return "near_text"
        if kind_of(text) != question.kind:
            return "other_type"
        avoided = question.avoided
        draft = avoided.draft if avoided else Draft(question.item.id, question.item.id, "", (), ())
        case = Case(draft, question.item.question, question.right, node, text)
        if node and avoided:
            labels = {self._m.view.nodes[answer].label for answer in question.mapping.answers}
            if self._m.view.nodes[node].label not in labels:
                return "other_type"
            if verdict := self._judges[0].verdicts([case])[0].reason:
                return verdict
        return next((said.reason for judge in self._judges[1:] if not (said := judge.verdicts([case])[0]).valid), "")


def _alike(one: str, other: str) -> float:
    """Cosine of the sets of character 3-grams."""
    a, b = (frozenset(ngrams(fold(text), (3,))) for text in (one, other))
    return len(a & b) / (len(a) * len(b)) ** 0.5 if a and b else 0.0


def _distractors(reply: Any) -> list[dict[str, Any]]:
    """The wrong options of a reply. Raises ValueError saying what is wrong with it."""
    found = reply.get("distractors") if isinstance(reply, dict) else None
    if not isinstance(found, list) or not found:
        raise ValueError('"distractors" must be a list')
    if not all(isinstance(one, dict) and str(one.get("text") or "").strip() for one in found):
        raise ValueError('every distractor must be an object with a "text"')
    return found
