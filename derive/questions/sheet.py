"""The sheet on which people check questions, and reading it back.

In: items. Out: a CSV file that spreadsheets open, one row per item, without the key; and `Sheet`s of what people said.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path

from derive.questions.pack import Pack
from derive.questions.validate import RUBRIC
from kg.errors import InputError
from kg.ids import digest
from kg.item import LETTERS, Item
from kg.row import Row

CRITERIA = tuple(criterion.name for criterion in RUBRIC.criteria)
ASKED = (*CRITERIA, "chosen", "comment")
MARK = "\ufeff"
"""Tells spreadsheets that the text is UTF-8."""


class Sheet(Row):
    """What one person said."""

    rater: str
    flags: dict[str, dict[str, bool]]
    """Criterion -> item -> met; what was left empty is missing."""
    chosen: dict[str, tuple[str, ...]]
    """Item -> letters."""
    comments: dict[str, str]


def drawn(items: Sequence[Item], count: int, seed: int) -> list[Item]:
    """So many items by lot, the levels in turn; sorted by lot, so that no order gives a level away."""
    by_level: dict[int, list[Item]] = defaultdict(list)
    for item in sorted(items, key=lambda item: digest(f"{seed}:sheet:{item.id}", 24)):
        by_level[item.level].append(item)
    turns = [item for places in range(len(items)) for own in by_level.values() for item in own[places : places + 1]]
    return sorted(turns[:count], key=lambda item: digest(f"{seed}:row:{item.id}", 24))


def sheet(items: Sequence[Item], pack: Pack) -> bytes:
    """The empty sheet: question, options, the source of each hop, and columns to fill in."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(["id", "question", *LETTERS[:4], "source", *(pack.sheet.get(name, name) for name in ASKED)])
    for item in items:
        source = "\n".join(f"{hop['says']} [{hop['quote']}{_place(hop)}]" for hop in item.origin["hops"])
        cells = [item.id, item.question, *item.options.values(), source]
        writer.writerow([*map(_safe, cells), *([""] * len(ASKED))])
    return (MARK + text.getvalue()).encode("utf-8")


def _place(hop: Mapping[str, object]) -> str:
    page = hop.get("page")
    return f" — {hop.get('book')}, {page + 1}" if isinstance(page, int) else ""


def _safe(cell: str) -> str:
    """No spreadsheet takes it for a formula."""
    return f"'{cell}" if cell[:1] in "=+-@\t" else cell


def read(path: Path, packs: Sequence[Pack], items: Mapping[str, Item]) -> Sheet:
    """What was filled in. Raises InputError naming file, row and cell that cannot be read."""
    known = {text: name for pack in packs for name, text in pack.sheet.items()} | {name: name for name in ASKED}
    try:
        rows = list(csv.reader(StringIO(path.read_text(encoding="utf-8-sig"))))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"cannot be read: {error}", where=str(path), remedy="save it as CSV in UTF-8") from None
    heads = [known.get(head.strip(), head.strip()) for head in rows[0]] if rows else []
    if "id" not in heads or not set(heads) & set(ASKED):
        raise InputError("is no audit sheet", where=str(path), remedy="keep the first row of audit_sheet.csv")
    words = {word: True for pack in packs for word in pack.yes} | {word: False for pack in packs for word in pack.no}
    flags: dict[str, dict[str, bool]] = {name: {} for name in CRITERIA}
    chosen: dict[str, tuple[str, ...]] = {}
    comments: dict[str, str] = {}
    for number, cells in enumerate(rows[1:], 2):
        row = dict(zip(heads, cells, strict=False))
        where = f"{path}, row {number}"
        item = items.get(row["id"])
        if item is None:
            raise InputError(f"no item {row['id']!r}", where=where, remedy="name the questions it was made from")
        for name in CRITERIA:
            if (said := _flag(row.get(name, ""), words, f"{where}, {name}")) is not None:
                flags[name][item.id] = said
        if letters := _letters(row.get("chosen", ""), item, where):
            chosen[item.id] = letters
        if comment := row.get("comment", "").strip():
            comments[item.id] = comment
    return Sheet(rater=path.stem, flags=flags, chosen=chosen, comments=comments)


def _flag(cell: str, words: Mapping[str, bool], where: str) -> bool | None:
    word = cell.strip().casefold()
    if word and word not in words:
        raise InputError(f"cannot read {cell!r}", where=where, remedy=f"one of {', '.join(words)}, or empty")
    return words.get(word)


def _letters(cell: str, item: Item, where: str) -> tuple[str, ...]:
    letters = tuple(sorted({sign for sign in cell.upper() if sign not in " ,;/+"}))
    if unknown := [letter for letter in letters if letter not in item.options]:
        raise InputError(f"no option {unknown[0]!r}", where=where, remedy="letters of the options, as AC")
    return letters
