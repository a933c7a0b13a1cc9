"""Check any graph on its own: `python -m validate graph=PATH out=DIR`."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import rich.console
from rich.markup import escape

from kg.errors import InputError, KgError, SettingsError
from kg.gate import gate_of, held_back
from kg.graph_io import Rows, read_rows
from kg.schema import load
from kg.stage import ROOT
from kg.store import Store, jsonl
from validate.check import Limits, Verdict, check
from validate.stage import Validate
from validate.view import View

PASSED, WRONG, HELD = 0, 2, 4
HELP = """python -m validate graph=PATH [out=DIR] [schema=NAME] [min_confidence=X] [seconds=N] [gate=NAME]

Checks a graph: a folder with nodes.json and edges.json, or a file of the released K12-KGraph.

  graph=PATH          what to check
  out=DIR             where report.json and findings.jsonl go (default: validated)
  schema=NAME         conf/schema/NAME.yaml (default: k12)
  min_confidence=X    edges below are set aside, 0 to 1 (default: {min_confidence})
  gate=NAME           what makes the exit code 4: set_aside (default: what would have to be left out), strict (also what
                      a person should look at; only notes pass), none
  seconds=N           time limit for the repair of one tangle of circles (default: {seconds})

Exit codes: 0 the gate lets the graph pass; 4 it does not; 2 the graph or a setting cannot be read."""
MOST_SHOWN = 20


def main(arguments: Sequence[str]) -> int:
    """Writes findings and report; returns the exit code."""
    console, complaints = rich.console.Console(highlight=False), rich.console.Console(stderr=True, highlight=False)
    default = Validate()
    if not arguments or {"-h", "--help", "help"} & set(arguments):
        text = HELP.format(min_confidence=default.min_confidence, seconds=default.seconds)
        console.print(escape(text), soft_wrap=True)
        return PASSED if arguments else WRONG
    try:
        settings = _settings(arguments)
        schema = load(ROOT / "conf" / "schema" / f"{settings.get('schema', 'k12')}.yaml")
        gate = gate_of(settings, "set_aside")
        rows = _read(Path(settings["graph"]))
        limits = Limits(
            float(settings.get("min_confidence", default.min_confidence)),
            float(settings.get("seconds", default.seconds)),
        )
    except (KgError, ValueError) as error:
        complaints.print(escape(str(error)))
        return WRONG
    verdict = check(View(rows.nodes, rows.edges, schema), None, limits)
    _write(Store(Path(settings.get("out", "validated"))), verdict)
    _say(console, verdict, rows)
    held = held_back(gate, verdict.findings)
    if held:
        console.print(f"gate={gate}: held back by " + ", ".join(f"{held[check]} {check}" for check in sorted(held)))
    return HELD if held else PASSED


def _read(path: Path) -> Rows:
    """The graph as it stands in its files. Raises InputError if there is none or a record is no node or edge."""
    rows = read_rows(path)
    for failure in rows.failures[:1]:
        raise InputError(failure.what, where=failure.item, remedy=f"{len(rows.failures)} such records")
    return rows


def _settings(arguments: Sequence[str]) -> dict[str, str]:
    known = ("graph", "out", "schema", "min_confidence", "seconds", "gate")
    pairs = [argument.partition("=") for argument in arguments]
    for name, equals, value in pairs:
        if name not in known or not equals or not value:
            raise SettingsError(f"cannot read {name}{equals}{value}", remedy=f"expected one of {', '.join(known)}")
    settings = {name: value for name, _, value in pairs}
    if "graph" not in settings:
        raise SettingsError("no graph named", remedy="add graph=PATH")
    return settings


def _write(store: Store, verdict: Verdict) -> None:
    store.write("findings.jsonl", jsonl(verdict.findings))
    store.write("report.json", (json.dumps(verdict.report, ensure_ascii=False, indent=1) + "\n").encode("utf-8"))


def _say(console: rich.console.Console, verdict: Verdict, rows: Rows) -> None:
    serious = [finding for finding in verdict.findings if finding.action == "set_aside"]
    for finding in serious[:MOST_SHOWN]:
        console.print(f"{finding.check:<12} {escape(finding.message)}")
    if len(serious) > MOST_SHOWN:
        console.print(f"… and {len(serious) - MOST_SHOWN} more in findings.jsonl")
    state = "sound" if verdict.report["sound"] else f"not sound: {len(serious)} things would have to be set aside"
    console.print(f"{len(rows.nodes)} nodes, {len(rows.edges)} edges: {state}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
