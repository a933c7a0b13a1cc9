"""From questions to questions with paths: cleaned, grounded, selected, scored; and why the others are not among them.

In: questions, what `Tools` hold. Out: `Made`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from derive.material import Material
from derive.paths.arms import Case, Scored
from derive.paths.ground import SURE, Grounded, Grounder, Shelf
from derive.paths.mine import Sentences
from derive.paths.questions import Dropped, Gathered
from derive.paths.select import SUPPORT, Pool, Rules, Selector, Told, case_of, select
from derive.paths.tell import Teller
from derive.paths.value import Values
from derive.rubric import Rater
from kg.item import Item


@dataclass(frozen=True)
class Tools:
    """Everything that works on questions and paths."""

    material: Material
    grounder: Grounder
    sentences: Sentences
    teller: Teller
    rules: Rules
    selector: Selector
    rater: Rater
    values: Values


@dataclass(frozen=True)
class Limits:
    """How many paths are looked at and kept."""

    most: int
    """Paths of a question that are scored; more are selected from."""
    attempts: int
    keep: int
    """Lowest score that is kept."""
    seed: int


@dataclass
class Made:
    """The set, and the way there in numbers."""

    cases: list[Case] = field(default_factory=list)
    grounded: dict[str, Grounded] = field(default_factory=dict)
    dropped: list[Dropped] = field(default_factory=list)
    produced: int = 0
    linked: Counter[str] = field(default_factory=Counter)
    judged: Counter[int] = field(default_factory=Counter)
    mined: int = 0
    selected: int = 0
    shortfall: int = 0
    foreign: int = 0
    told: list[Told] = field(default_factory=list)


def build(found: Gathered, tools: Tools, limits: Limits) -> Made:
    """Questions with at least one kept path, in their order; every other one is among the dropped with its reason."""
    made = Made(dropped=list(found.dropped), produced=len(found.items) + len(found.dropped))
    typed = Shelf(tools.sentences.literals, tools.values)
    pools = [_pool(item, tools, typed, made) for item in found.items]
    open_pools = [pool for pool in pools if pool is not None]
    select(open_pools, tools.selector, limits.most, limits.attempts, limits.seed)
    _rate(open_pools, tools, limits, made)
    return made


def _pool(item: Item, tools: Tools, typed: Shelf, made: Made) -> Pool | None:
    grounded = tools.grounder.ground(item, tools.sentences, typed)
    made.linked.update(f"subject {link.stage}" for link in grounded.subjects)
    made.linked.update(f"object {link.stage}" for link in grounded.objects)
    made.mined += len(grounded.candidates)
    if not grounded.candidates:
        made.dropped.append(Dropped(id=item.id, what="question", reason=_why(grounded)))
        return None
    made.grounded[item.id] = grounded
    code = tools.material.language.code
    told: dict[str, Told] = {}
    for candidate in grounded.candidates:
        text = tools.teller.tell(candidate.trail, code).text
        if text in told:
            made.dropped.append(Dropped(id=f"{item.id}_{text}", what="path", reason="reads_the_same"))
        told.setdefault(text, Told(candidate, text))
    return Pool(grounded, list(told.values()))


def _why(grounded: Grounded) -> str:
    if not grounded.subjects:
        return "about_no_node"
    if not grounded.objects:
        return "answer_is_no_node_or_value"
    return "no_sentence" if grounded.without_sentence else "not_connected"


def _rate(pools: Sequence[Pool], tools: Tools, limits: Limits, made: Made) -> None:
    """Every chosen path has its score; those below `keep`, and questions left with none, are dropped."""
    chosen = [(pool, told) for pool in pools for told in pool.told if told.text in pool.chosen]
    made.selected = len(chosen)
    cases = [case_of(f"{pool.key}_{told.text}", pool.grounded, told) for pool, told in chosen]
    ratings = dict(zip((case.key for case in cases), tools.rater.rate(cases), strict=True)) if cases else {}
    for pool in pools:
        made.foreign += pool.foreign
        made.shortfall += min(limits.most, len(pool.told)) - len(pool.chosen)
        kept: list[Scored] = []
        rejected: list[Scored] = []
        for told in sorted(pool.told, key=lambda told: tools.rules.rank(pool.grounded.item.question, told)):
            key = f"{pool.key}_{told.text}"
            if key not in ratings:
                made.dropped.append(Dropped(id=key, what="path", reason="not_selected"))
                continue
            score = ratings[key].scores.get(SUPPORT, 0)
            made.judged[score] += 1
            scored = Scored(told, score, " ".join(hop.sentence for hop in tools.sentences.hops(told.candidate.trail)))
            if ratings[key].ok and score >= limits.keep:
                kept.append(scored)
            else:
                rejected.append(scored)
                made.dropped.append(Dropped(id=key, what="path", reason=f"score_{score}" if score else "not_rated"))
        if kept:
            made.cases.append(_case(pool, kept, rejected))
        else:
            made.dropped.append(Dropped(id=pool.key, what="question", reason="no_path_is_good_enough"))


def _case(pool: Pool, kept: Sequence[Scored], rejected: Sequence[Scored]) -> Case:
    """Best paths first; the question knows the nodes that surely are its answer."""
    item = pool.grounded.item
    sure = sorted({link.node for link in pool.grounded.objects if link.stage in SURE and link.value is None})
    item = item.model_copy(update={"origin": {**item.origin, **({"sure": sure} if sure else {})}})
    best, low = (tuple(sorted(some, key=lambda one: -one.score)) for some in (kept, rejected))
    return Case(item, best, tuple(one for one in low if one.score))
