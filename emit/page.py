"""One self-contained page: the files of `emit/page/` in one, with the data as inert text.

In: the page's data. Out: the bytes of `index.html`, which asks for nothing from anywhere.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from emit.texts import PageTexts

FOLDER = Path(__file__).resolve().parent / "page"
SCRIPTS = (
    "dom",
    "data",
    "search",
    "tree",
    "draw",
    "picture",
    "quotes",
    "card",
    "chapters",
    "findings",
    "quality",
    "samples",
    "downloads",
    "teaching",
    "path",
    "map",
    "app",
)
"""In the order in which they define what the next ones use."""

_SLOT = re.compile(r"\{\{(\w+)\}\}")
_UNSAFE = re.compile("[<>&\u2028\u2029]")


def page_html(data: Mapping[str, Any], files: Sequence[Sequence[str | int]], texts: PageTexts) -> bytes:
    """The page. Its own script and style are allowed by their hashes; whatever a book says stays text.

    The list of files to take away stands in an element of its own, for wherever the page is copied it is another.
    """
    style = (FOLDER / "style.css").read_text(encoding="utf-8")
    script = "(() => {\n" + "\n".join(_script(name) for name in SCRIPTS) + "})();\n"
    rules = [
        "default-src 'none'",
        f"script-src '{_hash(script)}'",
        f"style-src '{_hash(style)}'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    slots = {
        "language": escape(str(data["language"])),
        "title": escape(str(data["title"])),
        "policy": "; ".join(rules),
        "style": style,
        "noscript": escape(texts.ui.get("noscript", "")),
        "data": inert(data),
        "files": inert(files),
        "script": script,
    }
    template = (FOLDER / "index.html").read_text(encoding="utf-8")
    return _SLOT.sub(lambda slot: slots[slot[1]], template).encode("utf-8")


def inert(data: Any) -> str:
    """JSON in which nothing can end the script element it stands in, or a line of it."""
    plain = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", plain)


def _script(name: str) -> str:
    return (FOLDER / f"{name}.js").read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """The source expression of a content security policy that allows exactly this text."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
