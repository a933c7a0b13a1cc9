"""What a PDF's text layer knows and another program's output has lost: type, bold words, formulas, whole pages.

In: labelled parts and the pages of the PDF that they were made from. Out: parts with type and styles; pages that are
missing from them, as failures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ingest.fractions import linear
from ingest.lines import clean_fragments
from ingest.page import PageContent, Pages, Run, apply, inside
from ingest.parts import Marked, Part, Styled
from ingest.quality import coverage
from kg.errors import Failure

LEAST = 200
"""A page with at least this many letters in its text layer …"""
LOST = 0.3
"""… has lost them if the parts hold fewer than this share of them."""
FEW = 15
SCANNED = 0.5
"""A page with less text and a picture over more than this share of it is a scan."""


def dressed(parts: Sequence[Part], pages: Pages) -> None:
    """Parts with a place know the type they are set in afterwards, and which of their words are bold or italic."""
    by_page: dict[int, list[Part]] = {}
    for part in parts:
        by_page.setdefault(part.page, []).append(part)
    for index in sorted(by_page):
        if index >= len(pages):
            continue
        page = pages[index]
        fragments, _ = clean_fragments(page)
        runs = [(_shown(page, run), run) for one in linear(page, fragments) if not one.angle for run in one.runs]
        for part in by_page[index]:
            own = [run for box, run in runs if run.text.strip() and inside(box, part.box)]
            if own:
                _dress(part, own)


def _shown(page: PageContent, run: Run) -> tuple[float, float, float, float]:
    """The middle of the run, as displayed."""
    box = apply(page.to_display, run.box)
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return (x, y, x, y)


def _dress(part: Part, runs: Sequence[Run]) -> None:
    sizes: Counter[tuple[float, str]] = Counter()
    for run in runs:
        sizes[(run.size, run.font)] += len(run.text.strip())
    part.size, part.font = max(sizes, key=lambda key: (sizes[key], key))
    part.bold = all(run.bold for run in runs if any(map(str.isalnum, run.text)))
    if part.label == "formula" and not part.text:
        part.text = " ".join("".join(run.text for run in runs).split())
    if not part.spans and not part.bold and part.label in ("text", "list_item"):
        part.spans = _styled(part.text, runs)


def _styled(text: str, runs: Sequence[Run]) -> list[Styled]:
    """Where the bold and italic runs stand in the text; each is looked for after the one before it."""
    found: list[Styled] = []
    at = 0
    for run in runs:
        words = run.text.strip()
        start = text.find(words, at)
        if start < 0:
            continue
        at = start + len(words)
        found += [(start, at, style) for style, on in (("bold", run.bold), ("italic", run.italic)) if on]
    return found


def checked(marked: Marked, pages: Pages, stage: str, item: str) -> list[Failure]:
    """One failure for each page of the PDF whose text is not in the parts."""
    letters: Counter[int] = Counter()
    for part in marked.parts:
        letters[part.page] += sum(map(str.isalnum, part.text))
    failures = []
    for page in pages:
        own = sum(sum(map(str.isalnum, run.text)) for one in page.fragments for run in one.runs)
        if own >= LEAST and letters[page.index] < LOST * own:
            what = "most of the page's text is missing from MinerU's output"
        elif own < FEW and coverage(page) > SCANNED and letters[page.index] < FEW:
            what = "a scanned page without text in MinerU's output (its flash tier drops them)"
        else:
            continue
        remedy = "use a higher tier of MinerU, or ingest=pymupdf"
        failures.append(Failure(stage=stage, item=item, what=what, remedy=remedy, page=page.index))
    return failures
