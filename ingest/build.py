"""From what an engine delivered to a `Document`.

In: a `Reading` of any engine that delivers lines with boxes and fonts. Out: the document, its blocks one by one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ingest import boxes, captions, footnotes, furniture, headings, joining, levels
from ingest.blocks import Blocks, page
from ingest.drafts import Draft
from ingest.layout import page_drafts
from ingest.page import Reading
from ingest.rules import Rules
from ingest.sheets import Sheet, join_frames
from kg.document import Book, Document

FILE_NAME = re.compile(r"\.(?:docx?|pptx?|odt|rtf|tex|dvi|indd|qxd|pdf|html?|md)\b|^untitled|^microsoft", re.IGNORECASE)
"""What programs write into the metadata where nobody gave a title."""


def document(
    book: Book, sha256: str, reading: Reading, pages: Sequence[Sheet], rules: Rules
) -> tuple[Document, Blocks]:
    """The book as a document without blocks, and its blocks; the lines of the pages are given up."""
    apart = furniture.find(
        [sheet.content for sheet in pages],
        [sheet.lines for sheet in pages],
        [item.title for item in reading.outline],
        rules.page_words,
    )
    join_frames(pages, apart)
    drafts: list[Draft] = []
    before = False
    for sheet in pages:
        own, before = page_drafts(sheet, apart, rules, before)
        drafts += own
    for sheet in pages:
        sheet.lines, sheet.labels = [], []
    drafts = _structured(drafts, reading, pages, rules)
    shell = Document(
        book=book.slug,
        title=book.title or _title(drafts, reading.title) or book.slug,
        language=rules.language.code,
        sha256=sha256,
        engine=reading.engine,
        pages=tuple(page(sheet, apart) for sheet in pages),
        outline=reading.outline,
        blocks=(),
        warnings=reading.warnings,
    )
    return shell, Blocks(drafts, rules, [sheet.content for sheet in pages])


def _structured(drafts: list[Draft], reading: Reading, pages: Sequence[Sheet], rules: Rules) -> list[Draft]:
    body = headings.body_size(drafts)
    things: dict[int, list[tuple[float, float, float, float]]] = {
        sheet.content.index: [*sheet.content.pictures, *(table.box for table in sheet.tables)] for sheet in pages
    }
    by_page: dict[int, list[Draft]] = {}
    for one in drafts:
        by_page.setdefault(one.page, []).append(one)
    for index, own in by_page.items():
        captions.label_captions(own, things.get(index, []), rules, body)
        footnotes.label(own, body, pages[index].content)
    drafts = headings.find(drafts, reading.outline, rules)
    found = [one for one in drafts if one.label == "section_header"]
    entries = [one for one in drafts if one.label == "document_index"]
    votes = levels.votes(found, entries, reading.outline, rules)
    outer = {frame.number: frame.parent for sheet in pages for frame in sheet.frames if frame.parent >= 0}
    boxes.assign(drafts, outer, rules)
    levels.resolve(drafts, votes)
    return joining.joined(drafts, rules.language.spaces)


def _title(drafts: Sequence[Draft], metadata: str) -> str:
    """The title page's title, else the metadata's unless it is a file's name, else the largest heading up front."""
    printed = next((one.text for one in drafts if one.label == "title"), "")
    if printed or (metadata and not FILE_NAME.search(metadata)):
        return printed or metadata
    first = [one for one in drafts if one.page < 2 and one.label == "section_header"]
    best = max(first, key=lambda one: (one.size, -one.page), default=None)
    return best.text if best else ""
