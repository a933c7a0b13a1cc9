"""The page of the run inside a release: the same page, with the release's own files under its downloads.

In: the page as the run wrote it, the files of the release. Out: the page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

FILES = re.compile(rb'(<script type="application/json" id="files">).*?(</script>)', re.S)
"""The element of the page that lists what can be taken away: rows of path, kind, size in bytes."""
LISTED = (
    ("README.md", "card"),
    ("exports/textbook_kg/nodes.json", "nodes"),
    ("exports/textbook_kg/edges.json", "edges"),
    ("data/", "tables"),
    ("bench/test.parquet", "bench"),
    ("exports/bench.jsonl", "bench"),
    ("bench/", "errata"),
    ("train/", "train"),
    ("exports/train/", "train"),
    ("exports/", "exports"),
    ("diff/", "difference"),
)
"""Beginning of a path -> kind, in the order in which they are listed."""
UP = "../"
"""From the page to the root of the release."""


def relinked(page: bytes, files: Mapping[str, bytes]) -> bytes:
    """The page, whose list of downloads names the release's files. A page without such a list stays as it is."""
    rows: dict[str, tuple[str, str, int]] = {}
    for beginning, kind in LISTED:
        for name, data in sorted(files.items()):
            if name.startswith(beginning):
                rows.setdefault(name, (UP + name, kind, len(data)))
    manifest = (f"{UP}manifest.json", "manifest", -1)
    listed = json.dumps([*rows.values(), manifest], ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return FILES.sub(lambda found: found[1] + listed.encode("utf-8") + found[2], page, count=1)
