"""How far two runs agree: `python -m extract RUN RUN [out=FILE]`, see `HELP`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import rich.console
from rich.markup import escape
from rich.table import Table

from extract.stability import Agreement, agreement, read_claims
from kg.errors import InputError, KgError
from kg.language import Language, load
from kg.pipeline import DONE, SETTINGS
from kg.stage import ROOT

HELP = """python -m extract RUN RUN [out=FILE]

How far two extractions of the same books agree: two runs, two models, a model and the rules. RUN is a run's folder
(`outputs/physics`). Shown are the shares of nodes and edges that both have (Jaccard), and the sections that agree
least.

  out=FILE    writes everything only one of the two has, as JSON lines, the sections with most of it first. As
              `review/disagreements.jsonl` of a run's folder it leads that run's queue (run again: `python run.py …`)
"""
SHOWN = 10


def main(words: Sequence[str]) -> int:
    """The exit code: 0 done, 2 wrong arguments or input."""
    console = rich.console.Console(highlight=False)
    folders = [Path(word) for word in words if not word.startswith("out=")]
    if len(folders) != 2:
        console.print(escape(HELP))
        return SETTINGS
    try:
        found = dict(_books(*folders))
    except KgError as error:
        rich.console.Console(stderr=True, highlight=False).print(f"[red]error:[/] {escape(str(error))}", soft_wrap=True)
        return SETTINGS
    console.print(_table(found))
    for word in words:
        if word.startswith("out="):
            rows = [{"book": book, **row} for book, one in found.items() for row in one.rows()]
            text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            Path(word.removeprefix("out=")).write_text(text, encoding="utf-8")
    return DONE


def _books(one: Path, other: Path) -> Iterator[tuple[str, Agreement]]:
    """Every book that both runs have. Raises InputError if there is none."""
    languages = load(ROOT / "conf" / "language")
    found = sorted(path.parent.name for path in one.glob("extract/*/claims.jsonl"))
    shared = [book for book in found if (other / "extract" / book / "claims.jsonl").is_file()]
    if not shared:
        raise InputError("the two have no book in common", where=f"{one}, {other}", remedy="name two runs' folders")
    for book in shared:
        claims = [read_claims(run / "extract" / book / "claims.jsonl") for run in (one, other)]
        yield book, agreement(claims[0], claims[1], _language(one, book, languages))


def _language(run: Path, book: str, languages: dict[str, Language]) -> Language:
    """The book's, as its document says."""
    document = run / "ingest" / book / "document.json"
    code = json.loads(document.read_text(encoding="utf-8")).get("language", "") if document.is_file() else ""
    return languages.get(code) or next(iter(languages.values()))


def _table(found: dict[str, Agreement]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("book, section", "nodes", "edges", "differ"):
        table.add_column(title, justify="left" if title.startswith("book") else "right")
    for book, one in found.items():
        summary = one.summary()
        differ = sum(len(side) for part in (one.nodes, one.edges) for side in (part.first, part.second))
        table.add_row(f"[bold]{escape(book)}[/]", _share(summary["nodes"]), _share(summary["edges"]), str(differ))
        for row in summary["least agreement"][:SHOWN]:
            cells = (_share(row["nodes"]), _share(row["edges"]), str(row["differ"]))
            table.add_row(f"  {escape(row['section'])}", *cells)
    return table


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.0%}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
