"""The queue: what is urgent comes first, with its evidence; what has been decided does not come again."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
import yaml

from kg.decisions import Decision, Outcome, edge_content, node_content, pair_content
from kg.graph import Edge, Finding, Node
from kg.language import Language
from kg.project import Project
from kg.schema import GraphSchema
from kg.section import SectionRow
from kg.stage import ROOT
from kg.store import canonical, jsonl
from review.passages import Shelf
from review.queue import Choices, Queue
from review.stage import Review
from review.task import Task
from review.texts import texts_of
from review.votes import seen
from tests.review.conftest import concept, edge_finding, needs, quote

FIRST = ("cycle", "contradiction", "homonym", "descriptions_differ", "doubtful")
CHOICES = Choices(first=FIRST, pairs=("homonym",), uses=("descriptions_differ",), everything=False)


class Small:
    """Three terms that need each other in a circle, and a fourth."""

    def __init__(self, schema: GraphSchema, project: Project, choices: Choices = CHOICES) -> None:
        self.schema = schema
        names = ("mass", "force", "work", "power")
        self.nodes: list[Node] = [concept(schema, name, f"what {name} is") for name in names]
        a, b, c, d = self.nodes
        self.circle = [needs(schema, a, b), needs(schema, b, c), needs(schema, c, a)]
        self.edges: list[Edge] = [*self.circle, needs(schema, c, d, 0.2)]
        self.shelf = Shelf(project.store, around=20, most=2)
        self.queue = Queue(self.nodes, self.edges, schema, choices, self.shelf)

    def tasks(self, findings: Sequence[Finding], outcomes: Sequence[Outcome] = ()) -> list[Task]:
        return self.queue.tasks(findings, outcomes)

    def findings(self) -> list[Finding]:
        ids = [node.id for node in self.nodes]
        return [
            edge_finding("doubtful", self.edges[3]),
            edge_finding("cycle", self.circle[2], circle=ids[:3], component=3),
            Finding(check="homonym", action="review", message="One?", nodes=(ids[3], ids[0])),
            edge_finding("redundant", self.edges[0], action="note"),
            Finding(check="unheard_of", action="review", message="Odd.", nodes=(ids[1],)),
        ]


@pytest.fixture
def small(schema: GraphSchema, project: Project) -> Small:
    return Small(schema, project)


def test_a_circle_comes_first_then_what_the_settings_name_then_the_rest(small: Small) -> None:
    assert [task.check for task in small.tasks(small.findings())] == ["cycle", "homonym", "doubtful", "unheard_of"]


def test_the_queue_does_not_depend_on_the_order_of_the_findings(small: Small) -> None:
    findings = small.findings()
    expected = jsonl(small.tasks(findings))
    for seed in range(5):
        random.Random(seed).shuffle(findings)
        assert jsonl(small.tasks(findings)) == expected


def test_a_task_shows_the_circle_the_evidence_both_ends_and_their_neighbours(small: Small) -> None:
    task = small.tasks(small.findings())[0]
    assert [line.asked for line in task.circle] == [False, False, True]
    assert [card.name for card in task.cards] == ["work", "mass"]
    assert task.passages[0].quote == "mass is explained by work" and task.passages[0].page == 4
    assert {line.target for line in task.cards[0].lines} >= {"mass", "power"}
    assert task.verdicts == ("keep", "change", "remove")


def test_a_pair_is_asked_whether_it_is_one_thing_and_no_note_is_asked_at_all(small: Small) -> None:
    tasks = small.tasks(small.findings())
    pair = next(task for task in tasks if task.kind == "pair")
    assert pair.about == tuple(sorted(pair.about)) and pair.verdicts == ("merge", "apart")
    assert len(tasks) == 4


def test_one_subject_is_asked_about_once_with_all_its_reasons(small: Small) -> None:
    edge = small.circle[2]
    twice = [edge_finding("doubtful", edge), edge_finding("cycle", edge, circle=[], component=1)]
    (task,) = small.tasks(twice)
    assert (task.check, task.reasons) == ("cycle", ("cycle!", "doubtful!"))


@pytest.mark.parametrize("outcome", ["applied", "moved"])
def test_what_has_been_decided_is_not_asked_again(small: Small, outcome: str) -> None:
    decision = Decision(kind="edge", about=small.circle[2].key(), verdict="keep")
    row = Outcome.model_validate({"decision": decision, "outcome": outcome})
    assert "cycle" not in {task.check for task in small.tasks(small.findings(), [row])}


def test_a_circle_of_accepted_edges_is_asked_about_though_each_was_decided(
    schema: GraphSchema, project: Project
) -> None:
    small = Small(schema, project, replace(CHOICES, first=("cycle_accepted", *FIRST), again=("cycle_accepted",)))
    ids = [node.id for node in small.nodes[:3]]
    found = [edge_finding("cycle_accepted", edge, action="review", circle=ids) for edge in small.circle]
    kept = [Decision(kind="edge", about=edge.key(), verdict="keep") for edge in small.circle]
    tasks = small.tasks(found, [Outcome(decision=decision, outcome="applied") for decision in kept])
    assert {task.about for task in tasks} == {edge.key() for edge in small.circle}
    assert all(len(task.circle) == 3 and "keep" in task.verdicts for task in tasks)
    assert seen(tasks[0]) != seen(tasks[0].model_copy(update={"again": ""})), "votes given before do not answer it"


def test_what_no_answer_could_mend_is_not_asked(schema: GraphSchema, project: Project) -> None:
    small = Small(schema, project, replace(CHOICES, unasked=("cycle",)))
    assert [task.check for task in small.tasks(small.findings())] == ["homonym", "doubtful", "unheard_of"]


def test_what_cannot_stay_as_it_is_is_corrected_or_removed(schema: GraphSchema, project: Project) -> None:
    small = Small(schema, project, replace(CHOICES, lacking=("fields",)))
    finding = Finding(check="fields", action="set_aside", message="!", nodes=(small.nodes[0].id,))
    assert [task.verdicts for task in small.tasks([finding])] == [("change", "remove")]


def test_a_decision_made_on_other_words_is_asked_again_with_what_people_saw(small: Small) -> None:
    decision = Decision(kind="node", about=(small.nodes[0].id,), verdict="remove", content="Concept “mass”: heaviness")
    (task,) = small.tasks([], [Outcome(decision=decision, outcome="changed", why="it says something else now")])
    assert (task.check, task.earlier) == ("decision", "Concept “mass”: heaviness")
    gone = decision.model_copy(update={"about": ("physics:concept:gone",)})
    assert small.tasks([], [Outcome(decision=gone, outcome="changed")]) == []
    assert small.tasks([], [Outcome(decision=decision, outcome="vanished")]) == []


def test_contents_are_those_that_decisions_are_checked_against(small: Small) -> None:
    names = {node.id: node.name for node in small.nodes}
    for task in small.tasks(small.findings()):
        if task.kind == "edge":
            assert task.content == edge_content(small.queue.edges[task.about], names)  # type: ignore[index]
        elif task.kind == "pair":
            one, other = (small.queue.nodes[node] for node in task.about)
            assert task.content == pair_content(one, other, small.schema)
        else:
            assert task.content == node_content(small.queue.nodes[task.about[0]], small.schema)


def test_a_doubted_use_of_a_name_shows_the_chapter_that_is_in_doubt(small: Small) -> None:
    node = small.nodes[0]
    details = {"second": {"name": "mass", "chapter": "c:2", "quote": node.provenance[0].quote}}
    finding = Finding(check="descriptions_differ", action="review", message="!", nodes=(node.id,), details=details)
    (task,) = small.tasks([finding])
    assert (task.kind, task.about, task.verdicts) == ("use", (node.id, "c:2", "mass"), ("merge", "apart"))
    assert [passage.quote for passage in task.passages] == [node.provenance[0].quote]


def test_findings_about_things_that_are_not_there_are_no_tasks(small: Small) -> None:
    ghost = needs(small.schema, small.nodes[0], concept(small.schema, "ghost", "not there"))
    findings = [
        edge_finding("cycle", ghost),
        Finding(check="homonym", action="review", message="?", nodes=("ghost", small.nodes[0].id)),
        Finding(check="odd", action="review", message="?", nodes=("ghost",)),
        Finding(check="odd", action="review", message="?"),
    ]
    assert small.tasks(findings) == []


def test_everything_is_asked_about_where_that_is_wanted_least_sure_first(schema: GraphSchema, project: Project) -> None:
    small = Small(schema, project, Choices(FIRST, ("homonym",), (), everything=True))
    tasks = small.tasks(small.findings())
    assert len(tasks) == len(small.nodes) + len(small.edges) + 1
    rest = [task for task in tasks if task.check == "all"]
    assert rest and tasks[-len(rest) :] == rest


def test_a_quotation_stands_in_the_text_around_it_cut_at_words(project: Project) -> None:
    text = "## Motion\n\nBodies move about.\n\nSpeed is distance per time. It is measured in metres per second.\n\n"
    section = "physics:section:physics-8:1.1"
    row = SectionRow(
        id=section, chapter_number="1", chapter_title="One", section_number="1.1", section_title="Motion",
        kind="section", start_page=3, end_page=3, file="sections/001.md",
    )  # fmt: skip
    project.store.write("segment/physics-8/sections_index.json", canonical([row.model_dump()]).encode())
    project.store.write("segment/physics-8/sections/001.md", text.encode())
    words = "Speed is distance per time."
    (found,) = Shelf(project.store, around=16, most=2).passages([quote(words, text.index(words), section)])
    assert (found.section, found.quote, found.page) == ("1.1 Motion", words, 4)
    (first,) = Shelf(project.store, around=99, most=2).passages([quote("Bodies move", text.index("Bodies"), section)])
    assert first.before == "Motion\n", "no empty lines before the first words"
    assert found.before == "…move about.\n" and found.after == " It is measured…"
    (lost,) = Shelf(project.store, around=16, most=2).passages([quote("not there", 900, "no:such:section")])
    assert (lost.before, lost.quote, lost.after) == ("", "not there", "")


def test_the_stage_writes_the_queue_and_counts_what_became_of_decisions(project: Project, small: Small) -> None:
    store = project.store
    decision = Decision(kind="edge", about=small.circle[2].key(), verdict="keep")
    outcomes = [Outcome(decision=decision, outcome="applied"), Outcome(decision=decision, outcome="vanished")]
    for name, rows in (("merge/nodes", small.nodes), ("merge/edges", small.edges), ("merge/decided", outcomes)):
        store.write(f"{name}.jsonl", jsonl(rows))
    store.write("validate/findings.jsonl", jsonl(small.findings()))
    stage = Review(first=FIRST, pairs=("homonym",))
    (item,) = stage.plan(project)
    result = stage.run(item, stage.setup(project))
    assert result.counts == {"questions": 3, "decisions applied": 1, "decisions that no longer fit": 1}
    store.write("review/queue.jsonl", result.files["review/queue.jsonl"])
    assert len(list(store.read_rows("review/queue.jsonl", Task))) == 3
    store.write("merge/decided.jsonl", b"")
    assert stage.plan(project)[0].inputs != item.inputs


def test_every_check_that_the_rooms_make_has_words_in_every_language(languages: Mapping[str, Language]) -> None:
    source = "".join(path.read_text("utf-8") for room in ("merge", "validate") for path in (ROOT / room).glob("*.py"))
    checks = set(re.findall(r'(?:check=|_ask\(|_aside\()"([a-z_]+)"', source)) - {"people", "redundant", "section"}
    assert len(checks) > 15
    for code in languages:
        assert checks - set(texts_of(languages, code).checks) == set()


def test_the_settings_order_every_check_that_asks_about_pairs_and_uses() -> None:
    data = yaml.safe_load((ROOT / "conf" / "review" / "people.yaml").read_text("utf-8"))
    assert {*data["pairs"], *data["uses"], *data["again"]} <= set(data["first"])
    assert data["first"][:3] == ["disagreement", "cycle_accepted", "cycle"]
