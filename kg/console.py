"""What a run says: a progress bar while a stage works, a line when it is done, a table at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import rich.console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from kg import stage as stages
from kg.project import Project
from kg.stage import StageReport

MOST_FAILURES = 20
"""Failures shown one by one; all of them are in `run.json`."""


class Console:
    """Writes to the terminal; without one (a pipe, a log) the bars stay away and the lines come."""

    def __init__(self, quiet: bool = False) -> None:
        self.out = rich.console.Console(quiet=quiet, highlight=False)
        self.err = rich.console.Console(stderr=True, highlight=False)

    def opening(self, project: Project) -> None:
        """Says what is about to be read and where the results go."""
        count = len(project.books)
        books = f"{count} book{'s' if count != 1 else ''}"
        self.out.print(
            f"[bold]{escape(project.title or project.subject)}[/]: {books} → {escape(str(project.store.root))}"
        )

    @contextmanager
    def stage(self, name: str) -> Iterator[stages.Progress]:
        """A bar for one stage; the yielded function moves it."""
        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("[dim]{task.fields[last]}"),
        )
        with Progress(*columns, console=self.out, transient=True, disable=not self.out.is_terminal) as bars:
            task = bars.add_task(f"{name:<9}", total=None, last="")

            def move(done: int, total: int, last: str) -> None:
                bars.update(task, completed=done, total=total, last=escape(last))

            yield move

    def stage_line(self, report: StageReport) -> None:
        """One line: what the stage made, and how much of it was left as it was."""
        counts = ", ".join(f"{count:,} {escape(name)}" for name, count in report.counts.items() if count)
        if report.items and report.skipped == report.items:
            counts += "  [dim](unchanged)[/]"
        elif report.skipped:
            counts += f"  [dim]({report.skipped} of {report.items} unchanged)[/]"
        mark = "[red]✗[/]" if report.failures else "[green]✓[/]"
        self.out.print(f"{mark} {report.stage:<9} {report.seconds:6.1f} s  {counts}", soft_wrap=True)
        for failure in report.failures[:MOST_FAILURES]:
            self.err.print(f"  [red]{escape(str(failure))}[/]", soft_wrap=True)
        if len(report.failures) > MOST_FAILURES:
            self.err.print(f"  [red]… and {len(report.failures) - MOST_FAILURES} more, all in run.json[/]")

    def closing(
        self, project: Project, reports: Sequence[StageReport], graph: Mapping[str, Mapping[str, int]], seconds: float
    ) -> None:
        """The table of what is in the graph, and the page to open."""
        if graph.get("nodes"):
            table = Table(box=None, pad_edge=False, header_style="bold")
            blocks = [(title, list(graph.get(title, {}).items())) for title in ("nodes", "edges", "findings")]
            for title, rows in blocks:
                table.add_column(title)
                table.add_column(f"{sum(count for _, count in rows):,}", justify="right")
            for line in range(max(len(rows) for _, rows in blocks)):
                table.add_row(*_cells([rows for _, rows in blocks], line))
            self.out.print(table)
        failures = sum(len(report.failures) for report in reports)
        ending = f"; [red]{failures} failed, see above and run.json[/]" if failures else ""
        self.out.print(f"{seconds:.1f} s{ending}")
        page = project.store.path("index.html")
        if page.is_file():
            self.out.print(f"Open [bold]{escape(str(page))}[/]", soft_wrap=True)

    def held_back(self, gate: str, reasons: Mapping[str, int]) -> None:
        """One line on standard error: what the gate did not let pass."""
        counts = ", ".join(f"{count:,} {check}" for check, count in reasons.items())
        self.err.print(f"[red]gate={escape(gate)}:[/] held back by {escape(counts)}", soft_wrap=True)

    def error(self, line: str) -> None:
        """One line on standard error."""
        self.err.print(f"[red]error:[/] {escape(line)}", soft_wrap=True)


def _cells(blocks: Sequence[Sequence[tuple[str, Any]]], line: int) -> list[str]:
    cells: list[str] = []
    for rows in blocks:
        name, count = rows[line] if line < len(rows) else ("", "")
        cells += [escape(str(name)), f"{count:,}" if isinstance(count, int) else ""]
    return cells
