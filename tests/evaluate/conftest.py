"""Items small enough to score by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
import yaml

from evaluate.settings import TaskFormat
from kg.item import Item
from kg.stage import ROOT


def an_item(number: int, answer: str = "A", **more: object) -> Item:
    options = {letter: f"option {letter.lower() * 3} of {number}" for letter in "ABCD"}
    facts = {"task": "prereq_1", "family": "prereq", "subject": "physics", "stage": "middle", "query": f"q{number}"}
    data = {"id": f"i{number:03}", "question": f"Which of these is right in case {number}?", "options": options}
    return Item.model_validate({**data, "answer": tuple(answer), **facts, **more})


@pytest.fixture(scope="session")
def k12() -> TaskFormat:
    data = yaml.safe_load((ROOT / "conf/evaluate/tasks/k12.yaml").read_text(encoding="utf-8"))
    return TaskFormat.model_validate(data)


@pytest.fixture
def write_items(tmp_path: Path) -> Callable[..., Path]:
    """Writes items, or raw lines, as a JSON-lines file and returns its path."""

    def write(rows: Sequence[Item | str | Mapping[str, object]], name: str = "bench.jsonl") -> Path:
        lines = [
            row if isinstance(row, str) else row.to_json() if isinstance(row, Item) else json.dumps(row) for row in rows
        ]
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return write
