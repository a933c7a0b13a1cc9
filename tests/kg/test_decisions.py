"""The file of decisions: read line by line, and what people saw said in words."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from kg.decisions import Decision, edge_content, node_content, pair_content, read, use_content
from kg.errors import InputError
from kg.graph import Edge, Node
from kg.schema import GraphSchema


def test_what_is_written_is_read_back_and_bad_lines_cost_only_themselves(tmp_path: Path) -> None:
    path = tmp_path / "physics.decisions.jsonl"
    good = Decision(kind="edge", about=("is_a", "a", "b"), verdict="remove", content="“a” is_a “b”", by=("Ada",))
    path.write_text(f'{good.to_json()}\n\nnonsense\n{{"kind": "edge"}}\n{good.to_json()}\n', encoding="utf-8")
    decisions, failures = read(path)
    assert decisions == [good, good]
    assert [failure.item for failure in failures] == [f"{path.name}, line 3", f"{path.name}, line 4"]


def test_a_file_that_is_not_there_holds_nothing_and_one_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    assert read(tmp_path / "none.jsonl") == ([], [])
    (tmp_path / "x").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError):
        read(tmp_path / "x")


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "edge", "about": ("a",), "verdict": "keep"},
        {"kind": "pair", "about": ("a", "b"), "verdict": "remove"},
        {"kind": "node", "about": ("a",), "verdict": "merge"},
        {"kind": "node", "about": ("a",), "verdict": "change"},
        {"kind": "node", "about": ("a",), "verdict": "keep", "change": {"name": "b"}},
        {"kind": "node", "about": ("a",), "verdict": "keep", "colour": "red"},
    ],
)
def test_a_decision_that_makes_no_sense_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Decision.model_validate(wrong)


def test_contents_say_what_people_saw_and_spacing_does_not_count(schema: GraphSchema) -> None:
    term = schema.node_type("term")
    speed = Node(
        id="s", label=term, name="speed", properties={"definition": "distance\n per time", "importance": "master"}
    )
    bare = Node(id="a", label="Unknown", name="x")
    assert node_content(speed, schema) == f"{term} “speed”: distance per time"
    assert node_content(bare, schema) == "Unknown “x”"
    assert pair_content(speed, bare, schema) == f"Unknown “x” | {term} “speed”: distance per time"
    assert edge_content(Edge(source="s", target="t", type="is_a"), {"s": "speed"}) == "“speed” is_a “t”"
    assert use_content("speed", "Speed  is") == "“speed”: Speed is"
    decision = Decision(kind="node", about=("s",), verdict="keep", content=f"{term} speed — Distance per time.")
    assert decision.saw(node_content(speed, schema)) and not decision.saw(node_content(bare, schema))
