"""An exported task scores replies exactly as we do, with nothing of ours around it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from evaluate.ask import messages_of, prompts_of
from evaluate.harness import export
from evaluate.metric import points
from evaluate.parse import read
from evaluate.settings import Protocol
from evaluate.words import spoken_words
from kg.errors import SettingsError
from kg.language import Language
from tests.evaluate.conftest import an_item
from tests.evaluate.test_parse import NOT_READ, READ

ITEMS = [an_item(1, "A"), an_item(2, "BC", task="neighbor"), an_item(3, "B", task="")]

SCORE = """
import json, sys, types
rows = []
datasets = types.ModuleType("datasets")
datasets.Dataset = type("Dataset", (), {"from_list": staticmethod(lambda rows: rows)})
sys.modules["datasets"] = datasets
import harness_scorer as scorer
docs = scorer.load()["test"]
assert [doc["task"] for doc in scorer.load(task="neighbor", version=1.0)["test"]] == ["neighbor"]
replies = json.load(sys.stdin)
print(json.dumps([[scorer.process_results(doc, [reply]) for reply in replies] for doc in docs]))
"""


def test_replies_score_the_same_in_a_folder_of_its_own(tmp_path: Path, languages: Mapping[str, Language]) -> None:
    prompts = prompts_of(Protocol(), languages)
    pairs = [(item, messages_of(item, prompts, languages)) for item in ITEMS]
    assert export(tmp_path, "My bench", pairs, Protocol(), languages) == "my_bench"
    replies = [*READ, *NOT_READ]
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{SCORE}"],
        input=json.dumps(replies),
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    spoken = spoken_words(languages)
    for item, scores in zip(ITEMS, json.loads(done.stdout), strict=True):
        for reply, score in zip(replies, scores, strict=True):
            letters = read(reply, item.options, spoken).letters
            ours = points(item.answer, letters)
            assert score == {"em": ours.em, "f1": ours.f1, "read": float(bool(letters))}, reply


def test_task_files_name_the_group_and_every_subtask(tmp_path: Path, languages: Mapping[str, Language]) -> None:
    prompts = prompts_of(Protocol(), languages)
    export(tmp_path, "b", [(item, messages_of(item, prompts, languages)) for item in ITEMS], Protocol(), languages)
    group = yaml.safe_load((tmp_path / "b.yaml").read_text("utf-8"))
    assert group["task"] == ["b_neighbor", "b_other", "b_prereq_1"]
    assert all(row["weight_by_size"] for row in group["aggregate_metric_list"])
    task = (tmp_path / "b_neighbor.yaml").read_text("utf-8")
    assert "!function harness_scorer.process_results" in task and "max_gen_toks: 32" in task
    row = json.loads((tmp_path / "items.jsonl").read_text("utf-8").splitlines()[0])
    assert row["user"].startswith("Question: ") and "{{" not in row["system"]


def test_a_parser_that_is_not_exported_is_refused(tmp_path: Path, languages: Mapping[str, Language]) -> None:
    with pytest.raises(SettingsError, match="parser"):
        export(tmp_path, "b", [], Protocol(parser="k12"), languages)


def test_a_folder_that_cannot_be_written_is_one_clear_error(tmp_path: Path, languages: Mapping[str, Language]) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(SettingsError, match="cannot write"):
        export(tmp_path / "file", "b", [], Protocol(), languages)
