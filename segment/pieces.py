"""A book without headings, cut into pieces of readable length at page breaks.

In: body blocks. Out: drafts of one nameless chapter.
"""

from __future__ import annotations

from collections.abc import Sequence

from kg.document import Block
from segment.pack import Names
from segment.rows import Chapter, Draft


def pieces_of(body: Sequence[Block], title: str, names: Names, characters: int) -> list[Draft]:
    """Pieces of at least `characters` characters, but for the last; they begin on a new page where there are pages."""
    chapter = Chapter("", title, title, "")
    paged = len({block.prov[0].page for block in body}) > 1
    starts, length = [0], 0
    for at, block in enumerate(body):
        fresh = not paged or (at > 0 and block.prov[0].page > body[at - 1].prov[0].page)
        if length >= characters and fresh:
            starts.append(at)
            length = 0
        length += len(block.text)
    drafts = []
    for start, end in zip(starts, [*starts[1:], len(body)], strict=True):
        first, last = body[start].prov[0].page + 1, body[end - 1].prov[-1].page + 1
        name = names.pages.format(first=first, last=last)
        drafts.append(Draft(start, end, "section", name, "", chapter, (title,), 2, ""))
    return drafts
