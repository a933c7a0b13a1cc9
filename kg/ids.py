"""Ids made from content: the same on every run and machine, readable, and unmoved by what is added beside them."""

from __future__ import annotations

import base64
import hashlib
import re

_DROPPED = re.compile(r"[^\w]+", re.UNICODE)


def digest(text: str, length: int = 8) -> str:
    """The first `length` characters of the base32 BLAKE2b hash of `text`, in lower case."""
    raw = hashlib.blake2b(text.encode("utf-8"), digest_size=20).digest()
    return base64.b32encode(raw).decode("ascii").lower()[:length]


def slug(text: str, words: int = 8) -> str:
    """Letters and digits of any script in lower case, joined by `-`; at most `words` words and 60 characters."""
    parts = [part for part in _DROPPED.split(text.casefold()) if part]
    return "-".join(parts[:words])[:60].strip("-")


def node_id(subject: str, label: str, key: str, sense: str = "") -> str:
    """`physics:concept:average-speed`. `key` is the canonical key of the name (`kg.text.key`).

    Where the slug says less than the key (punctuation, length), a hash of the key keeps ids apart.
    `sense` tells homonyms apart; the first sense in curriculum order has none.
    """
    readable = slug(key)
    if readable.replace("-", " ") != key:
        readable = f"{readable}-{digest(key, 6)}".lstrip("-")
    return ":".join([subject, label.lower(), readable, *([sense] if sense else [])])


def book_id(subject: str, label: str, book: str) -> str:
    """`physics:book:physics-8`."""
    return f"{subject}:{label.lower()}:{book}"
