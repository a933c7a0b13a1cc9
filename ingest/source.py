"""Whether a file can be a book at all, before any parser touches it.

In: a path. Out: nothing, or an InputError that says what is wrong with the file and what to do.
"""

from __future__ import annotations

from pathlib import Path

from kg.errors import InputError

HEAD = 1024
"""The PDF standard wants `%PDF-` within this many bytes."""
ZIP, EPUB = b"PK\x03\x04", b"mimetypeapplication/epub+zip"
KINDS = (
    (ZIP, "a zip archive or an office document"),
    (b"\xd0\xcf\x11\xe0", "an old office document"),
    (b"<!DOCTYPE", "a web page"),
    (b"<html", "a web page"),
    (b"{\\rtf", "an RTF document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"%!PS", "a PostScript file"),
)


def is_epub(path: Path) -> bool:
    """True if the file starts as an EPUB does. Raises OSError if it cannot be read."""
    with path.open("rb") as stream:
        head = stream.read(HEAD)
    return head.startswith(ZIP) and EPUB in head[: len(EPUB) + 64]


def check(path: Path, epub: bool = False) -> None:
    """Nothing, if the file is there and starts as a PDF does, or as an EPUB where `epub` says that one will do.

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
    if is_epub(path):
        if not epub:
            raise InputError("not a PDF but an EPUB", where=where, remedy="use ingest=pymupdf, which reads EPUBs")
    elif b"%PDF-" not in head:
        lowered = head.lstrip().lower()
        kind = next((name for start, name in KINDS if lowered.startswith(start.lower())), "something else")
        raise InputError(f"not a PDF but {kind}", where=where, remedy="save or export it as PDF")
