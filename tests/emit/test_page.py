"""The page is one inert file, and its data says everything once and in order."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emit.page import FOLDER, SCRIPTS, inert
from kg.graph import Edge, Finding, Node
from kg.project import Project
from kg.store import jsonl
from tests.emit.conftest import page_files

LAST = "physics:section:physics-8:2.2"
HOSTILE = "</script><b>bold</b>\u2028\"'&"


class Elements(HTMLParser):
    """Elements with their attributes, and the content of scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.raw: list[tuple[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.found[-1:] and self.found[-1][0] in ("script", "style") and data.strip():
            self.raw.append((self.found[-1][1].get("type") or self.found[-1][0], data))


def page_of(project: Project, **settings: Any) -> str:
    return page_files(project, **settings)["index.html"].decode("utf-8")


def data_of(page: str) -> dict[str, Any]:
    _, found = [data for kind, data in Elements(page).raw if kind == "application/json"]
    data: dict[str, Any] = json.loads(found)
    return data


def names_under(data: dict[str, Any], book: int, chapter: int, section: int) -> list[tuple[str, int]]:
    items = data["contents"][book]["parts"][chapter]["parts"][section]["items"]
    return [(data["nodes"][node][2], first) for node, first in items]


@given(st.text())
def test_inert_data_is_the_same_data_and_cannot_end_its_element(text: str) -> None:
    written = inert({"text": text})
    assert json.loads(written) == {"text": text}
    assert not re.search("[<>&\u2028\u2029]", written)


def test_what_a_hostile_book_says_reaches_the_page_as_text_only(subject: Project) -> None:
    page = page_of(subject)
    assert HOSTILE in [node[2] for node in data_of(page)["nodes"]]
    assert [tag for tag, _ in Elements(page).found].count("script") == 3
    assert "<b>bold</b>" not in page and "<img" not in page


def test_the_page_asks_for_nothing_from_anywhere(subject: Project) -> None:
    elements = Elements(page_of(subject))
    targets = {value for _, attributes in elements.found for key, value in attributes.items() if key in ("src", "href")}
    assert targets == {"data:,", "#main"}
    style = next(data for kind, data in elements.raw if kind == "style")
    assert "url(" not in style and "@import" not in style


def test_only_our_own_script_and_style_may_run(subject: Project) -> None:
    elements = Elements(page_of(subject))
    policy = next(a["content"] for tag, a in elements.found if a.get("http-equiv") == "Content-Security-Policy") or ""
    assert "default-src 'none'" in policy and "unsafe" not in policy
    for kind in ("script", "style"):
        (data,) = [data for what, data in elements.raw if what == kind]
        digest = base64.b64encode(hashlib.sha256(data.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy


def test_the_scripts_never_turn_text_into_markup() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.js")) == sorted(SCRIPTS)
    forbidden = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|fetch\(|XMLHttp"
    )
    for name in SCRIPTS:
        text = (FOLDER / f"{name}.js").read_text(encoding="utf-8")
        assert not forbidden.search(text), name
        assert len(text.splitlines()) <= 250, name


def test_contents_follow_the_text_and_mark_what_is_met_again(subject: Project) -> None:
    data = data_of(page_of(subject))
    assert [data["nodes"][book["node"]][2] for book in data["contents"]] == ["Physics 8", "Physics 9"]
    first = [(name, new) for name, new in names_under(data, 0, 0, 1) if not name.startswith("A question")]
    assert first == [("speed", 1), ("velocity", 1), ("acceleration", 1), ("A ball on a ramp", 1)]
    assert ("energy", 1) in names_under(data, 0, 2, 0)
    assert ("energy", 0) in names_under(data, 1, 0, 0)


def test_exercises_stand_where_they_are_printed(subject: Project) -> None:
    data = data_of(page_of(subject))
    asked = [name for name, _ in names_under(data, 0, 0, 1) if name.startswith("A question")]
    assert [name.partition(":")[0] for name in asked] == [
        "A question about speed",
        "A question about velocity",
        "A question about acceleration",
    ]


def test_what_stands_in_a_section_that_is_no_node_is_met_in_its_chapter(subject: Project) -> None:
    nodes = [node for node in subject.store.read_rows("merge/nodes.jsonl", Node) if node.id != LAST]
    edges = [edge for edge in subject.store.read_rows("merge/edges.jsonl", Edge) if LAST not in edge.key()]
    subject.store.write("merge/nodes.jsonl", jsonl(nodes))
    subject.store.write("merge/edges.jsonl", jsonl(edges))
    chapter = data_of(page_of(subject))["contents"][0]["parts"][1]
    assert len(chapter["parts"]) == 1
    names = [data_of(page_of(subject))["nodes"][node][2].partition(":")[0] for node, _ in chapter["items"]]
    assert "A question about inertia" in names


def test_the_quotation_that_explains_a_node_comes_first(subject: Project) -> None:
    nodes = list(subject.store.read_rows("merge/nodes.jsonl", Node))
    at = next(i for i, node in enumerate(nodes) if node.name == "wave")
    said = nodes[at].provenance[0]
    early = said.model_copy(update={"quote": "A wave comes in.", "start": 0})
    nodes[at] = nodes[at].model_copy(update={"provenance": (early, said)})
    subject.store.write("merge/nodes.jsonl", jsonl(nodes))
    data = data_of(page_of(subject))
    shown = next(node for node in data["nodes"] if node[2] == "wave")[4]
    assert [data["quotes"][row[2]] for row in shown] == [said.quote, "A wave comes in."]


def test_places_are_given_by_section_and_printed_page(subject: Project) -> None:
    data = data_of(page_of(subject))
    velocity = next(node for node in data["nodes"] if node[2] == "velocity")
    ((section, page, words, match),) = velocity[4]
    assert data["sections"][section][1:] == ["physics:section:physics-8:1.2", "1.2 How fast things move"]
    assert data["books"][data["sections"][section][0]][3][page] == "5"
    assert data["quotes"][words] == "Velocity is speed in a stated direction." and match == "exact"


def test_quotations_are_written_once_and_cut_with_their_number_kept(subject: Project) -> None:
    nodes = list(subject.store.read_rows("merge/nodes.jsonl", Node))
    at = next(i for i, node in enumerate(nodes) if node.name == "wave")
    said = nodes[at].provenance[0]
    many = tuple(said.model_copy(update={"start": i, "match": "fuzzy", "score": 91.0}) for i in range(9))
    nodes[at] = nodes[at].model_copy(update={"provenance": many})
    subject.store.write("merge/nodes.jsonl", jsonl(nodes))
    data = data_of(page_of(subject, quotes=2))
    wave = next(node for node in data["nodes"] if node[2] == "wave")
    assert (len(wave[4]), wave[5]) == (2, 9)
    assert wave[4][0][3:] == ["fuzzy", 91.0, ""]
    assert len(data["quotes"]) == len(set(data["quotes"]))


def test_findings_name_what_is_no_longer_in_the_graph(subject: Project) -> None:
    data = data_of(page_of(subject))
    by_check = {finding[0]: finding for finding in data["findings"]}
    assert by_check["quote"][3] == ["phlogiston"]
    kind, source, target = by_check["cycle"][4]
    assert data["relations"][kind][0] == "prerequisite"
    assert [data["nodes"][end][2] for end in (source, target)] == ["kinetic energy", "speed"]
    assert [[data["nodes"][end][2] for end in pair] for pair in data["against"]] == [["refraction", "speed"]]


def test_types_unknown_to_the_schema_do_not_break_the_page(subject: Project) -> None:
    nodes = [*subject.store.read_rows("merge/nodes.jsonl", Node), Node(id="z", label="Alien", name="z")]
    edges = [*subject.store.read_rows("merge/edges.jsonl", Edge), Edge(source="z", target="z", type="odd")]
    odd = Finding(check="shape", action="note", message="?", edge=("odd", "z", "gone"))
    subject.store.write("merge/nodes.jsonl", jsonl(nodes))
    subject.store.write("merge/edges.jsonl", jsonl(edges))
    subject.store.write("validate/findings.jsonl", jsonl([odd]))
    data = data_of(page_of(subject))
    assert data["nodes"][-1][1] == -1
    assert data["findings"] == [["shape", "note", "?", [], [-1, len(data["nodes"]) - 1, "gone"]]]


@pytest.mark.parametrize(("code", "word"), [("en", "concepts"), ("zh", "概念")])
def test_the_page_is_labelled_in_its_language(subject: Project, code: str, word: str) -> None:
    page = page_of(subject, language=code)
    assert f'<html lang="{code}">' in page
    assert word in {kind["many"] for kind in data_of(page)["types"]}
