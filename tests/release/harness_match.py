"""Runs the released lm-eval and Inspect tasks on recorded answers and compares them with our evaluator.

    python -m evaluate bench=RELEASE/exports/bench.jsonl predictions=ANSWERS name=recorded out=OWN
    ENV_WITH_LM_EVAL/bin/python tests/release/harness_match.py lm_eval RELEASE ANSWERS OWN/results.json
    ENV_WITH_INSPECT/bin/python tests/release/harness_match.py inspect RELEASE ANSWERS OWN/results.json

In: a release, JSON lines `{id, raw}`, our evaluator's results. Out: both figures overall and per subtask; exit code 1
if one differs in the last printed digit. Not a test that pytest runs: the tools are large.
"""

from __future__ import annotations

import importlib
import json
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

NAME = "recorded"


def say(*words: object) -> None:
    """One line on standard output."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")


def by_lm_eval(release: Path, answers: dict[str, str]) -> dict[str, list[dict[str, float]]]:
    """Subtask -> points of every item, as lm-evaluation-harness logged them."""
    lm_eval = importlib.import_module("lm_eval")
    model = importlib.import_module("lm_eval.api.model")
    tasks = importlib.import_module("lm_eval.tasks")

    class Recorded(model.LM):  # type: ignore[misc, name-defined]
        def generate_until(self, requests: list[Any], disable_tqdm: bool = False) -> list[str]:
            return [answers[request.doc["id"]] for request in requests]

        def loglikelihood(self, requests: list[Any]) -> Any:
            raise NotImplementedError

        def loglikelihood_rolling(self, requests: list[Any]) -> Any:
            raise NotImplementedError

    folder = release / "lm_eval"
    group = next(line for path in folder.glob("*.yaml") for line in path.read_text().split("\n") if "group:" in line)
    name = group.partition(":")[2].strip()
    manager = tasks.TaskManager(include_path=str(folder), include_defaults=False)
    found = lm_eval.simple_evaluate(
        model=Recorded(), tasks=[name], task_manager=manager, log_samples=True, bootstrap_iters=0
    )
    group_says = found["groups"][name]
    say("lm_eval's own group figures:", group_says["em,none"], group_says["f1,none"])
    return {
        task.removeprefix(f"{name}_"): [{"em": row["em"], "f1": row["f1"]} for row in rows]
        for task, rows in found["samples"].items()
    }


def by_inspect(release: Path, answers: dict[str, str]) -> dict[str, list[dict[str, float]]]:
    """Subtask -> points of every item, as Inspect logged them."""
    inspect_ai = importlib.import_module("inspect_ai")
    model = importlib.import_module("inspect_ai.model")
    sys.path.insert(0, str(release / "inspect"))
    task = importlib.import_module("task").textbook_kg()
    by_text = {sample.input[-1].text: answers[sample.id] for sample in task.dataset}

    class Recorded(model.ModelAPI):  # type: ignore[misc, name-defined]
        async def generate(self, input: list[Any], *_: Any, **__: Any) -> Any:
            return model.ModelOutput.from_content("recorded", by_text[input[-1].text])

        async def count_tokens(self, *_: Any, **__: Any) -> int:
            return 1  # the library would fetch a tokenizer

    model.modelapi(name="recorded")(Recorded)
    recorded = model.get_model("recorded/answers")
    points: dict[str, list[dict[str, float]]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as logs:
        log = inspect_ai.eval(task, model=recorded, log_dir=logs, display="none")[0]
        if log.status != "success":
            sys.exit(str(log.error))
        metrics = [(row.name, name, score.value) for row in log.results.scores for name, score in row.metrics.items()]
        say("inspect's own means:", metrics)
        for sample in log.samples:
            points[sample.metadata["task"]].append(next(iter(sample.scores.values())).value)
    return points


def compare(points: dict[str, list[dict[str, float]]], results: Path) -> int:
    """1 if a figure differs from what our evaluator reports (percent, four digits)."""
    own = json.loads(results.read_text(encoding="utf-8"))["scores"][NAME]
    theirs = {"overall": [row for rows in points.values() for row in rows], **points}
    worst = 0
    for task, rows in sorted(theirs.items()):
        ours = own["overall"]["all"] if task == "overall" else own["task"][task]
        figures = {name: round(100 * sum(row[name] for row in rows) / len(rows), 4) for name in ("em", "f1")}
        same = len(rows) == ours["items"] and all(figures[name] == ours[name] for name in figures)
        worst = max(worst, not same)
        say(task, len(rows), figures, "ok" if same else f"WRONG: {ours}")
    return worst


if __name__ == "__main__":
    how, where, recorded_answers, scores = sys.argv[1:]
    lines = Path(recorded_answers).read_text(encoding="utf-8").splitlines()
    said = {row["id"]: row["raw"] for row in map(json.loads, lines)}
    run = {"lm_eval": by_lm_eval, "inspect": by_inspect}[how]
    sys.exit(compare(run(Path(where).resolve(), said), Path(scores)))
