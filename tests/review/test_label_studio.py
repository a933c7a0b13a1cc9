"""Tasks go out to Label Studio and its annotations come back as votes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from sqlalchemy import Engine

from kg.errors import InputError
from review.label_studio import export, take_in
from review.votes import Votes
from tests.review.conftest import an_edge_task, many


def annotated(path: Path, choices: dict[str, list[str]]) -> Path:
    """What Label Studio exports when these people have chosen these verdicts, task by task."""
    rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    for number, row in enumerate(rows):
        row["annotations"] = [
            {
                "completed_by": {"id": 1, "email": who},
                "lead_time": 2.5,
                "result": [
                    {"type": "choices", "from_name": "verdict_edge", "value": {"choices": [given[number]]}},
                    {"type": "textarea", "from_name": "comment", "value": {"text": ["hm"]}},
                ],
            }
            for who, given in choices.items()
        ]
    done = path.with_name("annotations.json")
    done.write_text(json.dumps(rows), encoding="utf-8")
    return done


def test_what_goes_out_comes_back_as_votes_and_taking_it_in_twice_changes_nothing(
    sqlite: Engine, tmp_path: Path
) -> None:
    tasks = many(2)
    votes = Votes(sqlite, "physics", judges=2)
    votes.load(tasks)
    export(tasks, tmp_path / "tasks.json")
    file = annotated(tmp_path / "tasks.json", {"a@x.org": ["keep", "remove"], "b@x.org": ["keep", "keep"]})
    first = take_in(file, tasks, votes)
    assert (first.votes, first.known, first.refused) == (4, 0, ())
    assert take_in(file, tasks, votes) == type(first)(0, 4, ())
    assert [vote.person for vote in votes.votes(tasks[0].id)] == ["label-studio:a@x.org", "label-studio:b@x.org"]
    assert votes.votes(tasks[0].id)[0].seconds == 2.5
    assert votes.disagreements() == [tasks[1].id]


def test_what_cannot_be_taken_in_is_said_line_by_line(sqlite: Engine, tmp_path: Path) -> None:
    tasks = many(3)
    votes = Votes(sqlite, "physics", judges=1)
    votes.load([tasks[0].model_copy(update={"content": "changed since"}), *tasks[1:]])
    export(tasks, tmp_path / "tasks.json")
    file = annotated(tmp_path / "tasks.json", {"a@x.org": ["keep", "keep", "keep"], "b@x.org": ["keep", "keep", "fly"]})
    rows = json.loads(file.read_text(encoding="utf-8"))
    rows[1]["annotations"][0] = {"was_cancelled": True, "completed_by": 7, "result": []}
    rows[2]["annotations"][0]["result"] = []
    rows.append({"data": {"id": "unknown"}, "annotations": [{"result": []}, None]})
    file.write_text(json.dumps(rows), encoding="utf-8")
    done = take_in(file, tasks, votes)
    assert done.votes == 1
    assert [line.split(":")[0] for line in done.refused] == ["task 1"] * 2 + ["task 2"] + ["task 3"] * 2 + [
        "task 4"
    ] * 2


def test_the_interface_is_well_formed_and_asks_each_kind_its_own_question(tmp_path: Path) -> None:
    export([an_edge_task(1, "<script>&")], tmp_path / "deep" / "tasks.json")
    root = ElementTree.fromstring((tmp_path / "deep" / "tasks.xml").read_text(encoding="utf-8"))
    offered = {node.get("whenTaskDataValue"): [c.get("value") for c in node] for node in root.iter("Choices")}
    assert offered["edge"] == ["keep", "remove"] and offered["pair"] == ["merge", "apart"]


@pytest.mark.parametrize("text", ["", "{}", "[1]", "\x00"])
def test_a_file_that_is_no_export_is_one_clear_line(text: str, sqlite: Engine, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError):
        take_in(tmp_path / "x.json", [], Votes(sqlite, "physics"))
