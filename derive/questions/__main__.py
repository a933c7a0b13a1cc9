"""The command line: `python -m derive.questions QUESTIONS SHEET.csv [SHEET.csv …] [out=FILE.json]`.

In: the folder of a question set, sheets that people filled in. Out: how far they agree, as a table and as JSON.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import rich.console
from rich.markup import escape
from rich.table import Table

from derive.questions import sheet
from derive.questions.agreement import Agreement, agreement
from derive.questions.pack import Pack
from derive.questions.probe import Probed
from kg import language
from kg.errors import InputError, KgError
from kg.item import Item
from kg.stage import ROOT
from kg.store import Store

DONE, WRONG = 0, 2
ROWS = ("items.jsonl", "multiselect.jsonl")
HELP = """python -m derive.questions QUESTIONS SHEET.csv [SHEET.csv …] [out=FILE.json]

How far people agree about questions. Give each person a copy of audit_sheet.csv; they fill in the last columns.

  QUESTIONS       the folder that derive=questions wrote (items.jsonl, audit_sheet.csv …)
  SHEET.csv       a filled copy; its name is the person's
  out=FILE.json   the figures as JSON

Shows per criterion: answers that say no per 100, how often two people say the same, Fleiss' kappa; by level: how often
the keyed letters were chosen; between levels: Welch, Mann-Whitney, Brunner-Munzel (Holm), Hedges' g, Cliff's delta;
with probe.jsonl: how errors and the model's entropy go together.
Exit codes: 0 done; 2 a sheet or the folder cannot be read."""


def main(arguments: Sequence[str]) -> int:
    """Shows the figures; returns the exit code."""
    console, complaints = rich.console.Console(highlight=False), rich.console.Console(stderr=True, highlight=False)
    words = [word for word in arguments if not word.startswith("out=")]
    if {"-h", "--help", "help"} & set(arguments) or len(words) < 2:
        console.print(escape(HELP), soft_wrap=True)
        return DONE if words and len(words) != 1 else WRONG
    try:
        found = _found(Store(Path(words[0])), [Path(word) for word in words[1:]])
    except KgError as error:
        complaints.print(f"[red]error:[/] {escape(str(error))}", soft_wrap=True)
        return WRONG
    _show(found, console)
    for word in arguments:
        if word.startswith("out="):
            path = Path(word.removeprefix("out="))
            Store(path.parent).write(path.name, (found.model_dump_json(indent=1) + "\n").encode("utf-8"))
    return DONE


def _found(store: Store, sheets: Sequence[Path]) -> Agreement:
    if not store.exists(ROWS[0]):
        remedy = "name the folder with items.jsonl"
        raise InputError("is no question set", where=str(store.root), remedy=remedy)
    items = {row.id: row for name in ROWS if store.exists(name) for row in store.read_rows(name, Item)}
    probed = list(store.read_rows("probe.jsonl", Probed)) if store.exists("probe.jsonl") else []
    packs = [pack.part("questions", Pack) for pack in language.load(ROOT / "conf" / "language").values()]
    return agreement([sheet.read(path, packs, items) for path in sheets], items, probed)


def _show(found: Agreement, console: rich.console.Console) -> None:
    console.print(f"{found.items} items, {len(found.people)} people: {escape(', '.join(found.people))}")
    table = Table("criterion", "answers", "no per 100", "same", "kappa", "items all judged")
    for name, one in found.criteria.items():
        figures = (str(one.judged), f"{one.flagged_per_100:.1f}", _shown(one.agreement), _shown(one.kappa))
        table.add_row(name, *figures, str(one.items))
    console.print(table)
    for level, share in found.accuracy.items():
        console.print(f"level {level}: {share.value:.1%} right ({share.low:.1%}–{share.high:.1%}, n={share.n})")
    for pair in found.differences:
        tests = f"Welch {_shown(pair.welch)}, Mann-Whitney {_shown(pair.mann_whitney)}"
        tests += f", Brunner-Munzel {_shown(pair.brunner_munzel)}"
        sizes = f"g {_shown(pair.hedges)}, delta {_shown(pair.cliff)}"
        console.print(f"levels {pair.levels[0]} and {pair.levels[1]}: p {tests}; {sizes}")
    if (pearson := found.error_and_entropy) and (ranks := found.error_and_entropy_ranks):
        console.print(f"error and entropy: r {_shown(pearson.value)}, rho {_shown(ranks.value)} (n={pearson.n})")


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
