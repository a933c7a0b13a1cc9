"""`python -m validate`: any graph, one verdict."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kg.stage import ROOT
from tests.validate.conftest import Draft, edge
from validate.__main__ import main

RELEASED: dict[str, Any] = {
    "nodes": [
        {"id": "b", "label": "Book", "name": "七年级上册", "properties": {"subject": "数学"}},
        {"id": "c", "label": "Chapter", "name": "第一章"},
        {"id": "s", "label": "Section", "name": "第一节"},
        {"id": "k1", "label": "Concept", "name": "正数", "properties": {"definition": "大于0", "importance": "掌握"}},
        {"id": "k2", "label": "Concept", "name": "负数", "properties": {"definition": "小于0", "importance": "重要"}},
        {
            "id": "e",
            "label": "Exercise",
            "name": "?",
            "properties": {"stem": "?", "answer": "!", "difficulty": 1, "type": "应用题"},
        },
    ],
    "edges": [
        {"source": "c", "target": "b", "type": "is_part_of"},
        {"source": "s", "target": "c", "type": "is_part_of"},
        {"source": "k1", "target": "s", "type": "appears_in"},
        {"source": "k2", "target": "s", "type": "appears_in"},
        {"source": "k1", "target": "k2", "type": "prerequisites_for", "properties": {"evidence": "“正”与“负”"}},
        {"source": "e", "type": "tests_concept", "target_name_to_ids": [{"target": "k1"}, {"target": "k2"}]},
    ],
}


def folder(draft: Draft, path: Path) -> Path:
    """The draft as a folder of ours."""
    for name, rows in (("nodes", draft.nodes), ("edges", draft.edges)):
        path.mkdir(exist_ok=True)
        data = [row.model_dump(mode="json") for row in rows]  # type: ignore[attr-defined]
        (path / f"{name}.json").write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    return path


def test_a_sound_graph_of_ours_exits_0(draft: Draft, tmp_path: Path) -> None:
    graph = folder(draft, tmp_path / "graph")
    assert main([f"graph={graph}", f"out={tmp_path / 'out'}"]) == 0
    assert json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))["sound"] is True


def test_a_planted_circle_exits_4_and_is_in_the_findings(draft: Draft, tmp_path: Path) -> None:
    draft.edges.append(edge("prerequisites_for", "d", "a"))
    graph = folder(draft, tmp_path / "graph")
    assert main([f"graph={graph}", f"out={tmp_path / 'out'}"]) == 4
    lines = (tmp_path / "out" / "findings.jsonl").read_text(encoding="utf-8").splitlines()
    assert any(json.loads(line)["check"] == "cycle" for line in lines)


def test_a_released_graph_is_read_with_its_fan_outs_and_words(tmp_path: Path) -> None:
    path = tmp_path / "math.json"
    path.write_text(json.dumps(RELEASED, ensure_ascii=False), encoding="utf-8")
    assert main([f"graph={path}", f"out={tmp_path / 'out'}"]) == 0
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert report["findings"] == {"review": {"no_evidence": 2}}


def test_a_strict_gate_holds_back_what_a_person_should_see_and_none_lets_all_pass(draft: Draft, tmp_path: Path) -> None:
    path = tmp_path / "math.json"
    path.write_text(json.dumps(RELEASED, ensure_ascii=False), encoding="utf-8")
    out = f"out={tmp_path / 'out'}"
    assert main([f"graph={path}", out, "gate=strict"]) == 4
    draft.edges.append(edge("prerequisites_for", "d", "a"))
    graph = folder(draft, tmp_path / "graph")
    assert [main([f"graph={graph}", out, f"gate={gate}"]) for gate in ("none", "set_aside", "loose")] == [0, 4, 2]


@pytest.mark.parametrize(
    "arguments", [[], ["nonsense"], ["out=x"], ["graph=/no/such/file"], ["graph=x", "min_confidence=much"]]
)
def test_what_cannot_be_read_exits_2(arguments: list[str]) -> None:
    assert main(arguments) == 2


@pytest.mark.parametrize("content", ["not json", "[]", '{"nodes": [{}], "edges": []}', '{"nodes": 3}'])
def test_a_file_that_is_no_graph_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str) -> None:
    path = tmp_path / "graph.json"
    path.write_text(content, encoding="utf-8")
    assert main([f"graph={path}"]) == 2
    assert "graph.json" in capsys.readouterr().err.replace("\n", "")


def test_help_helps() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "validate", "--help"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert "graph=PATH" in done.stdout
