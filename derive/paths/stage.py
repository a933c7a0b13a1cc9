"""Questions of any kind with the paths that support their answers, and what paths are worth to who answers.

In: a graph, perhaps question sets. Out: `paths/questions.jsonl`, `paths.jsonl`, `answers.jsonl`, `dropped.jsonl`,
`multihal.<language>.csv`, `summary.json`, `index.html`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from derive.ask import Asker, ModelUse, Unanswered
from derive.linker import Linker
from derive.material import Material
from derive.paths.arms import ARMS, Arms, Case
from derive.paths.build import Limits, Made, Tools, build
from derive.paths.clean import once, without_refusals
from derive.paths.export import PathRow, Wording, rows_of, table, translated
from derive.paths.grade import Grader
from derive.paths.ground import Grounder, Reach, about
from derive.paths.mine import Miner, Sentences
from derive.paths.pack import Pack
from derive.paths.page import page
from derive.paths.questions import FileQuestions, Gathered, OwnQuestions
from derive.paths.report import Answered, PathsSummary, answer, reader
from derive.paths.select import PROMPTS, SUPPORT, ModelSelector, Rules, Selector, rubric
from derive.paths.tell import Teller, Translator, read_glossary
from derive.paths.value import Values
from derive.recipe import Recipe, with_calls
from derive.respond import SHOWN, ModelResponder, Null, Oracle, PathReader, Random, Responder
from derive.rubric import ModelRater, Rater, RuleRater
from derive.tasks.catalogue import TASKS
from kg.errors import Failure, SettingsError
from kg.graph_io import ReadGraph
from kg.item import Item as Question
from kg.language import Language
from kg.project import Project
from kg.prompt import load
from kg.schema import EdgeRole, NodeRole
from kg.stage import Item, Result
from kg.store import file_sha256, jsonl

NAME = "paths"
JUDGE, READER, TRANSLATOR = (f"derive.{name}" for name in ("judge", "reader", "translator"))
EDGES: tuple[EdgeRole, ...] = (
    *("taxonomy", "prerequisite", "association", "demonstration"),
    *("assessment", "location", "sequence", "containment"),
)
LINKED: tuple[NodeRole, ...] = ("term", "procedure", "activity", "chapter", "section")
Who = Literal["rules", "model"]
Packs = Mapping[str, tuple[Language, Pack]]
Parts = tuple[Linker, Values, Teller]
Used = tuple[ReadGraph, Material, Packs, Teller, Tools]


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Paths(Recipe):
    """The settings of grounding; see `conf/derive/paths.yaml`."""

    pages: ClassVar[tuple[str, ...]] = ("paths/summary.json", "paths/index.html")

    open: ClassVar[tuple[str, ...]] = ("fields", "keep_rows", "unanswered", "units")

    qa: tuple[str, ...] = ()
    """Files of questions; none: the graph's own."""
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    keep_rows: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    separator: str = "<SEP>"
    tasks: tuple[str, ...] = tuple(TASKS)
    unanswered: Mapping[str, Any] = field(default_factory=dict)
    same_from: float = Field(default=0.99, gt=0, le=1)
    never_same: tuple[str, ...] = ()
    links: int = Field(default=3, ge=1)
    hops: int = Field(default=2, ge=1, le=3)
    roles: tuple[EdgeRole, ...] = EDGES
    not_through: tuple[NodeRole, ...] = ("question",)
    both_ways: bool = True
    sentences: bool = True
    literals: tuple[str, ...] = ()
    units: Mapping[str, tuple[float, Mapping[str, int]]] = field(default_factory=dict)
    tolerance: float = Field(default=0.01, ge=0, lt=1)
    most: int = Field(default=10, ge=1)
    attempts: int = Field(default=3, ge=1)
    keep: int = Field(default=4, ge=1, le=5)
    judge: Who = "rules"
    reader: Literal["", "model"] = ""
    translator: Literal["", "model"] = ""
    languages: tuple[str, ...] = ()
    glossary: str = ""
    arms: tuple[str, ...] = ARMS
    shown: int = Field(default=3, ge=1)
    seed: int = 0

    def __post_init__(self) -> None:
        for name, known in (("tasks", tuple(TASKS)), ("arms", ARMS)):
            if unknown := [one for one in getattr(self, name) if one not in known]:
                raise SettingsError(
                    f"no {name[:-1]} {unknown[0]!r}", where=f"derive.{name}", remedy=f"have: {', '.join(known)}"
                )
        super().__post_init__()

    @property
    def products(self) -> tuple[str, ...]:
        """One."""
        return (NAME,)

    @property
    def switches(self) -> tuple[str, ...]:
        """Whoever is a model."""
        used = {JUDGE: self.judge, READER: self.reader, TRANSLATOR: self.translator}
        return tuple(name for name, who in used.items() if who == "model")

    def plan(self, project: Project) -> list[Item]:
        """One item; it depends on the question sets and the glossary, too."""
        files = [Path(name) for name in (*self.qa, *filter(None, [self.glossary]))]
        digests = {str(file): file_sha256(file) for file in files if file.is_file()}
        return [Item(item.key, item.payload, {**item.inputs, **digests}) for item in super().plan(project)]

    def prepare(self, project: Project, path: Path) -> Any:
        """The graph, its material, and the packs of the languages paths are told in, the graph's own first.

        Raises SettingsError for a language without a pack.
        """
        read, material = super().prepare(project, path)
        own = material.language.code
        if unknown := [code for code in self.languages if code not in project.languages]:
            have = ", ".join(project.languages)
            raise SettingsError(f"no language pack {unknown[0]!r}", where="derive.languages", remedy=f"have: {have}")
        codes = dict.fromkeys([own, *(self.languages or project.languages)])
        return read, material, {code: _packed(project.languages[code]) for code in codes}

    def run(self, item: Item, context: Any) -> Result:
        """All files but the page."""
        read, material, packs = context
        asker = Asker(self.endpoint(self.switches[0]), self.sampling) if self.switches else None
        try:
            return with_calls(self._made(read, material, packs, asker), item.key, asker)
        except Unanswered as error:
            lost = Failure(stage=self.name, item=item.key, what=error.what, remedy=error.remedy, retry=True)
            return Result(failures=(lost,))

    def collect(self, project: Project) -> Result | None:
        """The page."""
        store = project.store
        if not store.exists("paths/summary.json"):
            return None
        summary = store.read_row("paths/summary.json", PathsSummary)
        rows: dict[str, list[PathRow]] = defaultdict(list)
        for row in store.read_rows("paths/paths.jsonl", PathRow):
            rows[row.question].append(row)
        pairs = [(item, rows[item.id]) for item in store.read_rows("paths/questions.jsonl", Question)]
        texts = project.languages[summary.language].part(NAME, Pack).page
        return Result(files={"paths/index.html": page(project.title, texts, summary, pairs)})

    def _made(self, read: ReadGraph, material: Material, packs: Packs, asker: Asker | None) -> Result:
        pack = packs[material.language.code][1]
        values = Values(pack, self.units, self.tolerance)
        found = self._questions(material, pack)
        produced = len(found.items) + len(found.dropped)
        without_refusals(found, pack.refusals)
        linker = Linker(material, self.similarity, LINKED)
        once(found, self.similarity, self.same_from, self.never_same, lambda item: about(item, linker, material))
        teller = Teller(material, packs, read_glossary(Path(self.glossary) if self.glossary else None))
        tools = self._tools(material, pack, (linker, values, teller), asker)
        made = build(found, tools, Limits(self.most, self.attempts, self.keep, self.seed))
        grader = Grader(material, values, self.similarity)
        trials = Arms(material, teller, grader, tools.sentences.literals).trials(
            made.cases, self.arms, self.shown, self.seed
        )
        answers = {one.label: answer(trials, one, grader) for one in self._readers(material, asker, made)}
        rows = {
            case.item.id: rows_of(case, tools.sentences, teller, tuple(packs), tools.rater.label) for case in made.cases
        }
        failures = (*read.failures, *found.failures)
        report = self._summary(made, rows, answers, (read, material, packs, teller, tools))
        tables = self._tables(made, rows, packs, asker)
        report = report.model_copy(update={"produced": produced, "model": asker and self._use(asker)})
        files = {
            "paths/questions.jsonl": jsonl(_question(case, rows[case.item.id]) for case in made.cases),
            "paths/paths.jsonl": jsonl(row for some in rows.values() for row in some),
            "paths/answers.jsonl": jsonl(row for some in answers.values() for row in some),
            "paths/dropped.jsonl": jsonl(made.dropped),
            "paths/summary.json": (report.model_dump_json(indent=1) + "\n").encode("utf-8"),
            **tables,
        }
        counts = {"questions": len(made.cases), "paths": report.kept, "answers": sum(map(len, answers.values()))}
        return Result(files, failures, counts)

    def _questions(self, material: Material, pack: Pack) -> Gathered:
        if not self.qa:
            return OwnQuestions(material, pack, self.tasks, self.unanswered).gather()
        reader = FileQuestions(self.fields, self.keep_rows, self.separator, material.language.code)
        return reader.gather([Path(name) for name in self.qa])

    def _tools(self, material: Material, pack: Pack, parts: Parts, asker: Asker | None) -> Tools:
        linker, values, teller = parts
        miner = Miner(material, self.roles, self.not_through, self.both_ways)
        rules, scale = Rules(material, pack, miner), rubric(self.keep)
        selector: Selector = rules
        rater: Rater = RuleRater(scale, {SUPPORT: rules.supports})
        if self.judge == "model" and asker:
            selector = ModelSelector(asker.endpoint.model, asker)
            rater = ModelRater(scale, load(PROMPTS / "score.md"), asker, asker.endpoint.model)
        return Tools(
            material=material,
            grounder=Grounder(material, linker, miner, values, Reach(self.links, self.hops, self.sentences)),
            sentences=Sentences(material.view, self.literals, values),
            teller=teller,
            rules=rules,
            selector=selector,
            rater=rater,
            values=values,
        )

    def _readers(self, material: Material, asker: Asker | None, made: Made) -> list[Responder]:
        pool = tuple(sorted({case.item.accepted[0] for case in made.cases}))
        scripted: list[Responder] = [Null(), Random(self.seed, pool), PathReader(), Oracle()]
        if self.reader and asker:
            scripted.append(_Reader(asker, material.language))
        return scripted

    def _tables(
        self, made: Made, rows: Mapping[str, Sequence[PathRow]], packs: Packs, asker: Asker | None
    ) -> dict[str, bytes]:
        """The paper's file in the graph's language, and where a model translates in every other one."""
        own = next(iter(packs))
        pairs = [(case.item, row) for case in made.cases for row in rows[case.item.id]]
        links = {key: (grounded.subjects, grounded.objects) for key, grounded in made.grounded.items()}
        wordings = {
            case.item.id: Wording(question=case.item.question, accepted=case.item.accepted) for case in made.cases
        }
        files = {f"paths/multihal.{own}.csv": table(pairs, links, own, wordings)}
        if self.translator and asker:
            for code in [code for code in packs if code != own]:
                names = (packs[own][0].name, packs[code][0].name)
                some, told = translated(pairs, wordings, Translator(asker), names, code)
                files[f"paths/multihal.{code}.csv"] = table(some, links, code, told)
        return files

    def _summary(
        self, made: Made, rows: Mapping[str, Sequence[PathRow]], answers: Mapping[str, list[Answered]], used: Used
    ) -> PathsSummary:
        read, material, packs, teller, tools = used
        kept = [row for some in rows.values() for row in some]
        trails = [path.told.candidate.trail for case in made.cases for path in case.kept]
        own = material.language.code
        return PathsSummary(
            graph=read.digest(),
            language=own,
            seed=self.seed,
            similarity=self.similarity.label,
            produced=0,
            questions=len(made.cases),
            sources=_counted(str(case.item.origin.get("source", "")) for case in made.cases),
            types=_counted(case.item.answer_type for case in made.cases),
            linked=_counted(made.linked.elements()),
            mined=made.mined,
            selected=made.selected,
            judged=_counted(str(score) for score in made.judged.elements()),
            kept=len(kept),
            hops=_counted(str(len(row.hops)) for row in kept),
            with_page=sum(all(hop.page is not None for hop in row.hops) for row in kept),
            shortfall=made.shortfall,
            foreign=made.foreign,
            dropped=_counted(f"{one.what} {one.reason}" for one in made.dropped),
            judges=(tools.selector.label, tools.rater.label),
            untranslated={
                code: sum(teller.tell(trail, code).left > 0 for trail in trails) for code in packs if code != own
            },
            readers={name: reader(some, self.seed) for name, some in answers.items()},
        )

    def _use(self, asker: Asker) -> ModelUse:
        names = ("select", "score", "qa", "kgrag", "translate")
        return asker.use({name: load(PROMPTS / f"{name}.md").fingerprint for name in names})


class _Reader:
    """A model that answers: with the prompt for knowledge where an item shows any."""

    def __init__(self, asker: Asker, language: Language) -> None:
        self.label = asker.endpoint.model
        self._bare = ModelResponder(self.label, asker, load(PROMPTS / "qa.md"), language)
        self._helped = ModelResponder(self.label, asker, load(PROMPTS / "kgrag.md"), language)

    def answers(self, items: Sequence[Question]) -> list[str | None]:
        """One answer per item, in order."""
        bare = iter(self._bare.answers([item for item in items if not item.origin.get(SHOWN)]))
        helped = iter(self._helped.answers([item for item in items if item.origin.get(SHOWN)]))
        return [next(helped if item.origin.get(SHOWN) else bare) for item in items]


def _packed(language: Language) -> tuple[Language, Pack]:
    return language, language.part(NAME, Pack)


def _counted(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))


def _question(case: Case, rows: Sequence[PathRow]) -> Question:
    """The question with the edges of its best path, and the sentences these rest on."""
    best, *_ = rows
    path = tuple((hop.type, hop.source, hop.target) for hop in best.hops)
    return case.item.model_copy(update={"path": path, "level": len(path)})
