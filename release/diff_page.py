"""The difference between two releases as one page to look at: numbers first, every change on demand.

In: a `Difference` and the two versions. Out: the bytes of an HTML file that asks for nothing from anywhere and runs
nothing; whatever the graphs say stays text. The frame stands in `texts/diff.html`.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from html import escape
from pathlib import Path
from typing import Any

from release.diff import Change, Difference

TEMPLATE = Path(__file__).resolve().parent / "texts" / "diff.html"
HEADS = {"node": "Things", "edge": "Relations", "item": "Benchmark questions"}
CHANGES = ("added", "removed", "changed")
_SLOT = re.compile(r"\{\{(\w+)\}\}")
_STYLE = re.compile(r"<style>(.*?)</style>", re.S)
_PIECES = re.compile(r"\w+|\W")


def diff_page(found: Difference, names: tuple[str, str]) -> bytes:
    """The page; `names` are what the two sides are called."""
    template = TEMPLATE.read_text(encoding="utf-8")
    style = _STYLE.search(template)
    digest = hashlib.sha256(style[1].encode("utf-8") if style else b"").digest()
    groups = [_group(what, [row for row in found.changes if row.what == what]) for what in HEADS]
    slots = {
        "policy": f"default-src 'none'; style-src 'sha256-{base64.b64encode(digest).decode('ascii')}'; img-src data:",
        "before": escape(names[0]),
        "after": escape(names[1]),
        "body": "".join(groups) or "<p>Nothing has changed.</p>",
    }
    return _SLOT.sub(lambda slot: slots[slot[1]], template).encode("utf-8")


def _group(what: str, rows: Sequence[Change]) -> str:
    if not rows:
        return ""
    kinds = sorted({row.kind for row in rows})
    heads = "".join(f"<th scope=col>{change}</th>" for change in CHANGES)
    lines = "".join(_counts(kind, [row for row in rows if row.kind == kind]) for kind in kinds)
    table = f"<table><thead><tr><th scope=col>kind</th>{heads}</tr></thead><tbody>{lines}</tbody></table>"
    lists = [_list(kind, change, rows) for kind in kinds for change in CHANGES]
    return f"<section><h2>{HEADS[what]}</h2>{table}{''.join(lists)}</section>"


def _counts(kind: str, rows: Sequence[Change]) -> str:
    cells = [sum(row.change == change for row in rows) for change in CHANGES]
    shown = "".join(f"<td>{f'{count:,}' if count else '–'}</td>" for count in cells)
    return f"<tr><th scope=row>{escape(kind)}</th>{shown}</tr>"


def _list(kind: str, change: str, rows: Iterable[Change]) -> str:
    own = [row for row in rows if (row.kind, row.change) == (kind, change)]
    if not own:
        return ""
    title = f"{escape(kind)}, {change} <small>{len(own):,}</small>"
    return f"<details><summary>{title}</summary><ul>{''.join(_row(row) for row in own)}</ul></details>"


def _row(row: Change) -> str:
    fields = "".join(_field(name, *values) for name, values in row.fields.items())
    table = f"<dl>{fields}</dl>" if fields else ""
    return f"<li class={row.change}><b>{escape(row.name)}</b> <code>{escape(row.id)}</code>{table}</li>"


def _field(name: str, before: Any, after: Any) -> str:
    lists = all(value is None or isinstance(value, list) for value in (before, after))
    shown = _lists(before or [], after or []) if lists else _words(before, after)
    return f"<dt>{escape(name)}</dt><dd>{shown}</dd>"


def _lists(before: Sequence[Any], after: Sequence[Any]) -> str:
    """What is only in one of them, one a line."""
    old, new = [_text(part) for part in before], [_text(part) for part in after]
    gone = [f"<del>{escape(text)}</del>" for text in old if text not in new]
    come = [f"<ins>{escape(text)}</ins>" for text in new if text not in old]
    return "\n".join([*gone, *come] or ["in another order"])


def _words(before: Any, after: Any) -> str:
    """Both readings in one: texts word for word, numbers and the like as wholes."""
    worded = isinstance(before, str) and isinstance(after, str)
    pieces_old, pieces_new = (_PIECES.findall(_text(side)) if worded else [_text(side)] for side in (before, after))
    shown = []
    for tag, a, b, c, d in SequenceMatcher(None, pieces_old, pieces_new, autojunk=False).get_opcodes():
        gone, come = escape("".join(pieces_old[a:b])), escape("".join(pieces_new[c:d]))
        both = (f"<del>{gone}</del>" if gone else "") + (f"<ins>{come}</ins>" if come else "")
        shown.append(gone if tag == "equal" else both)
    return "".join(shown)


def _text(value: Any) -> str:
    """As people read it: a quotation or a definition with its place; other lists and objects as JSON."""
    if value is None:
        return ""
    if isinstance(value, dict) and "section" in value and "start" in value:
        quote = value.get("quote") or f"characters {value['start']} to {value.get('end')}"
        return f"{quote} ({value['section']}, sheet {int(value.get('page', 0)) + 1})"
    if isinstance(value, dict) and "section" in value and "text" in value:
        return f"{value['text']} ({value['section']})"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)
