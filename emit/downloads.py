"""What can be taken away from a run, as paths beside the page.

In: the folder of a run. Out: [path, what it is, size in bytes] for the page's list of downloads.
"""

from __future__ import annotations

from kg.store import Store

ALWAYS = (("run.json", "run"),)
"""Written at the end of every run, after the page: listed without a size."""
LISTED = (
    ("graph/nodes.json", "nodes"),
    ("graph/edges.json", "edges"),
    ("validate/findings.jsonl", "findings"),
    ("validate/report.json", "report"),
    ("merge/merges.jsonl", "merges"),
    ("review/queue.jsonl", "queue"),
    ("*/index.html", "made"),
    ("*/summary.json", "summary"),
    ("bench/dropped.jsonl", "dropped"),
    ("bench/*.jsonl", "bench"),
    ("train/*.jsonl", "train"),
    ("release/*/README.md", "release"),
    ("release/*/diff/*.html", "difference"),
    ("release/*.tar", "archive"),
)


def downloads(store: Store) -> list[tuple[str, str, int]]:
    """All of them that are there, in the order of the list above; a size of -1 is not known yet."""
    found: dict[str, tuple[str, str, int]] = {}
    for pattern, what in LISTED:
        for name in store.names(pattern):
            found.setdefault(name, (name, what, store.path(name).stat().st_size))
    return [*found.values(), *((name, what, -1) for name, what in ALWAYS)]
