"""What was made, in figures: `taxonomy/summary.json`.

In: rows. Out: `Summary`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from derive.ask import ModelUse
from derive.statistics import Estimate, wilson
from derive.taxonomy.accuracy import GapRow, PairRow
from derive.taxonomy.coverage import Calibration, CoverageRow
from derive.taxonomy.definitions import DIMENSIONS, DefinitionRow
from derive.taxonomy.tree import Tree, TreeRow
from kg.row import Row


class LevelRow(Row):
    """One layer of a tree."""

    nodes: int
    categories: int
    leaves: int


class TreeSummary(Row):
    """One tree."""

    nodes: int
    """Without the root."""
    levels: dict[str, LevelRow]
    links: dict[str, int]
    """Why an edge is no branch -> edges."""
    loops: int
    """Components with loops …"""
    loops_exact: int
    """… whose cut is proved to be the smallest."""


class DefinitionSummary(Row):
    """How good definitions are, before and after."""

    things: int
    stated: int
    origin: dict[str, int]
    rounds: dict[str, int]
    """Rounds it took -> definitions that passed."""
    before: dict[str, Estimate | None]
    """Criterion -> share of the stated definitions that meet it."""
    complete_before: int
    """Things whose stated definition meets all criteria."""
    complete_after: int
    score_before: float | None
    """Criteria met by a stated definition, mean, of five."""
    score_after: float | None
    """The same of the definitions that stand; of a model's, its scores from 1 to 5."""


class QuestionSummary(Row):
    """How many questions there are."""

    made: int
    kept: dict[str, int]
    """Kind -> questions."""
    dropped: dict[str, int]
    """Reason -> questions."""
    undrawn: dict[str, int]
    """Why a question was not even put -> how often; these are not counted in `made`."""
    probes: dict[str, float]
    """Rule that knows nothing -> share it gets right."""


class Summary(Row):
    """The whole."""

    graph: str
    language: str
    seed: int
    root: str
    similarity: str
    left_out: dict[str, int]
    """Parts of the graph that could not be used, by reason."""
    trees: dict[str, TreeSummary]
    definitions: DefinitionSummary
    questions: QuestionSummary
    calibration: Calibration
    coverage: tuple[CoverageRow, ...]
    outside: dict[str, int] = {}
    """Kind of tree -> items about nothing in it."""
    gaps: tuple[GapRow, ...] = ()
    """Branches a model is surely weaker or stronger in, after correction."""
    pairs: tuple[PairRow, ...] = ()
    model: ModelUse | None = None


def tree_summary(tree: Tree, rows: Sequence[TreeRow]) -> TreeSummary:
    """Layers and links of one tree."""
    levels: dict[int, Counter[bool]] = defaultdict(Counter)
    for row in rows[1:]:
        levels[row.level][row.category] += 1
    links = Counter(link.why for row in rows for link in row.links)
    return TreeSummary(
        nodes=len(rows) - 1,
        levels={
            str(level): LevelRow(nodes=found.total(), categories=found[True], leaves=found[False])
            for level, found in sorted(levels.items())
        },
        links=dict(sorted(links.items())),
        loops=tree.loops.components,
        loops_exact=tree.loops.exact,
    )


def definition_summary(rows: Sequence[DefinitionRow], scores: Mapping[tuple[str, str], float]) -> DefinitionSummary:
    """`scores`: (id, text) -> mean of the criteria, as the critic gave them."""
    stated = [row for row in rows if row.stated]
    done = [row for row in rows if row.definition]
    after = [scores[row.id, row.definition] for row in done if (row.id, row.definition) in scores]
    before = [sum(row.before.values()) for row in stated]
    rounds = Counter(str(max(1, len(row.history))) for row in done)
    return DefinitionSummary(
        things=len(rows),
        stated=len(stated),
        origin=dict(sorted(Counter(row.origin for row in rows).items())),
        rounds=dict(sorted(rounds.items())),
        before={name: wilson(sum(row.before[name] for row in stated), len(stated)) for name in DIMENSIONS},
        complete_before=sum(all(row.before.values()) for row in stated),
        complete_after=len(done),
        score_before=round(sum(before) / len(before), 4) if before else None,
        score_after=round(sum(after) / len(after), 4) if after else None,
    )
