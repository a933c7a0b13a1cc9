"""Text recognition: which engine reads a book's pages, many at once, and none twice.

In: pages that need it. Out: `Recognised`, lines of words with places and confidence, kept on disk under a key made of
the file, the page and the engine, so that a killed run goes on where it was. `tesseract.py` and `rapidocr.py` are the
engines; `scans.py` makes pages of what they find.
"""

from __future__ import annotations

import importlib
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Protocol

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from ingest.reader import Image, PageReader
from ingest.recognised import Recognised
from kg.document import Book
from kg.errors import InputError, SettingsError
from kg.store import Store, canonical, sha256

UNSURE, SURE = 0.6, 0.75
"""Text of less mean confidence than the first is looked for on the page's other sides; of at least the second it is
taken from there."""
TREATMENT = 3
"""Changes with what is done to pictures before an engine reads them, and to lines after."""
ENGINES = {"tesseract": "Tesseract", "rapidocr": "RapidOcr"}
"""Module of this room -> its class. Read only when one is wanted: both are optional."""
REMEDY = "install Tesseract (Debian: apt install tesseract-ocr tesseract-ocr-chi-sim) or `pip install textbook-kg[ocr]`"


class Recogniser(Protocol):
    """An engine that reads pictures of text."""

    @property
    def version(self) -> str:
        """Name and version of program and models; part of the key under which results are kept."""

    @property
    def at_once(self) -> int:
        """How many pages it reads best at the same time on this machine."""

    def reads(self, language: str) -> bool:
        """True if it can read `language`, its own name for one."""

    def read(self, image: Image, language: str) -> Recognised:
        """The text of the picture. Raises InputError if it cannot be read."""


@cache
def make(engine: str) -> Recogniser:
    """The engine, made once a process. Raises SettingsError if it is not there."""
    if engine not in ENGINES:
        raise SettingsError(f"no such engine: {engine}", where="ingest.ocr.engine", remedy=f"have {', '.join(ENGINES)}")
    try:
        module = importlib.import_module(f"ingest.{engine}")
    except ImportError as error:
        raise SettingsError(f"{engine} is not installed ({error})", where="ingest.ocr", remedy=REMEDY) from None
    made: Recogniser = getattr(module, ENGINES[engine])()
    return made


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Ocr:
    """Reads the pages whose text layer is missing or wrong."""

    engine: str = "auto"
    """`tesseract`, `rapidocr`, or `auto`: the first one that the language pack names and that is installed."""
    dpi: float = 300.0

    def __post_init__(self) -> None:
        if self.engine != "auto" and self.engine not in ENGINES:
            make(self.engine)

    def chosen(self, codes: Mapping[str, str]) -> tuple[Recogniser, str]:
        """The engine and its name of the language. `codes`: what each engine calls it, the best engine first.

        Raises SettingsError if there is none.
        """
        wanted = {self.engine: codes.get(self.engine, "")} if self.engine != "auto" else codes
        problem = SettingsError("no engine for text recognition is installed", where="ingest.ocr", remedy=REMEDY)
        for name, code in wanted.items():
            try:
                found = make(name)
            except SettingsError as error:
                problem = error
                continue
            if found.reads(code):
                return found, code
            problem = SettingsError(
                f"{name} has no data for {code or 'this language'}", where="ingest.ocr", remedy=REMEDY
            )
        raise problem

    def pages(
        self, book: Book, reader: PageReader, numbers: Sequence[int], chosen: tuple[Recogniser, str], kept: Kept
    ) -> Iterator[tuple[int, Recognised | InputError]]:
        """What is on each page, in order, or why it cannot be read; only a few pictures are in memory at a time."""
        recogniser, code = chosen
        waiting: deque[tuple[int, Future[Recognised | InputError]]] = deque()
        with ThreadPoolExecutor(recogniser.at_once) as threads:
            for page in numbers:
                if len(waiting) > recogniser.at_once:
                    number, future = waiting.popleft()
                    yield number, future.result()
                key = kept.key(page, recogniser.version, code, self.dpi)
                image = None if kept.has(key) else _picture(reader, book, page, self.dpi)
                waiting.append((page, threads.submit(_recognised, recogniser, code, image, kept, key)))
            for number, future in waiting:
                yield number, future.result()


class Kept:
    """Results on disk."""

    def __init__(self, store: Store, file: str) -> None:
        """`file`: hash of the book's file."""
        self._store, self._file = store, file

    def key(self, page: int, engine: str, code: str, dpi: float) -> str:
        """Name of the artefact that holds a page's result."""
        return f".ocr/{sha256(canonical([self._file, page, engine, code, dpi, TREATMENT]))[:32]}.json"

    def has(self, key: str) -> bool:
        """True if the result is there."""
        return self._store.path(key).is_file()

    def read(self, key: str) -> Recognised:
        """The result."""
        return self._store.read_row(key, Recognised)

    def write(self, key: str, found: Recognised) -> None:
        """The result is there afterwards."""
        self._store.write(key, found.to_json().encode("utf-8"))


def _picture(reader: PageReader, book: Book, page: int, dpi: float) -> Image | InputError:
    try:
        return reader.render(book, page, dpi)
    except InputError as error:
        return error


def _recognised(
    recogniser: Recogniser, code: str, image: Image | InputError | None, kept: Kept, key: str
) -> Recognised | InputError:
    if image is None:
        return kept.read(key)
    if isinstance(image, InputError):
        return image
    try:
        found = _upright(recogniser, code, image)
    except InputError as error:
        return error
    kept.write(key, found)
    return found


def _upright(recogniser: Recogniser, code: str, image: Image) -> Recognised:
    """The text of the picture, turned where it makes no sense as it is and good sense turned."""
    found = _read(recogniser, code, image)
    if found.sure >= UNSURE:
        return found
    for angle in (90, 270, 180):
        other = _read(recogniser, code, image.turned(angle)).model_copy(update={"turned": angle})
        if other.sure >= SURE and other.read > 2 * found.read:
            return other
    return found


def _read(recogniser: Recogniser, code: str, image: Image) -> Recognised:
    leaders = importlib.import_module("ingest.leaders")  # scipy's pictures cost every other book 13 MB and 0.2 s
    plain, dots = leaders.erased(image)
    found: Recognised = leaders.put_back(recogniser.read(plain, code), dots)
    return found
