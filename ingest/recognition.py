"""The pages of one book that need text recognition: recognised, straightened, and put in the places of the others.

In: pages with the reasons why their text cannot be used. Out: the pages with recognised text, how sure the engine was,
and what failed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ingest import scans, signals, tongue
from ingest.ocr import Kept, Ocr
from ingest.page import Reading
from ingest.reader import PageReader
from ingest.rules import IngestPart, Rules
from ingest.scans import Seen
from ingest.sheets import Sheet, sheet
from kg.document import Book
from kg.errors import Failure, InputError, SettingsError
from kg.language import Language

SAMPLE = 2
"""Pages that are recognised in each language to tell which one a book without text layer is in."""
CERTAIN = 0.15
"""Share of function words that leaves no doubt about the language."""
USUAL = 10.0


@dataclass
class Recognition:
    """Text recognition for one book."""

    book: Book
    reader: PageReader
    ocr: Ocr
    kept: Kept
    stage: str
    seen: dict[int, Seen] = field(default_factory=dict)
    """Pages that were recognised."""
    failures: list[Failure] = field(default_factory=list)

    def sample(self, count: int, languages: Mapping[str, Language]) -> str:
        """The text of pages from the middle of a book of `count` pages, in the language in which it makes most sense.

        Empty where nothing can be recognised.
        """
        numbers = sorted({count * (at + 1) // (SAMPLE + 1) for at in range(SAMPLE)})
        best, score = "", 0.0
        for code in sorted(languages):
            language = languages[code]
            try:
                chosen = self.ocr.chosen(language.part("ingest", IngestPart).ocr)
            except SettingsError:
                continue
            found = [one for _, one in self.ocr.pages(self.book, self.reader, numbers, chosen, self.kept)]
            text = " ".join(scans.text_of(one) for one in found if not isinstance(one, InputError))
            share = tongue.recognise(text, {code: language})[1]
            if share > score:
                best, score = text, share
            if score > CERTAIN:
                break
        return best

    def replace(self, reading: Reading, sheets: list[Sheet], faults: Mapping[int, str], rules: Rules) -> None:
        """Pages of `faults` whose recognised text is good stand in `sheets` afterwards, and in `seen`."""
        try:
            chosen = self.ocr.chosen(rules.part.ocr)
        except SettingsError as error:
            self.failures += [self._failure(page, f"{reason}: {error.what}", error) for page, reason in faults.items()]
            return
        numbers = {one.content.index: at for at, one in enumerate(sheets)}
        frames = 1 + max((frame.number for one in sheets for frame in one.frames), default=-1)
        for page, found in self.ocr.pages(self.book, self.reader, sorted(faults), chosen, self.kept):
            if isinstance(found, InputError):
                self.failures.append(self._failure(page, f"{faults[page]}: {found.what}", found))
                continue
            content, seen = scans.content(found, reading.pages[page], faults[page])
            fresh, used = sheet(content, USUAL, frames, rules)
            frames += used
            if wrong := signals.fault(fresh.lines, rules):
                what = f"{faults[page]}, and what text recognition finds is no better: {wrong}"
                self.failures.append(self._failure(page, what, InputError("", remedy="look at the page")))
                continue
            sheets[numbers[page]] = fresh
            self.seen[page] = seen

    def _failure(self, page: int, what: str, error: InputError | SettingsError) -> Failure:
        return Failure(stage=self.stage, item=self.book.slug, what=what, remedy=error.remedy, page=page)


def least_sure(seen: Mapping[int, Seen], limit: float) -> list[int]:
    """1-based numbers of the pages whose mean confidence is below `limit`, in order."""
    found = []
    for page, one in sorted(seen.items()):
        total = sum(length for _, _, length in one.places)
        if total and sum(sure * length for _, sure, length in one.places) < limit * total:
            found.append(page + 1)
    return found


def named(numbers: Sequence[int]) -> str:
    """`page 3`, `pages 3, 4`, the first eight and how many more."""
    shown = ", ".join(str(number) for number in numbers[:8])
    more = f" and {len(numbers) - 8} more" if len(numbers) > 8 else ""
    return f"page{'s' if len(numbers) > 1 else ''} {shown}{more}"
