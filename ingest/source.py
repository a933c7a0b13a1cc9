"""Whether a file can be a book at all, before any parser touches it.

In: a path. Out: nothing, or an InputError that says what is wrong with the file and what to do.
"""

from __future__ import annotations

from pathlib import Path

from kg.errors import InputError

HEAD = 1024
"""The PDF standard wants `%PDF-` within this many bytes."""
KINDS = (
    (b"PK\x03\x04", "a zip archive or an office document"),
    (b"\xd0\xcf\x11\xe0", "an old office document"),
    (b"<!DOCTYPE", "a web page"),
    (b"<html", "a web page"),
    (b"{\\rtf", "an RTF document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"%!PS", "a PostScript file"),
)


def check(path: Path) -> None:
    """Nothing, if the file is there and starts as a PDF does.

    Raises InputError.
    """
    where = path.name
    if not path.is_file():
        what = "is a folder, not a file" if path.is_dir() else "file not found"
        raise InputError(what, where=where, remedy=f"check the path {path}")
    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=where, remedy="check its permissions") from None
    if not head:
        raise InputError("the file is empty (0 bytes)", where=where, remedy="get a complete copy of the file")
    if b"%PDF-" not in head:
        lowered = head.lstrip().lower()
        kind = next((name for start, name in KINDS if lowered.startswith(start.lower())), "something else")
        raise InputError(f"not a PDF but {kind}", where=where, remedy="save or export it as PDF")
