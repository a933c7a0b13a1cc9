"""One run: the stages in order, what each did in a line, and `run.json` for everybody who asks later."""

from __future__ import annotations

import json
import platform
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from kg.console import Console
from kg.engine import BUG
from kg.gate import Gate, gate_of, held_back
from kg.graph import Finding
from kg.project import Project
from kg.stage import Engine, Stage, StageReport, check_order, run_stage
from kg.store import file_sha256

DONE, BUGS, SETTINGS, INCOMPLETE, HELD, INTERRUPTED = 0, 1, 2, 3, 4, 130
"""Exit codes: all done; a bug of ours; wrong settings or inputs; finished but something failed; finished but the gate
holds it back; stopped by Ctrl-C."""
FINDINGS = "validate/findings.jsonl"

LIBRARIES = ("hydra-core", "jsonschema", "networkx", "pydantic", "pymupdf", "rapidfuzz", "scipy")


def run(
    project: Project, stages: Sequence[Stage], engine: Engine, console: Console, settings: Mapping[str, Any]
) -> int:
    """All stages have run, and what failed has been said. Returns the exit code.

    Raises SettingsError if a stage lacks what it reads, or the setting `gate` is unknown.
    """
    gate = gate_of(settings)
    check_order(stages, project.store)
    console.opening(project)
    reports: list[StageReport] = []
    began = time.perf_counter()
    with engine.session(project) as session:
        for stage in stages:
            with console.stage(stage.name) as progress:
                report = run_stage(stage, project, session, progress)
            console.stage_line(report)
            reports.append(report)
    seconds = time.perf_counter() - began
    reasons = gate_reasons(project, gate)
    code = exit_code(reports) or (HELD if reasons else DONE)
    graph = graph_counts(project)
    _write_manifest(project, reports, settings, graph, seconds, code)
    console.closing(project, reports, graph, seconds)
    if reasons:
        console.held_back(gate, reasons)
    return code


def exit_code(reports: Sequence[StageReport]) -> int:
    """0: nothing failed; 1: one of the failures is a bug of ours; 3: something else failed."""
    failures = [failure for report in reports for failure in report.failures]
    if any(failure.what.startswith(BUG) for failure in failures):
        return BUGS
    return INCOMPLETE if failures else DONE


def gate_reasons(project: Project, gate: Gate) -> dict[str, int]:
    """What holds the run back: findings per check; `nothing checked` where a gate has nothing to judge by."""
    if gate == "none":
        return {}
    if not project.store.exists(FINDINGS):
        return {"nothing checked": 1}
    return dict(sorted(held_back(gate, project.store.read_rows(FINDINGS, Finding)).items()))


def graph_counts(project: Project) -> dict[str, dict[str, int]]:
    """Nodes per label, edges per type, and findings per action; empty where not made yet."""
    store, counts = project.store, {}
    for name, field in (("nodes", "label"), ("edges", "type")):
        if store.exists(f"graph/{name}.json"):
            counts[name] = dict(sorted(Counter(row[field] for row in store.read_json(f"graph/{name}.json")).items()))
    if store.exists(FINDINGS):
        lines = store.read_text(FINDINGS).split("\n")[:-1]
        counts["findings"] = dict(sorted(Counter(json.loads(line)["check"] for line in lines).items()))
    return counts


def _write_manifest(
    project: Project,
    reports: Sequence[StageReport],
    settings: Mapping[str, Any],
    graph: Mapping[str, Any],
    seconds: float,
    code: int,
) -> None:
    manifest = {
        "subject": project.subject,
        "exit_code": code,
        "seconds": round(seconds, 3),
        "graph": graph,
        "stages": [
            {
                "stage": report.stage,
                "items": report.items,
                "skipped": report.skipped,
                "seconds": round(report.seconds, 3),
                "counts": report.counts,
                "failures": [json.loads(failure.to_json()) for failure in report.failures],
            }
            for report in reports
        ],
        "inputs": {book.slug: _input(book.file) for book in project.books},
        "versions": {"python": platform.python_version(), **_versions()},
        "settings": settings,
    }
    data = json.dumps(manifest, ensure_ascii=False, indent=1, default=str)
    project.store.write("run.json", data.encode("utf-8"))


def _input(file: str) -> dict[str, str]:
    path = Path(file)
    return {"file": file, "sha256": file_sha256(path) if path.is_file() else ""}


def _versions() -> dict[str, str]:
    found = {}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
