"""Makes everything of the recipe from one graph, step by step.

In: a `Material`, settings, maybe a model. Out: `Made`: tables, a summary, the trees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from derive.ask import Asker
from derive.audit import audit
from derive.linker import Linker
from derive.material import Material
from derive.probes import PROBES
from derive.refine import Critic, Generator
from derive.respond import ModelResponder, Random, Responder
from derive.rubric import ModelRater, Rubric, RuleRater
from derive.taxonomy import accuracy, corpus, coverage
from derive.taxonomy.checks import RuleReader, checked
from derive.taxonomy.definitions import (
    FORM,
    PROMPTS,
    RULES,
    SCALE,
    DefinitionRow,
    InTurn,
    ModelWriter,
    RubricCritic,
    RuleWriter,
    Thing,
    Things,
    complete,
    sheet,
)
from derive.taxonomy.definitions import Rules as DefinitionRules
from derive.taxonomy.golden import ModelGolden
from derive.taxonomy.pack import Pack
from derive.taxonomy.questions import Drawer, Lettered, choose, in_the_way, passage
from derive.taxonomy.summary import QuestionSummary, Summary, definition_summary, tree_summary
from derive.taxonomy.tree import KINDS, Kind, Tree, TreeRow, branch, grow, rows
from derive.taxonomy.writer import QuestionWriter
from kg.errors import SettingsError
from kg.item import Item
from kg.prompt import Prompt, load
from kg.row import Row
from kg.similarity import Similarity
from kg.store import Store


@dataclass(frozen=True)
class Rules:
    """The settings that count."""

    seed: int
    root: str
    rounds: int
    nearness: float
    k: int
    threshold: float | None
    least: int
    by_model: frozenset[str]
    """Names of the steps that a model does."""


@dataclass(frozen=True)
class Made:
    """Everything."""

    tables: Mapping[str, Sequence[Row]]
    summary: Summary
    trees: Mapping[Kind, Sequence[TreeRow]]
    pack: Pack
    subject: str
    items: Sequence[Item]
    branches: Sequence[accuracy.BranchRow]


class Dropped(Row):
    """A question that was made and not kept."""

    id: str
    question: str
    reason: str


class Builder:
    """Does the steps in their order; each is done by rules, or by the model where the settings say so."""

    def __init__(self, material: Material, similarity: Similarity, rules: Rules, asker: Asker | None) -> None:
        self._m, self._similarity, self._rules, self._asker = material, similarity, rules, asker
        self._pack = material.language.part("taxonomy", Pack)
        self._prompts: dict[str, str] = {}

    def build(self, graph: str, texts: Mapping[str, Path], answers: Mapping[str, Path], items: Sequence[Path]) -> Made:
        """All tables. Raises SettingsError if there is no such root, InputError for a file that is not there."""
        view, rules = self._m.view, self._rules
        trees = self._trees()
        things = Things(self._m, list(trees.values())).all()
        defined, described = self._definitions(things)
        said = {row.id: row.definition for row in defined if row.definition}
        kept, dropped, asked = self._questions(things, trees, said, graph)
        calibration, covered = self._coverage(texts, trees)
        every = [*kept, *(item for path in items for item in Store(path.parent).read_rows(path.name, Item))]
        found = self._accuracy(trees, every, things, answers)
        subject = self._subject()
        titles = {kind: self._pack.root.get(kind, "{title}").format(title=subject) for kind in KINDS}
        tables = {kind: rows(tree, self._m, titles[kind]) for kind, tree in trees.items()}
        summary = Summary(
            graph=graph,
            language=self._m.language.code,
            seed=rules.seed,
            root=rules.root,
            similarity=self._similarity.label,
            left_out=dict(sorted(view.problems.items())),
            trees={kind: tree_summary(trees[kind], tables[kind]) for kind in KINDS},
            definitions=definition_summary(defined, described),
            questions=asked,
            calibration=calibration,
            coverage=tuple(covered),
            outside={kind: score.outside for kind, score in found.scores.items()},
            gaps=tuple(gap for gap in found.gaps if gap.holm < 0.05),
            pairs=tuple(found.pairs),
            model=self._asker.use(self._prompts) if self._asker else None,
        )
        files: dict[str, Sequence[Row]] = {
            **{str(kind): tables[kind] for kind in KINDS},
            "definitions": defined,
            "sheet": sheet(defined, rules.seed),
            "questions": kept,
            "dropped": dropped,
            "accuracy": found.branches,
            "gaps": found.gaps,
        }
        return Made(files, summary, tables, self._pack, subject, kept, found.branches)

    def _subject(self) -> str:
        """What the trees are about: the book, of several their subject."""
        books = [self._m.view.nodes[book] for book in self._m.places.books]
        names = sorted({str(book.properties.get("subject") or book.name) for book in books})
        return books[0].name if len(books) == 1 else self._pack.listed(names)

    def _by_model(self, step: str) -> Asker | None:
        return self._asker if step in self._rules.by_model else None

    def _known(self, prompt: Prompt) -> Prompt:
        """The prompt, noted for the record."""
        self._prompts[prompt.name] = prompt.fingerprint
        return prompt

    def _trees(self) -> dict[Kind, Tree]:
        scope = branch(self._m, self._rules.root) if self._rules.root else None
        if scope is not None and not scope:
            raise SettingsError(
                f"no node {self._rules.root!r}", where="derive.root", remedy="give an id or a full name"
            )
        golden = None
        if asker := self._by_model("golden"):
            golden = ModelGolden(asker, self._m)
            self._known(golden.prompt)
        return {kind: grow(self._m, kind, scope, golden) for kind in KINDS}

    def _definitions(self, things: Sequence[Thing]) -> tuple[list[DefinitionRow], dict[tuple[str, str], float]]:
        by_rule = DefinitionRules(self._m, self._pack, things).by_name()
        rules = RubricCritic(RuleRater(RULES, by_rule))
        last = rules
        critic: Critic[Thing] = rules
        if asker := self._by_model("definitions.critic"):
            form = Rubric("form", tuple(one for one in RULES.criteria if one.name in FORM))
            prompt = self._known(load(PROMPTS / "critic.md"))
            last = RubricCritic(ModelRater(SCALE, prompt, asker, asker.endpoint.model))
            critic = InTurn(RubricCritic(RuleRater(form, by_rule)), last)
        writer: Generator[Thing] = RuleWriter(self._m, self._pack)
        if asker := self._by_model("definitions.writer"):
            writer = ModelWriter(asker, self._m.language.name)
            self._known(writer.prompt)
        found = complete(things, writer, critic, rules, self._rules.rounds)
        # of rules the score is the number of criteria that are met, of a model the mean of its scores
        divisor = 1 if last is rules else len(SCALE.criteria)
        return found, {key: sum(one.scores.values()) / divisor for key, one in last.scores.items()}

    def _questions(
        self, things: Sequence[Thing], trees: Mapping[Kind, Tree], said: Mapping[str, str], graph: str
    ) -> tuple[list[Item], list[Dropped], QuestionSummary]:
        origin = {"graph": graph[:16], "recipe": "taxonomy"}
        if asker := self._by_model("questions.writer"):
            writer = QuestionWriter(asker, self._m, origin)
            for prompt in writer.prompts.values():
                self._known(prompt)
            told = [thing for thing in things if thing.facts and not thing.place]
            book = {thing.id: passage(thing, (), self._m) for thing in told}
            items = writer.write(told, book)
            passages = {item.id: book[item.query] for item in items}
            undrawn, chosen = writer.dropped, []
        else:
            drawer = Drawer(self._m, self._pack, trees, said)
            drawn = drawer.all(things)
            lettered = Lettered(self._m, self._rules.seed, origin)
            chosen = choose(drawn, self._similarity, self._m.view.degree, self._rules.seed, self._rules.nearness)
            items = [lettered.item(one.drawn, one.wrong) for one in chosen]
            passages = {one.key: passage(one.thing, one.quotes, self._m) for one in drawn}
            undrawn = drawer.dropped
        scope = frozenset(node for tree in trees.values() for node in tree.above)
        kept, reasons = checked(items, passages, self._reader(), self._pack, scope)
        given_up = in_the_way(kept, chosen)
        kept = [item for item in kept if item.id not in given_up]
        reasons |= dict.fromkeys(given_up, "gives_away")
        dropped = [Dropped(id=i.id, question=i.question, reason=reasons[i.id]) for i in items if i.id in reasons]
        summary = QuestionSummary(
            made=len(items),
            kept=dict(sorted(Counter(item.task for item in kept).items())),
            dropped=dict(sorted(Counter(reasons.values()).items())),
            undrawn=dict(sorted(undrawn.items())),
            probes=self._probes(kept),
        )
        return kept, dropped, summary

    def _reader(self) -> Responder:
        asker = self._by_model("questions.reader")
        if asker is None:
            return RuleReader(self._m)
        prompt = self._known(load(PROMPTS / "openbook.md"))
        return ModelResponder(f"open book, {asker.endpoint.model}", asker, prompt, self._m.language)

    def _probes(self, items: Sequence[Item]) -> dict[str, float]:
        if not items:
            return {}
        found = audit(items, self._m.view.degree, self._similarity).probes
        return {name: round(found[name].em_single or 0.0, 4) for name in PROBES}

    def _coverage(
        self, texts: Mapping[str, Path], trees: Mapping[Kind, Tree]
    ) -> tuple[coverage.Calibration, list[coverage.CoverageRow]]:
        linker, k, speak = Linker(self._m, self._similarity), self._rules.k, self._m.speak
        own = {node: speak.plain(node) for node in self._m.view.with_role("question")}
        seen = {node: linker.candidates(text, k) for node, text in own.items()}
        calibration = coverage.calibrate(seen, self._m, self._rules.threshold)
        judge: coverage.CoverJudge = coverage.RuleCover(calibration.threshold)
        if asker := self._by_model("coverage.judge"):
            judge = coverage.ModelCover(asker, self._m)
            self._known(judge.prompt)
        spoken = judge.covered(list(own.values()), list(seen.values()))
        found = [coverage.measure("exercises", len(own), spoken, trees)] if own else []
        for name, path in sorted(texts.items()):
            many, left_out = corpus.read_texts(path, self._pack)
            spoken = judge.covered(many, [linker.candidates(text, k) for text in many])
            found.append(coverage.measure(name, len(many), spoken, trees).model_copy(update={"left_out": left_out}))
        return calibration, found

    def _accuracy(
        self, trees: Mapping[Kind, Tree], items: Sequence[Item], things: Sequence[Thing], answers: Mapping[str, Path]
    ) -> accuracy.Found:
        lot = Random(self._rules.seed)
        given = {lot.label: dict(zip((item.id for item in items), map(str, lot.answers(items)), strict=True))}
        given |= {model: accuracy.read_answers(path, items) for model, path in sorted(answers.items())}
        values = {
            "length": {thing.id: float(len(thing.facts)) for thing in things},
            "edges": {thing.id: float(self._m.view.degree[thing.id]) for thing in things},
        }
        return accuracy.find(trees, items, given, self._m, self._rules.least, values)
