"""What an evaluation says on the terminal: a bar with rate, money and time left, a table of scores, one line per fault.

In: progress and results. Out: text; without a terminal the bar stays away and the lines come.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import rich.console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

from evaluate import ask
from evaluate.compare import Comparison
from evaluate.results import Answers, Results
from kg.errors import Failure
from kg.llm_client import Spend

MOST = 20
"""Faults shown one by one; all of them are in `run.json`."""


class Terminal:
    """Standard output for results, standard error for faults."""

    def __init__(self, quiet: bool = False) -> None:
        self.out = rich.console.Console(quiet=quiet, highlight=False)
        self.err = rich.console.Console(stderr=True, highlight=False)

    @contextmanager
    def asking(self, name: str) -> Iterator[ask.Progress]:
        """A bar while a model is asked; the yielded function moves it."""
        columns = (
            TextColumn("{task.description}"),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TaskProgressColumn(show_speed=True),
            TimeRemainingColumn(),
            TextColumn("[dim]{task.fields[spent]}[/]"),
        )
        with Progress(*columns, console=self.out, transient=True, disable=not self.out.is_terminal) as bars:
            task = bars.add_task(escape(name), total=None, spent="")

            def move(done: int, total: int, failed: int, spend: Spend) -> None:
                seconds = bars.tasks[0].elapsed or 0.0
                rate = f"{done / seconds:.1f}/s" if seconds > 0 else ""
                parts = [rate, money(spend), f"{failed} failed" if failed else ""]
                bars.update(task, completed=done, total=total, spent=" · ".join(filter(None, parts)))

            yield move

    def line(self, text: str) -> None:
        """One line of news."""
        self.out.print(escape(text), soft_wrap=True)

    def faults(self, failures: Sequence[Failure]) -> None:
        """One line each, the first of them if there are many."""
        for failure in failures[:MOST]:
            self.err.print(f"[red]{escape(str(failure))}[/]", soft_wrap=True)
        if len(failures) > MOST:
            self.err.print(f"[red]… and {len(failures) - MOST} more, all in run.json[/]")

    def hints(self, reasons: Mapping[str, int]) -> None:
        """Why items have no answer, one line per reason."""
        for reason, count in list(reasons.items())[:MOST]:
            self.err.print(f"[red]{count:,} not answered: {escape(reason)}[/]", soft_wrap=True)

    def error(self, text: str) -> None:
        """One line on standard error."""
        self.err.print(f"[red]error:[/] {escape(text)}", soft_wrap=True)

    def scores(self, results: Results) -> None:
        """Overall figures of every answerer and rule, then the answerers' by subtask."""
        table = Table(box=None, pad_edge=False, header_style="bold")
        for title in ("", "items", "EM", "", "F1", ""):
            table.add_column(title, justify="left" if title == "" and not table.columns else "right")
        named = [row.name for row in results.answers]
        for name in [*named, *results.baselines]:
            table.add_row(*_cells(results, name, "overall", "all", name), style="bold" if name in named else "")
        tasks = results.scores[named[0]].get("task", {}) if named else {}
        for value in tasks if len(tasks) > 1 else ():
            for name in named:
                table.add_row(*_cells(results, name, "task", value, f"{value}, {name}"))
        self.out.print(table)
        for row in results.answers:
            self._caveats(row)
        if results.comparison is not None:
            self._comparison(results.comparison)

    def _caveats(self, row: Answers) -> None:
        """What a reader of the figures has to know."""
        if not row.complete:
            self.err.print(
                f"[red]{escape(row.name)}: only {row.answered:,} of {row.items:,} items answered; "
                "the figures are over those and are no result[/]",
                soft_wrap=True,
            )
        if row.unread:
            self.out.print(f"{escape(row.name)}: no letters could be read in {row.unread:,} replies; each scores 0")
        if row.cut:
            self.out.print(f"{escape(row.name)}: {row.cut:,} replies ran into the token limit (protocol.max_tokens)")

    def _comparison(self, comparison: Comparison) -> None:
        row = comparison.differences.get("overall", {}).get("all")
        if row is not None:
            self.out.print(
                f"{escape(comparison.first)} minus {escape(comparison.second)} on {row.items:,} items: "
                f"EM {row.em:+.2f} [{row.em_interval[0]:+.1f}, {row.em_interval[1]:+.1f}], "
                f"F1 {row.f1:+.2f} [{row.f1_interval[0]:+.1f}, {row.f1_interval[1]:+.1f}], McNemar p = {row.p:.3g}",
                soft_wrap=True,
            )

    def page(self, path: Path) -> None:
        """Where to look."""
        self.out.print(f"Open [bold]{escape(str(path))}[/]", soft_wrap=True)


def _cells(results: Results, name: str, group: str, value: str, label: str) -> list[str]:
    cell = results.scores[name][group][value]
    cells = [escape(label), f"{cell.answered:,}"]
    for number, interval in ((cell.em, cell.em_interval), (cell.f1, cell.f1_interval)):
        cells.append("–" if number is None else f"{number:.2f}")
        cells.append(f"[dim]{interval[0]:.1f}–{interval[1]:.1f}[/]" if interval else "")
    return cells


def money(spend: Spend) -> str:
    """What was spent, in words; the tokens where the price is not known."""
    if spend.price is not None and spend.cost is not None:
        return f"{spend.cost:.4f} {spend.price.currency}"
    return f"{spend.prompt + spend.completion:,} tokens" if spend.calls else ""
