"""Licences: what a release as a whole may say of itself, and the texts or addresses of every licence in it.

In: the books. Out: files of `LICENSES/`, `NOTICE`, and the licence line of the data card.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from kg.errors import SettingsError
from kg.stage import ROOT
from release.material import BookFacts

FOLDER = Path(__file__).resolve().parent / "texts" / "licences"
"""Texts by SPDX id, as ScanCode carries them (`scancode-toolkit-mini` 32.5.0)."""
_SPDX = re.compile(r"[A-Za-z0-9.+-]+(?: (?:AND|OR|WITH) [A-Za-z0-9.+-]+)*")
_WORDS = re.compile(r" (?:AND|OR|WITH) ")
CODE = "Apache-2.0"
OWN = re.compile(r"LicenseRef-[A-Za-z0-9.-]+")
"""SPDX's form for licences that are not on its list."""


def ids(books: Sequence[BookFacts]) -> list[str]:
    """All licence ids that the books name, sorted. Raises SettingsError if one is no SPDX expression."""
    found: set[str] = set()
    for book in books:
        if not book.license:
            continue
        if not _SPDX.fullmatch(book.license):
            raise SettingsError(
                f"{book.license!r} is no SPDX id", where=f"licence of {book.book}", remedy="for example CC-BY-4.0"
            )
        found.update(_WORDS.split(book.license))
    return sorted(found)


def card_license(books: Sequence[BookFacts]) -> dict[str, str]:
    """The licence fields of the data card: the books' common licence, or `other` where they differ or none is known."""
    found = {book.license for book in books}
    if len(found) == 1 and (only := next(iter(found))) and not OWN.fullmatch(only):
        return {"license": only.lower()}
    named = " and ".join(sorted(found - {""})) or "unknown"
    return {"license": "other", "license_name": named, "license_link": "NOTICE"}


def texts(books: Sequence[BookFacts]) -> dict[str, bytes]:
    """One file per licence (REUSE): its text where we carry it, else its address on SPDX's list."""
    made: dict[str, bytes] = {}
    for name in ids(books):
        carried = FOLDER / f"{name}.txt"
        if carried.is_file():
            made[f"LICENSES/{name}.txt"] = carried.read_bytes()
        else:
            made[f"LICENSES/{name}.txt"] = f"{name}\n\nThe text: https://spdx.org/licenses/{name}.html\n".encode()
    return made


def own() -> dict[str, bytes]:
    """The licence of what is neither data nor a book: the code of the tasks and of the page."""
    return {f"LICENSES/{CODE}.txt": (ROOT / "LICENSE").read_bytes().lstrip(b"\n")}


def notice(title: str, books: Sequence[BookFacts]) -> bytes:
    """Who is owed what: every source book with its licence and the hash of the file that was read."""
    lines = [title, "", "Made from these books; what is quoted from a book stands under that book's licence.", ""]
    for book in books:
        lines.append(f"- {book.title} ({book.book}): {book.license or 'licence unknown'}")
        lines.append(f"  SHA-256 of the file that was read: {book.sha256 or 'not known'}")
    lines += [
        "",
        f"Code in this folder (the tasks of evaluation tools, the page) is textbook-kg's, under {CODE}.",
        "Changes: text was extracted, divided and put into relation by textbook-kg; quotations are unchanged.",
    ]
    return ("\n".join(lines) + "\n").encode("utf-8")
