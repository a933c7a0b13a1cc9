"""The data card: README.md with the block that Hugging Face reads, all figures taken from the manifest.

In: the manifest, tables. Out: bytes. The words stand in `texts/card.md`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from release.tables import Table

TEMPLATE = Path(__file__).resolve().parent / "texts" / "card.md"
_SLOT = re.compile(r"\{\{(\w+)\}\}")
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def card(manifest: Mapping[str, Any], tables: Sequence[Table], license_lines: Mapping[str, str]) -> bytes:
    """The card. Tables without rows have no configuration: some versions of `datasets` cannot load them."""
    filled = [table for table in tables if table.rows]
    head = {
        "pretty_name": manifest["title"],
        "language": manifest["languages"],
        **license_lines,
        "size_categories": [_size(sum(len(table.rows) for table in filled))],
        "task_categories": ["question-answering", "text-generation"],
        "tags": ["education", "knowledge-graph", "curriculum"],
        "configs": configs(filled),
    }
    words = TEMPLATE.read_text(encoding="utf-8")
    slots = _slots(manifest, filled)
    body = _SLOT.sub(lambda slot: slots[slot[1]], words)
    front = yaml.safe_dump(head, allow_unicode=True, sort_keys=False)
    return f"---\n{front}---\n{body}".encode()


def configs(tables: Sequence[Table]) -> list[dict[str, Any]]:
    """One configuration per table name, the first one the default."""
    files: dict[str, list[dict[str, str]]] = {}
    for table in tables:
        files.setdefault(table.name, []).append({"split": table.split, "path": table.file})
    return [
        {"config_name": name, "data_files": found, **({"default": True} if place == 0 else {})}
        for place, (name, found) in enumerate(files.items())
    ]


def _size(rows: int) -> str:
    return next((name for limit, name in SIZES if rows < limit), "n>1M")


def _slots(manifest: Mapping[str, Any], tables: Sequence[Table]) -> dict[str, str]:
    evidence, review = manifest["evidence"], manifest["review"]
    confirmed = review["nodes_accepted"] + review["edges_accepted"]
    need = f"{evidence['edges_quoted']:,} of {evidence['edges_needing']:,} relations that must rest on a quotation do"
    return {
        "title": manifest["title"],
        "name": manifest["name"],
        "version": manifest["version"],
        "bench_version": manifest["bench_version"],
        "about": manifest["about"],
        "tables": _table(
            ("configuration", "split", "rows", "file"),
            [(table.name, table.split, f"{len(table.rows):,}", f"`{table.file}`") for table in tables],
        ),
        "nodes": _table(("node type", "number"), list(manifest["counts"]["nodes"].items())),
        "edges": _table(("edge type", "number"), list(manifest["counts"]["edges"].items())),
        "books": _table(
            ("book", "grade", "language", "licence"),
            [
                (book["title"], book["grade"], book["language"], book["license"] or "unknown")
                for book in manifest["books"]
            ],
        ),
        "extractors": ", ".join(
            f"{name} ({sum(rules.values()):,} claims)" for name, rules in manifest["extractors"].items()
        )
        or "unknown",
        "evidence": (
            f"{need}; {evidence['quotations']:,} quotations in all, "
            + ", ".join(f"{count:,} {match}" for match, count in evidence["matches"].items())
        ),
        "review": (
            f"{review['decisions']:,} decisions of people were known to this release, "
            f"{review['applied']:,} of them applied; {confirmed:,} nodes and edges are confirmed."
        ),
        "agreement": _agreement(manifest["agreement"]),
        "quotes": "with quotations" if manifest["quotes"] == "full" else "without quotations: places only (`offsets`)",
        "withheld": ", ".join(f"{count:,} {name}" for name, count in manifest["withheld"].items()) or "nothing",
        "first": tables[0].name if tables else "nodes",
    }


def _agreement(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows over all types of what annotators judged, in words."""
    whole = [row for row in rows if not row.get("type")]
    told = [
        f"{row['kind']}s: κ {row['kappa']:.2f} on {row['tasks']:,} tasks"
        if isinstance(row.get("kappa"), float | int)
        else f"{row['kind']}s: κ is not defined on {row['tasks']:,} tasks"
        for row in whole
    ]
    return "; ".join(told) or "not measured"


def _table(heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(_cell(value) for value in row) + " |" for row in rows]
    return "\n".join(lines)


def _cell(value: Any) -> str:
    text = f"{value:,}" if isinstance(value, int) else str(value)
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")
