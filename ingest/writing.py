"""A document written out block by block, so that a long book is never held in full.

In: the document without its blocks, then its blocks in order. Out: `document.json` and `document.md`, the same bytes as
`Document.to_json` and `kg.section.document_text` give for the whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from io import BytesIO

from kg.document import FURNITURE, Block, Document
from kg.section import markdown

NO_BLOCKS = '"blocks":[]'
"""How a document without blocks says so; inside a text the quotation marks would be escaped."""


class Written:
    """A document on its way to bytes."""

    def __init__(self, shell: Document, blocks: Iterable[Block]) -> None:
        """`shell` is the document without its blocks."""
        self.labels: Counter[str] = Counter()
        """How many blocks have each label."""
        before, _, after = shell.to_json().partition(NO_BLOCKS)
        self._json, self._markdown = BytesIO(), BytesIO()
        self._json.write(f'{before}"blocks":['.encode())
        for number, block in enumerate(blocks):
            if number:
                self._json.write(b",")
            self._json.write(block.to_json().encode())
            if block.label not in FURNITURE:
                self._markdown.write(markdown(block)[0].encode())
            self.labels[block.label] += 1
        self._json.write(f"]{after}".encode())

    @property
    def json(self) -> bytes:
        """`document.json`."""
        return self._json.getvalue()

    @property
    def markdown(self) -> bytes:
        """`document.md`."""
        return self._markdown.getvalue()
