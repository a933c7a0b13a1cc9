"""The command line: `python -m release diff A B` and `python -m release verify DIR`.

In: folders of releases. Out: text or JSON lines, and an exit code.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from kg.console import Console
from kg.errors import KgError, SettingsError
from release.diff import Difference, compare
from release.diff_page import diff_page
from release.folder import Folder
from release.history import numbers
from release.verify import verify

SOUND, UNSOUND, WRONG = 0, 1, 2
HELP = """python -m release verify DIR           is this release sound? 0: yes; 1: no, every fault is named
python -m release diff A B [--json]    what has changed from release A to release B, for people or as JSON lines;
                                       1: ids are gone, and B's version does not say so (data SemVer)
python -m release diff A B page=FILE   the same as a page to look at, in one HTML file

2: the settings or folders are wrong. A release is made by: python run.py stages=[release] release.version=1.0.0"""


def main(arguments: Sequence[str]) -> int:
    """Does what the words say; returns the exit code."""
    words = [word for word in arguments if not word.startswith("-")]
    if not words or {"-h", "--help"} & set(arguments):
        _say(HELP)
        return SOUND if arguments else WRONG
    try:
        if words[0] == "verify" and len(words) == 2:
            return _verify(Path(words[1]))
        if words[0] == "diff" and len(words) == 3:
            return _diff(Folder(Path(words[1])), Folder(Path(words[2])), "--json" in arguments)
        if words[0] == "diff" and len(words) == 4 and words[3].startswith("page="):
            return _diff_page(Folder(Path(words[1])), Folder(Path(words[2])), Path(words[3].removeprefix("page=")))
        raise SettingsError(f"cannot read {' '.join(arguments)!r}", remedy="see python -m release --help")
    except KgError as error:
        Console().error(str(error))
        return WRONG


def _verify(root: Path) -> int:
    problems = verify(root)
    for problem in problems:
        _say(str(problem))
    folder = Folder(root)
    if not problems:
        nodes, edges = len(folder.graph.nodes), len(folder.graph.edges)
        files = len(folder.manifest["files"])
        _say(f"sound: {nodes:,} nodes, {edges:,} edges, {len(folder.items):,} benchmark items, {files} files")
    return UNSOUND if problems else SOUND


def _diff(one: Folder, other: Folder, rows: bool) -> int:
    found = _compared(one, other)
    _say("\n".join(row.to_json() for row in found.changes) if rows else found.text.rstrip("\n"))
    return _verdict(one, other, found)


def _diff_page(one: Folder, other: Folder, file: Path) -> int:
    found = _compared(one, other)
    try:
        file.write_bytes(diff_page(found, (one.title, other.title)))
    except OSError as error:
        raise SettingsError(f"cannot be written: {error.strerror}", where=str(file)) from None
    _say(f"{len(found.changes):,} changes: {file}")
    return _verdict(one, other, found)


def _compared(one: Folder, other: Folder) -> Difference:
    return compare(one.graph, other.graph, (one.items, other.items), (one.version, other.version))


def _verdict(one: Folder, other: Folder, found: Difference) -> int:
    same_major = numbers(one.version, "A")[0] == numbers(other.version, "B")[0]
    return UNSOUND if found.removed() and same_major else SOUND


def _say(text: str) -> None:
    """As it is: for pipes as for people."""
    if text:
        sys.stdout.write(text + "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
