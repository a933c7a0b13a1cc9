"""Whether a page's text layer can be used: blank scans and unreadable encodings are named, page by page.

In: a page, its lines. Out: the reason why its text cannot be used, or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from ingest.lines import Line
from ingest.page import PageContent, union
from ingest.text import unreadable
from kg.document import Box

FEW = 15
"""Characters up to which a page with a picture over most of it counts as a scan."""
COVERED = 0.5
MANY_DRAWINGS = 60
"""Drawings without a word: letters drawn as outlines."""


def coverage(page: PageContent) -> float:
    """Share of the page that its largest picture covers, in [0, 1]."""
    whole = max(page.width * page.height, 1e-6)
    return max((_clipped(box, page) / whole for box in page.pictures), default=0.0)


def _clipped(box: Box, page: PageContent) -> float:
    width = min(box[2], page.width) - max(box[0], 0.0)
    height = min(box[3], page.height) - max(box[1], 0.0)
    return max(width, 0.0) * max(height, 0.0)


def fault(page: PageContent, lines: Sequence[Line], most_broken: float) -> str:
    """Why the page's text cannot be used; empty if it can, or if the page is blank.

    `most_broken`: share of unreadable characters in [0, 1] up to which it is used.
    """
    solid = sum(len(line.text) - line.text.count(" ") for line in lines)
    if solid < FEW and (coverage(page) > COVERED or _tiled(page) or (solid == 0 and page.drawings > MANY_DRAWINGS)):
        return "no text layer"
    if broken_share(lines) > most_broken:
        return "unreadable text layer"
    return ""


def _tiled(page: PageContent) -> bool:
    """A scan cut into strips."""
    if len(page.pictures) < 4:
        return False
    return sum(_clipped(box, page) for box in page.pictures) > COVERED * page.width * page.height and (
        _clipped(union(page.pictures), page) > COVERED * page.width * page.height
    )


def broken_share(lines: Sequence[Line]) -> float:
    """Share of the characters that have no known meaning, in [0, 1]."""
    odd = [line.text for line in lines if not line.text.isascii()]
    return unreadable("".join(odd)) / sum(len(line.text) for line in lines) if odd else 0.0
