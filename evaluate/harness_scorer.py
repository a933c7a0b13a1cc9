"""Scores replies inside lm-evaluation-harness exactly as `python -m evaluate` does.

In: a folder made by `export=DIR`, into which this file is copied together with `parse.py` and `metric.py`. Out: the
functions that the task files name. Nothing of the rest of the repository is needed there.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


def load(task: str = "", **_: Any) -> dict[str, Any]:
    """The items of one subtask (all if none is named) as the split `test`."""
    datasets = importlib.import_module("datasets")
    lines = (HERE / "items.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if task in ("", row["task"])]
    return {"test": datasets.Dataset.from_list(rows)}


def process_results(doc: dict[str, Any], results: list[str]) -> dict[str, float]:
    """EM, F1 and whether the reply could be read, each in [0, 1]."""
    options = dict(zip(doc["letters"], doc["options"], strict=True))
    reading = _beside("parse").read(results[0], options, _words())
    points = _beside("metric").points(doc["answer"], reading.letters)
    return {"em": points.em, "f1": points.f1, "read": float(bool(reading.letters))}


@cache
def _words() -> Any:
    data = json.loads((HERE / "words.json").read_text(encoding="utf-8"))
    return _beside("parse").words([data])


@cache
def _beside(name: str) -> Any:
    """The module in the file next to this one."""
    unique = f"_textbook_kg_{name}"
    spec = importlib.util.spec_from_file_location(unique, HERE / f"{name}.py")
    if spec is None or spec.loader is None:
        raise ImportError(f"no {name}.py in {HERE}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[unique] = module
    spec.loader.exec_module(module)
    return module
