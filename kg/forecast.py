"""What a run would do and why, and what the last one did; nothing is run and nothing is written.

In: a project and its stages. Out: `Forecast`s and lines for the terminal (`dry_run=true`, `status=true`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from kg.errors import DryRun
from kg.project import Project
from kg.stage import Stage, fingerprint, why_due

MOST = 5
"""Items that are named one by one."""


@dataclass(frozen=True)
class Forecast:
    """What a stage would do."""

    stage: str
    items: int = 0
    due: Mapping[str, str] = field(default_factory=dict)
    """Item -> why it would be done."""
    after: tuple[str, ...] = ()
    """Stages before it that have something to do and whose files it reads: only then its items are known."""
    says: str = ""
    """The stage's own estimate of calls, tokens and price, where it has one."""

    def lines(self) -> list[str]:
        """For the terminal: one line, and one for each of the first items."""
        head = f"{self.stage:<9} "
        if self.says:
            return [head + self.says]
        if self.after:
            return [f"{head}depends on {', '.join(self.after)}"]
        if not self.due:
            return [f"{head}nothing to do ({self.items:,} unchanged)"]
        reasons = Counter(self.due.values())
        if len(reasons) == 1:
            return [f"{head}{len(self.due):,} of {self.items:,} to do: {next(iter(reasons))}"]
        lines = [f"{head}{len(self.due):,} of {self.items:,} to do"]
        lines += [f"{'':<9}   {key}: {why}" for key, why in list(self.due.items())[:MOST]]
        if len(self.due) > MOST:
            lines.append(f"{'':<9}   … and {len(self.due) - MOST:,} more")
        return lines


def forecast(project: Project, stages: Sequence[Stage]) -> list[Forecast]:
    """One forecast per stage, in order."""
    found: list[Forecast] = []
    open_stages: list[Stage] = []
    for stage in stages:
        after = tuple(earlier.name for earlier in open_stages if _feeds(earlier, stage))
        known = all(project.store.exists(pattern) for pattern in stage.reads)
        one = _forecast(project, stage) if known or not after else Forecast(stage.name)
        if after and not one.says:
            one = Forecast(stage.name, after=after)
        found.append(one)
        if one.due or one.after or one.says:
            open_stages.append(stage)
    return found


def _forecast(project: Project, stage: Stage) -> Forecast:
    try:
        items = stage.plan(project)
    except DryRun as estimate:
        return Forecast(stage.name, says=estimate.what)
    base = fingerprint(stage, project)
    reasons = {item.key: why_due(project.store, stage.name, item, base) for item in items}
    return Forecast(stage.name, len(items), {key: why for key, why in reasons.items() if why})


def _feeds(earlier: Stage, later: Stage) -> bool:
    """True if the later stage reads what the earlier one writes."""
    return any(
        fnmatchcase(read, written) or fnmatchcase(written, read) for read in later.reads for written in earlier.writes
    )


def history(project: Project) -> list[str]:
    """The last run in lines; one line if there was none."""
    if not project.store.exists("run.json"):
        return [f"{project.title}: no run has finished in {project.store.root}"]
    run: Any = project.store.read_json("run.json")
    lines = [f"{project.title}: the last run took {run['seconds']:.1f} s and ended with exit code {run['exit_code']}"]
    for stage in run["stages"]:
        counts = ", ".join(f"{count:,} {name}" for name, count in stage["counts"].items() if count)
        lines.append(f"{stage['stage']:<9} {counts}")
        lines += [f"{'':<9}   failed: {row['item']}: {row['what']}" for row in stage["failures"][:MOST]]
        if len(stage["failures"]) > MOST:
            lines.append(f"{'':<9}   … and {len(stage['failures']) - MOST:,} more failures, all in run.json")
    return lines
