"""A finished run in a folder: two books under two licences, a few questions and rows, and the release made of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from kg.decisions import Decision, Outcome
from kg.document import Book
from kg.graph import Edge, Node, Provenance
from kg.item import Choice, Item
from kg.language import Language
from kg.project import Project
from kg.schema import GraphSchema
from kg.store import Store, jsonl
from release.stage import Release

Write = Callable[[Project], None]
OPEN, CLOSED = "CC-BY-4.0", "LicenseRef-closed"
FACTS = ("aliases", "formula", "unit", "number", "type", "rules")


def quote(book: str, text: str, start: int = 0) -> Provenance:
    return Provenance(
        book=book, section=f"s:{book}:1.1", page=1, quote=text, start=start, end=start + len(text), match="exact"
    )


def a_term(key: str, book: str, said: str, **more: Any) -> Node:
    properties = {
        "definition": said,
        "importance": "master",
        "confidence": 0.9,
        "support": 1,
        "rules": ["bold"],
        **more,
    }
    return Node(
        id=f"s:concept:{key}", label="Concept", name=key, properties=properties, provenance=(quote(book, said),)
    )


def an_edge(kind: str, source: str, target: str, book: str = "", said: str = "") -> Edge:
    return Edge(source=source, target=target, type=kind, provenance=(quote(book, said),) if book else ())


NODES = [
    Node(id="s:book:a", label="Book", name="A", properties={"subject": "S", "language": "en"}),
    Node(id="s:book:b", label="Book", name="B", properties={"subject": "S", "language": "en"}),
    Node(id="s:chapter:a:1", label="Chapter", name="First", properties={"order": 1, "number": "1"}),
    Node(id="s:chapter:b:1", label="Chapter", name="Second", properties={"order": 1, "number": "1"}),
    Node(id="s:section:a:1.1", label="Section", name="One", properties={"order": 1}),
    Node(id="s:section:b:1.1", label="Section", name="Two", properties={"order": 1}),
    a_term("force", "a", "A force is a push or a pull that acts on a body.", aliases=["push; pull"], formula="F = m a"),
    a_term("weight", "a", "Weight is the force of gravity <on> a body & more."),
    a_term("work", "b", "Work is done when a force moves a body along a path."),
    a_term("power", "b", "Power tells how quickly work is done by somebody."),
    Node(
        id="s:exercise:lift",
        label="Exercise",
        name="Lift",
        properties={"stem": "Lift 2 kg by 1 m. How much\nwork?", "answer": "20 J", "difficulty": 2, "type": "open"},
        provenance=(quote("b", "Lift 2 kg by 1 m. How much work?"),),
    ),
]
EDGES = [
    an_edge("is_part_of", "s:chapter:a:1", "s:book:a"),
    an_edge("is_part_of", "s:chapter:b:1", "s:book:b"),
    an_edge("is_part_of", "s:section:a:1.1", "s:chapter:a:1"),
    an_edge("is_part_of", "s:section:b:1.1", "s:chapter:b:1"),
    an_edge(
        "appears_in", "s:concept:force", "s:section:a:1.1", "a", "A force is a push or a pull that acts on a body."
    ),
    an_edge("is_a", "s:concept:weight", "s:concept:force", "a", "Weight is the force of gravity <on> a body & more."),
    an_edge("prerequisites_for", "s:concept:force", "s:concept:weight", "a", "Weight is the force of gravity"),
    an_edge("prerequisites_for", "s:concept:force", "s:concept:work", "b", "Work is done when a force moves a body"),
    an_edge("prerequisites_for", "s:concept:work", "s:concept:power", "b", "Power tells how quickly work is done"),
    an_edge("tests_concept", "s:exercise:lift", "s:concept:work", "b", "How much work?"),
    Edge(
        source="s:chapter:a:1",
        target="s:chapter:b:1",
        type="leads_to",
        properties={"support": 1, "prerequisites": [["s:concept:force", "s:concept:work"]]},
        provenance=(quote("b", "Work is done when a force moves a body"),),
    ),
]


def an_item(query: str, right: str, wrong: list[str], path: tuple[str, str, str], book: str) -> Item:
    texts = [right, *wrong]
    ids = {text: f"s:concept:{text}" for text in texts}
    letters = dict(zip("ABCD", texts, strict=False))
    return Item(
        id=f"prereq_1::{query}",
        question=f"What comes before {query}?",
        options=letters,
        answer=("A",),
        task="prereq_1",
        family="prereq",
        language="en",
        query=f"s:concept:{query}",
        choices={
            letter: Choice(id=ids[text], right=letter == "A", path=(path,) if letter == "A" else ())
            for letter, text in letters.items()
        },
        provenance=(quote(book, f"Words of {book}."),),
    )


ITEMS = [
    an_item("weight", "force", ["weight"], ("prerequisites_for", "s:concept:force", "s:concept:weight"), "a"),
    an_item("work", "force", ["power"], ("prerequisites_for", "s:concept:force", "s:concept:work"), "b"),
]
ROWS: list[dict[str, Any]] = [
    {"id": "node::force", "question": "What is force?", "answer": "A force is a push or a pull that acts on a body."},
    {"id": "node::power", "question": "What is power?", "answer": "Something."},
]


def training(rows: list[dict[str, Any]]) -> bytes:
    lines = []
    for place, row in enumerate(rows):
        key = row["id"].rpartition(":")[2]
        book = "a" if key == "force" else "b"
        more = {"path": "node", "kind": "term", "origin": "template", "language": "en"}
        more |= {"split": "validation" if place else "train", "sources": [f"s:concept:{key}"]}
        lines.append({**row, **more, "provenance": [quote(book, "words").model_dump(mode="json")]})
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def write_run(
    project: Project, nodes: list[Node] = NODES, edges: list[Edge] = EDGES, items: list[Item] = ITEMS
) -> None:
    store = project.store
    for name, rows in (("nodes", nodes), ("edges", edges)):
        data = [json.loads(row.to_json()) for row in rows]
        store.write(f"graph/{name}.json", json.dumps(data).encode())
    store.write("bench/prereq_1.jsonl", jsonl(items))
    store.write("bench/dropped.jsonl", b'{"id": "x"}\n')
    store.write("train/node.jsonl", training(ROWS))
    store.write("train/train.messages.jsonl", b'{"messages": []}\n')
    store.write("train/llamafactory.yaml", b"dataset: own\neval_dataset: own_validation\n")
    decision = Decision(kind="node", about=("s:concept:force",), verdict="keep", by=("ann", "bob"), content="force")
    store.write("merge/decided.jsonl", jsonl([Outcome(decision=decision, outcome="applied")]))
    store.write("index.html", b"<p>everything")


def a_finished_run(place: Path, schema: GraphSchema, languages: Mapping[str, Language]) -> Project:
    books = (
        Book(slug="a", file="a.pdf", title="Book | A", language="en", license=OPEN),
        Book(slug="b", file="b.pdf", title="Book B", language="en", license=CLOSED),
    )
    project = Project(Store(place), "s", "Subject", books, schema, languages)
    write_run(project)
    return project


@pytest.fixture
def finished(tmp_path: Path, schema: GraphSchema, languages: Mapping[str, Language]) -> Project:
    """A project whose run is done."""
    return a_finished_run(tmp_path / "out", schema, languages)


@pytest.fixture(scope="session")
def pattern(tmp_path_factory: pytest.TempPathFactory, schema: GraphSchema, languages: Mapping[str, Language]) -> Path:
    """A release nobody may touch: copy it."""
    return released(a_finished_run(tmp_path_factory.mktemp("pattern"), schema, languages))


@pytest.fixture
def make(finished: Project) -> Callable[..., Path]:
    """Builds a release with these settings and says where it lies."""

    return lambda **settings: released(finished, **settings)


def released(project: Project, **settings: Any) -> Path:
    stage = Release(**{"version": "1.0.0", "facts": FACTS, **settings})
    (item,) = stage.plan(project)
    result = stage.run(item, stage.setup(project))
    assert result.failures == ()
    for name, data in result.files.items():
        project.store.write(name, data)
    stage.collect(project)
    return project.store.path(stage.folder(project))
