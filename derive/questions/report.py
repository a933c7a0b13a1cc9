"""What a question set holds, what was left out and why, what ignorant rules score, and how levels differ.

In: `Made` and what it was made from. Out: `Summary`, written as `questions/summary.json`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from derive.ask import ModelUse
from derive.audit import ENOUGH, HIGH, LOW, Audit, audit
from derive.integrity import faults
from derive.material import Material
from derive.questions.bank import Bank, refusals
from derive.questions.builder import Made
from derive.questions.proof import Proof, proved
from derive.questions.readers import Readers, Reading
from derive.questions.settings import Rules
from kg.item import Item
from kg.row import Row
from kg.similarity import Similarity
from kg.text import is_cjk, words


class Level(Row):
    """The questions of one level."""

    walked: int
    """Rows of relations that were walked: those that became routes and those refused."""
    refused: dict[str, int]
    """Why rows of relations are no routes: `more_answers_than_shown` is a second answer or a shorter way."""
    asked: int
    """Routes that the settings ask for; all are items or dropped."""
    items: int
    """Of these with one right answer …"""
    several: int
    """… and with several."""
    dropped: dict[str, int]
    modes: dict[str, int]
    answers: int
    """Different right answers of the single-answer items."""
    words: dict[str, int]
    """Least, median and most words (characters where words are not spaced) of a question."""
    audit: Audit | None


class Summary(Row):
    """All levels."""

    graph: str
    nodes: int
    edges: int
    left_out: dict[str, int]
    language: str
    seed: int
    topic: str
    similarity: str
    glosses: dict[str, int]
    """Things that the graph describes, and those whose description their sections bear out (`trace`)."""
    raters: tuple[str, ...]
    models: dict[str, ModelUse] = {}
    """What for -> what was asked of the model."""
    replaced: dict[str, int] = {}
    """Why a template stands in place of the model's stem -> stems."""
    range: tuple[float, float] = (LOW, HIGH)
    enough: int = ENOUGH
    items: int
    several: int
    faults: dict[str, int]
    """Looked up again by brute force; all are to be 0."""
    hops: int
    hops_with_sentence: int
    hops_with_page: int
    levels: dict[str, Level]
    distractors_refused: dict[str, int]
    audit_before: Audit | None
    """Single-answer items with the nearest distractors."""
    audit_after: Audit | None
    """The same items as they are."""
    readers: dict[str, dict[str, Reading]]
    """Reader -> level -> reading, on single-answer items; with the model's if it was asked."""


def summary(
    made: Made, bank: Bank, material: Material, rules: Rules, similarity: Similarity, facts: Mapping[str, object]
) -> Summary:
    """The summary; `facts` are the fields that say what it was made from."""
    view = material.view
    singles = [item for item in made.items if len(item.answer) == 1]
    readers = Readers(material, similarity, Proof(view, rules.relations)).report(singles)
    hops = [hop for item in made.items for hop in item.origin["hops"]]
    return Summary.model_validate(
        {
            **facts,
            "left_out": dict(sorted(view.problems.items())),
            "language": material.language.code,
            "seed": rules.seed,
            "similarity": similarity.label,
            "items": len(singles),
            "several": len(made.items) - len(singles),
            "faults": {**proved(made.items, view, rules.relations, rules.evidence), **faults(made.items, material)},
            "hops": len(hops),
            "hops_with_sentence": sum(bool(hop["quote"]) for hop in hops),
            "hops_with_page": sum("page" in hop for hop in hops),
            "levels": {str(level): _level(level, made, bank, material, similarity) for level in sorted(rules.levels)},
            "distractors_refused": bank.head.distractors,
            "audit_before": _audit(made.before, material, similarity),
            "audit_after": _audit(singles, material, similarity),
            "readers": {**readers, **dict(facts.get("readers") or {})},  # type: ignore[call-overload]
        }
    )


def _audit(items: Sequence[Item], material: Material, similarity: Similarity) -> Audit | None:
    return audit(items, material.view.degree, similarity) if items else None


def _level(level: int, made: Made, bank: Bank, material: Material, similarity: Similarity) -> Level:
    own = [item for item in made.items if item.level == level]
    singles = [item for item in own if len(item.answer) == 1]
    refused = refusals(bank.head, level)
    routes = sum(len(entry.hops) == level for entry in bank.entries)
    lengths = sorted(_length(item.question) for item in own)
    spans = {"least": lengths[0], "median": lengths[len(lengths) // 2], "most": lengths[-1]} if lengths else {}
    return Level(
        walked=routes + refused.total(),
        refused=dict(refused),
        asked=made.asked[level],
        items=len(singles),
        several=len(own) - len(singles),
        dropped=_counted(one.reason for one in made.dropped if one.task == f"level_{level}"),
        modes=_counted(item.mode for item in own),
        answers=len({item.choices[item.answer[0]].id for item in singles}),
        words=spans,
        audit=_audit(singles, material, similarity),
    )


def _length(text: str) -> int:
    return len(text) if is_cjk(text) else len(words(text))


def _counted(values: object) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))  # type: ignore[call-overload]
