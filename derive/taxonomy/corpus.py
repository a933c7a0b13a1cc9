"""Texts to hold against a tree: question sets, and corpora cleaned of what says nothing.

In: a file or folder (`.jsonl`, `.json`, `.txt`, `.md`). Out: texts, and what was left out with its reason.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from derive.taxonomy.pack import Pack
from kg.errors import InputError
from kg.text import one_line

FIELDS = ("question", "text", "content", "stem", "prompt")
"""Where a record has its text; the first that is there counts."""
TITLES = ("title", "name")
KINDS = (".jsonl", ".json", ".txt", ".md")
SHORT, RUN, MOST_SHORT = 40, 3, 0.5
"""A line is short below so many characters; a document is dropped if lines in runs of `RUN` short ones make up more
than `MOST_SHORT` of its lines."""
_NOISE = tuple(
    re.compile(pattern, re.DOTALL | re.MULTILINE)
    for pattern in (
        r"<!--.*?-->",  # hidden
        r"<(table|aside|figure|nav|footer|ref|style|script)\b.*?</\1>",  # tables, boxes, hints, footers, citations
        r"<ref[^>]*/>",
        r"\{\{[^{}]*\}\}",  # templates
        r"!\[[^\]]*\]\([^)]*\)|\[\[(?:File|Image):[^\]]*\]\]",  # pictures
        r"^\s*\|.*\|\s*$",  # rows of tables
        r"\[(?:\d+|note \d+|citation needed)\]|\[\^[^\]]+\]|<sup>.*?</sup>",  # citations
        r"\d{1,3}°\s?\d{1,2}[′'][^,;\s]*(?:\s?[NSEW])?",  # coordinates
        r"</?[a-zA-Z][^<>]*>",
        r"\b[A-Za-z0-9+/=_-]{60,}\b",  # strings that are no words
    )
)


def clean(text: str) -> str:
    """The text without what is no running text. Formulas stay: here they are knowledge."""
    for pattern in _NOISE:
        text = pattern.sub(" ", text)
    return re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)


def is_list(text: str) -> bool:
    """True if the text is mostly runs of short lines."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    short, run = 0, 0
    for line in [*lines, "x" * SHORT]:
        if len(line) < SHORT:
            run += 1
        else:
            short += run if run >= RUN else 0
            run = 0
    return short > MOST_SHORT * len(lines)


def read_texts(path: Path, pack: Pack) -> tuple[list[str], dict[str, int]]:
    """All texts, each once, in the order of files and lines; and reason -> texts left out.

    A question is one text, a document one text per paragraph. Raises InputError if there is nothing at `path`.
    """
    files = sorted(file for file in path.rglob("*") if file.suffix in KINDS) if path.is_dir() else [path]
    if not files or not files[0].is_file():
        raise InputError(
            "no such file or folder", where=str(path), remedy=f"name a file or folder of {' '.join(KINDS)}"
        )
    found: dict[str, None] = {}
    dropped: Counter[str] = Counter()
    for file in files:
        for title, text in _records(file, dropped):
            if pack.no_title.search(title):
                dropped["title"] += 1
            elif is_list(text):
                dropped["short lines"] += 1
            else:
                parts = [one_line(part) for part in re.split(r"\n\s*\n", clean(text))]
                dropped["empty"] += not any(parts)
                dropped["twice"] += sum(part in found for part in parts if part)
                found.update(dict.fromkeys(part for part in parts if part))
    return list(found), {reason: count for reason, count in sorted(dropped.items()) if count}


def _records(file: Path, dropped: Counter[str]) -> Iterator[tuple[str, str]]:
    """Title and text of each record."""
    try:
        whole = file.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise InputError(f"not readable: {error}", where=str(file)) from None
    if file.suffix in (".txt", ".md"):
        yield file.stem, whole
        return
    for record in _parsed(whole, file.suffix, dropped):
        text = next((record[name] for name in FIELDS if isinstance(record.get(name), str)), None)
        if text is None:
            dropped["no text"] += 1
        else:
            title = next((record[name] for name in TITLES if isinstance(record.get(name), str)), "")
            yield title, text


def _parsed(whole: str, suffix: str, dropped: Counter[str]) -> Iterator[Mapping[str, Any]]:
    pieces = [line for line in whole.splitlines() if line.strip()] if suffix == ".jsonl" else [whole]
    for piece in pieces:
        try:
            value = json.loads(piece)
        except (ValueError, RecursionError):
            dropped["not json"] += 1
            continue
        for record in value if isinstance(value, list) else [value]:
            yield record if isinstance(record, Mapping) else {}
